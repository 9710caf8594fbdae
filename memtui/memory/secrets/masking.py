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
_JSON = frozenset({"extra", "value"})  # fields with JSON of a store, in which a name identifies nothing
_LISTS = (tuple, list, set, frozenset)
_SHORT = 300  # characters of a text of which thousands are kept, with what was found in them
_LONG_TEXTS = 16  # longer ones that are kept: a megabyte takes a twentieth of a second to search
_LEAST, _LONG, _MOST_KNOWN = 6, 16, 200
_LEAST_NAME = 15  # characters of the shortest secret that may be a name
_DIGITS = 10**11  # a number in JSON from here on may be that of a card


def hidden(text: str) -> str:
    """Return a text of the same length with dots for each secret in it; without secrets, the same text."""
    secrets = _found(text)
    return _dotted(text, [(each.start, each.end) for each in secrets]) if secrets else text


def shortened(text: str, length: int) -> str:
    """Return at most `length` characters of a text, for a sentence: with dots for its secrets, since nobody
    would recognize the part of one that is left of it."""
    text = hidden(text)
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


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
        found = {*_secrets(value)}
        found.update(secret for text in beside for secret in _secrets(text))
        if not found:
            return value
        self._seen |= found
        masked: T = _masked(value, _known(found))
        return masked


def masked_deep(value: T) -> T:
    """Return a value as `Masking.of` does."""
    return Masking().of(value)


def _found(text: str) -> list[Secret]:
    return _found_in_short(text) if len(text) <= _SHORT else _found_in_long(text)


def forget() -> None:
    """Forget what was found in texts: another kind of secret is to be found from now on."""
    _found_in_short.cache_clear()
    _found_in_long.cache_clear()


@lru_cache(8192)
def _found_in_short(text: str) -> list[Secret]:
    return find(text)


@lru_cache(_LONG_TEXTS)
def _found_in_long(text: str) -> list[Secret]:
    return find(text)


def _secrets(value: object, *, in_json: bool = False) -> Iterator[str]:
    """Yield the secrets of all texts in a value, at any depth."""
    kind = type(value)
    if kind is str:
        for each in _found(value):  # type: ignore[arg-type]
            yield value[each.start : each.end]  # type: ignore[index]
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if _is_telling(key):
                yield from _secrets(key)
            yield from _secrets_of_member(key, each, in_json)
    elif kind in _LISTS:
        if not _is_numbers(value):
            for each in value:  # type: ignore[attr-defined]
                yield from _secrets(each, in_json=in_json)
    elif _is_record(value):
        for field in fields(value):  # type: ignore[arg-type]
            if field.name not in _IDENTITIES:
                yield from _secrets_of_member(field.name, getattr(value, field.name), False)


def _secrets_of_member(name: object, value: object, in_json: bool) -> Iterator[str]:
    """Yield the secrets of a member; of JSON also those of its whole text: there a name may tell that its
    value is secret, or a number be that of a card."""
    if name in _JSON and not in_json and value and type(value) in (int, dict, *_LISTS):
        text = json.dumps(value, ensure_ascii=False, default=str)
        for each in _found(text):
            yield _decoded(text[each.start : each.end])
    yield from _secrets(value, in_json=in_json or name in _JSON)


def _decoded(spelled: str) -> str:
    """Return a part of a string in JSON as it reads."""
    try:
        return str(json.loads(f'"{spelled}"'))
    except ValueError:  # it is cut within an escape sequence
        return spelled


def _masked(value: Any, known: tuple[str, ...], *, in_json: bool = False) -> Any:
    kind = type(value)
    if kind is str:
        return _without(value, known)
    if kind is int:
        digits = str(value) if in_json and value >= _DIGITS else ""
        return MASK * len(digits) if digits and _without(digits, known) != digits else value
    if isinstance(value, Mapping):
        out: dict[Any, Any] = {}
        for key, each in value.items():
            shown = _without(key, known) if _is_telling(key) else key
            while shown in out:  # two secrets of the same length
                shown += MASK
            if key in _IDENTITIES and not in_json:
                out[shown] = each
            else:
                out[shown] = _masked(each, known, in_json=in_json or key in _JSON)
        return out
    if kind in _LISTS:
        if not in_json and _is_numbers(value):
            return value
        return kind(_masked(each, known, in_json=in_json) for each in value)
    if _is_record(value):
        changed = {}
        for field in fields(value):
            if field.name not in _IDENTITIES:
                before = getattr(value, field.name)
                after = _masked(before, known, in_json=field.name in _JSON)
                if after is not before and after != before:
                    changed[field.name] = after
        return replace(value, **changed) if changed else value
    return value


def _is_telling(key: object) -> bool:
    """Return whether the name of a member may hold a secret."""
    return type(key) is str and (len(key) >= _LEAST_NAME or not key.isidentifier())


def _is_numbers(value: Any) -> bool:
    """Return whether these are ids or a vector, of which there may be very many."""
    return all(type(each) is int or type(each) is float for each in value)


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


def _without(text: str, known: tuple[str, ...]) -> str:
    spans = [(each.start, each.end) for each in _found(text)]
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
