"""Random queries: valid ones, nearly valid ones, and junk."""

from __future__ import annotations

import random

from memtui.memory.query.language import FILTERS
from tests.support.hostile.texts import TEXTS

WORDS = (
    *("tea", "redis", "the", "invoices", "UNIQUE", "long", "timeouts", "漢字", "שלום", "мир", "é", "a", "x"),
    *("net-30", "db-2", "don't", "C++", "12:30", "http://x.y/z", "C:\\tmp", "50%", "a_b", "AND", "NEAR(a b)"),
)
DATES = (
    *(
        "0001",
        "0001-01-01",
        "9999-12-31",
        "9999",
        "10000-01-01",
        "2026-02-30",
        "2026-13",
        "today",
        "tomorrow",
    ),
    *("7d", "-7d", "0d", "999999y", "1h", "3mo", "99999999999999999999d", "1969-12-31", "2026-11-23", "1m"),
)
NUMBERS = (
    *("0", "1", "-1", "0.8", "80%", "1e9", "1e309", "nan", "inf", "٣", "0x10", "1_000", "9" * 400, "." * 9),
    *("-0", "00.5", "1.", ".5", "999999999999999999999", "²", "1,5", "½"),
)
OPERATORS = ("", "", ">", "<", ">=", "<=", "=", ">>", "..", "1..", "!", "<>")
PUNCTUATION = (
    '"',
    "'",
    "-",
    "--",
    ":",
    "::",
    "*",
    "(",
    ")",
    "\\",
    "^",
    "+",
    "~",
    "{",
    "}",
    "|",
    "&",
    "..",
    ">",
    "%",
)
UNUSUAL = (
    "\x00",
    "\ud800",
    "\udfff",
    "\u202e",
    "\u200b",
    "\x1b[31m",
    "\x1b]52;c;x\x07",
    "👩‍🔬",
    "\n",
    "\r",
    "\t",
    "\x85",
)


def query(chance: random.Random) -> str:
    """Make a random query."""
    kind = chance.random()
    if kind < 0.02:
        return _huge(chance)
    parts = [_part(chance) for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 3, 4, 6, 12)))]
    text = chance.choice((" ", " ", " ", "", "\t", "  ")).join(parts)
    return _mutate(chance, text) if kind < 0.3 else text


def _part(chance: random.Random) -> str:
    minus = "-" if chance.random() < 0.2 else ""
    kind = chance.random()
    if kind < 0.25:
        return minus + chance.choice(WORDS)
    if kind < 0.35:
        return f'{minus}"{chance.choice(WORDS)} {chance.choice(WORDS)}"'
    if kind < 0.75:
        return minus + _filter(chance)
    if kind < 0.85:
        return chance.choice(PUNCTUATION)
    if kind < 0.92:
        return chance.choice(list(TEXTS.values()))
    return "".join(chance.choice((*PUNCTUATION, *UNUSUAL, *WORDS)) for _ in range(chance.randrange(1, 8)))


def _filter(chance: random.Random) -> str:
    spec = chance.choice(list(FILTERS.values()))
    name = chance.choice(
        (spec.name, spec.name, spec.name, spec.name.upper(), spec.name[:-1], f"{spec.name}s")
    )
    if spec.form and chance.random() < 0.9:
        value = chance.choice(OPERATORS) + chance.choice(DATES if "t" in spec.form else NUMBERS)
        if chance.random() < 0.2:
            value += ".." + chance.choice((*DATES, *NUMBERS))
    elif spec.allowed and chance.random() < 0.8:
        value = chance.choice(spec.allowed)
    else:
        value = chance.choice(
            (spec.example, "", "*", "a*", "*a", "%", '"', *WORDS, *UNUSUAL, *NUMBERS, *TEXTS.values())
        )
    quoted = chance.random()
    if quoted < 0.2:
        value = f'"{value}"'
    elif quoted < 0.25:
        value = f'"{value}'
    return f"{name}:{value}"


def _mutate(chance: random.Random, text: str) -> str:
    """Delete, duplicate or insert characters of `text`."""
    characters = list(text)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(characters) + 1)
        kind = chance.random()
        if kind < 0.3:
            del characters[at : at + chance.randrange(1, 4)]
        elif kind < 0.7:
            characters.insert(at, chance.choice((*PUNCTUATION, *UNUSUAL)))
        elif kind < 0.85:
            characters.insert(at, chr(chance.choice((chance.randrange(0x250), chance.randrange(0x110000)))))
        else:
            characters[at:at] = characters[at : at + 6]
    return "".join(characters)


def _huge(chance: random.Random) -> str:
    """Make a query that is long, or has many parts."""
    part = _part(chance)
    return chance.choice(
        (
            part[:40] * chance.randrange(1, 400),
            f"{part[:30]} " * chance.randrange(150, 260),
            "x" * chance.randrange(9_000, 12_000),
            '"' * chance.randrange(1, 2_000),
            "-" * chance.randrange(1, 2_000) + "a",
            "tag:" + "y" * chance.randrange(5_000, 9_999),
            "*" * chance.randrange(1, 3_000),
        )
    )


# -- parts with a known meaning


def word(chance: random.Random) -> str:
    """Return a word or phrase, and nothing else."""
    return chance.choice(
        ("tea", "redis", "the", "invoices", "unique", "timeouts", "漢字UNIQUE", "a", '"the default"')
    )


def narrowing(chance: random.Random) -> str:
    """Return a valid filter that does not mention statuses."""
    return chance.choice(
        (
            *("category:fact", "tag:t", "tag:redis", "kind:item", "is:pinned", "has:tag", "has:source"),
            *("conf:>0.5", "conf:<=50%", "used:<3", "owner:scout", "created:>2026-01-01", "updated:<30d"),
            *(
                "subject:*a*",
                "key:*e*",
                "scope:private",
                "has:relation",
                "is:duplicate",
                "is:stale",
                "tier:l1",
            ),
        )
    )
