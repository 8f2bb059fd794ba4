"""Measures recplat on this machine: medians, with the machine they belong to. See the files beside this one."""

import click

from bench.measure import machine
from bench.specs import measure_specs
from bench.training import measure_training


@click.command()
@click.option("--rows", default=500_000, show_default=True, help="Rows to make up; 80 % of them train.")
@click.option("--repeats", default=3, show_default=True, help="Times each case is run.")
def main(rows: int, repeats: int) -> None:
    """Measure validating, planning and training on this machine."""
    click.echo(f"{machine()}; medians of {repeats}\n")
    measure_specs(repeats)
    measure_training(rows, repeats)


if __name__ == "__main__":
    main()
