"""What each verb makes of the files: the memory's own and those that go with it (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import REPEATS, Link, Record, Write, clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write
from memtui.formats.minions import factory, index_records, paths
from memtui.formats.minions.document import Sheet
from memtui.formats.minions.json_decode import text_of
from memtui.formats.minions.reader import part
from memtui.formats.minions.references import known
from memtui.formats.minions.schema import HIGHEST, INDEXED, MEMBERS, SLUG_OF_KIND, fields_of, type_id
from memtui.formats.minions.side_records import CONTRADICTS
from memtui.memory.memory import TIMES

_UNRESOLVED, _DISCARDED = "unresolved", "discard-both"
_MANY = {"item": "items", "lesson": "lessons", "summary": "summaries"}


@dataclass(slots=True)
class Change:
    """One change of one memory, on its way into a draft."""

    draft: Draft
    folder: Path
    record: Record
    write: Write

    def make(self) -> None:
        """Do what is asked."""
        match self.write.action:
            case "edit":
                self._edit()
            case "confirm":
                self._confirm()
            case "dismiss":
                self._dismiss()
            case "restore":
                self._restore()
            case "expire":
                self._expire()
            case "delete":
                self._delete()
            case "relate":
                self._relate()
            case "unrelate":
                self._unrelate()
            case "retie":
                self._retie()
            case "supersede":
                self._supersede()
            case other:
                raise NotSaved("no-field", f"minions has nothing to {other} a memory with.")

    # -- the memory itself

    def _edit(self) -> None:
        kind = self.record.fields["kind"]
        sheet = self._sheet()
        for name, value in self.write.fields.items():
            if name not in fields_of(kind):
                raise NotSaved("no-field", f"minions keeps no {name.replace('_', ' ')} of {_MANY[kind]}.")
            if name in ("content", "title", "key") and not str(value or "").strip():
                raise NotSaved("empty", f"the {name} cannot be empty.", "Dismiss the memory instead.")
            self._put(sheet, name, value)
        factory.stamp(sheet, "updatedAt", self.write.now)
        sheet.done()
        index_records.follow(self.draft, self.folder, sheet.name, sheet.minion)
        if not INDEXED.isdisjoint(self.write.fields):
            self._index(sheet)

    def _confirm(self) -> None:
        kind = self.record.fields["kind"]
        sheet = self._sheet()
        for name, value in self.write.fields.items():
            if name in fields_of(kind):
                self._put(sheet, name, value)
        factory.stamp(sheet, "updatedAt", self.write.now)
        sheet.done()
        if kind != "summary":
            self._reinforced(sheet)
        self._index(sheet)

    def _reinforced(self, sheet: Sheet) -> None:
        fields = {
            "memoryId": self.record.anchor,
            "memoryType": SLUG_OF_KIND[self.record.fields["kind"]],
            "reinforcedBy": self.write.who,
            "previousConfidence": self.record.fields["confidence"],
            "newConfidence": self._now().fields["confidence"],
            "reinforcedAt": factory.moment(self.write.now),
            "reason": "confirmed",
        }
        self._new(sheet, "memory-reinforcement", f"Reinforcement of {self._label()}", fields)

    def _dismiss(self) -> None:
        sheet = self._sheet()
        self._mark_deleted(sheet)
        sheet.done()
        if self.write.verdict == _DISCARDED and self.write.link is not None:
            self._discarded(sheet)

    def _discarded(self, sheet: Sheet) -> None:
        """Both of a pair go: their contradiction says so, once."""
        link = self._link()
        found = known(self.draft).contradictions_of(link.source, link.target)
        still = [name for name in found if self._is_open(name)]
        for name in still:
            self._resolve(Sheet(self.draft, self.folder, name), _DISCARDED)
        told = any(Sheet(self.draft, self.folder, name).says("resolution") == _DISCARDED for name in found)
        if not still and not told and link.kind != REPEATS:
            self._contradiction(sheet, link.source, link.target, _why(link), _DISCARDED)
        self._expired(sheet, "contradiction-detected")

    def _expire(self) -> None:
        sheet = self._sheet()
        self._mark_deleted(sheet)
        sheet.done()
        self._expired(sheet, "ttl-elapsed")

    def _expired(self, sheet: Sheet, reason: str) -> None:
        fields = {
            "memoryId": self.record.anchor,
            "memoryType": SLUG_OF_KIND[self.record.fields["kind"]],
            "reason": reason,
            "expiredAt": factory.moment(self.write.now),
            "expiredBy": self.write.who,
        }
        self._new(sheet, "memory-expiry", f"Expiry of {self._label()}", fields)

    def _mark_deleted(self, sheet: Sheet) -> None:
        when = factory.timed(self.write.now, sheet, "updatedAt", inside=False)
        sheet.set("deletedAt", when, inside=False)
        sheet.set("deletedBy", self.write.who, inside=False)
        factory.stamp(sheet, "updatedAt", self.write.now)

    def _restore(self) -> None:
        if self.record.fields["status"] != "dismissed":
            raise Refused("not-dismissed", "Nothing to restore: it is not dismissed.")
        for name in ("deletedBy", "deletedAt"):
            sheet = self._sheet()
            sheet.drop(name)
            sheet.done()
        sheet = self._sheet()
        factory.stamp(sheet, "updatedAt", self.write.now)
        sheet.done()
        self._index(sheet)

    def _delete(self) -> None:
        for name in (self.record.at[0], *known(self.draft).indexes_of(self.record.anchor)):
            may_write(self.folder, self.draft, name)
            self.draft.remove(name)

    # -- between memories

    def _relate(self) -> None:
        link = self._link()
        if link.kind != CONTRADICTS:
            raise NotSaved("kind", f"minions knows only “{CONTRADICTS}” between memories.")
        if any(self._is_open(name) for name in known(self.draft).contradictions_of(link.source, link.target)):
            raise Refused("exists", "They are related so already.", "Nothing was changed.")
        self._contradiction(self._sheet(), link.source, link.target, link.context or link.body, _UNRESOLVED)

    def _told(self, link: Link) -> list[str]:
        """The files of the open contradictions that tell a relation: several only where all say the same.
        Raises Refused."""
        ends = link.source, link.target
        found = [name for name in known(self.draft).contradictions_of(*ends) if self._is_open(name)]
        if link.kind != CONTRADICTS or not found:
            raise NotSaved("no-relation", f"there is no relation “{link.kind}” between them.")
        said = {name: self._said(name) for name in found}
        # What changed since it was read may say it otherwise by now, or name the other one first.
        likest = min(said.values(), key=lambda each: (each[:2] != ends, each[2] != link.context))
        return [name for name in found if said[name] == likest]

    def _retie(self) -> None:
        link, was = self._link(), self.write.was
        if was is None or link.kind != CONTRADICTS:
            raise NotSaved("kind", f"minions knows only “{CONTRADICTS}” between memories.")
        names = self._told(was)
        turned, why = link.source != was.source, _line(link.context) != _line(was.context)
        new = link.source, link.target, link.context if why else self._said(names[0])[2]
        beside = known(self.draft).contradictions_of(link.source, link.target)
        if any(name not in names and self._is_open(name) and self._said(name) == new for name in beside):
            raise Refused("exists", "They are related so already.", "Nothing was changed.")
        for name in names:
            sheet = Sheet(self.draft, self.folder, name)
            if turned:
                ends = sheet.says("memoryIdA"), sheet.says("memoryIdB")
                sheet.set("memoryIdA", ends[1])
                sheet.set("memoryIdB", ends[0])
            if why:
                sheet.set("description", link.context)
            factory.stamp(sheet, "updatedAt", self.write.now)
            sheet.done()

    def _unrelate(self) -> None:
        for name in self._told(self._link()):  # the format asks that no contradiction be discarded silently
            sheet = Sheet(self.draft, self.folder, name)
            self._mark_deleted(sheet)
            sheet.done()

    def _supersede(self) -> None:
        link, loser = self._link(), self.record.anchor
        sheet = self._sheet()
        self._mark_deleted(sheet)
        sheet.done()
        found = [n for n in known(self.draft).contradictions_of(link.source, loser) if self._is_open(n)]
        for name in found:
            other = Sheet(self.draft, self.folder, name)
            kept = "keep-a" if other.says("memoryIdA") == link.source else "keep-b"
            self._resolve(other, "merge" if self.write.verdict == "merge" else kept)
        if not found and self._holds(link.source) and link.kind != REPEATS:
            resolution = "merge" if self.write.verdict == "merge" else "keep-a"
            self._contradiction(sheet, link.source, loser, _why(link), resolution)
        self._expired(sheet, "contradiction-detected")

    def _resolve(self, sheet: Sheet, resolution: str) -> None:
        sheet.set("resolution", resolution)
        sheet.set("resolvedAt", factory.timed(self.write.now, sheet, "resolvedAt", inside=True))
        factory.stamp(sheet, "updatedAt", self.write.now)
        sheet.done()

    def _contradiction(self, sheet: Sheet, one: str, other: str, why: str, resolution: str) -> None:
        at = factory.moment(self.write.now)
        fields = {
            "memoryIdA": one,
            "memoryIdB": other,
            "description": why,
            "detectedAt": at,
            "detectedBy": self.write.who,
            "resolution": resolution,
        }
        if resolution != _UNRESOLVED:
            fields["resolvedAt"] = at
        self._new(sheet, "memory-contradiction", f"Contradiction of {self._label()}", fields)

    # -- parts

    def _sheet(self) -> Sheet:
        return Sheet(self.draft, self.folder, self.record.at[0])

    def _link(self) -> Any:
        if self.write.link is None:
            raise NotSaved("no-relation", "it was not said with which memory.")
        return self.write.link

    def _label(self) -> str:
        fields = self.record.fields
        return str(fields.get("title") or fields.get("key") or self.record.anchor)

    def _new(self, sheet: Sheet, slug: str, title: str, fields: dict[str, Any]) -> None:
        like = text_of(sheet.says("minionTypeId", inside=False))
        factory.create(self.draft, factory.minion(type_id(slug, like), title, fields, self.write.now))

    def _put(self, sheet: Sheet, name: str, value: Any) -> None:
        inside = name not in ("title", "tags")
        member = MEMBERS[self.record.fields["kind"]][name] if inside else name
        old = sheet.says(member, inside=inside)
        if name in TIMES and value is not None:
            value = factory.timed(float(value), sheet, member, inside=inside)
        elif name == "confidence" and value is not None:
            value = _allowed(float(value), self.record.fields.get("confidence"))
            value = old if value == self.record.fields.get("confidence") else value
            value = str(value) if isinstance(old, str) and value is not old else value
        elif name == "tags":
            value = ", ".join(value) if isinstance(old, str) else list(value)
        elif name == "key_facts":
            value = list(value) if isinstance(old, list) else "\n".join(value)
        sheet.set(member, value, inside=inside)

    def _index(self, sheet: Sheet) -> None:
        """The index goes along with every write of the memory."""
        like = text_of(sheet.says("minionTypeId", inside=False))
        index_records.renew(self.draft, self.folder, self._now(), self.record.fields, like, self.write.now)

    def _now(self) -> Record:
        """The memory as its file says it by now."""
        name = self.record.at[0]
        (record,) = part(name, self.draft.files[name]).records
        return record

    def _is_open(self, name: str) -> bool:
        sheet = Sheet(self.draft, self.folder, name)
        there = not sheet.says("deletedAt", inside=False)
        return there and sheet.says("resolution") in (None, "", _UNRESOLVED)

    def _said(self, name: str) -> tuple[str, str, str]:
        """Which memories a contradiction names, in its order, and why: as its relation is read."""
        sheet = Sheet(self.draft, self.folder, name)
        one, other = (_line(text_of(sheet.says(each))) for each in ("memoryIdA", "memoryIdB"))
        return one, other, clean(text_of(sheet.says("description")))

    def _holds(self, id: str) -> bool:
        return paths.name_of(id) in self.draft.files or any(
            paths.stem_of(name) == id for name in self.draft.files
        )


def _line(text: str) -> str:
    """A text in one line, as a person is asked for it."""
    return " ".join(clean(text).split())


def _why(link: Link) -> str:
    return link.context or "One memory gave way to the other."


def _allowed(value: float, now: float | None) -> float:
    """A confidence that a person may set: leave room for doubt, but take none away."""
    return max(min(value, HIGHEST), min(value, now if now is not None else 0.0))


def seen_as(write: Write) -> Write:
    """The write, with the status as the format will say it: it knows deleted and not deleted."""
    status: Mapping[str, str] = {
        "dismiss": "dismissed",
        "expire": "dismissed",
        "supersede": "dismissed",
        "restore": "confirmed",
    }
    if write.action not in status:
        return write
    fields = {"status": status[write.action]}
    return replace(write, fields=fields)
