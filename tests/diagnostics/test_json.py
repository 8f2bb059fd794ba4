import json

from recplat.diagnostics import Diagnostic, Edit, Fix, Location, Related, render_json

PLACE = {"file": "a.yaml", "line": 3, "column": 5, "end_line": 3, "end_column": 9}
NOWHERE = dict.fromkeys(PLACE)


def test_every_key_is_there_and_null_where_unknown():
    [shown] = json.loads(render_json([Diagnostic("c", "m", help="h")]))
    assert shown == {
        "code": "c",
        "severity": "error",
        "message": "m",
        "help": "h",
        "path": None,
        "related": [],
        "notes": [],
        "fix": None,
        **NOWHERE,
    }


def test_places_related_and_fix_are_flat_objects():
    where = Location("a.yaml", 3, 5, 3, 9)
    diagnostic = Diagnostic(
        "c",
        "m",
        help="h",
        severity="warning",
        path="spec.x",
        location=where,
        related=(Related("first", where),),
        notes=("n",),
        fix=Fix("quote it", (Edit("a.yaml", 3, 5, 3, 9, '"no"'),)),
    )
    [shown] = json.loads(render_json([diagnostic]))
    assert {key: shown[key] for key in PLACE} == PLACE
    assert shown["related"] == [{"message": "first", **PLACE}]
    assert shown["fix"] == {"title": "quote it", "edits": [{**PLACE, "text": '"no"'}]}
    assert (shown["severity"], shown["path"], shown["notes"]) == ("warning", "spec.x", ["n"])


def test_no_diagnostics_is_an_empty_list():
    assert json.loads(render_json([])) == []


def test_file_name_that_is_not_utf8_stays_strict_json():
    text = render_json([Diagnostic("c", "m\udcff", help="ü", location=Location("\udcff.yaml", 1, 1, 1, 1))])
    assert text.isascii()
    assert json.loads(text)[0]["file"] == r"\udcff.yaml"
    assert json.loads(text)[0]["help"] == "ü"
