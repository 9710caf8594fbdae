"""Reading one file as a memory or as a side record, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable

from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files.tree import unit_of
from memtui.formats.minions import paths, side_records, wording
from memtui.formats.minions.json_decode import WithDuplicateKeys, decode, text_of, time_of
from memtui.formats.minions.schema import DERIVED_MEMBERS, ENVELOPE, KINDS, MEMBERS, REDACTABLE, slug_of
from memtui.memory.memory import TIMES
from memtui.values import Fields, FieldValue, Json, JsonObject

_SHOWN = 20  # characters of a number in a finding
_CONTENT_MEMBERS = frozenset(members["content"] for members in MEMBERS.values())
Note = Callable[[str, str], None]  # adds a finding of a code and a text


def read_file(name: str, data: bytes) -> Reading:
    """Return the content of one file, with findings about it. Never raises."""
    out = Reading()
    place = clean(name)

    def note(code: str, text: str, *names: str) -> None:
        out.add_finding(code, place, text, "", *names)

    minion, error = decode(data)
    if error:
        note("bad-json", wording.BAD_JSON.format(reason=error))
        return out
    if not isinstance(minion, dict):
        if paths.is_id(paths.id_in_name(name)):
            note("no-object", wording.NO_OBJECT)
        else:
            note("no-minion", wording.NO_MINION)
        return out
    if not {"id", "minionTypeId", "fields"} & minion.keys():
        note("no-minion", wording.NO_MINION)
        return out
    slug = slug_of(minion.get("minionTypeId"))
    if not slug:
        type = clean(text_of(minion.get("minionTypeId")))
        note("unknown-type", wording.UNKNOWN_TYPE.format(type=type), type)
        return out
    fields = minion.get("fields")
    if not isinstance(fields, dict):
        note("no-fields", wording.NO_FIELDS)
        fields = {}
    if isinstance(minion, WithDuplicateKeys) or isinstance(fields, WithDuplicateKeys):
        note("double-key", wording.DOUBLE_KEY)
    id = _id(name, minion, note)
    if slug in KINDS:
        out.records.append(_record(KINDS[slug], id, name, minion, fields, note))
    else:
        side_records.read_minion(slug, minion, fields, unit_of(name), out)
    return out


def is_deleted(minion: JsonObject) -> bool:
    """Return whether a minion is soft-deleted."""
    return bool(minion.get("deletedAt"))


def identity(data: bytes) -> str:
    """Return a minion's type and id, by which it is known under any file name; "" for other files."""
    minion = decode(data)[0]
    if not isinstance(minion, dict):
        return ""
    slug = text_of(minion.get("minionTypeId")).removeprefix("memory-")
    slug = slug if slug.startswith("memory-") else f"memory-{slug}"
    return f"{slug} {text_of(minion.get('id'))}"


def stored_values(minion: JsonObject) -> JsonObject:
    """Return the members of a memory, of any type, by field."""
    kind, fields = KINDS.get(slug_of(minion.get("minionTypeId")), ""), minion.get("fields")
    inner = fields if isinstance(fields, dict) else {}
    found = {field: inner.get(member) for field, member in MEMBERS.get(kind, {}).items()}
    found["title"] = minion.get("title")
    return {name: value for name, value in found.items() if name in REDACTABLE}


def _id(name: str, minion: JsonObject, note: Note) -> str:
    stored, named = minion.get("id"), clean(paths.id_in_name(name))
    id = clean(stored) if isinstance(stored, str) and stored else named
    if id != stored:
        note("odd-id", wording.NO_ID)
    elif id != named:
        note("odd-id", wording.OTHER_ID.format(id=id))
    if paths.is_id(named) and clean(name) != paths.file_name(named):
        note("odd-place", wording.OTHER_PLACE.format(file=paths.file_name(named)))
    elif not paths.is_id(named) and id == named:
        note("odd-place", wording.NAME_IS_NO_ID)
    return id


def _record(kind: str, id: str, name: str, minion: JsonObject, fields: JsonObject, note: Note) -> Record:
    members = MEMBERS[kind]
    extra = {
        key: value for key, value in minion.items() if key not in ENVELOPE and key not in DERIVED_MEMBERS
    }
    out: Fields = {
        "kind": kind,
        "status": "dismissed" if is_deleted(minion) else "confirmed",
        "title": _text("title", minion.get("title"), note),
        "updated_at": _time("updatedAt", minion.get("updatedAt"), note),
    }
    for field, member in members.items():
        out[field] = _value(field, member, fields.get(member), note)
    if out["created_at"] is None:
        out["created_at"] = _time("createdAt", minion.get("createdAt"), note)
    if not isinstance(fields.get(members["content"]), str):
        note("odd-text", wording.NO_TEXT.format(member=members["content"]))
    out["content"] = out["content"] or ""
    out["tags"] = _tags(minion.get("tags"))
    if out["tags"] is None:
        note("odd-tags", wording.BAD_TAGS)
        out["tags"], extra["tags"] = (), minion["tags"]
    known = members.values()
    if others := {key: value for key, value in fields.items() if key not in known}:
        extra["fields"] = others
    if extra:
        out["extra"] = extra
    return Record(id, out, anchor=id, place=clean(name), position=(name, -1), unit=unit_of(name))


def _value(field: str, member: str, value: Json, note: Note) -> FieldValue:
    if field in TIMES:
        return _time(member, value, note)
    if field == "confidence":
        return _confidence(value, note)
    if field == "times_confirmed":
        return _count(value) or 0
    if field == "token_count":
        return _count(value)
    if field == "key_facts":
        return _key_facts(value)
    return _text(member, value, note)


def _text(member: str, value: Json, note: Note) -> str | None:
    if value is None or isinstance(value, str):
        return clean(value) if value else None
    if member not in _CONTENT_MEMBERS:  # of these it is noted for missing ones, too
        note("odd-text", wording.NO_TEXT.format(member=member))
    return clean(text_of(value))


def _time(member: str, value: Json, note: Note) -> float | None:
    if value is None or value == "":
        return None
    seconds = time_of(value)
    if seconds is None:
        note("odd-time", wording.BAD_TIME.format(member=member, value=clean(text_of(value))))
    return seconds


def _confidence(value: Json, note: Note) -> float | None:
    if value is None:
        return None
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if number != number:
        note("odd-confidence", wording.CONFIDENCE_NO_NUMBER.format(value=clean(text_of(value))))
        return None
    if not 0 <= number <= 1:
        note("odd-confidence", wording.CONFIDENCE_OUTSIDE.format(value=text_of(value)[:_SHOWN]))
    elif isinstance(value, str):
        note("odd-confidence", wording.CONFIDENCE_IS_TEXT.format(value=clean(value)))
    return max(0.0, min(1.0, number))


def _count(value: Json) -> int | None:
    try:
        return None if isinstance(value, bool) else min(1 << 53, max(0, int(float(value))))
    except (TypeError, ValueError, OverflowError):
        return None


def _key_facts(value: Json) -> tuple[str, ...]:
    """Return key facts from a list or from lines."""
    found = value if isinstance(value, list) else text_of(value).splitlines()
    texts = (clean(text_of(each)).strip() for each in found)
    return tuple(text for text in texts if text)


def _tags(value: Json) -> tuple[str, ...] | None:
    """Return tags from a list or from a text with commas; None if it is neither."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(clean(each.strip()) for each in value.split(",") if each.strip())
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(clean(each) for each in value)
    return None
