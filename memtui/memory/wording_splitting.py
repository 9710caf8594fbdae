"""Every sentence about parts that a memory can't be split into."""

from __future__ import annotations

from memtui.errors import Refused

NOT_SPLIT = "Not split"
TOO_FEW = "there is only one part; at least two are needed"
_LONGEST = 40  # characters of a text that is quoted


def _refused(code: str, reason: str, advice: str = "") -> Refused:
    return Refused(code, f"{NOT_SPLIT}: {reason}", advice)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _LONGEST else f'{line[: _LONGEST - 1]}…'}”"


def bad_parts(problem: str) -> Refused:
    return _refused("parts", f"{problem}.")


def empty_mark() -> Refused:
    return _refused("at", "--at is empty; give the text to cut before.")


def mark_not_found(mark: str, previous: str) -> Refused:
    if not previous:
        return _refused("at", f"{_quoted(mark)} isn't in the text.")
    reason = f"{_quoted(mark)} isn't in the text after {_quoted(previous)}."
    return _refused("at", reason, "List the --at options in the order they occur in the text.")


def mark_at_start(mark: str) -> Refused:
    return _refused("at", f"{_quoted(mark)} is at the start; the part before it would be empty.")


def mark_ambiguous(mark: str, count: int) -> Refused:
    return _refused(
        "at",
        f"{_quoted(mark)} occurs {count:,} times.",
        f"Give more of the text that follows it, or give it {count:,} times to cut before each.",
    )


def no_text() -> Refused:
    return _refused("empty", "the memory has no text.")


def part_empty(number: int) -> str:
    return f"part {number:,} is empty"


def too_many(count: int, most: int) -> str:
    return f"too many parts: {count:,} (at most {most:,})"


def parts_equal(first: int, second: int) -> str:
    return f"parts {first:,} and {second:,} are the same"


def first_unchanged() -> Refused:
    return _refused("parts", "the first part is the whole text.", "Add a memory instead.")


def would_be_secret(part: int, kind: str) -> Refused:
    return _refused("secret", f"part {part:,} would contain a secret ({kind}).")
