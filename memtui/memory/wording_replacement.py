"""Every sentence about what can't be found and replaced (S-54)."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused

NOTHING_REPLACED = "Nothing was replaced"


def _refused(code: str, reason: str, advice: str = "") -> Refused:
    return Refused(code, f"{NOTHING_REPLACED}: {reason}", advice)


def nothing_to_find() -> Refused:
    return _refused("empty", "the text to find is empty.")


def unknown_field(name: str, known: Iterable[str]) -> Refused:
    return _refused("no-field", f"{name} can't be searched.", f"Fields: {', '.join(known)}.")


def invalid_pattern(problem: str, position: int | None) -> Refused:
    at = "" if position is None else f" at position {position}"
    return _refused("pattern", f"invalid regular expression: {problem}{at}.")


def pattern_too_large() -> Refused:
    return _refused("pattern", "the regular expression is too large.")


def matches_nothing() -> Refused:
    return _refused(
        "no-width",
        "the pattern matches empty text.",
        "Use + instead of *, or add a character to the pattern.",
    )


def invalid_replacement(problem: str, position: int | None) -> Refused:
    at = "" if position is None else f" at position {position}"
    return _refused("replacement", f"invalid replacement: {problem}{at}.", r"Write a backslash as \\.")


def unknown_group(known: Iterable[str]) -> Refused:
    names = ", ".join(known)
    return _refused(
        "replacement",
        "the replacement names a group that isn't in the pattern.",
        f"Named groups: {names}." if names else "The pattern has no named groups.",
    )


def no_text_left(uid: str, field: str) -> Refused:
    return _refused("empty", f"{field} of {uid} would be empty.", "Dismiss the memory, or narrow the query.")


def unstorable(uid: str, field: str) -> Refused:
    return _refused("text", f"{field} of {uid} would contain characters that can't be stored (such as NUL).")


def would_be_secret(uid: str, field: str, kind: str) -> Refused:
    return _refused("secret", f"{field} of {uid} would contain a secret ({kind}).")
