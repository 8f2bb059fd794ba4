"""`recplat doctor`: what this machine is, and what keeps recplat from training on it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recplat.cli._options import output_option
from recplat.cli._output import use_color

if TYPE_CHECKING:
    from recplat.diagnostics import Diagnostic
    from recplat.doctor.facts import Facts


@click.command(epilog="Example: recplat doctor -o json")
@output_option()
@click.option("--no-probe", is_flag=True, help="Don't import torch to try a lookup; takes a second instead of ten.")
def command(output: str, no_probe: bool) -> None:
    """Look at the state of this machine: what is installed, what fits together, what is in the way.

    Exits with 1 when something is broken, so that training can't work.
    """
    from recplat.doctor.checks import examine
    from recplat.doctor.facts import gather

    if not no_probe and sys.stderr.isatty():
        click.echo("importing torch and looking up a row ...", err=True)
    facts = gather(Path.cwd(), with_probe=not no_probe)
    findings = examine(facts)
    if output == "json":
        _print_json(facts, findings)
    else:
        _print_text(facts, findings)
    if any(finding.severity == "error" for finding in findings):
        sys.exit(1)


def _print_json(facts: Facts, findings: Iterable[Diagnostic]) -> None:
    import msgspec

    from recplat.diagnostics import render_json

    answer = {"facts": facts, "findings": msgspec.Raw(render_json(findings).encode())}
    click.echo(msgspec.json.format(msgspec.json.encode(answer), indent=2).decode())


def _print_text(facts: Facts, findings: tuple[Diagnostic, ...]) -> None:
    from recplat.diagnostics import render_text

    for name, lines in _sections(facts):
        for number, line in enumerate(lines):
            click.echo(f"{name if number == 0 else '':<10}{line}")
    click.echo()
    color = use_color(sys.stdout)
    click.echo(render_text(findings, color=color, read_source=lambda file: None) or "nothing is wrong")


def _sections(facts: Facts) -> Iterator[tuple[str, list[str]]]:
    from recplat.lang.units import format_bytes

    cpu, project = facts.cpu, facts.project
    features = [name for name, there in (("avx512", cpu.has_avx512), ("native bf16", cpu.has_native_bf16)) if there]
    yield (
        "machine",
        [
            f"{facts.platform}, Python {facts.python}",
            f"{cpu.num_cores} cores, {cpu.name}{', ' + ', '.join(features) if features else ''}",
            f"{format_bytes(facts.memory_bytes)} memory",
            *(
                [f"{gpu.name}, {format_bytes(gpu.memory_bytes)}, driver {gpu.driver}" for gpu in facts.gpus]
                or ["no GPU"]
            ),
        ],
    )
    build = f"built for CUDA {facts.torch_cuda}" if facts.torch_cuda else "built for the CPU"
    yield (
        "packages",
        [
            f"{name} {version}{f' ({build})' if name == 'torch' else ''}"
            for name, version in facts.packages.items()
            if version
        ],
    )
    yield (
        "project",
        [
            f"{project.root}",
            f"runs and data in {project.state_folder}: {format_bytes(project.state_bytes)}, "
            f"{format_bytes(project.free_disk_bytes)} free",
        ],
    )
    if facts.probe and facts.probe.succeeded:
        yield "lookup", [f"works on {facts.probe.device}; import and lookup took {facts.probe.seconds:.1f} s"]
