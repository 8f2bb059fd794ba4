"""The program itself: `torchrun … -m recplat.runtime RUN_FOLDER`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recplat.data.lock import save_local
from recplat.data.preparing import prepare
from recplat.data.statistics import ensure_statistics
from recplat.lang.shapes import Device
from recplat.plan.codec import encode_plan
from recplat.plan.compile import compile_plan
from recplat.spec import load_job
from recplat.tracking.run_folder import Go, RunFolder

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: entry}
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: label}
  features:
    - {name: user, type: categorical, dim: 8}
    - {name: tags, type: categorical, dim: 8, multivalent: true, pooling: mean}
    - {name: age, type: numeric, transform: zscore}
  model: {type: deepfm, hidden_units: [16]}
  train: {batch_size: 64, epochs: 2}
"""
