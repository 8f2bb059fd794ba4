"""The spec: YAML in, a typed job in normal form out. Read `load.py` first, then `types.py`."""

from recplat.spec.load import Checked, LoadedJob, check_job, load_job
from recplat.spec.types import TrainingJob

__all__ = ["Checked", "LoadedJob", "TrainingJob", "check_job", "load_job"]
