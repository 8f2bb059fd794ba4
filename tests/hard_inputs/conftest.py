import pytest

from tests.data.project_builder import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
