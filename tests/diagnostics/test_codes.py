import re

import pytest

from recplat.diagnostics import explain, known_codes


def test_codes_are_kebab_case():
    assert known_codes()
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", code) for code in known_codes())


@pytest.mark.parametrize("code", known_codes())
def test_every_code_has_a_title_an_explanation_and_an_example(code):
    text = explain(code)
    assert text is not None
    title, _, rest = text.partition("\n\n")
    assert re.fullmatch(r"# \S.*", title)
    assert rest.strip()
    assert text.count("```") % 2 == 0


@pytest.mark.parametrize("code", ["no-such-code", "", "../types", "../../diagnostics/codes/yaml-tab", "yaml-tab.md"])
def test_unknown_code_is_none(code):
    assert explain(code) is None
