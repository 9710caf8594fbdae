"""Every sentence about contradictions and duplicates: why two memories were found, and what is suggested."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import counted

_QUOTED = 40  # characters of a word that a detector's reason quotes

# Kind of finding → its name in a sentence, and in a column.
KIND_LABELS: dict[str, tuple[str, str]] = {
    "polarity": ("negation", "negation"),
    "opposite": ("opposites", "opposites"),
    "class": ("mutually exclusive", "exclusive"),
    "number": ("conflicting numbers", "numbers"),
    "value": ("conflicting values", "values"),
    "order": ("reversed order", "reversed"),
    "way": ("one rules out the other", "ruled out"),
    "change": ("changed over time", "changed"),
    "key": ("same key, different values", "same key"),
    "validity": ("valid at the same time", "same time"),
    "mark": ("marked by the store", "marked"),
    "exact": ("exact duplicate", "exact"),
    "near": ("near duplicate", "near"),
    "maybe": ("possible duplicate", "possible"),
}

# Subjects on which nothing is suggested.
IDENTITY = "identity"
HEALTH = "health"
FINANCE = "finances"

# Stands for the new value where a text names only the old one.
CHANGED = "changed"

# Reasons of detectors.
MARKED_BY_STORE = "The store itself marks them as contradictory."
ONE_STATE = "Both describe the current state, but only one can be true."
REVERSED = "They name the same two things in opposite order."


def two_values(attribute: str, a: str, b: str) -> str:
    return f"Conflicting values for “{attribute}”: {a} vs {b}."


def inline_key(key: str) -> str:
    return f"Both give a value for “{_quoted(key)}”, but the values differ."


def memory_key(key: str, *, overlapping: bool) -> str:
    when = " and are valid at the same time" if overlapping else ""
    return f"Both have the key “{_quoted(key)}”{when}, but the values differ."


def ruled_out(practice: str, word: str) -> str:
    return f"“{practice}” rules out “{word}”."


def negated(negator: str) -> str:
    return f"One statement negates the other (“{negator}”)."


def without(thing: str) -> str:
    if thing == "asking":
        return "One says to ask first, the other not to."
    return f"They disagree on “{thing}”: one says with, the other without."


def given_up(old: str) -> str:
    return f"One says “{old}” is no longer current, the other that it still is."


def opposites(a: str, b: str) -> str:
    return f"“{_quoted(a)}” and “{_quoted(b)}” are opposites."


def exclusive_words(a: str, b: str) -> str:
    return f"Only one can be right: {_quoted(a)} or {_quoted(b)}."


def two_numbers(a: str, b: str) -> str:
    return f"Conflicting values: {_quoted(a)} vs {_quoted(b)}."


def only_opposites_differ(a: str, b: str) -> str:
    return f"They differ only in a pair of opposites: “{a}” vs “{b}”."


def different_frequency(a: str, b: str) -> str:
    return f"The frequency differs: “{a}” vs “{b}”."


def two_only(a: str, b: str) -> str:
    return f"Each allows only one option, and the options differ: {a} vs {b}."


def _quoted(text: str) -> str:
    return text[:_QUOTED]


# Reasons of findings, as Review and `contradictions` show them.
SAME_TEXT = "The texts are identical."
SAME_WORDS = "Both use the same words"


def either(a: str, b: str) -> str:
    return f"{a} vs {b}"


def either_statement(a: str, b: str) -> str:
    return f"“{a}” vs “{b}”"


def marked(statements: str) -> str:
    return f"Marked as contradictory by the store: {statements}."


def one_negates(statements: str) -> str:
    return f"One statement negates the other: {statements}."


def earlier_time(statements: str) -> str:
    return f"One of them may be outdated: {statements}."


def opposite_values(values: str) -> str:
    return f"Opposites: {values}."


def values_of(attribute: str, values: str) -> str:
    return f"Conflicting values for “{attribute}”: {values}."


def conflicting_values(values: str) -> str:
    return f"Conflicting values: {values}."


def shared_words(share: float) -> str:
    return f"{share:.0%} of the words match"


def near_duplicate(overlap: str) -> str:
    return f"{overlap}, and nothing in one contradicts the other."


def possible_duplicate(overlap: str) -> str:
    return f"{overlap}, but each may say something the other does not."


# Suggestions, and why there is none. `name` is A or B.
MAYBE_SAME = "They may not mean the same thing. Read both before deciding."
NOTHING_TO_GO_BY = "Neither is pinned, newer or more confident."
IDENTICAL = "The texts are identical"
NEARLY_IDENTICAL = "The texts are nearly identical"
IS_PINNED = "is pinned"
IS_USED_MORE = "is used more often"
IS_OLDER = "is older"
ALONE_IS_DATED = "is the only one with a date"


def sensitive(subject: str) -> str:
    return f"Sensitive topic ({subject}): this one is up to you."


def same_text(how: str, name: str, advantage: str) -> str:
    return f"{how}, and {name} {advantage}." if advantage else f"{how}."


def pinned(name: str) -> str:
    return f"{name} is pinned."


def written_by_person(name: str) -> str:
    return f"{name} was written by a person."


def written_by_you(name: str) -> str:
    return f"{name} was written or confirmed by you."


def tells_of_change(name: str, phrase: str) -> str:
    return f"{name} describes a later state (“{_quoted(phrase)}”)."


def later_date(name: str) -> str:
    return f"{name} has the later date."


def changed_over_time(name: str, days: int) -> str:
    return f"This changed over time, and {is_newer(name, days)}."


def newer_and_confirmed(days: int) -> str:
    return f"{counted(days, 'day')} newer, and confirmed more recently."


def more_confident(high: float, low: float) -> str:
    return f"Much higher confidence: {high:.2f} vs {low:.2f}."


def is_newer(name: str, days: int) -> str:
    return f"{name} is {counted(days, 'day')} newer" if days else f"{name} is newer"


def is_more_confident(name: str, difference: float) -> str:
    return f"{name}'s confidence is {difference:.2f} higher"


def too_little(known: list[str]) -> str:
    return f"{' and '.join(known)}, but that is not enough to suggest a verdict."


def seen_later(name: str) -> str:
    return f"Neither has a date. memtui first saw {name} later, but that is not enough to suggest a verdict."


def further_down(name: str) -> str:
    return (
        f"Neither has a date. {name} is further down the list, but that is not enough to suggest a verdict."
    )


def no_pair(id: int) -> Refused:
    return Refused(
        "no-pair",
        f"No pair with ID {id}.",
        "To list pairs: memtui contradictions list --all, memtui duplicates list --all",
    )
