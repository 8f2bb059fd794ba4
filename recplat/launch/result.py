"""What a run ends with; the same keys at every world size."""

from __future__ import annotations

from msgspec import Struct

from recplat.spec.gates import parse_gate
from recplat.tracking.events import Finished


class GateResult(Struct, frozen=True, kw_only=True):
    gate: str
    value: float | None
    is_met: bool

    @property
    def value_words(self) -> str:
        return "undefined" if self.value is None else f"{self.value:.6g}"


class Result(Struct, frozen=True, kw_only=True):
    """The result of a run that finished. Metrics are those of the best checkpoint, by part; None: undefined."""

    run_id: str
    name: str
    folder: str
    reason: str  # why training ended: "epochs", "max_steps", "early_stop", "stopped"
    steps: int
    best_step: int | None
    metrics: dict[str, dict[str, float | None]]
    gates: tuple[GateResult, ...]
    num_rows: int  # trained on, over all ranks and epochs, since the run started or resumed
    samples_per_second: float  # of the training loop alone
    loader_wait_fraction: float
    train_seconds: float  # the training loop alone
    seconds: float  # from the command to the result
    num_ranks: int
    device: str
    tracking_uri: str | None
    mlflow_run_id: str | None
    versions: dict[str, str]

    @property
    def has_met_gates(self) -> bool:
        return all(gate.is_met for gate in self.gates)


def gates_words(gates: tuple[GateResult, ...]) -> str | None:
    """What is kept of them with the run, such as `missed: auc >= 0.8 (0.7712)`; None without gates."""
    missed = [gate for gate in gates if not gate.is_met]
    if missed:
        return "missed: " + ", ".join(f"{gate.gate} ({gate.value_words})" for gate in missed)
    return "met" if gates else None


def check_gates(gates: tuple[str, ...], finished: Finished) -> tuple[GateResult, ...]:
    """Each gate against the test metrics, or the evaluation's where there is no test part."""
    metrics = finished.metrics.get("test") or finished.metrics.get("eval") or {}
    results = []
    for text in gates:
        gate = parse_gate(text)
        value = metrics.get(gate.metric)
        results.append(GateResult(gate=text, value=value, is_met=gate.is_met(value)))
    return tuple(results)
