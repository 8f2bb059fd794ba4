"""Factors of each schedule at the steps where something happens."""

import math

import pytest

from recplat.catalog.schedules.constant.options import Options as Constant
from recplat.catalog.schedules.cosine.options import Options as Cosine
from recplat.catalog.schedules.linear_warmup.options import Options as LinearWarmup
from recplat.catalog.schedules.step.options import Options as Step


def test_constant_stays() -> None:
    assert [Constant().factor(step, 10) for step in (0, 9, 10_000)] == [1.0, 1.0, 1.0]


def test_warmup_rises_from_its_start_to_one_and_stays() -> None:
    schedule = LinearWarmup(steps=4, start_factor=0.2)
    assert [schedule.factor(step, None) for step in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0, 1.0])


def test_warmup_begins_at_zero_by_default() -> None:
    assert LinearWarmup(steps=5).factor(0, None) == 0.0


def test_cosine_rises_falls_and_ends_at_its_final_factor() -> None:
    schedule = Cosine(warmup_steps=10, final_factor=0.1)
    factors = [schedule.factor(step, 110) for step in range(111)]
    assert factors[:3] == pytest.approx([0.0, 0.1, 0.2])
    assert factors[10] == pytest.approx(1.0)
    assert factors[60] == pytest.approx(0.55)  # half way between 1 and 0.1
    assert factors[35] == pytest.approx(0.1 + 0.9 * (1 + math.cos(math.pi / 4)) / 2)
    assert factors[110] == pytest.approx(0.1)
    assert schedule.factor(500, 110) == pytest.approx(0.1)


def test_cosine_without_the_number_of_steps_says_where_it_comes_from() -> None:
    with pytest.raises(ValueError, match="statistics"):
        Cosine().factor(0, None)


def test_step_multiplies_at_each_milestone() -> None:
    schedule = Step(milestones=(3, 5), decay=0.5, warmup_steps=2)
    assert [schedule.factor(step, None) for step in range(7)] == pytest.approx([0.0, 0.5, 1.0, 0.5, 0.5, 0.25, 0.25])


def test_step_with_decay_zero_stops_learning() -> None:
    assert [Step(milestones=(10,), decay=0.0).factor(step, None) for step in (9, 10, 11)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("milestones", [(5, 3), (3, 3), (0, 4)])
def test_milestones_that_do_not_rise_are_a_fault(milestones: tuple[int, ...]) -> None:
    [fault] = Step(milestones=milestones).faults()
    assert (fault.code, fault.field) == ("milestones-not-rising", "milestones")
    assert not list(Step(milestones=(3, 5)).faults())
