import re
import textwrap
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from recplat.cli import cli
from recplat.cli.templates.spec_text import MODELS
from recplat.spec import LoadedJob, load_job


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder outside of any project."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", *arguments])


def _job(path: Path) -> LoadedJob:
    loaded = load_job(path)
    assert loaded.warnings == ()
    return loaded


def _columns(loaded: LoadedJob) -> dict[str, str]:
    """Feature -> its type."""
    return {feature.name: loaded.catalog.name_of(feature) for feature in loaded.job.spec.features}


@pytest.mark.parametrize("template", MODELS)
def test_every_template_is_a_valid_spec_of_at_most_25_lines(folder: Path, template: str):
    result = _init("first", "--template", template)
    assert result.exit_code == 0, result.output
    assert len((folder / "first.yaml").read_text().splitlines()) <= 25
    loaded = _job(folder / "first.yaml")
    assert loaded.catalog.name_of(loaded.job.spec.model) == template


def test_the_sample_has_every_column_that_the_spec_names(folder: Path):
    _init("first")
    loaded = _job(folder / "first.yaml")
    header = (folder / "first.csv").read_text().splitlines()[0].split(",")
    named = {column for feature in loaded.job.spec.features for column in feature.columns()}
    assert named | {loaded.job.spec.data.label.column} <= set(header)


def test_the_sample_is_the_same_at_every_call(folder: Path):
    _init("first")
    _init("second")
    assert (folder / "first.csv").read_bytes() == (folder / "second.csv").read_bytes()


def test_the_schema_line_leads_to_a_schema(folder: Path):
    _init("first", "--dir", "jobs/new")
    first = (folder / "jobs/new/first.yaml").read_text().splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    schema = folder / "jobs/new" / first.partition("$schema=")[2]
    assert '"$defs"' in schema.read_text()


def test_a_project_with_its_own_schema_is_pointed_at_it(folder: Path):
    (folder / ".git").mkdir()
    (folder / "schemas").mkdir()
    (folder / "schemas/trainingjob.schema.json").write_text("{}")
    _init("first", "--dir", "jobs")
    assert "$schema=../schemas/trainingjob.schema.json" in (folder / "jobs/first.yaml").read_text()


def test_nothing_is_overwritten_without_force(folder: Path):
    (folder / "first.yaml").write_text("mine")
    refused = _init("first")
    assert refused.exit_code == 1
    assert "error[file-exists]: `first.yaml` exists already" in refused.stderr
    assert (folder / "first.yaml").read_text() == "mine"
    assert not (folder / "first.csv").exists()
    assert _init("first", "--force").exit_code == 0


@pytest.mark.parametrize("name", ["First", "-first", "first.yaml", "a b", "x" * 64])
def test_a_name_that_a_job_cannot_have_is_refused(folder: Path, name: str):
    result = _init("--", name)
    assert result.exit_code == 2
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [("dcn_v2", "dcn-v2"), ("sub/x", "x --dir sub"), ("z.yaml", "z"), ("/a/b/My Job.yml", "my-job --dir /a/b")],
)
def test_the_name_that_was_meant_is_suggested(folder: Path, name: str, meant: str):
    assert f"Did you mean `{meant}`?" in _init(name).output


RATINGS = pa.table(
    {
        "userId": pa.array([f"{n % 40}" for n in range(1200)]),
        "movieId": pa.array([n % 70 for n in range(1200)]),
        "rating": pa.array([n % 5 + 1 for n in range(1200)]),
        "timestamp": pa.array(range(1200)),
        "zip code": pa.array([f"{n % 9:05d}" for n in range(1200)]),
        "genres": pa.array(["Drama|Comedy" if n % 3 else "Drama" for n in range(1200)]),
        "title": pa.array([f"a film, the {n}th" for n in range(1200)]),
        "price": pa.array([n / 7 for n in range(1200)]),
        "yes": pa.array([n % 3 for n in range(1200)]),
    }
)


def test_features_are_proposed_from_the_data(folder: Path):
    pq.write_table(RATINGS, folder / "ratings.parquet")
    result = _init("films", "--data", "ratings.parquet", "--template", "deepfm")
    assert result.exit_code == 0, result.output
    loaded = _job(folder / "films.yaml")
    assert _columns(loaded) == {
        "userId": "categorical",
        "movieId": "categorical",
        "yes": "categorical",
        "zip_code": "categorical",
        "genres": "categorical",
        "price": "numeric",
    }
    assert loaded.job.spec.data.label.positive == ">= 4"
    assert loaded.job.spec.data.split.column == "timestamp"
    assert [feature.separator for feature in loaded.job.spec.features if feature.name == "genres"] == ["|"]


def test_columns_that_no_feature_can_be_called_after_get_names_of_their_own(folder: Path):
    columns = [
        "a b",
        "a-b",
        "a_b",
        "a!b",
        "7",
        "7 days",
        "?",
        "é",
        "year (of birth)",
        "x" * 250,
        "y" * 201,
        "on",
        "1e5",
    ]
    rows = "".join(",".join([*(f"{name[:2]}{n % 7}" for name in columns), str(n % 2)]) + "\n" for n in range(60))
    (folder / "odd.csv").write_text(",".join([*columns, "clicked"]) + "\n" + rows)
    result = _init("odd", "--data", "odd.csv")
    assert result.exit_code == 0, result.output
    features = _job(folder / "odd.yaml").job.spec.features
    assert {column for feature in features for column in feature.columns()} == set(columns)
    assert {"a_b", "a-b", "on"} <= {feature.name for feature in features}


def test_values_taken_for_a_header_are_no_crash(folder: Path):
    rows = "".join(f"{n % 9},{n % 5},{n % 3},u {n % 4},i {n % 6},{n % 8},{n},{n % 2},{n % 2}\n" for n in range(60))
    (folder / "raw.csv").write_text("10,11,12,u 9,i 9,19,61,0.0,click\n" + rows)
    assert _init("raw", "--data", "raw.csv", "--label", "click").exit_code == 0
    _job(folder / "raw.yaml")


def test_text_files_are_looked_at_as_parquet_files_are(folder: Path):
    pq.write_table(RATINGS, folder / "ratings.parquet")
    pacsv.write_csv(RATINGS, folder / "ratings.csv")
    _init("one", "--data", "ratings.parquet")
    _init("two", "--data", "ratings.csv")
    one, two = _job(folder / "one.yaml"), _job(folder / "two.yaml")
    assert {**_columns(one), "userId": "any"} == {**_columns(two), "userId": "any"}


def test_the_path_is_made_relative_to_the_spec(folder: Path):
    pq.write_table(RATINGS, folder / "ratings.parquet")
    (folder / ".git").mkdir()
    _init("films", "--data", "ratings.parquet", "--dir", "jobs")
    assert "source: {path: ../ratings.parquet}" in (folder / "jobs/films.yaml").read_text()
    assert _job(folder / "jobs/films.yaml").job.spec.data.source.path == "project:ratings.parquet"


def test_a_column_of_zeros_and_ones_offers_itself_as_label(folder: Path):
    pq.write_table(pa.table({"a": [1.5, 2.5] * 20, "bought": [0, 1] * 20}), folder / "t.parquet")
    _init("t", "--data", "t.parquet")
    assert _job(folder / "t.yaml").job.spec.data.label.column == "bought"


def test_a_misspelt_label_gets_its_neighbour(folder: Path):
    pq.write_table(RATINGS, folder / "ratings.parquet")
    result = _init("films", "--data", "ratings.parquet", "--label", "ratings")
    assert result.exit_code == 1
    assert "did you mean `--label rating`?" in result.stderr


def test_data_that_is_not_there_is_a_diagnostic(folder: Path):
    result = _init("films", "--data", "absent.parquet")
    assert result.exit_code == 1
    assert "error[data-file-missing]" in result.stderr
    assert list(folder.iterdir()) == []


def test_init_and_inspect_propose_the_same(folder: Path):
    pq.write_table(RATINGS.append_column("views", pa.array(range(1200))), folder / "ratings.parquet")
    _init("films", "--data", "ratings.parquet")
    shown = CliRunner().invoke(cli, ["data", "inspect", "ratings.parquet"]).stdout
    text = shown[shown.index("features:") :]
    spec = (folder / "films.yaml").read_text()
    (folder / "inspected.yaml").write_text(
        re.sub(r"  features:.*?(?=  model:)", textwrap.indent(text, "  "), spec, flags=re.S)
    )
    by_name = [{f.name: f for f in _job(folder / name).job.spec.features} for name in ("films.yaml", "inspected.yaml")]
    assert by_name[0] == by_name[1]
    assert "transform: [log1p, zscore]" in spec
    assert "# title: nearly every row has a text of its own" in spec
    assert '# rating: looks like the label, as in `label: {column: rating, positive: ">= 4"}`' in text


def test_a_text_file_is_read_as_the_options_say_and_the_spec_says_so_too(folder: Path):
    (folder / "t.csv").write_text("".join(f"{n % 2};u{n % 7}\n" for n in range(60)))
    refused = _init("t", "--data", "t.csv", "--no-header")
    assert "error[data-delimiter-wrong]" in refused.stderr
    assert "give `--delimiter ';'`" in refused.stderr
    assert _init("t", "--data", "t.csv", "--no-header", "--delimiter", ";").exit_code == 0
    data = _job(folder / "t.yaml").job.spec.data
    assert (data.source.delimiter, data.source.header, data.label.column) == (";", False, "column_0")


def test_a_tab_can_be_typed(folder: Path):
    (folder / "t.csv").write_text("clicked\tuser\n" + "".join(f"{n % 2}\tu{n % 7}\n" for n in range(60)))
    assert _init("t", "--data", "t.csv", "--delimiter", "\\t").exit_code == 0
    assert _job(folder / "t.yaml").job.spec.data.source.delimiter == "\t"


def test_a_label_of_many_texts_is_refused(folder: Path):
    pq.write_table(RATINGS, folder / "ratings.parquet")
    result = _init("films", "--data", "ratings.parquet", "--label", "title")
    assert result.exit_code == 1
    assert "error[label-unclear]: column `title` holds 1,200 different values" in result.stderr
    assert not (folder / "films.yaml").exists()


def test_a_label_of_a_few_texts_gets_a_condition_that_says_it_is_a_guess(folder: Path):
    events = ["no", "no", "view", "buy it"] * 20
    pq.write_table(pa.table({"event": events, "user": [f"{n % 9}" for n in range(80)]}), folder / "t.parquet")
    assert _init("t", "--data", "t.parquet", "--label", "event").exit_code == 0
    assert _job(folder / "t.yaml").job.spec.data.label.positive == 'in ["buy it"]'
    assert "# a guess; it also holds `no`, `view`" in (folder / "t.yaml").read_text()


def test_a_text_of_two_values_is_suggested_where_nothing_is_a_label(folder: Path):
    pq.write_table(
        pa.table({"event": ["click", "no"] * 20, "user": [f"{n % 9}" for n in range(40)]}), folder / "t.parquet"
    )
    assert "did you mean `--label event`?" in _init("t", "--data", "t.parquet").stderr
