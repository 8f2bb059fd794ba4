"""Measurements of recplat on the machine at hand: `make bench`, or `python -m bench --help`."""
