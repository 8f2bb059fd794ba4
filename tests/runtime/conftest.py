import pytest

from tests.runtime.rank_pool import RankPool, shared_pool


@pytest.fixture
def rank_pool() -> RankPool:
    return shared_pool()
