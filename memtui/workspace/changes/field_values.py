"""The values that a user gives for fields: which can be set, as what they are stored, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memtui.formats.contract.records import clean
from memtui.memory import lifecycles
from memtui.memory.encoding import iso
from memtui.memory.lifecycles.native import Memtui
from memtui.memory.memory import COUNTS, KINDS, LISTS, SCOPES, SHARES, TIMES, Memory
from memtui.memory.secrets.masking import holds_mask
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import wording

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter

_CHOICES = {"scope": SCOPES, "kind": KINDS}
# Times of which the first must not be after the second.
_ORDERED = (("valid_from", "valid_to"), ("created_at", "expires_at"))


def cleaned(fields: Mapping[str, FieldValue], settable: Iterable[str]) -> Fields:
    """Return fields as they may be stored: no NUL, no lone surrogate, lists as tuples, None for nothing.

    Raise Refused if one cannot be set or has no such value.
    """
    out: Fields = {}
    for name, value in fields.items():
        if name not in settable:
            raise wording.not_editable(name, settable)
        out[name] = _cleaned(name, value)
    return out


def _cleaned(name: str, value: FieldValue) -> FieldValue:
    if name in LISTS:
        return tuple(dict.fromkeys(clean(part).strip() for part in value if part.strip()))
    if name in (*SHARES, *TIMES):
        if value is None:
            return None
        if name in SHARES and not 0 <= value <= 1:
            raise wording.not_a_share(name, value)
        if iso(value) is None:
            raise wording.not_a_time(name)
        return float(value)
    if name in COUNTS:
        return None if value is None else max(0, int(value))
    text = clean(value or "")
    if name == "content":
        return text
    text = text.strip()
    if text and text not in _CHOICES.get(name, (text,)):
        raise wording.not_among(name, text, _CHOICES[name])
    return text or None


def refuse_masks(fields: Mapping[str, FieldValue], before: Mapping[str, FieldValue]) -> None:
    """Raise Refused if one of these texts has a mask that its text `before` had not: copied from what was
    shown, it would replace the secret (S-62)."""
    for name, value in fields.items():
        parts = value if isinstance(value, tuple) else (value,)
        known = before.get(name)
        old = "\n".join(map(str, known)) if isinstance(known, tuple | list) else str(known or "")
        if holds_mask("\n".join(part for part in parts if isinstance(part, str)), old):
            raise wording.is_masked(name)


def check_order(before: Mapping[str, FieldValue], fields: Mapping[str, FieldValue]) -> None:
    """Raise Refused if a memory with the times `before` would end before it begins once `fields` are set."""
    times = {**before, **fields}
    for first, last in _ORDERED:
        begin, end = times.get(first), times.get(last)
        if begin is None or end is None or not {first, last} & fields.keys():
            continue
        if begin > end:
            raise wording.times_reversed(first, iso(begin) or "", last, iso(end) or "")


def times_of(memory: Memory) -> Fields:
    """Return the times of a memory that `check_order` compares."""
    return {name: getattr(memory, name) for pair in _ORDERED for name in pair}


def settable_confidence(adapter_class: type[Adapter] | None, fields: Mapping[str, FieldValue]) -> Fields:
    """Return the confidence of these fields as the lifecycle of the format lets a user set it; nothing if
    they have none, or it may be set as it is."""
    wanted = fields.get("confidence")
    if wanted is None:
        return {}
    rules = lifecycles.by_name(Memtui.name if adapter_class is None else adapter_class.lifecycle)
    settable = rules.settable(wanted)
    return {"confidence": settable} if settable != wanted else {}
