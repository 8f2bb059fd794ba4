"""What is wrong with a machine, judged from the facts alone. `examine` asks every check in turn."""

from collections.abc import Iterator
from pathlib import PurePath

from recplat.diagnostics import Diagnostic
from recplat.doctor.facts import Facts
from recplat.lang.units import format_bytes

#: Versions of torch, torchrec and fbgemm that belong together; the first is the one that is tested.
#: fbgemm is compiled against one torch and does not pin it; torchrec calls fbgemm's operators by name.
SETS = (("2.13.0", "1.8.0", "1.8.0"),)

#: What torchrec imports and, installed with --no-deps, does not bring.
TORCHREC_NEEDS = ("tensordict", "torchmetrics", "pyre-extensions", "tqdm", "iopath")

#: Extra -> what is missing without it.
EXTRAS = {"tracking": ("mlflow", "matplotlib", "psutil")}
_EXTRA_LOSS = {"tracking": "runs can't be recorded"}

#: A run keeps checkpoints and prepared data; below this even a small one may not finish.
LOW_DISK_BYTES = 2 * 2**30


def examine(facts: Facts) -> tuple[Diagnostic, ...]:
    """Everything found, errors first. An error means that recplat can't train here."""
    found = [finding for check in CHECKS for finding in check(facts)]
    order = ("error", "warning", "note")
    return tuple(sorted(found, key=lambda finding: order.index(finding.severity)))


def has_one_fbgemm(facts: Facts) -> Iterator[Diagnostic]:
    """Both builds unpack into `fbgemm_gpu/`: whichever was installed last is there, in part."""
    if facts.packages["fbgemm-gpu"] and facts.packages["fbgemm-gpu-cpu"]:
        yield Diagnostic(
            "fbgemm-installed-twice",
            "fbgemm-gpu and fbgemm-gpu-cpu are both installed; they overwrite each other's files",
            help="keep one:\n"
            + _pip(facts, "uninstall --yes fbgemm-gpu fbgemm-gpu-cpu")
            + f"\n{_pip(facts, f'install --no-deps {_wanted_fbgemm(facts)}=={_wanted_versions(facts)[2]}')}",
        )


def has_fitting_fbgemm(facts: Facts) -> Iterator[Diagnostic]:
    """The CUDA build needs a CUDA torch and a driver; the CPU build leaves a GPU idle."""
    cuda, cpu = facts.packages["fbgemm-gpu"], facts.packages["fbgemm-gpu-cpu"]
    if bool(cuda) == bool(cpu):
        return
    if cuda and _wanted_fbgemm(facts) == "fbgemm-gpu-cpu":
        why = "no GPU is visible (`nvidia-smi` lists none)" if facts.torch_cuda else "torch is a build without CUDA"
        yield Diagnostic(
            "fbgemm-wrong-build",
            f"fbgemm-gpu is the CUDA build, and {why}",
            help=_swap_fbgemm(facts, "fbgemm-gpu", "fbgemm-gpu-cpu"),
        )
    if cpu and facts.gpus:
        yield Diagnostic(
            "fbgemm-wrong-build",
            f"fbgemm-gpu-cpu is the CPU build, and this machine has {facts.gpus[0].name}: training will not use it",
            severity="warning",
            help=_swap_fbgemm(facts, "fbgemm-gpu-cpu", "fbgemm-gpu"),
        )


def has_torch_set(facts: Facts) -> Iterator[Diagnostic]:
    """All three are there, and in versions that belong together."""
    missing = [name for name in ("torch", "torchrec") if not facts.packages[name]]
    if not _fbgemm_version(facts):
        missing.append(_wanted_fbgemm(facts))
    if missing:
        pins = dict(zip(("torch", "torchrec", _wanted_fbgemm(facts)), _wanted_versions(facts), strict=True))
        lines = [_pip(facts, f"install torch=={pins['torch']}")] if "torch" in missing else []
        others = [f"{name}=={pins[name]}" for name in missing if name != "torch"]
        lines += [_pip(facts, f"install --no-deps {' '.join(others)}")] if others else []
        yield Diagnostic("package-missing", f"not installed: {', '.join(missing)}", help="\n".join(lines))
        return
    found = tuple(_public(version) for version in _torch_set(facts))
    if found not in SETS:
        torch, torchrec, fbgemm = SETS[0]
        name = _wanted_fbgemm(facts)
        yield Diagnostic(
            "torch-set-mismatch",
            f"torch {found[0]}, torchrec {found[1]} and fbgemm {found[2]} do not belong together",
            help=f"install a set that does:\n{_pip(facts, f'install torch=={torch}')}\n"
            + _pip(facts, f"install --no-deps torchrec=={torchrec} {name}=={fbgemm}"),
        )


def has_torchrec_needs(facts: Facts) -> Iterator[Diagnostic]:
    missing = [name for name in TORCHREC_NEEDS if not facts.packages[name]]
    if missing and facts.packages["torchrec"]:
        yield Diagnostic(
            "package-missing",
            f"torchrec needs {', '.join(missing)}, which --no-deps left out",
            help=_pip(facts, "install " + " ".join(_pinned(name) for name in missing)),
        )


def has_extras(facts: Facts) -> Iterator[Diagnostic]:
    for extra, packages in EXTRAS.items():
        missing = [name for name in packages if not facts.packages[name]]
        if missing:
            yield Diagnostic(
                "extra-missing",
                f"not installed: {', '.join(missing)}; {_EXTRA_LOSS[extra]}",
                severity="warning",
                help=_pip(facts, f"install {' '.join(missing)}"),
            )


def lookup_works(facts: Facts) -> Iterator[Diagnostic]:
    """Not said where something is missing: the reason is known then."""
    probe = facts.probe
    installed = facts.packages["torch"] and _fbgemm_version(facts)
    if probe is None or probe.succeeded or not installed:
        return
    if probe.timed_out:
        message = f"a lookup in a table of 4 rows was not done after {probe.seconds:.0f} s"
    else:
        message = f"a lookup in a table of 4 rows fails:\n{probe.error}"
    yield Diagnostic(
        "lookup-fails",
        message,
        help="install the set again:\n"
        + _pip(facts, f"install --force-reinstall --no-deps torch=={SETS[0][0]}")
        + "\n"
        + _pip(
            facts,
            f"install --force-reinstall --no-deps torchrec=={SETS[0][1]} {_wanted_fbgemm(facts)}=={SETS[0][2]}",
        ),
    )


def has_room(facts: Facts) -> Iterator[Diagnostic]:
    project = facts.project
    if not project.is_writable:
        yield Diagnostic(
            "state-not-writable",
            f"`{project.state_folder}` can't be written; runs, prepared data and the tracking store go there",
            help=f"give yourself write access to `{PurePath(project.state_folder).parent}`, "
            "or work in a folder of your own",
        )
    if project.free_disk_bytes < LOW_DISK_BYTES:
        yield Diagnostic(
            "disk-nearly-full",
            f"{format_bytes(project.free_disk_bytes)} is free where `{project.state_folder}` lies, "
            f"which holds {format_bytes(project.state_bytes)}",
            severity="warning",
            help="make room: `rm -r .recplat/cache` removes prepared data, which is made again when needed",
        )


CHECKS = (has_one_fbgemm, has_fitting_fbgemm, has_torch_set, has_torchrec_needs, has_extras, lookup_works, has_room)


def _wanted_fbgemm(facts: Facts) -> str:
    return "fbgemm-gpu" if facts.gpus and (facts.torch_cuda or not facts.packages["torch"]) else "fbgemm-gpu-cpu"


def _wanted_versions(facts: Facts) -> tuple[str, str, str]:
    """The set that the installed torch belongs to, else the tested one."""
    torch = _public(facts.packages["torch"] or "")
    return next((versions for versions in SETS if versions[0] == torch), SETS[0])


def _torch_set(facts: Facts) -> tuple[str, str, str]:
    return facts.packages["torch"] or "", facts.packages["torchrec"] or "", _fbgemm_version(facts)


def _fbgemm_version(facts: Facts) -> str:
    return facts.packages["fbgemm-gpu"] or facts.packages["fbgemm-gpu-cpu"] or ""


def _public(version: str) -> str:
    """Without the local part: `2.13.0+cpu` is 2.13.0."""
    return version.partition("+")[0]


def _pinned(name: str) -> str:
    # torchrec asks for exactly this one; later torchmetrics lack what it imports.
    return "torchmetrics==1.0.3" if name == "torchmetrics" else name


def _swap_fbgemm(facts: Facts, old: str, new: str) -> str:
    version = _wanted_versions(facts)[2]
    return _pip(facts, f"uninstall --yes {old}") + "\n" + _pip(facts, f"install --no-deps {new}=={version}")


def _pip(facts: Facts, arguments: str) -> str:
    return f"{facts.executable} -m pip {arguments}"
