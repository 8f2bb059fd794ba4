"""B40: parameters that are too long, too many or oddly named do not stop the recording."""

import pytest

from recplat.tracking.mlflow_run import read_place
from recplat.tracking.mlflow_tracker import MlflowTracker
from recplat.tracking.params import MAX_VALUE, to_params
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.stores import import_mlflow, open_client
from recplat.tracking.tracker import TrackedRun


def test_long_many_odd_and_non_ascii_parameters_are_recorded(tmp_path):
    spec = {f"field{number}": number for number in range(250)}
    spec |= {"len501": "a" * 501, "len6000": "b" * 6000, "len6001": "c" * 6001, "len100000": "d" * 100_000}
    spec |= {"gauc: by user": 1, "name@10": 2, "größe": "Ω 推荐"}
    params, cut = to_params({"metadata": {"name": "job"}, "spec": spec})
    assert cut == ("spec.len6001", "spec.len100000")
    normal_form = tmp_path / "normal.json"
    normal_form.write_text("the whole")
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    tracker = MlflowTracker(uri, "größe", pytest.fail)
    tracker.start(
        TrackedRun(
            folder=folder.path,
            run_name="推荐",
            params=params,
            tags={"team: a/b": "x" * 9000},
            datasets=(),
            artifacts=((normal_form, "spec"),),
        )
    )
    assert tracker.finish("FINISHED", timeout_s=60) is None

    import_mlflow()
    client = open_client(uri)
    place = read_place(folder)
    recorded = client.get_run(place.mlflow_run_id).data.params
    assert len(recorded) == len(spec) + 1
    assert recorded["spec.len501"] == "a" * 501
    assert recorded["spec.len6000"] == "b" * 6000
    assert recorded["spec.len6001"].endswith("… (cut, 6001 characters)")
    assert len(recorded["spec.len100000"]) == MAX_VALUE
    assert recorded["spec.gauc: by user"] == "1"
    assert recorded["spec.name_10"] == "2"
    assert recorded["spec.größe"] == "Ω 推荐"
    assert [file.path for file in client.list_artifacts(place.mlflow_run_id, "spec")] == ["spec/normal.json"]
