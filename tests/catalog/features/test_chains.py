import pytest

from recplat.catalog import builtin_catalog

CATALOG = builtin_catalog()


def transform(name, **options):
    return CATALOG.options("transforms", name)(**options)


def feature(kind, *transforms, **options):
    if kind != "numeric":
        options = {"table": "x"} | options
    if kind == "sequence":
        options = {"max_length": 5} | options
    return CATALOG.options("features", kind)(name="x", column="x", transform=transforms, **options)


BOUNDARIES = transform("boundaries", at=(1.0, 2.0))
HASH = transform("hash", buckets=10)
GOOD = [
    ("numeric", ()),
    ("numeric", (transform("fill", value=0), transform("log1p"), transform("zscore"), transform("clip", max=3))),
    ("categorical", (transform("vocabulary"),)),
    ("categorical", (transform("fill", value="none"), HASH)),
    ("categorical", (transform("log1p"), BOUNDARIES)),
    ("sequence", (transform("identity", num_ids=9),)),
]
BAD = [
    ("numeric", (HASH,), "transform.0", "numbers, which `hash` does not take"),
    (
        "numeric",
        (transform("log1p"), BOUNDARIES),
        "transform.1",
        "`boundaries` gives ids, but this feature needs numbers",
    ),
    ("categorical", (), "transform", "no transform leaves keys"),
    ("categorical", (transform("zscore"),), "transform.0", "`zscore` gives numbers, but this feature needs ids"),
    ("categorical", (HASH, transform("zscore")), "transform.1", "`hash` gives ids, so `zscore` can't follow"),
    ("sequence", (transform("clip"), BOUNDARIES), "transform.0.min", "neither `min` nor `max`"),
    ("categorical", (transform("boundaries", at=(2.0, 2.0)),), "transform.0.at.1", "does not lie above"),
]


@pytest.mark.parametrize(("kind", "transforms"), GOOD)
def test_transforms_that_fit_together_have_no_fault(kind, transforms):
    assert list(feature(kind, *transforms).faults()) == []


@pytest.mark.parametrize(("kind", "transforms", "field", "words"), BAD)
def test_transforms_that_do_not_fit_say_which_and_why(kind, transforms, field, words):
    [fault] = feature(kind, *transforms).faults()
    assert fault.field == field
    assert words in fault.message
    assert fault.help


def test_the_first_transform_decides_what_a_categorical_feature_reads():
    assert feature("categorical", BOUNDARIES).reads() == "number"
    assert feature("categorical", transform("fill", value=1), HASH).reads() == "key"
    assert feature("categorical", transform("identity", num_ids=5)).key_type() == "int"


@pytest.mark.parametrize(("options", "field"), [({"separator": "|"}, "separator"), ({"dtype": "string"}, "dtype")])
def test_options_that_contradict_each_other_are_named(options, field):
    [fault] = feature("categorical", transform("identity", num_ids=5), **options).faults()
    assert fault.field == field


def test_a_single_key_needs_no_mean():
    assert feature("categorical", HASH).pooling_type() == "sum"
    assert feature("categorical", HASH, multivalent=True).pooling_type() == "mean"
    assert feature("sequence", HASH, pooling="sum").pooling_type() == "sum"
