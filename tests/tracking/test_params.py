from recplat.tracking.params import MAX_KEY, MAX_PARAMS, MAX_VALUE, flatten, key_for, shorten, to_params


def job(**spec: object) -> dict[str, object]:
    return {"apiVersion": "recplat.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "tiny"}, "spec": spec}


def test_fields_are_named_by_their_path_and_items_of_named_lists_by_name():
    fields = flatten(job(features=[{"name": "user_id", "dim": 16}, {"name": "age", "transform": []}]))
    assert fields["spec.features.user_id.dim"] == "16"
    assert fields["spec.features.age.transform"] == "[]"
    assert fields["metadata.name"] == "tiny"


def test_lists_without_names_are_one_value():
    assert flatten({"a": [1, 2], "b": {}, "c": True, "d": "x"}) == {"a": "[1, 2]", "b": "{}", "c": "true", "d": "x"}


def test_a_long_value_is_cut_with_a_mark_and_its_path_is_told():
    params, cut = to_params(job(note="x" * 6001, short="y" * 6000))
    assert cut == ("spec.note",)
    assert len(params["spec.note"]) == MAX_VALUE
    assert params["spec.note"].endswith("… (cut, 6001 characters)")
    assert params["spec.short"] == "y" * 6000
    assert not any(name.startswith(("apiVersion", "kind")) for name in params)


def test_too_many_fields_become_one_parameter_a_section():
    many = [{"name": f"f{number}", "dim": 8, "type": "categorical"} for number in range(MAX_PARAMS)]
    params, _ = to_params(job(features=many, tables=[], train={"epochs": 2}))
    assert params["spec.train.epochs"] == "2"
    assert params["spec.features"].startswith('[{"name": "f0"')
    assert len(params) < 10


def test_keys_hold_only_what_mlflow_takes():
    assert key_for("gauc@10 (item)/x:y") == "gauc_10 _item_/x:y"
    assert key_for("/../etc") == "__/etc"
    assert key_for("größe") == "größe"
    assert len(key_for("k" * 1000)) == MAX_KEY


def test_shortening_leaves_what_fits():
    assert shorten("café") == "café"
