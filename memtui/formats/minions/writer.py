"""What each action does to the files: the memory's own, and those that belong to it (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memtui.formats.contract.plans import REPEATS, Write
from memtui.formats.contract.records import Link, Record, clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.minions import (
    contradictions,
    factory,
    index_records,
    paths,
    redaction,
    searchable_text,
    wording,
)
from memtui.formats.minions.contradictions import UNRESOLVED
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import text_of
from memtui.formats.minions.reader import read_file
from memtui.formats.minions.references import references
from memtui.formats.minions.schema import (
    DELETED,
    INDEXED,
    MAX_CONFIDENCE,
    MEMBERS,
    SLUG_OF_KIND,
    fields_of,
    type_id,
)
from memtui.formats.minions.side_records import CONTRADICTS
from memtui.memory.memory import TIMES
from memtui.values import FieldValue, JsonObject

_DISCARDED = "discard-both"


@dataclass(slots=True)
class Change:
    """A change of one memory in a draft."""

    draft: Draft
    folder: Path
    record: Record
    write: Write

    def make(self) -> None:
        """Make the change. Raise Refused where it cannot be made."""
        match self.write.action:
            case "edit":
                self._edit()
            case "redact":
                redaction.redact(self.draft, self.folder, self.record, self.write)
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
            case "forget":
                self._add_expiry(self._editor(), DELETED)
                self._delete()
            case "relate":
                self._relate()
            case "unrelate":
                self._unrelate()
            case "retie":
                self._update_relation()
            case "supersede":
                self._supersede()
            case action:
                raise wording.unknown_action(action)

    # -- the memory itself

    def _edit(self) -> None:
        kind = self.record.fields["kind"]
        editor = self._editor()
        for name, value in self.write.fields.items():
            if name not in fields_of(kind):
                raise wording.no_field(name.replace("_", " "), kind)
            if name in ("content", "title", "key") and not str(value or "").strip():
                raise wording.empty_field(name)
            self._set(editor, name, value)
        factory.touch(editor, "updatedAt", self.write.now)
        editor.apply()
        searchable_text.update(self.draft, self.folder, editor.name, editor.minion)
        if not INDEXED.isdisjoint(self.write.fields):
            self._update_indexes(editor)

    def _confirm(self) -> None:
        kind = self.record.fields["kind"]
        editor = self._editor()
        for name, value in self.write.fields.items():
            if name in fields_of(kind):
                self._set(editor, name, value)
        factory.touch(editor, "updatedAt", self.write.now)
        editor.apply()
        if kind != "summary":
            self._add_reinforcement(editor)
        self._update_indexes(editor)

    def _add_reinforcement(self, editor: MinionEditor) -> None:
        fields = {
            "memoryId": self.record.anchor,
            "memoryType": SLUG_OF_KIND[self.record.fields["kind"]],
            "reinforcedBy": self.write.session or self.write.who,
            "previousConfidence": self.record.fields["confidence"],
            "newConfidence": self._current().fields["confidence"],
            "reinforcedAt": factory.format_time(self.write.now),
            "reason": "stated again" if self.write.incoming else "confirmed",
        }
        self._create(editor, "memory-reinforcement", wording.REINFORCEMENT_TITLE, fields)

    def _dismiss(self) -> None:
        editor = self._editor()
        self._mark_deleted(editor)
        editor.apply()
        if self.write.verdict == _DISCARDED and self.write.link is not None:
            self._record_discarded(editor, self.write.link)
        elif self.write.who.startswith("policy:"):
            self._add_expiry(editor, "policy-violation")

    def _record_discarded(self, editor: MinionEditor, link: Link) -> None:
        """Record that both memories of a pair were discarded, in their contradictions, or in a new one."""
        found = references(self.draft).contradictions_of(link.source, link.target)
        unresolved = [name for name in found if self._is_open(name)]
        for name in unresolved:
            self._resolve(self._open(name), _DISCARDED)
        is_recorded = any(self._open(name).value("resolution") == _DISCARDED for name in found)
        if not unresolved and not is_recorded and link.kind != REPEATS:
            self._add_contradiction(editor, link.source, link.target, _reason(link), _DISCARDED)
        self._add_expiry(editor, "contradiction-detected")

    def _expire(self) -> None:
        editor = self._editor()
        self._mark_deleted(editor)
        editor.apply()
        self._add_expiry(editor, "ttl-elapsed")

    def _add_expiry(self, editor: MinionEditor, reason: str) -> None:
        fields = {
            "memoryId": self.record.anchor,
            "memoryType": SLUG_OF_KIND[self.record.fields["kind"]],
            "reason": reason,
            "expiredAt": factory.format_time(self.write.now),
            "expiredBy": self.write.who,
        }
        self._create(editor, "memory-expiry", wording.EXPIRY_TITLE, fields)

    def _mark_deleted(self, editor: MinionEditor) -> None:
        when = factory.time_for_member(self.write.now, editor, "updatedAt", in_fields=False)
        editor.set("deletedAt", when, in_fields=False)
        editor.set("deletedBy", self.write.who, in_fields=False)
        factory.touch(editor, "updatedAt", self.write.now)

    def _restore(self) -> None:
        if self.record.fields["status"] != "dismissed":
            raise wording.not_dismissed()
        for name in ("deletedBy", "deletedAt"):
            editor = self._editor()
            editor.remove(name)
            editor.apply()
        editor = self._editor()
        factory.touch(editor, "updatedAt", self.write.now)
        editor.apply()
        self._update_indexes(editor)

    def _delete(self) -> None:
        for name in (self.record.position[0], *references(self.draft).indexes_of(self.record.anchor)):
            ensure_writable(self.folder, self.draft, name)
            self.draft.remove(name)

    # -- relations

    def _relate(self) -> None:
        link = self._link()
        if link.kind != CONTRADICTS:
            raise wording.only_kind(CONTRADICTS)
        found = references(self.draft).contradictions_of(link.source, link.target)
        if any(self._is_open(name) for name in found):
            raise wording.already_related()
        reason = link.context or link.body
        self._add_contradiction(self._editor(), link.source, link.target, reason, UNRESOLVED)

    def _open_contradictions(self, link: Link) -> list[str]:
        """Return the files of the unresolved contradictions that state a relation; several only if they are
        equal. Raise Refused where there is none."""
        ends = link.source, link.target
        found = [name for name in references(self.draft).contradictions_of(*ends) if self._is_open(name)]
        if link.kind != CONTRADICTS or not found:
            raise wording.no_relation(link.kind)
        stated = {name: self._stated(name) for name in found}
        # The best match: since it was read, the text may have changed, or the order of the memories.
        best = min(stated.values(), key=lambda each: (each[:2] != ends, each[2] != link.context))
        return [name for name in found if stated[name] == best]

    def _update_relation(self) -> None:
        link, previous = self._link(), self.write.previous_link
        if previous is None or link.kind != CONTRADICTS:
            raise wording.only_kind(CONTRADICTS)
        names = self._open_contradictions(previous)
        is_reversed = link.source != previous.source
        has_new_context = _one_line(link.context) != _one_line(previous.context)
        new = link.source, link.target, link.context if has_new_context else self._stated(names[0])[2]
        existing = references(self.draft).contradictions_of(link.source, link.target)
        others = (name for name in existing if name not in names and self._is_open(name))
        if any(self._stated(name) == new for name in others):
            raise wording.already_related()
        for name in names:
            editor = self._open(name)
            if is_reversed:
                ends = editor.value("memoryIdA"), editor.value("memoryIdB")
                editor.set("memoryIdA", ends[1])
                editor.set("memoryIdB", ends[0])
            if has_new_context:
                editor.set("description", link.context)
            factory.touch(editor, "updatedAt", self.write.now)
            editor.apply()

    def _unrelate(self) -> None:
        # Marked and not removed: the format requires that no contradiction be discarded silently.
        for name in self._open_contradictions(self._link()):
            editor = self._open(name)
            self._mark_deleted(editor)
            editor.apply()

    def _supersede(self) -> None:
        link, loser = self._link(), self.record.anchor
        editor = self._editor()
        self._mark_deleted(editor)
        editor.apply()
        is_merge = self.write.verdict == "merge"
        found = references(self.draft).contradictions_of(link.source, loser)
        unresolved = [name for name in found if self._is_open(name)]
        for name in unresolved:
            contradiction = self._open(name)
            kept = "keep-a" if contradiction.value("memoryIdA") == link.source else "keep-b"
            self._resolve(contradiction, "merge" if is_merge else kept)
        if not unresolved and self._exists(link.source) and link.kind != REPEATS:
            resolution = "merge" if is_merge else "keep-a"
            self._add_contradiction(editor, link.source, loser, _reason(link), resolution)
        self._add_expiry(editor, "contradiction-detected")

    def _resolve(self, contradiction: MinionEditor, resolution: str) -> None:
        at = factory.time_for_member(self.write.now, contradiction, "resolvedAt", in_fields=True)
        contradiction.set("resolution", resolution)
        contradiction.set("resolvedAt", at)
        factory.touch(contradiction, "updatedAt", self.write.now)
        contradiction.apply()

    def _add_contradiction(
        self, editor: MinionEditor, source: str, target: str, description: str, resolution: str
    ) -> None:
        like, ends = text_of(editor.value("minionTypeId", in_fields=False)), (source, target)
        contradictions.create(self.draft, self.write, ends, description, self._name, like, resolution)

    # -- parts

    def _open(self, name: str) -> MinionEditor:
        return MinionEditor(self.draft, self.folder, name)

    def _editor(self) -> MinionEditor:
        """Return an editor of the memory's own file."""
        return self._open(self.record.position[0])

    def _link(self) -> Link:
        if self.write.link is None:
            raise wording.no_other_memory()
        return self.write.link

    def _create(self, editor: MinionEditor, slug: str, title: str, fields: JsonObject) -> None:
        """Add a minion about the memory; `title` is a template for the memory's name."""
        like = text_of(editor.value("minionTypeId", in_fields=False))
        title = title.format(memory=self._name)
        minion = factory.new_minion(type_id(slug, like), title, fields, self.write.now)
        factory.create_file(self.draft, minion)

    @property
    def _name(self) -> str:
        """The name of the memory, in titles of minions about it."""
        names = self.record.fields
        return str(names.get("title") or names.get("key") or self.record.anchor)

    def _set(self, editor: MinionEditor, name: str, value: FieldValue) -> None:
        """Set a field, in the form of the member's value."""
        in_fields = name not in ("title", "tags")
        member = MEMBERS[self.record.fields["kind"]][name] if in_fields else name
        old = editor.value(member, in_fields=in_fields)
        if name in TIMES and value is not None:
            value = factory.time_for_member(float(value), editor, member, in_fields=in_fields)
        elif name == "confidence" and value is not None:
            current = self.record.fields.get("confidence")
            value = _limited(float(value), current)
            if value == current:
                value = old
            elif isinstance(old, str):
                value = str(value)
        elif name == "tags":
            value = ", ".join(value) if isinstance(old, str) else list(value)
        elif name == "key_facts":
            value = list(value) if isinstance(old, list) else "\n".join(value)
        editor.set(member, value, in_fields=in_fields)

    def _update_indexes(self, editor: MinionEditor) -> None:
        like = text_of(editor.value("minionTypeId", in_fields=False))
        before, now = self.record.fields, self.write.now
        index_records.update_indexes(self.draft, self.folder, self._current(), before, like, now)

    def _current(self) -> Record:
        """Return the memory as its file in the draft has it."""
        name = self.record.position[0]
        (record,) = read_file(name, self.draft.files[name]).records
        return record

    def _is_open(self, name: str) -> bool:
        """Return whether a contradiction is neither deleted nor resolved."""
        editor = self._open(name)
        is_live = not editor.value("deletedAt", in_fields=False)
        return is_live and editor.value("resolution") in (None, "", UNRESOLVED)

    def _stated(self, name: str) -> tuple[str, str, str]:
        """Return the memories that a contradiction names, in its order, and its description, as the relation
        is read."""
        editor = self._open(name)
        source, target = (_one_line(text_of(editor.value(each))) for each in ("memoryIdA", "memoryIdB"))
        return source, target, clean(text_of(editor.value("description")))

    def _exists(self, id: str) -> bool:
        files = self.draft.files
        return paths.file_name(id) in files or any(paths.id_in_name(name) == id for name in files)


def _one_line(text: str) -> str:
    """Return a text on one line, as the user enters it."""
    return " ".join(clean(text).split())


def _reason(link: Link) -> str:
    return link.context or wording.SUPERSEDED


def _limited(confidence: float, current: float | None) -> float:
    """Return a confidence that leaves room for doubt, but is not lowered by that limit."""
    return max(min(confidence, MAX_CONFIDENCE), min(confidence, current if current is not None else 0.0))


def with_stored_status(write: Write) -> Write:
    """Return the write with the status that the format can store: deleted or not deleted."""
    status: Mapping[str, str] = {
        "dismiss": "dismissed",
        "expire": "dismissed",
        "supersede": "dismissed",
        "restore": "confirmed",
    }
    if write.action not in status:
        return write
    return replace(write, fields={"status": status[write.action]})
