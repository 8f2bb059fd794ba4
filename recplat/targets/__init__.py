"""Where a job runs. Read `base.py` first."""
