import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editor.language_server import SERVER, Editor

WITHOUT_SERVER = "YAML_LANGUAGE_SERVER names no yaml-language-server; .ci/run installs one"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if Path(SERVER).is_file() or os.environ.get("CI") == "true":
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=WITHOUT_SERVER))


@pytest.fixture(scope="session")
def editor() -> Iterator[Editor]:
    assert Path(SERVER).is_file(), WITHOUT_SERVER
    editor = Editor()
    yield editor
    editor.close()
