"""A label that is NaN or null would make every metric NaN: the row is refused by its number."""

import pytest

FEATURES = [{"name": "x", "type": "numeric"}]


@pytest.mark.parametrize("positive", [None, ">= 4"])
@pytest.mark.parametrize("part", ["a", "b", "c"])
@pytest.mark.parametrize("label", [float("nan"), None, float("inf")])
def test_the_row_is_named_in_every_part(project, label, part, positive):
    project.parquet(x=[1, 2, 3], label=[0.0, 1.0, label], part=["a", "a", part])
    project.data["label"] = {"column": "label"} | ({"positive": positive} if positive else {})
    project.features = FEATURES
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-label-missing", "spec.data.label.column")
    assert "row 3 of `rows.parquet`" in problem.message


def test_an_empty_cell_of_a_text_file_is_no_label_either(project):
    project.text("rows.csv", "part,label,x\na,1,3\na,,3\n")
    project.features = FEATURES
    assert "row 2 of `rows.csv`" in project.problem().message


def test_a_row_that_belongs_to_no_part_may_lack_its_label(project):
    project.parquet(x=[1, 2], label=[0.0, None], part=["a", "z"])
    project.features = FEATURES
    assert project.rows().labels.tolist() == [0]
