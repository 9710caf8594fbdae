"""Every sentence about contradictions and duplicates: why two memories were found, and what is suggested."""

from __future__ import annotations

from memtui.text import counted

_QUOTED = 40  # characters of a word that a detector's reason quotes

# Kind of finding → its name in a sentence, and in a column.
KIND_LABELS: dict[str, tuple[str, str]] = {
    "polarity": ("one denies what the other says", "one denies it"),
    "opposite": ("opposite words", "opposites"),
    "class": ("two of a kind, only one can be", "only one can be"),
    "number": ("two values", "two values"),
    "value": ("two values of one thing", "two values"),
    "order": ("the other way round", "other way round"),
    "way": ("one rules out what the other says", "ruled out"),
    "change": ("one tells that it changed", "it changed"),
    "key": ("one key, two values", "one key twice"),
    "validity": ("valid at the same time", "at one time"),
    "mark": ("marked by its store", "marked by store"),
    "exact": ("the same text", "the same"),
    "near": ("nearly the same text", "nearly the same"),
    "maybe": ("perhaps the same", "perhaps the same"),
}

# Subjects on which nothing is suggested.
IDENTITY = "who somebody is"
HEALTH = "health"
FINANCE = "money"

# Stands for the new value where a text names only the old one.
CHANGED = "changed"

# Reasons of detectors.
MARKED_BY_STORE = "The store itself says that they contradict each other."
ONE_STATE = "Both say how it is, and only one can be true now."
REVERSED = "The same two are put the other way round."


def two_values(attribute: str, a: str, b: str) -> str:
    return f"One “{attribute}” with two values: {a} and {b}."


def inline_key(key: str) -> str:
    return f"Both tell “{_quoted(key)}”, with different values."


def memory_key(key: str, *, overlapping: bool) -> str:
    when = " and are valid at the same time" if overlapping else ""
    return f"Both have the key “{_quoted(key)}”{when}, with different values."


def ruled_out(practice: str, word: str) -> str:
    return f"“{practice}” rules out “{word}”."


def negated(negator: str) -> str:
    return f"One says that it is so, the other denies it (“{negator}”)."


def without(thing: str) -> str:
    return f"One says that it is without “{thing}”, the other that it is with it."


def given_up(old: str) -> str:
    return f"One says that “{old}” was given up, the other that it still is so."


def opposites(a: str, b: str) -> str:
    return f"“{_quoted(a)}” and “{_quoted(b)}” are opposites."


def exclusive_words(a: str, b: str) -> str:
    return f"Only one can stand there: “{_quoted(a)}” or “{_quoted(b)}”."


def two_numbers(a: str, b: str) -> str:
    return f"Two values of the same: {_quoted(a)} and {_quoted(b)}."


def only_opposites_differ(a: str, b: str) -> str:
    return f"“{a}” and “{b}” are opposites, and all else is said alike."


def different_frequency(a: str, b: str) -> str:
    return f"“{a}” is not “{b}”."


def two_only(a: str, b: str) -> str:
    return f"Only one can be the only one: {a} or {b}."


def _quoted(text: str) -> str:
    return text[:_QUOTED]


# Reasons of findings, as Review and `contradictions` show them.
SAME_TEXT = "Both say the same, word for word."
SAME_WORDS = "They use the same words"


def either(a: str, b: str) -> str:
    return f"{a} or {b}"


def either_statement(a: str, b: str) -> str:
    return f"“{a}” or “{b}”"


def marked(statements: str) -> str:
    return f"Its store says that they contradict each other: {statements}."


def one_negates(statements: str) -> str:
    return f"One statement negates the other: {statements}."


def earlier_time(statements: str) -> str:
    return f"One of them may be of an earlier time: {statements}."


def opposite_values(values: str) -> str:
    return f"These are opposites: {values}."


def values_of(attribute: str, values: str) -> str:
    return f"Two values for “{attribute}”: {values}."


def conflicting_values(values: str) -> str:
    return f"Conflicting values: {values}."


def shared_words(share: float) -> str:
    return f"{share:.0%} of their words are the same"


def near_duplicate(overlap: str) -> str:
    return f"{overlap}, and nothing in one speaks against the other."


def possible_duplicate(overlap: str) -> str:
    return f"{overlap}, but each may say something that the other does not."


# Suggestions, and why there is none. `name` is A or B.
MAYBE_SAME = "They may say the same, or not: read both."
NOTHING_TO_GO_BY = "Neither is pinned, newer or surer."
WORD_FOR_WORD = "word for word"
ALMOST_WORD_FOR_WORD = "almost word for word"
IS_PINNED = "is pinned"
IS_USED_MORE = "is used more"
IS_OLDER = "is older"
ALONE_IS_DATED = "alone is dated"


def sensitive(subject: str) -> str:
    return f"It is about {subject}: only a person decides that."


def same_text(how: str, name: str, advantage: str) -> str:
    why = f", and {name} {advantage}" if advantage else ""
    return f"They say the same {how}{why}."


def pinned(name: str) -> str:
    return f"{name} is pinned."


def written_by_user(name: str) -> str:
    return f"{name} is a person's word."


def tells_of_change(name: str, phrase: str) -> str:
    return f"{name} tells of the change (“{_quoted(phrase)}”)."


def later_date(name: str) -> str:
    return f"{name} names the later date."


def changed_over_time(name: str, days: int) -> str:
    return f"It changed over time, and {is_newer(name, days)}."


def newer_and_confirmed(days: int) -> str:
    return f"Newer{_by(days)}, and confirmed more recently."


def more_confident(high: float, low: float) -> str:
    return f"Held for much surer: {high:.2f} against {low:.2f}."


def is_newer(name: str, days: int) -> str:
    return f"{name} is newer{_by(days)}"


def is_surer(name: str, difference: float) -> str:
    return f"{name} is surer by {difference:.2f}"


def too_little(known: list[str]) -> str:
    return f"{' and '.join(known)}: too little to suggest one."


def seen_later(name: str) -> str:
    return f"Neither is dated; memtui saw {name} later, which alone decides nothing."


def further_down(name: str) -> str:
    return f"Neither is dated; {name} stands further down, which alone decides nothing."


def _by(days: int) -> str:
    return f" by {counted(days, 'day')}" if days else ""
