import pickle
import subprocess
import sys

import pytest

from recplat.diagnostics import Diagnostic, Location, Problems, in_file_order


def fault(message: str, file: str | None = None, line: int = 1, column: int = 1) -> Diagnostic:
    location = None if file is None else Location(file, line, column, line, column + 1)
    return Diagnostic("some-code", message, help="do it right", location=location)


@pytest.mark.parametrize("help", ["", "  \n"])
def test_diagnostic_without_remedy_is_refused(help):
    with pytest.raises(ValueError, match="help"):
        Diagnostic("some-code", "it is wrong", help=help)


def test_file_order_is_by_first_appearance_then_place():
    found = [fault("none"), fault("b9", "b", 9), fault("a2", "a", 2), fault("b1", "b", 1), fault("b1c", "b", 1, 5)]
    assert [d.message for d in in_file_order(found)] == ["b1", "b1c", "b9", "a2", "none"]


def test_equal_places_keep_their_order_and_repeats_are_dropped():
    found = [fault("y", "a"), fault("x", "a"), fault("y", "a")]
    assert [d.message for d in in_file_order(found)] == ["y", "x"]


def test_problems_are_a_value_error_that_reads_well():
    problems = Problems([fault("late", "a", 2), fault("early", "a", 1)])
    assert isinstance(problems, ValueError)
    assert [d.message for d in problems.diagnostics] == ["early", "late"]
    assert str(problems).startswith("error[some-code]: early\n --> a:1:1\n")
    assert str(problems).endswith("2 errors")


def test_problems_survive_the_way_between_processes():
    problems = pickle.loads(pickle.dumps(Problems([fault("x", "a")], {"a": "text"})))
    assert problems.diagnostics == (fault("x", "a"),)
    assert problems.sources == {"a": "text"}


def test_import_brings_nothing_heavy():
    heavy = "{'numpy', 'torch', 'yaml', 'jsonschema', 'difflib', 'unicodedata'}"
    code = f"import sys, recplat.diagnostics; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
