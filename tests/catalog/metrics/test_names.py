from recplat.catalog import builtin_catalog


def options(name, **fields):
    return builtin_catalog().options("metrics", name)(**fields)


def test_metrics_are_named_by_their_folder_and_by_what_sets_them_apart():
    assert options("auc").metric_name() == "auc"
    assert options("accuracy").metric_name() == "accuracy"
    assert options("accuracy", threshold=0.3).metric_name() == "accuracy_0.3"
    assert options("gauc", group_by="user_id").metric_name() == "gauc_user_id"
    assert options("gauc", group_by="user id%").metric_name() == "gauc_user_id_"


def test_gauc_asks_for_its_column():
    assert options("gauc", group_by="user_id").group_column() == "user_id"
    assert options("auc").group_column() is None


def test_only_what_has_a_better_direction_can_choose_the_best_checkpoint():
    better = {name: builtin_catalog().options("metrics", name).higher_is_better for name in ("auc", "accuracy", "gauc")}
    assert set(better.values()) == {True}
    assert options("logloss").higher_is_better is False
    assert options("ne").higher_is_better is False
    assert options("calibration").higher_is_better is None
