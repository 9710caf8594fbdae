"""One file, read as a memory or as what stands beside memories, whatever is in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.media.files.tree import unit_of
from memtui.formats.minions import paths, side_records
from memtui.formats.minions.json_decode import Doubled, decoded, text_of, time_of
from memtui.formats.minions.schema import ASIDE, ENVELOPE, KINDS, MEMBERS, slug_of
from memtui.memory.memory import TIMES

_SHOWN = 20  # letters of a number that are told
Odd = Callable[[str, str], None]


def part(name: str, data: bytes) -> Reading:
    """What one file says. Never raises."""
    out = Reading()
    told = clean(name)

    def odd(code: str, words: str, *names: str) -> None:
        out.odd(code, told, words, "", *names)

    minion, trouble = decoded(data)
    if trouble:
        odd("bad-json", f"Left as it is: {trouble}.")
        return out
    if not isinstance(minion, dict):
        if paths.is_id(paths.stem_of(name)):
            odd("no-object", "Left as it is: it is no JSON object.")
        else:
            odd("no-minion", "A JSON file that is no minion.")
        return out
    if not {"id", "minionTypeId", "fields"} & minion.keys():
        odd("no-minion", "A JSON file that is no minion.")
        return out
    slug = slug_of(minion.get("minionTypeId"))
    if not slug:
        type = clean(text_of(minion.get("minionTypeId")))
        odd("unknown-type", f"“{type}” is no type of memory.", type)
        return out
    fields = minion.get("fields")
    if not isinstance(fields, dict):
        odd("no-fields", "It has no fields.")
        fields = {}
    if isinstance(minion, Doubled) or isinstance(fields, Doubled):
        odd("double-key", "A key stands twice in it; the last one counts.")
    id = _id(name, minion, odd)
    if slug in KINDS:
        record = _record(KINDS[slug], id, name, minion, fields, odd)
        out.records.append(record)
    else:
        side_records.tell(slug, minion, fields, unit_of(name), out)
    return out


def is_gone(minion: dict[str, Any]) -> bool:
    """Whether a minion is soft-deleted."""
    return bool(minion.get("deletedAt"))


def _id(name: str, minion: dict[str, Any], odd: Odd) -> str:
    said, stem = minion.get("id"), clean(paths.stem_of(name))
    id = clean(said) if isinstance(said, str) and said else stem
    if id != said:
        odd("odd-id", "It has no id of its own; its name stands for that.")
    elif id != stem:
        odd("odd-id", f"Its id is {id}, which is not its name.")
    if paths.is_id(stem) and clean(name) != paths.name_of(stem):
        odd("odd-place", f"It belongs at {paths.name_of(stem)}.")
    elif not paths.is_id(stem) and id == stem:
        odd("odd-place", "Its name is no id.")
    return id


def _record(
    kind: str, id: str, name: str, minion: dict[str, Any], fields: dict[str, Any], odd: Odd
) -> Record:
    members = MEMBERS[kind]
    extra = {key: value for key, value in minion.items() if key not in ENVELOPE and key not in ASIDE}
    said: dict[str, Any] = {
        "kind": kind,
        "status": "dismissed" if is_gone(minion) else "confirmed",
        "title": _text("title", minion.get("title"), odd),
        "updated_at": _time("updatedAt", minion.get("updatedAt"), odd),
    }
    for ours, theirs in members.items():
        said[ours] = _value(ours, theirs, fields.get(theirs), odd)
    if said["created_at"] is None:
        said["created_at"] = _time("createdAt", minion.get("createdAt"), odd)
    if not isinstance(fields.get(members["content"]), str):
        odd("odd-text", f"Its {members['content']} is no text.")
    said["content"] = said["content"] or ""
    tags = minion.get("tags")
    said["tags"] = _words(tags)
    if said["tags"] is None:
        odd("odd-tags", "The tags are no list of words; they are left as they are.")
        said["tags"], extra["tags"] = (), tags
    known = members.values()
    others = {key: value for key, value in fields.items() if key not in known}
    if others:
        extra["fields"] = others
    if extra:
        said["extra"] = extra
    return Record(id, said, anchor=id, place=clean(name), at=(name, -1), unit=unit_of(name))


def _value(ours: str, theirs: str, value: Any, odd: Odd) -> Any:
    if ours in TIMES:
        return _time(theirs, value, odd)
    if ours == "confidence":
        return _share(value, odd)
    if ours == "times_confirmed":
        return _count(value) or 0
    if ours == "token_count":
        return _count(value)
    if ours == "key_facts":
        return facts(value)
    return _text(theirs, value, odd)


def _text(name: str, value: Any, odd: Odd) -> str | None:
    if value is None or isinstance(value, str):
        return clean(value) if value else None
    if name not in ("value", "lesson", "summary"):  # of these it is said anyway
        odd("odd-text", f"Its {name} is no text.")
    return clean(text_of(value))


def _time(name: str, value: Any, odd: Odd) -> float | None:
    if value is None or value == "":
        return None
    seconds = time_of(value)
    if seconds is None:
        odd("odd-time", f"{name} says “{clean(text_of(value))}”, which is no time.")
    return seconds


def _share(value: Any, odd: Odd) -> float | None:
    if value is None:
        return None
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if number != number:
        odd("odd-confidence", f"The confidence “{clean(text_of(value))}” is no number.")
        return None
    if not 0 <= number <= 1:
        odd(
            "odd-confidence",
            f"The confidence {text_of(value)[:_SHOWN]} is outside 0–1; shown as the nearest bound.",
        )
    elif isinstance(value, str):
        odd("odd-confidence", f"The confidence “{clean(value)}” is a text.")
    return max(0.0, min(1.0, number))


def _count(value: Any) -> int | None:
    try:
        return None if isinstance(value, bool) else min(1 << 53, max(0, int(float(value))))
    except (TypeError, ValueError, OverflowError):
        return None


def facts(value: Any) -> tuple[str, ...]:
    """Key facts, from a list or from lines."""
    found = value if isinstance(value, list) else text_of(value).splitlines()
    texts = (clean(text_of(each)).strip() for each in found)
    return tuple(text for text in texts if text)


def _words(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(clean(each.strip()) for each in value.split(",") if each.strip())
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(clean(each) for each in value)
    return None
