"""Every code that the source can report has a page, and a stored case where `validate` or `plan` can reach it."""

import re

import pytest

from recplat.diagnostics import Diagnostic, known_codes
from tests.golden.codes import codes_in
from tests.golden.test_diagnostics import FOLDER

#: What one must make up rather than store, for its size; `tests/spec/test_hostile_files.py` has them.
MADE_UP = {
    "extends-too-deep",
    "file-too-large",
    "file-unreadable",
    "names-too-many",
    "too-many-faults",
    "yaml-too-many-nodes",
}
#: Of other commands than `validate` and `plan`.
ELSEWHERE = {"migrate-by-hand", "topic-unknown"}


def test_every_code_in_the_source_has_a_page():
    assert {code: file for code, file in codes_in(".").items() if code not in known_codes()} == {}


def test_every_code_of_specs_and_plans_has_a_case():
    shown = {
        code
        for text in FOLDER.glob("*.txt")
        for code in re.findall(r"^(?:error|warning|note)\[(.+?)\]", text.read_text(encoding="utf-8"), re.MULTILINE)
    }
    reachable = codes_in("document", "spec", "plan", "catalog", "lang")
    missing = {code: file for code, file in reachable.items() if code not in shown | MADE_UP | ELSEWHERE}
    assert missing == {}


def test_the_codes_are_found_in_the_source():
    # Or the tests above would pass for want of codes.
    assert {"unknown-field", "yaml-tab", "bad-gate", "transform-order", "rows-unknown"} <= codes_in(".").keys()


def test_a_diagnostic_without_help_is_refused():
    with pytest.raises(ValueError, match="has no help"):
        Diagnostic("unknown-field", "a message", help=" ")


def test_every_stored_spec_is_used():
    commands = "\n".join(text.read_text(encoding="utf-8").split("\n", 1)[0] for text in FOLDER.glob("*.txt"))
    others = {"no-such-file"}  # what `no-such-fil.yaml` should have been
    assert {spec.stem for spec in FOLDER.glob("*.yaml") if f"{spec.name}" not in commands} <= others
