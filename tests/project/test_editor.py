"""What an editor shows for a spec, asked of the language server that editors run."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SERVER = os.environ.get("YAML_LANGUAGE_SERVER", "")

pytestmark = pytest.mark.skipif(not Path(SERVER).is_file(), reason="YAML_LANGUAGE_SERVER names no language server")

DOCUMENT = """\
# yaml-language-server: $schema=../schemas/trainingjob.schema.json
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: clicked}
  features:
    - {name: user_id, type: categorical, dim: 16}
  model:
    type: dlrm
"""


class Editor:
    """A client of the Language Server Protocol, as far as these tests need one."""

    def __init__(self) -> None:
        command = ["node", SERVER, "--stdio"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.diagnostics: dict[str, list[str]] = {}
        self.last_id = 0
        self.request("initialize", {"processId": os.getpid(), "rootUri": ROOT.as_uri(), "capabilities": {}})
        self.notify("initialized", {})

    def open(self, name: str, text: str) -> str:
        """Open a document and wait for what the server finds in it."""
        uri = (ROOT / "specs" / name).as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        while uri not in self.diagnostics:
            self._handle(self._read())
        return uri

    def complete(self, uri: str, line: int, character: int) -> set[str]:
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return {item["label"] for item in self.request("textDocument/completion", place)["items"]}

    def hover(self, uri: str, line: int, character: int) -> str:
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return str(self.request("textDocument/hover", place)["contents"]["value"])

    def request(self, method: str, params: Any) -> Any:
        self.last_id += 1
        self._write({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self.last_id and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self._handle(message)

    def notify(self, method: str, params: Any) -> None:
        self._write({"method": method, "params": params})

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _handle(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            found = message["params"]
            self.diagnostics[found["uri"]] = [diagnostic["message"] for diagnostic in found["diagnostics"]]
        elif "id" in message:  # it asks for settings, of which there are none
            items = (message.get("params") or {}).get("items", [])
            self._write({"id": message["id"], "result": [None for _ in items]})

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the language server ended"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    editor = Editor()
    yield editor
    editor.close()


@pytest.mark.parametrize("spec", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda spec: spec.name)
def test_nothing_is_marked_in_the_examples(editor: Editor, spec: Path):
    uri = editor.open(f"open-{spec.name}", spec.read_text())
    assert editor.diagnostics[uri] == []


def test_a_misspelt_field_is_marked(editor: Editor):
    uri = editor.open("misspelt.yaml", DOCUMENT.replace("column: clicked", "colunm: clicked"))
    assert any("colunm" in message for message in editor.diagnostics[uri])


def test_a_field_of_another_model_is_marked_and_nothing_else(editor: Editor):
    uri = editor.open("other.yaml", DOCUMENT + "    num_cross_layers: 3\n")
    assert len(editor.diagnostics[uri]) == 1
    assert "num_cross_layers" in editor.diagnostics[uri][0]


def test_the_names_of_models_are_offered(editor: Editor):
    uri = editor.open("models.yaml", DOCUMENT.replace("type: dlrm", "type: "))
    line = DOCUMENT.splitlines().index("    type: dlrm")
    assert {"dlrm", "deepfm", "dcn_v2", "logistic_regression"} <= editor.complete(uri, line, len("    type: "))


def test_the_fields_of_the_chosen_model_are_offered(editor: Editor):
    uri = editor.open("fields.yaml", DOCUMENT + "    \n")
    offered = editor.complete(uri, len(DOCUMENT.splitlines()), 4)
    assert {"bottom_mlp", "top_mlp"} <= offered
    assert "num_cross_layers" not in offered


def test_a_description_is_shown(editor: Editor):
    uri = editor.open("hover.yaml", DOCUMENT)
    line = DOCUMENT.splitlines().index("    label: {column: clicked}")
    assert "What is predicted" in editor.hover(uri, line, 5)
