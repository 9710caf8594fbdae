"""Records and texts as they are shown: with dots for every secret in them (S-62).

Masking is for showing alone. What is written to a store is never masked: `holds_mask` finds what was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from memtui.memory.secrets import MASK, Secret, find

T = TypeVar("T")

_MASKS = re.compile(f"{MASK}{{6,}}")
_IDENTITIES = frozenset({"id", "uid", "store", "path", "other_id"})  # by which records are asked for again
_NAMED = frozenset({"extra", "value"})  # fields with JSON, in which a value is known by its name
_SHORT = 300  # characters of a text that is likely to be shown again
_LEAST, _LONG, _MOST_KNOWN = 6, 16, 200
_DIGITS = 10**11  # a number in JSON from here on may be that of a card


def hidden(text: str) -> str:
    """Return a text of the same length with dots for each secret in it; without secrets, the same text."""
    secrets = _found(text)
    return _dotted(text, [(each.start, each.end) for each in secrets]) if secrets else text


def holds_mask(text: str, before: str = "") -> bool:
    """Return whether a text has more masks than it had `before`: then some stand for secrets."""
    return MASK in text and len(_MASKS.findall(text)) > len(_MASKS.findall(before))


class Masking:
    """Masks the secrets in what it is given. It knows which it saw: `count` of them differ."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    @property
    def count(self) -> int:
        """How many different secrets it masked."""
        return len(self._seen)

    def of(self, value: T, *beside: str) -> T:
        """Return a text, a record, or what contains them, with dots for each secret, as long as it; the same
        object if there is none. What is a secret in one text or `beside` it is masked in all of them.

        Records are frozen dataclasses of memtui; what else a value may be is left as it is. Identifiers are
        left too, by which records are asked for again."""
        found = {
            text[each.start : each.end] for text, name in _texts(value) for each in _found(text, name)
        } | {text[each.start : each.end] for text in beside for each in _found(text)}
        if not found:
            return value
        self._seen |= found
        masked: T = _masked(value, _known(found))
        return masked


def masked_deep(value: T) -> T:
    """Return a value as `Masking.of` does."""
    return Masking().of(value)


def _found(text: str, name: str = "") -> list[Secret]:
    if name:
        text_of_name = f'{json.dumps(name)}: "{text}"'
        before = len(text_of_name) - 1 - len(text)
        found = [
            Secret(each.kind, max(0, each.start - before), min(len(text), each.end - before))
            for each in find(text_of_name)
            if each.end > before and each.start < before + len(text)
        ]
        return found or _found(text)
    return _found_in_short(text) if len(text) <= _SHORT else find(text)


def forget() -> None:
    """Forget what was found in texts: another kind of secret is to be found from now on."""
    _found_in_short.cache_clear()


@lru_cache(8192)
def _found_in_short(text: str) -> list[Secret]:
    return find(text)


def _texts(value: object, name: str = "", *, named: bool = False) -> Iterator[tuple[str, str]]:
    """Yield all texts in a value, at any depth, each with the name that it has in JSON."""
    kind = type(value)
    if kind is str:
        yield value, name  # type: ignore[misc]
    elif kind is int:
        if name and value >= _DIGITS:  # type: ignore[operator]
            yield str(value), name
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if type(key) is str:
                if not key.isidentifier():
                    yield key, ""
                within = named or key in _NAMED
                yield from _texts(each, key if within else "", named=within)
            else:
                yield from _texts(each)
    elif kind is tuple or kind is list:
        if value and type(value[0]) is not int:  # type: ignore[index]
            for each in value:  # type: ignore[attr-defined]
                yield from _texts(each, named=named)
    elif _is_record(value):
        for field in fields(value):  # type: ignore[arg-type]
            if field.name not in _IDENTITIES:
                yield from _texts(getattr(value, field.name), named=field.name in _NAMED)


def _masked(value: Any, known: tuple[str, ...], name: str = "", *, named: bool = False) -> Any:
    kind = type(value)
    if kind is str:
        return _without(value, known, name)
    if kind is int:
        digits = str(value) if name and value >= _DIGITS else ""
        return MASK * len(digits) if digits and _found(digits, name) else value
    if isinstance(value, Mapping):
        out: dict[Any, Any] = {}
        for key, each in value.items():
            within = named or key in _NAMED
            shown = _without(key, known) if type(key) is str and not key.isidentifier() else key
            label = key if within and type(key) is str else ""
            out[shown] = each if key in _IDENTITIES else _masked(each, known, label, named=within)
        return out
    if kind is tuple or kind is list:
        return (
            value
            if not value or type(value[0]) is int
            else kind(_masked(x, known, named=named) for x in value)
        )
    if _is_record(value):
        changed = {}
        for field in fields(value):
            if field.name not in _IDENTITIES:
                before = getattr(value, field.name)
                after = _masked(before, known, named=field.name in _NAMED)
                if after is not before and after != before:
                    changed[field.name] = after
        return replace(value, **changed) if changed else value
    return value


def _is_record(value: object) -> bool:
    kind = type(value)
    if (
        getattr(kind, "IS_MASKED", False)
        or not is_dataclass(kind)
        or not kind.__module__.startswith("memtui.")
    ):
        return False
    return bool(vars(kind)["__dataclass_params__"].frozen)


def _known(found: set[str]) -> tuple[str, ...]:
    """Return what is masked wherever it stands, the longest first: secrets that are no mere word, and the
    lines of long ones."""
    parts = {
        line.strip() for secret in found if "\n" in secret for line in secret.split("\n")
        if len(line.strip()) >= _LONG
    }  # fmt: skip
    whole = {each for each in found if len(each) >= _LONG or (len(each) >= _LEAST and not each.isalpha())}
    return tuple(sorted(whole | parts, key=len, reverse=True)[:_MOST_KNOWN])


def _without(text: str, known: tuple[str, ...], name: str = "") -> str:
    spans = [(each.start, each.end) for each in _found(text, name)]
    for secret in known:
        start = text.find(secret)
        while start >= 0:
            spans.append((start, start + len(secret)))
            start = text.find(secret, start + len(secret))
    return _dotted(text, spans) if spans else text


def _dotted(text: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        if stop > end:
            pieces += [text[end:start], MASK * (stop - max(start, end))]
            end = stop
    return "".join((*pieces, text[end:]))
