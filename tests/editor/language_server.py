"""A client of the Language Server Protocol, as far as these tests need one."""

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
_PATIENCE_S = 60.0  # for one answer
SERVER = os.environ.get("YAML_LANGUAGE_SERVER", "")


class Editor:
    """yaml-language-server over its standard streams. Lines and columns count from 0."""

    def __init__(self) -> None:
        command = ["node", SERVER, "--stdio"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.marks: dict[str, list[tuple[int, str]]] = {}  # by document: line and message
        self.last_id = 0
        self.num_opened = 0
        self.request("initialize", {"processId": os.getpid(), "rootUri": ROOT.as_uri(), "capabilities": {}})
        self.notify("initialized", {})

    def open(self, text: str) -> str:
        """Open a document that would lie in `specs/`, and wait for what the server finds in it."""
        self.num_opened += 1
        uri = (ROOT / "specs" / f"open-{self.num_opened}.yaml").as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        while uri not in self.marks:
            self._handle(self._read())
        return uri

    def marked(self, text: str) -> list[tuple[int, str]]:
        """What is marked in a document."""
        return self.marks[self.open(text)]

    def offered(self, text: str) -> set[str]:
        """What is offered where the text has its one `|`."""
        before, _, after = text.partition("|")
        place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        asked = {"textDocument": {"uri": self.open(before + after)}, "position": place}
        return {item["label"] for item in self.request("textDocument/completion", asked)["items"]}

    def shown(self, text: str) -> str:
        """What is shown to whoever points at the place of the `|`."""
        before, _, after = text.partition("|")
        place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        asked = {"textDocument": {"uri": self.open(before + after)}, "position": place}
        return str(self.request("textDocument/hover", asked)["contents"]["value"])

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
            marks = [(mark["range"]["start"]["line"], mark["message"]) for mark in found["diagnostics"]]
            self.marks[found["uri"]] = marks
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
        watchdog = threading.Timer(_PATIENCE_S, self.process.kill)
        watchdog.start()
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the language server ended, or did not answer"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        watchdog.cancel()
        return message
