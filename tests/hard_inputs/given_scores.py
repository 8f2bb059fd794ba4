"""Evaluates rows whose scores are given: a logistic regression whose only input is the logit."""

import numpy as np
import torch

from recplat.catalog import builtin_catalog
from recplat.runtime.evaluate import Evaluation, evaluate
from recplat.runtime.ranks import Ranks
from recplat.runtime.trainer import build_trainer
from tests.runtime.jobs import SPEC, ArraySource, Rows, make_plan

ONE_NUMBER = (
    SPEC[: SPEC.index("    - {name: user")]
    + "    - {name: logit, type: numeric}\n  model: {type: logistic_regression}\n"
    + "  optimizations: {precision: fp32, compile: false}\n"
)


def evaluate_given(ranks: Ranks, scores: list[float], labels: list[int], *, batch_size: int) -> Evaluation:
    """Metrics of rows with these scores, each a probability."""
    plan = make_plan(f"spec.evaluate.batch_size={batch_size}", world_size=ranks.world_size, spec=ONE_NUMBER)
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    with torch.no_grad():
        for parameter in trainer.dense.parameters():
            parameter.fill_(1.0 if parameter.numel() == 1 and parameter.dim() == 1 else 0.0)
    probabilities = np.array(scores)
    logits = np.log(probabilities / (1 - probabilities)).astype(np.float32)
    rows = Rows(dense=logits[:, None], ids=None, bags={}, labels=np.array(labels, dtype=np.float32))
    source = ArraySource(plan, ranks.rank, {"train": rows, "eval": rows})
    part = source.part("eval")
    assert part is not None
    return evaluate(trainer.model, trainer.batches, part, plan.job.spec.evaluate.metrics, builtin_catalog(), ranks)
