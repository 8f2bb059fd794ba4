"""Python's own hash of a text differs by process; a bucket must not."""

import os
import subprocess
import sys

import pytest

EXPECTED = "[380, 682, 109]\n[822, 220, 536]\n"
PROGRAM = """
import pyarrow as pa
from recplat.catalog import builtin_catalog
from recplat.catalog.reading import as_keys
catalog = builtin_catalog()
options = catalog.options("transforms", "hash")(buckets=1000)
transform = catalog.implementation(options, "transform").transform
print(transform(options, as_keys(pa.array(["aa", "bb", "ü"]), "string"), None).values.tolist())
print(transform(options, as_keys(pa.array([1, -1, 2**63 - 1]), "int64"), None).values.tolist())
"""


def test_buckets_do_not_depend_on_the_process():
    outputs = set()
    for seed in ("0", "1", "12345"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        outputs.add(subprocess.check_output([sys.executable, "-c", PROGRAM], env=environment, text=True))
    # committed: they may never change
    assert outputs == {EXPECTED}


@pytest.mark.parametrize("buckets", [1, 7, 2**31, 2**40])
def test_buckets_lie_inside_the_table_also_for_hashes_with_the_sign_bit(project, buckets):
    project.parquet(item=[f"item {i}" for i in range(2000)])
    transform = {"type": "hash", "buckets": buckets}
    project.features = [{"name": "item", "type": "categorical", "transform": transform}]
    ids = project.rows().ids.ravel()
    assert ids.min() >= 2
    assert ids.max() < buckets + 2
