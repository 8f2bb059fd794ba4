"""Writes and reads checkpoints under names of our own, so that they load at any world size and sharding.

tables/<name>/weight, tables/<name>/optimizer/<state>     whole tables, whatever shards they were written from
dense/weight/<parameter or buffer>, dense/optimizer/<parameter>/<state>
"""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.filesystem import FileSystemReader
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save

from recplat.runtime.failures import RunError
from recplat.runtime.tables import optimizer_states, whole_tensor
from recplat.runtime.trainer import Trainer
from recplat.tracking.checkpoints import CHECKPOINT_FORMAT, MANIFEST, Manifest, TrainState, read_manifest

_DENSE_OPTIMIZER = "dense/optimizer/"


def save_checkpoint(folder: Path, trainer: Trainer, state: TrainState, run_id: str) -> None:
    """Write everything that a resumed run needs. All ranks call it; the manifest, written last, makes it complete."""
    ranks = trainer.ranks
    if ranks.is_first:
        shutil.rmtree(folder, ignore_errors=True)  # left by a run that was cut off at this step
        folder.mkdir(parents=True)
    ranks.barrier()
    tensors = _weights(trainer) | _table_states(trainer) | _dense_states(trainer)
    save(tensors, checkpoint_id=folder, process_group=ranks.control)
    if ranks.is_first:
        _commit(folder, _manifest(trainer, state, run_id))
    ranks.barrier()


def load_checkpoint(folder: Path, trainer: Trainer) -> Manifest:
    """Take over weights, optimiser state and position.

    Raises:
        RunError: the checkpoint is not complete, or it is of another model.
    """
    manifest = _read_manifest(folder)
    _check_optimizers(manifest, trainer)
    saved = _saved_names(folder, trainer)
    dense_states = _empty_dense_states(folder, trainer)
    _load(folder, trainer, _weights(trainer) | _table_states(trainer) | dense_states, saved)
    names = dict(trainer.dense.named_parameters())
    for key, tensor in dense_states.items():
        parameter, state = key.removeprefix(_DENSE_OPTIMIZER).rsplit("/", 1)
        trainer.optimizers.dense.state[names[parameter]][state] = tensor
    trainer.optimizers.resume(manifest.state)
    return manifest


def load_weights(folder: Path, trainer: Trainer) -> None:
    """Take over the weights alone."""
    _read_manifest(folder)
    _load(folder, trainer, _weights(trainer), None)


def _weights(trainer: Trainer) -> dict[str, Any]:
    """This rank's part of all weights. Tensors share memory with the model, so loading into them changes it."""
    named = {f"tables/{table.plan.name}/weight": whole_tensor(table, table.weight_RC) for table in trainer.tables}
    return named | {f"dense/weight/{name}": tensor for name, tensor in trainer.dense.state_dict().items()}


def _table_states(trainer: Trainer) -> dict[str, Any]:
    return {
        f"tables/{table.plan.name}/optimizer/{name}": whole_tensor(table, state)
        for table in trainer.tables
        for name, state in optimizer_states(table, trainer.optimizers.of_tables.get(table.plan.name)).items()
    }


def _dense_states(trainer: Trainer) -> dict[str, Any]:
    return {
        f"{_DENSE_OPTIMIZER}{name}/{state}": tensor
        for name, parameter in trainer.dense.named_parameters()
        for state, tensor in trainer.optimizers.dense.state.get(parameter, {}).items()
        if isinstance(tensor, torch.Tensor)
    }


def _empty_dense_states(folder: Path, trainer: Trainer) -> dict[str, Any]:
    """Tensors for the dense optimiser's saved state: a fresh optimiser has none of its own to load into."""
    parameters = dict(trainer.dense.named_parameters())
    empty: dict[str, Any] = {}
    stored: Any
    for key, stored in FileSystemReader(folder).read_metadata().state_dict_metadata.items():
        if not key.startswith(_DENSE_OPTIMIZER):
            continue
        parameter = parameters.get(key.removeprefix(_DENSE_OPTIMIZER).rsplit("/", 1)[0])
        if parameter is None:
            raise _other_model(folder, f"it has a dense parameter `{key}` that this model lacks")
        # Counters of steps are scalars; torch keeps them on the host unless the optimiser is a fused one.
        on_host = not len(stored.size) and not trainer.optimizers.dense.defaults.get("fused")
        device = torch.device("cpu") if on_host else parameter.device
        empty[key] = torch.empty(stored.size, dtype=stored.properties.dtype, device=device)
    return empty


def _saved_names(folder: Path, trainer: Trainer) -> set[str]:
    """Names in the checkpoint, after a look for tables and parameters that this model lacks."""
    saved = set(FileSystemReader(folder).read_metadata().state_dict_metadata)
    tables = {table.name for table in trainer.plan.tables}
    weights = {f"dense/weight/{name}" for name in trainer.dense.state_dict()}
    for name in sorted(saved):
        kind, _, rest = name.partition("/")
        if kind == "tables" and rest.split("/")[0] not in tables:
            raise _other_model(folder, f"it has a table `{rest.split('/')[0]}` that this plan lacks")
        if name.startswith("dense/weight/") and name not in weights:
            raise _other_model(folder, f"it has a dense parameter `{name}` that this model lacks")
    return saved


def _load(folder: Path, trainer: Trainer, tensors: dict[str, Any], saved: set[str] | None) -> None:
    if saved is not None:
        for name in sorted(set(tensors) - saved):
            raise _other_model(folder, f"it lacks `{name}`")
    try:
        load(tensors, checkpoint_id=folder, process_group=trainer.ranks.control)
    except CheckpointException as error:
        # Sizes are compared while loading is planned.
        if any("Size mismatch" in str(cause[0]) for cause in error.failures.values()):
            raise _other_model(folder, str(next(iter(error.failures.values()))[0])) from error
        raise


def _manifest(trainer: Trainer, state: TrainState, run_id: str) -> Manifest:
    plan = trainer.plan
    return Manifest(
        format=CHECKPOINT_FORMAT,
        run_id=run_id,
        plan_digest=plan.digest,
        statistics_digest=plan.statistics_digest,
        world_size=trainer.ranks.world_size,
        dense_optimizer=trainer.catalog.name_of(plan.job.spec.train.dense_optimizer),
        table_optimizers={table.name: table.optimizer for table in plan.tables},
        state=state,
        files={},
    )


def _commit(folder: Path, manifest: Manifest) -> None:
    files = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    partial = folder / f".{MANIFEST}.partial"
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(manifest, files=files))))
    partial.replace(folder / MANIFEST)


def _read_manifest(folder: Path) -> Manifest:
    manifest = read_manifest(folder)
    if manifest is None:
        raise RunError(
            f"checkpoint `{folder}` is not complete: its manifest is missing or a file is cut off",
            "resume from an older checkpoint, or start anew",
        )
    return manifest


def _check_optimizers(manifest: Manifest, trainer: Trainer) -> None:
    expected = _manifest(trainer, manifest.state, manifest.run_id)
    if manifest.dense_optimizer != expected.dense_optimizer:
        raise RunError(
            f"the checkpoint holds the state of dense optimiser {manifest.dense_optimizer}, "
            f"the plan uses {expected.dense_optimizer}",
            f"write `dense_optimizer: {manifest.dense_optimizer}` to resume, or start anew",
        )
    for name, optimizer in expected.table_optimizers.items():
        saved = manifest.table_optimizers.get(name, optimizer)
        if saved != optimizer:
            raise RunError(
                f"the checkpoint holds the state of optimiser {saved} for table `{name}`, the plan uses {optimizer}",
                f"give the table the optimiser {saved} to resume, or start anew",
            )


def _other_model(folder: Path, message: str) -> RunError:
    return RunError(
        f"checkpoint `{folder}` does not fit this plan: {message}",
        "resume with the spec that the checkpoint was made from, or start anew",
    )
