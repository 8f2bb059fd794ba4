from recplat.tracking.params import flatten
from recplat.tracking.spec_changes import spec_changes


def fields(*features: dict, **train: object) -> dict[str, str]:
    return flatten({"spec": {"features": list(features), "train": train}})


AGE, USER = {"name": "age", "type": "numeric"}, {"name": "user", "type": "categorical", "table": "user"}


def words(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [change.words for change in spec_changes(before, after)]


def test_the_same_spec_has_no_changes():
    assert spec_changes(fields(AGE, USER, epochs=1), fields(AGE, USER, epochs=1)) == ()


def test_a_field_has_both_values_and_one_that_is_not_given_says_so():
    assert words(fields(AGE, epochs=1), fields(AGE, epochs=2, max_steps=9)) == [
        "spec.train.epochs 1 -> 2",
        "spec.train.max_steps (none) -> 9",
    ]


def test_a_feature_that_one_side_lacks_is_one_change():
    assert words(fields(AGE), fields(AGE, USER)) == ["spec.features (none) -> user"]
    assert words(fields(AGE), fields(USER)) == ["spec.features age -> user"]


def test_another_order_of_features_is_a_change():
    assert words(fields(AGE, USER), fields(USER, AGE)) == ["spec.features (order) age, user -> user, age"]


def test_rows_move_with_batch_size_seed_and_features_and_not_with_epochs():
    before = fields(AGE, batch_size=32, seed=0, epochs=1)
    after = fields({**AGE, "column": "a"}, USER, batch_size=64, seed=1, epochs=2)
    assert {change.path: change.moves_rows for change in spec_changes(before, after)} == {
        "spec.features": True,
        "spec.features.age.column": True,
        "spec.train.batch_size": True,
        "spec.train.seed": True,
        "spec.train.epochs": False,
    }
