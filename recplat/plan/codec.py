"""Plans as bytes, and the digests that identify what they were made from."""

import hashlib
from typing import Any

import msgspec

from recplat.catalog import Catalog
from recplat.plan.types import PLAN_FORMAT, Plan
from recplat.spec.build import convert, to_plain
from recplat.spec.types import TrainingJob


class PlanFormatError(ValueError):
    """Bytes that are no plan, or one of another format."""


def digest_of(value: Any) -> str:
    """SHA-256 of a plain value as JSON with sorted keys."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


def spec_digest(job: TrainingJob) -> str:
    """Covers what changes the training: not names, labels or where it is recorded."""
    spec = to_plain(job.spec)
    spec.pop("tracking", None)
    return digest_of(spec)


def encode_plan(plan: Plan) -> bytes:
    """Indented JSON with sorted keys: the same plan gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(_plain(plan), order="deterministic"), indent=2) + b"\n"


def decode_plan(data: bytes, catalog: Catalog) -> Plan:
    """
    Raises:
        PlanFormatError: the bytes are no plan of this format, or were changed after they were written.
    """
    try:
        plain = msgspec.json.decode(data)
        found = plain.get("format") if isinstance(plain, dict) else None
        if found != PLAN_FORMAT:
            raise PlanFormatError(f"format {found!r} is not the format {PLAN_FORMAT} of this recplat")
        plan = convert(plain, Plan, catalog)
    except msgspec.MsgspecError as error:
        raise PlanFormatError(f"it is no plan: {error}") from error
    if with_digest(plan).digest != plan.digest:
        raise PlanFormatError("its digest does not fit its content: it was changed after it was written")
    return plan


def with_digest(plan: Plan) -> Plan:
    """The plan with the digest over all the rest filled in."""
    plain = _plain(plan)
    plain.pop("digest")
    return msgspec.structs.replace(plan, digest=digest_of(plain))


def _plain(plan: Plan) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(plan, enc_hook=dict)
    return {**plain, "job": to_plain(plan.job)}
