import pytest


def _project(project, event, positive=None, **columns):
    project.parquet(event=event, user=["a"] * len(event), **columns)
    project.data["label"] = {"column": "event"} | ({"positive": positive} if positive else {})
    project.features = [{"name": "user", "type": "categorical"}]
    return project


def test_a_condition_that_no_training_row_meets_is_refused_with_what_the_column_holds(project):
    problem = _project(project, ["no", "click", "click", "no"], "in [clik]").problem()
    assert (problem.code, problem.path) == ("data-one-class", "spec.data.label.positive")
    assert problem.message == "no training row is positive; `event` holds `click`, `no`"
    assert problem.help == "did you mean `positive: 'in [click]'`?"


def test_a_condition_that_all_training_rows_meet_is_refused(project):
    problem = _project(project, [1, 2, 3, 4, 5, 6], "<= 6").problem()
    assert problem.message == "every training row is positive; `event` holds `1`, `2`, `3`, `4`, `5` and 1 more"
    assert "not all of the labels meet" in problem.help


@pytest.mark.parametrize("value", [0, 1])
def test_labels_of_one_value_are_refused_without_a_condition_too(project, value):
    problem = _project(project, [value] * 4).problem()
    assert (problem.code, problem.path) == ("data-one-class", "spec.data.label.column")


def test_rows_divided_by_their_class_get_another_remedy(project):
    problem = _project(project, [0, 0, 1, 1], part=["a", "a", "b", "b"]).problem()
    assert problem.help == "other parts hold positive rows: divide the rows in another way in `data.split`"


@pytest.mark.parametrize("value", [0, 1])
def test_evaluation_rows_may_be_of_one_class(project, value):
    made = _project(project, [0, 1, value, value], part=["a", "a", "b", "b"])
    assert made.statistics().parts["eval"].num_positive == 2 * value


@pytest.mark.parametrize(
    ("positive", "meant"),
    [("== by it", None), ("in [Click, 'bye it']", "'in [click, \"buy it\"]'"), ("!= xyz", None)],
)
def test_the_remedy_can_be_pasted(project, positive, meant):
    positive = positive.replace("by it", "'by it'")
    help = _project(project, ["click", "buy it", "click"] * 2 if meant else ["x"], positive).problem().help
    assert (meant in help) if meant else ("did you mean" not in help)


def test_data_stats_shows_the_figures_and_fails(project, monkeypatch):
    from click.testing import CliRunner

    from recplat.cli import cli

    monkeypatch.chdir(project.root)
    _project(project, ["click", "no"], "in [clik]").load()
    done = CliRunner().invoke(cli, ["data", "stats", "tiny.yaml"])
    assert done.exit_code == 1
    assert "0.00%" in done.stdout
    assert "error[data-one-class]" in done.stderr
    assert "tiny.yaml:" in done.stderr
