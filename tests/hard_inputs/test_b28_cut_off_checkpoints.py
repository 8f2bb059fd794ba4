"""A checkpoint that is cut off is never the latest, and the last complete one is never deleted."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recplat.runtime.duties import prune
from recplat.runtime.failures import RunError
from recplat.runtime.ranks import Ranks
from recplat.tracking.checkpoints import MANIFEST, complete_checkpoints, latest_checkpoint, read_manifest
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import whole_run


@pytest.fixture
def checkpoints(rank_pool: RankPool, tmp_path: Path) -> Path:  # noqa: F811
    """Two complete checkpoints, of steps 7 and 14, each written by two ranks."""
    rank_pool.run(whole_run, world_size=2, sets=(), folder=tmp_path)
    return tmp_path / "checkpoints"


def cut_in_half(checkpoint: Path) -> None:
    largest = max(checkpoint.glob("*.distcp"), key=lambda path: path.stat().st_size)
    largest.write_bytes(largest.read_bytes()[: largest.stat().st_size // 2])


def without_the_second_ranks_part(checkpoint: Path) -> None:
    [part] = checkpoint.glob("__1_*.distcp")
    part.unlink()


def without_manifest(checkpoint: Path) -> None:
    (checkpoint / MANIFEST).unlink()


def with_half_a_manifest(checkpoint: Path) -> None:
    manifest = checkpoint / MANIFEST
    manifest.write_bytes(manifest.read_bytes()[:100])


DAMAGES = [cut_in_half, without_the_second_ranks_part, without_manifest, with_half_a_manifest]


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_last_complete_one_is_the_latest(checkpoints: Path, damage: Callable[[Path], None]) -> None:
    assert latest_checkpoint(checkpoints) == checkpoints / "step-00000014"
    damage(checkpoints / "step-00000014")
    assert latest_checkpoint(checkpoints) == checkpoints / "step-00000007"


@pytest.mark.parametrize("damage", DAMAGES)
def test_pruning_keeps_the_only_complete_one(checkpoints: Path, damage: Callable[[Path], None]) -> None:
    damage(checkpoints / "step-00000014")
    prune(checkpoints, 1, best=None)
    assert [folder.name for folder in sorted(checkpoints.iterdir())] == ["step-00000007"]


def load(ranks: Ranks, checkpoint: Path, folder: Path) -> str:
    with pytest.raises(RunError) as caught:
        whole_run(ranks, (), folder, resume_from=checkpoint)
    return str(caught.value)


def test_a_damaged_one_is_refused_by_name(
    rank_pool: RankPool,  # noqa: F811
    checkpoints: Path,
    tmp_path: Path,
) -> None:
    cut_in_half(checkpoints / "step-00000014")
    for message in rank_pool.run(load, world_size=2, checkpoint=checkpoints / "step-00000014", folder=tmp_path / "x"):
        assert "step-00000014" in message
        assert "not complete" in message


KILLED_WHILE_SAVING = """
import os, sys, signal
from pathlib import Path
from recplat.runtime import checkpoint
from recplat.runtime.ranks import join_ranks
from tests.runtime.training import whole_run

save = checkpoint.save
def killed_after_writing(tensors, **arguments):
    save(tensors, **arguments)
    if "step-00000014" in str(arguments["checkpoint_id"]):
        os.kill(os.getpid(), signal.SIGKILL)
checkpoint.save = killed_after_writing
whole_run(join_ranks("cpu"), (), Path(sys.argv[1]))
"""


def test_a_kill_before_the_manifest_leaves_the_one_before_and_the_run_goes_on(
    rank_pool: RankPool,  # noqa: F811
    tmp_path: Path,
) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_WHILE_SAVING, tmp_path], capture_output=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
    checkpoints = tmp_path / "checkpoints"
    assert [folder.name for folder in sorted(checkpoints.iterdir())] == ["step-00000007", "step-00000014"]
    assert read_manifest(checkpoints / "step-00000014") is None
    latest = latest_checkpoint(checkpoints)
    assert latest == checkpoints / "step-00000007"
    [resumed] = rank_pool.run(whole_run, sets=(), folder=tmp_path, resume_from=latest)
    assert resumed["finished"].step == 14
    assert len(complete_checkpoints(checkpoints)) == 2
    shutil.rmtree(checkpoints)
