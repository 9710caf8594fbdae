"""Every sentence about what can't be found and replaced (S-54)."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotReplaced


def nothing_to_find() -> NotReplaced:
    return NotReplaced("empty", "the text to find is empty.")


def unknown_field(name: str, known: Iterable[str]) -> NotReplaced:
    return NotReplaced("no-field", f"{name} can't be searched.", f"Fields: {', '.join(known)}.")


def invalid_pattern(problem: str, position: int | None) -> NotReplaced:
    at = "" if position is None else f" at position {position}"
    return NotReplaced("pattern", f"invalid regular expression: {problem}{at}.")


def pattern_too_large() -> NotReplaced:
    return NotReplaced("pattern", "the regular expression is too large.")


def matches_nothing() -> NotReplaced:
    return NotReplaced(
        "no-width",
        "the pattern matches empty text.",
        "Use + instead of *, or add a character to the pattern.",
    )


def invalid_replacement(problem: str, position: int | None) -> NotReplaced:
    at = "" if position is None else f" at position {position}"
    return NotReplaced("replacement", f"invalid replacement: {problem}{at}.", r"Write a backslash as \\.")


def unknown_group(known: Iterable[str]) -> NotReplaced:
    names = ", ".join(known)
    return NotReplaced(
        "replacement",
        "the replacement names a group that isn't in the pattern.",
        f"Named groups: {names}." if names else "The pattern has no named groups.",
    )


def no_text_left(uid: str, field: str) -> NotReplaced:
    return NotReplaced(
        "empty", f"{field} of {uid} would be empty.", "Dismiss the memory, or narrow the query."
    )


def unstorable(uid: str, field: str) -> NotReplaced:
    return NotReplaced(
        "text", f"{field} of {uid} would contain characters that can't be stored (such as NUL)."
    )


def would_be_secret(uid: str, field: str, kind: str) -> NotReplaced:
    return NotReplaced("secret", f"{field} of {uid} would contain a secret ({kind}).")
