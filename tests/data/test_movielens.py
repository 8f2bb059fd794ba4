import zipfile

import pyarrow.parquet as pq
import pytest

from recplat.data.movielens import FILE, fetch_movielens
from recplat.diagnostics import Problems

FILES = {
    "inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    "2\t7\t4\t881250949\n1\t8\t1\t891717742\n2\t8\t5\t3\n",
    "user": "user_id:token\tage:token\tgender:token\toccupation:token\tzip_code:token\n"
    "1\t24\tM\twriter\t00501\n2\t53\tF\tother\tV3N4P\n",
    "item": "item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\n"
    '7\tThe "Usual" Suspects\t1995\tCrime Thriller\n8\tunknown\t\tunknown\n',
}
INSIDE = "recbole/dataset_example/ml-100k"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "unzipped" / INSIDE
    place.mkdir(parents=True)
    for kind, text in FILES.items():
        (place / f"ml-100k.{kind}").write_text(text)
    return tmp_path / "unzipped"


def test_ratings_are_joined_in_the_order_of_their_file(folder, tmp_path):
    path, is_new = fetch_movielens(tmp_path / "out", folder, force=False)
    assert (path, is_new) == (tmp_path / "out" / FILE, True)
    assert pq.read_table(path).to_pylist()[:2] == [
        {
            "user_id": 2, "item_id": 7, "rating": 4, "timestamp": 881250949, "age": 53, "gender": "F",
            "occupation": "other", "zip_code": "V3N4P", "title": 'The "Usual" Suspects', "release_year": "1995",
            "genres": ["Crime", "Thriller"],
        },
        {
            "user_id": 1, "item_id": 8, "rating": 1, "timestamp": 891717742, "age": 24, "gender": "M",
            "occupation": "writer", "zip_code": "00501", "title": "unknown", "release_year": None,
            "genres": ["unknown"],
        },
    ]  # fmt: skip


def test_what_is_there_is_left_alone_unless_forced(folder, tmp_path):
    path, _ = fetch_movielens(tmp_path / "out", folder, force=False)
    stamp = path.stat().st_mtime_ns
    assert fetch_movielens(tmp_path / "out", folder, force=False) == (path, False)
    assert path.stat().st_mtime_ns == stamp
    assert fetch_movielens(tmp_path / "out", folder, force=True) == (path, True)


def test_a_wheel_and_each_level_of_its_folders_will_do(folder, tmp_path):
    wheel = tmp_path / "recbole-1.2.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for kind, text in FILES.items():
            archive.writestr(f"{INSIDE}/ml-100k.{kind}", text)
    tables = [
        pq.read_table(fetch_movielens(tmp_path / f"out{index}", place, force=False)[0])
        for index, place in enumerate((wheel, folder, folder / "recbole", folder / INSIDE))
    ]
    assert all(table.equals(tables[0]) for table in tables)


def test_what_is_no_such_package_is_refused(tmp_path):
    broken = tmp_path / "broken.whl"
    broken.write_text("no zip")
    other = tmp_path / "other.whl"
    zipfile.ZipFile(other, "w").close()
    for given in (broken, other, tmp_path):
        with pytest.raises(Problems) as refused:
            fetch_movielens(tmp_path / "out", given, force=False)
        [problem] = refused.value.diagnostics
        assert problem.code == "data-fetch-failed"
        assert "--from" in problem.help
    assert not (tmp_path / "out").exists()


def test_ratings_of_users_that_are_not_there_are_refused(folder, tmp_path):
    (folder / INSIDE / "ml-100k.user").write_text(FILES["user"].replace("2\t53", "9\t53"))
    with pytest.raises(Problems, match="don't know"):
        fetch_movielens(tmp_path / "out", folder, force=False)


def test_without_a_package_index_the_way_out_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(Problems) as refused:
        fetch_movielens(tmp_path / "out", None, force=False)
    [problem] = refused.value.diagnostics
    assert problem.code == "data-fetch-failed"
    assert "pip could not download recbole==1.2.1" in problem.message
    assert "--from WHEEL" in problem.help


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("ml-100k.user", b""),
        ("ml-100k.user", b"user_id:token\tage:token\n1\t24\n"),
        ("ml-100k.item", b"\xdf\xff\n"),
        ("ml-100k.inter", b"user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t1\tx\t1\n"),
    ],
)
def test_files_that_are_none_of_movielens(folder, tmp_path, file, content):
    (folder / INSIDE / file).write_bytes(content)
    with pytest.raises(Problems) as raised:
        fetch_movielens(tmp_path / "out", folder, force=False)
    assert raised.value.diagnostics[0].code == "data-fetch-failed"
    assert not (tmp_path / "out").exists()
