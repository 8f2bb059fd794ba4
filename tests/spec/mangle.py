"""Specs with something broken: as text, and as a tree that is written out again. The same seed gives the same spec."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent.parent
_SIGNS = [
    *":{}[],&*#!|>'\"%@`?-~$ \t\n\r",
    ": ",
    "- ",
    "${",
    "${X}",
    "<<: ",
    "\n  ",
    "\u00e9",
    "\ufeff",
    "\0",
    "\u2028",
]
_WORDS = ["null", "true", "-1", "0", "1e400", ".inf", ".nan", "012", "1_000", "[]", "{}", "''", "*a", "&a x", "!!int x"]
_VALUES: list[Any] = [None, True, 0, -1, 10**30, 1.5, float("inf"), "", "x", "${X}", "a" * 300, [], [[]], {}, {"": 1}]
_KEYS = ["type", "name", "mode", "by", "dim", "table", "transform", "extends", "catalog", "x", "batch-size", "0", ""]


def sources() -> list[str]:
    """Texts to begin with: the examples, and mistakes of people."""
    files = [*(ROOT / "specs").glob("*.yaml"), *(ROOT / "tests/golden/diagnostics").glob("*.yaml")]
    texts = [file.read_bytes().decode("utf-8", "replace") for file in sorted(files)]
    return [text for text in texts if len(text) < 20_000]


def mangled(seed: int, texts: list[str]) -> str:
    """A spec with one to four things broken."""
    chance = random.Random(seed)
    text = chance.choice(texts)
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(_TEXT_CHANGES if chance.random() < 0.5 else [_tree])(text, chance)
    return text


def _tree(text: str, chance: random.Random) -> str:
    """One node deleted, doubled, retyped, renamed or moved."""
    try:
        document = yaml.load(text, yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError):
        return _insert(text, chance)
    return yaml.dump(_changed(document, chance), Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.85:
        deep = [key for key, inner in value.items() if isinstance(inner, dict | list)]
        key = chance.choice(deep if deep and chance.random() < 0.8 else list(value))
        return {**value, key: _changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        index = chance.randrange(len(value))
        return [*value[:index], _changed(value[index], chance), *value[index + 1 :]]
    changes: list[Callable[[], Any]] = [lambda: chance.choice(_VALUES), lambda: [value], lambda: {"type": value}]
    if isinstance(value, dict):
        changes += [
            lambda: {**value, chance.choice(_KEYS): chance.choice(_VALUES)},
            lambda: dict(chance.sample(list(value.items()), max(0, len(value) - 1))),
            lambda: list(value.values()),
            lambda: next(iter(value.values()), None),
            lambda: {f"{key}x" if chance.random() < 0.3 else key: inner for key, inner in value.items()},
        ]
    if isinstance(value, list):
        changes += [lambda: value + value, lambda: value[1:], lambda: dict(enumerate(value)), lambda: value * 30]
    if isinstance(value, str):
        changes += [lambda: value * 20, lambda: value[::-1], lambda: value.upper(), lambda: f"{value}\n", lambda: ""]
    return chance.choice(changes)()


def _insert(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(_SIGNS if chance.random() < 0.6 else _WORDS) + text[at:]


def _delete(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + text[at + chance.choice([1, 1, 2, 5, 40]) :]


def _double(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + text[at : at + chance.choice([1, 10, 80, 400])] * chance.choice([2, 2, 3, 50]) + text[at:]


def _lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    change = chance.randrange(4)
    if change == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif change == 1:
        lines.insert(first, lines[second])
    elif change == 2:
        lines[first] = " " * chance.randint(0, 9) + lines[first].lstrip()
    else:
        del lines[first]
    return "\n".join(lines)


def _word(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    words[chance.randrange(len(words))] = chance.choice(_WORDS)
    return " ".join(words)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randint(0, len(text))]


_TEXT_CHANGES = [_insert, _insert, _delete, _double, _lines, _lines, _word, _cut]
