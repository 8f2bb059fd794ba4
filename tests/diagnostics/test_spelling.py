import pytest
from hypothesis import given
from hypothesis import strategies as st

from recplat.diagnostics import nearest

FIELDS = ["batch_size", "weight_decay", "learning_rate", "epochs", "seed", "dim", "lr"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("weigth_decay", "weight_decay"),
        ("batch-size", "batch_size"),
        ("batchSize", "batch_size"),
        ("BATCH_SIZE", "batch_size"),
        ("Batch Size", "batch_size"),
        ("batchsize", "batch_size"),
        ("epoch", "epochs"),
        ("sede", "seed"),
        ("dims", "dim"),
        ("learning_rat", "learning_rate"),
        ("seed", "seed"),
    ],
)
def test_slip_finds_what_was_meant(word, meant):
    assert nearest(word, FIELDS) == meant


@pytest.mark.parametrize("word", ["", "x", "ab", "completely_different", "momentum", "dropout"])
def test_nothing_close_is_none(word):
    assert nearest(word, FIELDS) is None


def test_no_candidates_is_none():
    assert nearest("seed", []) is None


def test_nearer_name_wins_over_earlier():
    assert nearest("item_idd", ["item_iddxx", "item_id", "user_id"]) == "item_id"


def test_equally_near_names_give_the_first():
    assert nearest("taple", ["table", "tople"]) == "table"


def test_difference_of_case_alone_wins_over_a_slip():
    assert nearest("Dims", ["dim", "dims"]) == "dims"


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=5))
def test_answer_is_one_of_the_candidates(word, candidates):
    found = nearest(word, candidates)
    assert found is None or found in candidates
    if word in candidates:
        assert found == word
