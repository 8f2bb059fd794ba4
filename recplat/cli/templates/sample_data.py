"""A small made-up click log: enough structure that a model learns something, the same at every call."""

from __future__ import annotations

import csv
from pathlib import Path

from recplat.cli.templates.spec_text import Outline
from recplat.data.proposal import ProposedFeature, ProposedLabel

NUM_ROWS = 20_000
_NUM_USERS = 300
_NUM_ITEMS = 200
_TOPICS = ("art", "books", "cooking", "film", "games", "music", "science", "sport")
_DEVICES = ("phone", "tablet", "desktop")
_FIRST_TIME = 1_700_000_000  # seconds since the epoch

_KEY = (("type", "categorical"), ("dim", "16"))
_FEATURES = {
    **dict.fromkeys(("user_id", "item_id", "topic", "device"), _KEY),
    "interests": (*_KEY, ("multivalent", "true"), ("separator", '"|"')),
    "age": (("type", "numeric"), ("transform", "zscore")),
}


def outline(path: str) -> Outline:
    """What a spec says of this data, lying at `path`."""
    features = tuple(ProposedFeature(name=name, column=name, options=options) for name, options in _FEATURES.items())
    return Outline(path=path, label=ProposedLabel(column="clicked"), num_rows=NUM_ROWS, features=features)


def write_sample(path: Path) -> None:
    """Write `NUM_ROWS` clicks and non-clicks as CSV, in order of time.

    Users like the topics among their interests, some items are popular, and phones click more. Ranking by the
    probabilities that the clicks were drawn with gives an AUC of 0.828: no model can do better.
    """
    import numpy as np

    random = np.random.default_rng(1)
    interests = [sorted(random.choice(_TOPICS, size=random.integers(1, 4), replace=False)) for _ in range(_NUM_USERS)]
    ages = random.integers(16, 75, _NUM_USERS)
    topics = random.choice(_TOPICS, _NUM_ITEMS)
    popularity = random.normal(0.0, 1.0, _NUM_ITEMS)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "user_id", "item_id", "topic", "device", "age", "interests", "clicked"])
        for row in range(NUM_ROWS):
            user, item = int(random.integers(_NUM_USERS)), int(random.integers(_NUM_ITEMS))
            device = _DEVICES[int(random.integers(len(_DEVICES)))]
            liked = topics[item] in interests[user]
            logit = -2.0 + 2.4 * liked + popularity[item] + 0.5 * (device == "phone")
            clicked = int(random.random() < 1.0 / (1.0 + np.exp(-logit)))
            person = [f"u{user:03d}", f"i{item:03d}", topics[item], device, ages[user], "|".join(interests[user])]
            writer.writerow([_FIRST_TIME + 60 * row, *person, clicked])
