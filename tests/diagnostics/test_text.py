import pytest
from hypothesis import given
from hypothesis import strategies as st

from recplat.diagnostics import Diagnostic, Edit, Fix, Location, Related, render_text

SOURCE = "\n".join(["#"] * 40 + ["      type: table_wise", "", "      ranks: 8"])


def render(*diagnostics: Diagnostic, source: str | None = SOURCE, color: bool = False) -> str:
    return render_text(diagnostics, color=color, read_source=lambda file: source)


def at(line: int, column: int, end_column: int, end_line: int | None = None) -> Location:
    return Location("specs/feed.yaml", line, column, end_line or line, end_column)


def fault(location: Location | None = None, **more: object) -> Diagnostic:
    return Diagnostic("some-code", "it is wrong", help="do it right", location=location, **more)  # type: ignore[arg-type]


def caret_line(source: str, column: int, end_column: int) -> tuple[str, str]:
    lines = render(fault(at(1, column, end_column)), source=source).split("\n")
    return lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")


def test_looks_like_rustc():
    diagnostic = Diagnostic(
        "shard-does-not-fit",
        "table `item_id` needs 48.4 GiB on rank 3; 38.5 GiB is free",
        help="`row_wise` puts 6.1 GiB on each of 8 ranks",
        path="spec.sharding.tables.item_id.type",
        location=at(41, 13, 23),
        notes=("200_000_000 rows x (64 x 4 B weights + 4 B optimiser state)",),
    )
    assert render(diagnostic) == (
        "error[shard-does-not-fit]: table `item_id` needs 48.4 GiB on rank 3; 38.5 GiB is free\n"
        "  --> specs/feed.yaml:41:13  spec.sharding.tables.item_id.type\n"
        "   |\n"
        "41 |       type: table_wise\n"
        "   |             ^^^^^^^^^^\n"
        "   = 200_000_000 rows x (64 x 4 B weights + 4 B optimiser state)\n"
        "   help: `row_wise` puts 6.1 GiB on each of 8 ranks\n"
        "\n"
        "1 error"
    )


def test_related_places_and_fix_are_shown():
    related = (Related("first given here", at(41, 7, 11)),)
    fix = Fix("delete it", (Edit("specs/feed.yaml", 43, 1, 44, 1, ""),))
    assert render(fault(at(43, 7, 12), related=related, fix=fix)).split("\n")[4:] == [
        "   |       ^^^^^",
        "  ::: specs/feed.yaml:41:7  first given here",
        "   |",
        "41 |       type: table_wise",
        "   |       ----",
        "   help: do it right",
        "   fix: delete it",
        "",
        "1 error",
    ]


def test_without_place_only_sentence_and_remedy():
    assert render(fault()) == "error[some-code]: it is wrong\n  help: do it right\n\n1 error"


def test_without_source_the_place_is_named():
    assert "--> specs/feed.yaml:41:13\n" in render(fault(at(41, 13, 23)), source=None)


def test_place_behind_the_end_of_the_file_shows_no_line():
    assert render(fault(at(99, 1, 2))).count("|") == 0


def test_severities_are_counted():
    warning, note = fault(severity="warning"), fault(severity="note")
    assert render(fault(), fault(path="a"), warning, note).endswith("\n2 errors, 1 warning, 1 note")


def test_nothing_to_say_is_empty():
    assert render() == ""


def test_tab_before_the_span():
    assert caret_line("\tlr: x", 6, 7) == ("    lr: x", "        ^")


def test_wide_characters_take_two_cells():
    assert caret_line("名前: 値段 x", 5, 7) == ("名前: 値段 x", "      ^^^^")


def test_combining_marks_take_no_cell():
    assert caret_line("e\u0301e\u0301: x", 7, 8)[1] == "    ^"


def test_empty_span_gets_one_caret():
    assert caret_line("a:", 3, 3) == ("a:", "  ^")


def test_span_over_lines_marks_the_first():
    lines = render(fault(at(41, 13, 4, end_line=43))).split("\n")
    assert lines[4] == "   |             ^^^^^^^^^^"


def test_long_line_is_cut_around_the_span():
    shown, carets = caret_line("x" * 5000 + "HERE" + "y" * 5000, 5001, 5005)
    assert len(shown) <= 106
    assert shown.startswith("...x")
    assert shown.endswith("y...")
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "HERE"


def test_long_span_is_cut():
    shown, carets = caret_line("k: " + "v" * 5000, 4, 5004)
    assert len(shown) <= 106
    assert len(carets) <= len(shown)


def test_file_can_not_send_commands_to_the_terminal():
    text = render(fault(at(1, 1, 2), path="a\x1b[2Jb"), source="\x1b[31mred\u202e\x00")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"a\x1b[2Jb" in text


def test_color_only_when_asked():
    assert "\x1b[1;31merror[some-code]\x1b[0m: it is wrong" in render(fault(), color=True)
    assert "\x1b" not in render(fault(), color=False)


def test_lines_of_notes_are_aligned():
    assert "  = one\n    two\n" in render(fault(notes=("one\ntwo",)))


def test_byte_order_mark_does_not_move_the_caret():
    assert caret_line("\ufeffab: x", 1, 3) == ("ab: x", "^^")


@given(st.text(), st.integers(1, 30), st.integers(1, 300), st.integers(1, 30), st.integers(1, 300), st.text())
def test_any_text_can_be_shown(source, line, column, end_line, end_column, word):
    location = Location(word, line, column, end_line, end_column)
    shown = render(fault(location, path=word, notes=(word,), related=(Related(word, location),)), source=source)
    shown.encode("utf-8")


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_break_counts(breaks):
    assert "2 | b: 2\n" in render(fault(at(2, 1, 2)), source=f"a: 1{breaks}b: 2{breaks}")
