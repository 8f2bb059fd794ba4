"""What import-linter can't say: rules about modules by file name, and what is loaded when a command runs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TRAINING = ("torch", "torchrec", "fbgemm_gpu")

#: Package -> where it may be imported, as glob patterns below the root.
HOMES = {
    **dict.fromkeys(
        TRAINING,
        (
            "recplat/runtime/**/*.py",
            "recplat/nn/**/*.py",
            "recplat/catalog/**/module.py",
            "recplat/catalog/**/impl.py",
        ),
    ),
    "mlflow": ("recplat/tracking/**/*.py",),
    "kubernetes": ("recplat/targets/kubernetes/**/*.py", "operators/**/*.py"),
}


def _imports(path: Path) -> Iterator[str]:
    """Top-level packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.partition(".")[0]


def _sources() -> list[Path]:
    return [path for folder in ("recplat", "operators") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("package", HOMES)
def test_a_heavy_package_is_imported_in_its_home_only(package: str):
    at_home = {path for pattern in HOMES[package] for path in ROOT.glob(pattern)}
    strays = [str(path.relative_to(ROOT)) for path in _sources() if path not in at_home and package in _imports(path)]
    assert strays == []


def test_options_import_only_the_language():
    """`validate` loads them, and must not wait for more."""
    allowed = {"recplat", "msgspec", *sys.stdlib_module_names}
    strays = {
        str(path.relative_to(ROOT)): others
        for path in sorted((ROOT / "recplat/catalog").glob("*/*/options.py"))
        if (others := set(_imports(path)) - allowed)
    }
    assert strays == {}


def test_targets_do_not_import_each_other():
    targets = ROOT / "recplat/targets"
    names = {path.name for path in targets.iterdir() if path.is_dir() and path.name != "__pycache__"} | {
        path.stem for path in targets.glob("*.py")
    }
    names -= {"__init__", "base"}
    for name in sorted(names):
        files = [targets / f"{name}.py", *(targets / name).rglob("*.py")]
        texts = "".join(path.read_text(encoding="utf-8") for path in files if path.is_file())
        others = [other for other in sorted(names - {name}) if f"recplat.targets.{other}" in texts]
        assert others == [], name


_LIST_LOADED = """
import sys
from recplat.cli import cli
try:
    cli({arguments!r}, prog_name="recplat")
except SystemExit as end:
    assert not end.code, end.code
print("LOADED", *sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


def _loaded_by(*arguments: str) -> set[str]:
    """Top-level packages that are loaded after a command ran, in a process of its own."""
    program = _LIST_LOADED.format(arguments=list(arguments))
    child = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert child.returncode == 0, child.stderr
    return set(child.stdout.splitlines()[-1].split()[1:])


@pytest.mark.parametrize("command", ["validate", "plan", "render"])
def test_planning_never_loads_torch_mlflow_or_kubernetes(command: str, tmp_path: Path):
    target = ["--target", "local", "-o", str(tmp_path)] if command == "render" else []
    loaded = _loaded_by(command, "specs/ml100k-deepfm.yaml", *target)
    assert loaded & {*TRAINING, "mlflow", "kubernetes"} == set()


def test_validating_a_sound_spec_loads_neither_numpy_nor_jsonschema():
    assert _loaded_by("validate", "specs/ml100k-deepfm.yaml") & {"numpy", "pyarrow", "pandas", "jsonschema"} == set()
