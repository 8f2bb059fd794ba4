import math

import numpy as np
import pytest

from tests.catalog.metrics.rows_builder import measure, predictions

# A negative row of logit log(e^l - 1) has the loss l.
LOGITS = np.array([math.log(math.expm1(1.0))] * 8 + [math.log(math.expm1(4.0))] * 2)


@pytest.mark.parametrize("num_ranks", [1, 2])
@pytest.mark.parametrize("batch_size", [1, 3, 4, 10])
def test_the_mean_is_over_rows_whatever_the_batches_and_ranks(batch_size, num_ranks):
    batches = [LOGITS[start : start + batch_size] for start in range(0, 10, batch_size)]
    by_rank = [part for rank in range(num_ranks) for batch in batches for part in [batch[rank::num_ranks]]]
    logits = np.concatenate(by_rank)
    assert logits.size == 10
    assert measure("logloss", predictions(logits, np.zeros(10))) == pytest.approx(1.6, abs=1e-12)
