import pytest
from hypothesis import given
from hypothesis import strategies as st

from recplat.document import join_path, load, split_path
from tests.document.document_builder import span

SPEC = """\
spec:
  features:
    - name: user_id
      dim: 16
    - {name: "0", dim: 4}
  model:
    top: [64, 32]
  a.b: 1
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("spec.features.user_id.dim", (4, 12, 14)),
        ("spec.features.user_id", (3, 13, 20)),
        ("spec.features.user_id.nope.more", (3, 13, 20)),
        ("spec.features[0].dim", (5, 24, 25)),  # a name goes before an index
        ("spec.features.1.dim", (5, 24, 25)),
        ("spec.features.9", (2, 3, 11)),
        ("spec.model.top.1", (7, 15, 17)),
        ("spec.model.top.2", (7, 10, 18)),
        ("spec.model", (6, 3, 8)),
        ('spec."a.b"', (8, 8, 9)),
        ("spec.nope", (1, 1, 5)),
    ],
)
def test_path_leads_to_its_place_or_the_closest_around_it(folder, path, place):
    folder(SPEC)
    assert span(load("main.yaml").locate(path)) == place


def test_unknown_outermost_key_leads_to_the_document(folder):
    folder(SPEC)
    assert load("main.yaml").locate("nope").line == 1


@given(st.lists(st.text(min_size=0, max_size=8), min_size=1, max_size=5))
def test_any_keys_make_a_path_that_splits_into_them(keys):
    path = join_path(keys)
    assert [segment.text for segment in split_path(path)] == keys


def test_segments_know_their_columns():
    assert split_path('ab.[0]."c.d"')[2] == ("c.d", 7, 12)


def test_plain_names_stay_plain():
    assert join_path(["spec", "features", "user_id", 0]) == "spec.features.user_id.0"
