import gzip

import pyarrow as pa
import pytest

from recplat.data.lock import statistics_folder
from recplat.data.vocabularies import load_vocabularies

FEATURES = [{"name": "user", "type": "categorical"}, {"name": "age", "type": "numeric"}]
TEXT = 'part,label,user,age\na,1,"x,y",3\na,0,日本,\na,1,"say ""hi""",5\na,0,"two\nlines",6\n'


def users(project, **spec):
    """The keys of the training rows by id, in the order of the rows."""
    loaded = project.load(**spec)
    ids = project.rows(**spec).ids[:, 0]
    statistics = project.statistics(**spec).features["user"]
    values = load_vocabularies(statistics, statistics_folder(loaded.job, loaded.root))[0].to_pylist()
    return [None if id_ == 0 else values[id_ - 2] for id_ in ids]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_quotes_commas_line_breaks_and_byte_order_marks(project, newline, mark):
    project.text("rows.csv", mark + TEXT.replace("\n", newline))
    project.features = FEATURES
    assert users(project) == ["x,y", "日本", 'say "hi"', f"two{newline}lines"]
    assert project.rows().dense.ravel().tolist() == [3, 0, 5, 6]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files(project, ending):
    data = gzip.compress(TEXT.encode()) if ending == ".gz" else pa.compress(TEXT.encode(), "zstd", asbytes=True)
    (project.root / f"rows.csv{ending}").write_bytes(data)
    project.data["source"] = {"path": f"rows.csv{ending}"}
    project.features = FEATURES
    assert users(project)[1] == "日本"


def test_tsv_knows_no_quotes(project):
    project.text("rows.tsv", 'part\tlabel\tuser\tage\na\t1\t12" pizza\t3\na\t0\t"\t4\n')
    project.features = FEATURES
    assert users(project) == ['12" pizza', '"']


def test_a_file_without_header_and_another_delimiter(project):
    project.text("rows.csv", "\ufeffa|1|u1|3\na|0|u2|4\n")
    project.data["source"] |= {"header": False, "column_names": ["part", "label", "user", "age"], "delimiter": "|"}
    project.features = FEATURES
    assert users(project) == ["u1", "u2"]


def test_an_empty_cell_is_missing_and_counted(project):
    project.text("rows.csv", "part,label,user,age\na,1,,\na,0,x,NA\na,0,NA,1\n")
    project.features = FEATURES
    assert users(project) == [None, "x", "NA"]
    statistics = project.statistics().features
    assert (statistics["user"].num_nulls, statistics["age"].num_nulls) == (1, 2)


def test_many_files_in_the_order_of_their_names(project):
    for name, user in [("b.csv", "2"), ("a.csv", "1"), ("deep/c.csv", "3"), ("deep/_d.csv", "4"), ("notes.md", "5")]:
        path = project.root / "rows" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"part,label,age,user\na,1,7,{user}\na,0,7,{user}\n")
    project.features = FEATURES
    project.data["source"] = {"path": "rows"}
    assert users(project) == [*"112233"]
    project.data["source"] = {"path": "rows/[ab].csv"}
    assert users(project) == [*"1122"]
    project.data["source"] = {"path": "rows/**/*c.csv"}
    assert users(project) == [*"33"]


def test_a_url(project):
    project.text("rows.csv", TEXT)
    project.data["source"] = {"path": f"file://{project.root}/row*.csv"}
    project.features = FEATURES
    assert users(project)[0] == "x,y"


def test_an_integer_column_of_text_is_read_as_such(project):
    project.text("rows.csv", "part,label,user,age\na,1, 07,1\na,0,7,1\na,1,-9223372036854775808,1\n")
    project.features = [FEATURES[0] | {"dtype": "int"}]
    assert users(project) == [7, 7, -(2**63)]


def test_an_ending_in_capital_letters(project):
    (project.root / "ROWS.CSV.GZ").write_bytes(gzip.compress(TEXT.encode()))
    project.data["source"] = {"path": "ROWS.CSV.GZ"}
    project.features = FEATURES
    assert users(project)[1] == "日本"
