import pytest

from recplat.data.first_rows import first_rows_faults

FEATURES = [{"name": "user", "type": "categorical"}, {"name": "age", "type": "numeric"}]


def _faults(project):
    loaded = project.load()
    return first_rows_faults(loaded.job, loaded.catalog, loaded.root)


def test_wrong_values_are_found_all_at_once(project):
    project.text("rows.csv", "part,label,user,age,w\na,1,u,7,1\na,no,u,old,heavy\nb,0,u,8,1\n")
    project.features = FEATURES
    project.data["weight"] = "w"
    found = _faults(project)
    assert [(fault.path, fault.code) for fault in found] == [
        ("spec.data.label.column", "data-value-type"),
        ("spec.data.weight", "data-value-type"),
        ("spec.features.age.column", "data-value-type"),
    ]
    assert [fault.help for fault in found] == [
        "say which values are positive, for instance `positive: 'in [no]'`, or correct the row",
        "correct it, or choose a column of numbers as `data.weight`",
        "correct it, or leave it empty; a column of texts makes a feature of `type: categorical`",
    ]
    assert all("row 2 of `rows.csv`" in fault.message for fault in found)


def test_rows_of_no_part_are_not_looked_at(project):
    project.text("rows.csv", "part,label,user,age\nz,no,u,old\na,1,u,7\n")
    project.features = FEATURES
    assert _faults(project) == ()


@pytest.mark.parametrize("split", [{"by": "random"}, {"by": "column", "column": "part", "train": ["a"]}])
def test_a_misspelt_condition_is_a_warning(project, split):
    project.parquet(label=["click", "no"], user=["a", "b"], age=[1, 2])
    project.features = FEATURES
    project.data["split"] = split
    project.data["label"] = {"column": "label", "positive": "in [clik]"}
    [warning] = _faults(project)
    assert (warning.severity, warning.code) == ("warning", "data-one-class")
    assert warning.help == "did you mean `positive: 'in [click]'`?"


def test_only_the_first_rows_are_read(project):
    project.text("rows.csv", "part,label,user,age\n" + "a,1,u,7\n" * 1000 + "a,1,u,old\n")
    project.features = FEATURES
    assert _faults(project) == ()
