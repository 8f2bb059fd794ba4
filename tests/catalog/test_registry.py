import subprocess
import sys
from pathlib import Path

import pytest

from recplat.catalog import Catalog, CatalogError, builtin_catalog, open_catalog

OPTIONS = """
from recplat.lang import kinds

class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="{tag}"):
    '''A model.'''
"""


def write(root: Path, name: str, text: str | None = None, *, kind: str = "models", file: str = "options") -> Path:
    path = root / kind / name / f"{file}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(OPTIONS.format(tag=name) if text is None else text)
    return root


def test_folders_are_known_beside_the_built_in_ones(tmp_path):
    catalog = open_catalog((write(tmp_path, "mine"),))
    assert catalog.has("models", "mine")
    assert set(catalog.names("models")) == {"mine", *builtin_catalog().names("models")}
    options = catalog.options("models", "mine")()
    assert catalog.name_of(options) == "mine"
    assert not builtin_catalog().has("models", "mine")


def test_a_file_may_import_the_one_beside_it(tmp_path):
    write(tmp_path, "mine")
    write(tmp_path, "mine", "from .options import Options\nfrom .parts import WIDTH\n", file="module")
    write(tmp_path, "mine", "WIDTH = 3\n", file="parts")
    catalog = open_catalog((tmp_path,))
    options = catalog.options("models", "mine")()
    module = catalog.implementation(options, "module")
    assert module.Options is type(options)
    assert module.WIDTH == 3


def test_two_folders_may_hold_modules_of_the_same_name(tmp_path):
    first = write(write(tmp_path / "a", "one"), "one", "HERE = 'a'", file="module")
    second = write(write(tmp_path / "b", "two"), "two", "HERE = 'b'", file="module")
    catalog = open_catalog((first, second))
    assert [catalog.load("models", name, "module").HERE for name in ("one", "two")] == ["a", "b"]


def test_what_is_unknown_is_a_key_error(tmp_path):
    catalog = open_catalog((write(tmp_path, "mine"),))
    with pytest.raises(KeyError, match="models/other/options"):
        catalog.options("models", "other")
    with pytest.raises(KeyError, match="models/mine/module"):
        catalog.load("models", "mine", "module")


@pytest.mark.parametrize("name", ["../models/dlrm", "dlrm/../dlrm", "", "a b", "models.dlrm"])
def test_a_name_is_never_a_path(name):
    assert not builtin_catalog().has("models", name)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("1 / 0", "ZeroDivisionError"),
        ("def (", "SyntaxError"),
        ("", r"must define `class Options\(kinds.Options, kinds.Model, frozen=True"),
        ("class Options: pass", "must define `class Options"),
        ("from recplat.lang import kinds\nclass Options(kinds.Model): pass", "must define `class Options"),
        (OPTIONS.format(tag="other"), 'needs `tag="mine"`, the name of its folder, not `other`'),
    ],
)
def test_options_that_cannot_be_used_name_the_file_and_the_reason(tmp_path, text, reason):
    catalog = open_catalog((write(tmp_path, "mine", text),))
    with pytest.raises(CatalogError, match=reason) as caught:
        catalog.options("models", "mine")
    assert str(tmp_path / "models" / "mine" / "options.py") in str(caught.value)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(CatalogError, match=r"`.*nowhere` does not exist"):
        open_catalog((tmp_path / "nowhere",))


def test_a_folder_laid_out_otherwise_is_refused_rather_than_overlooked(tmp_path):
    write(tmp_path, "mine", kind="model")
    with pytest.raises(CatalogError, match=r"holds no `<kind>/<name>/options.py`; kinds are features, .*models"):
        open_catalog((tmp_path,))


def test_a_name_of_recplats_own_is_refused_rather_than_overlooked(tmp_path):
    catalog = open_catalog((write(tmp_path, "dlrm"),))
    assert catalog.has("models", "deepfm")
    with pytest.raises(CatalogError, match=r"recplat/catalog/models/dlrm` and `.*/models/dlrm` have one name; rename"):
        catalog.has("models", "dlrm")


def test_one_name_in_two_folders_is_refused(tmp_path):
    first, second = write(tmp_path / "a", "mine"), write(tmp_path / "b", "mine")
    with pytest.raises(CatalogError, match=r"a/models/mine` and `.*b/models/mine` have one name"):
        open_catalog((first, second)).options("models", "mine")
    assert open_catalog((first, first)).has("models", "mine")


def test_a_name_that_no_spec_could_write_is_refused(tmp_path):
    with pytest.raises(CatalogError, match=r"`.*two-tower`: a name is made of"):
        open_catalog((write(tmp_path, "two-tower"),))


def test_the_digest_follows_every_python_file_and_nothing_else(tmp_path):
    write(tmp_path, "mine")
    before = Catalog((tmp_path,)).digest()
    (tmp_path / "README.md").write_text("words")
    assert Catalog((tmp_path,)).digest() == before
    write(tmp_path, "mine", "WIDTH = 3", file="module")
    assert Catalog((tmp_path,)).digest() != before
    assert builtin_catalog().digest() is None


def announce(site: Path, package: str) -> None:
    """A distribution `acme-models` that announces `package` as a catalog."""
    info = site / "acme_models-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-models\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[recplat.catalog]\nacme = {package}\n")


def python(site: Path, program: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with `site` on its path: entry points are looked at once in a process."""
    program = f"import sys; sys.path.insert(0, {str(site)!r})\n{program}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)


def test_an_installed_package_that_announces_itself_is_found(tmp_path):
    write(tmp_path / "acme" / "catalog", "mine")
    write(tmp_path / "acme" / "catalog", "mine", "from .options import Options\n", file="module")
    announce(tmp_path, "acme.catalog")
    done = python(
        tmp_path,
        "from recplat.catalog import builtin_catalog as catalog\n"
        "options = catalog().options('models', 'mine')()\n"
        "print('mine' in catalog().names('models'), type(options).__module__, catalog().name_of(options))\n"
        "print(catalog().implementation(options, 'module').Options is type(options))",
    )
    assert done.stdout.split() == ["True", "acme.catalog.models.mine.options", "mine", "True"]


def test_an_installed_name_that_recplat_has_too_is_refused_where_it_is_used(tmp_path):
    write(write(tmp_path / "acme", "dlrm"), "mine")
    announce(tmp_path, "acme")
    done = python(
        tmp_path,
        "from recplat.catalog import CatalogError, builtin_catalog\n"
        "print(builtin_catalog().has('models', 'mine'))\n"
        "try: builtin_catalog().has('models', 'dlrm')\n"
        "except CatalogError as error: print(error)",
    )
    assert done.stdout.startswith("True\n")
    assert "acme/models/dlrm` have one name" in done.stdout


@pytest.mark.parametrize("package", ["acme", "acme.catalog"])
def test_an_announced_package_that_is_gone_is_named_with_its_distribution(tmp_path, package):
    announce(tmp_path, package)
    done = python(
        tmp_path,
        "from recplat.catalog import CatalogError, builtin_catalog\n"
        "try: builtin_catalog().names('models')\n"
        "except CatalogError as error: print(error)",
    )
    assert f"`acme-models` announces the catalog `{package}`, which can't be found" in done.stdout
