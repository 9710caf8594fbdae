"""Cognitive Memory (FORMATS 5): a tree of Markdown files, one for each memory, and files derived from them.

Only `graph/` and `vault/` are authoritative. `_index.json` is updated where it was right; `_config.json` may
hold an API key and is never opened.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import ClassVar

from memtui.formats.cognitive import (
    checks,
    document,
    move,
    new_episode,
    paths,
    redaction,
    relate,
    session_view,
    spelling,
    state_file,
    survey,
    undo,
    wording,
    writer,
)
from memtui.formats.cognitive.finding_help import GRAVE, MEANINGS
from memtui.formats.cognitive.incoming import CognitiveIncoming
from memtui.formats.cognitive.incremental import CognitiveSnapshot
from memtui.formats.cognitive.index import index_file
from memtui.formats.cognitive.paths import FOLDERS, GENERATED, INDEX, RELATION_KINDS, STATE
from memtui.formats.cognitive.reader import Tree, dependencies, read_file
from memtui.formats.cognitive.relation_list import normalize_kind
from memtui.formats.cognitive.update_relation import update_relation
from memtui.formats.contract.adapter import RelationFate, Support, SupportKind
from memtui.formats.contract.incoming import LOGGED
from memtui.formats.contract.incremental import Snapshot
from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.contract.plans import Fitted, Plan, Write
from memtui.formats.contract.recalling import Asked
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.contract.session_view import NO_TASK, Content, SessionView, Task
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.commit import NEW_MODE
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import LIMIT, Entry, TreeStore, bytes_of, ensure_writable, is_file
from memtui.formats.misspellings import Misspelling
from memtui.formats.syntax.markdown import first_words
from memtui.memory.stores import Finding
from memtui.values import FieldValue

_MAX_DERIVED = 64 << 20  # bytes of a derived file up to which it is read
_MAX_FILES, _MAX_BYTES = 200, 1 << 14  # files, and bytes of each, that are read to recognise a tree
_MAX_EMBEDDINGS = 16 << 20  # bytes of the embeddings up to which the doctor reads them
_NEW_STATE = b'{\n  "version": 1,\n  "entries": {}\n}'


class Cognitive(TreeStore):
    """A Cognitive Memory tree, attached; `root` is the folder that has graph/."""

    format = "cognitive"
    title = "Cognitive Memory"
    has_folders = True
    recognised_by = wording.RECOGNISED_BY
    usual_paths = ("memory", ".claude/memory")
    known_places = (
        "~/.claude/memory",
        "~/.local/share/cognitive-memory",
        "./.cognitive",
        "~/.cognitive-memory",
    )
    fields = frozenset({"content", "title", "category", "tags", "importance", "confidence", "pinned"})
    restorable_fields = frozenset({"ref", "created_at", "extra", *document.PROCEDURE_KEYS})
    redactable_fields = frozenset({"content", "title", "tags", "extra", *document.PROCEDURE_KEYS})
    redacts_names = True
    unread_files = frozenset({paths.CONFIG})
    required_fields = frozenset({"confidence", "importance"})
    categories = tuple(FOLDERS)
    fallback_category = "general"
    relation_kinds = RELATION_KINDS
    relation_fields = frozenset({"strength", "context", "body"})
    lifecycle = "cognitive"
    incoming = CognitiveIncoming()
    counts_uses = True
    finding_help = MEANINGS
    severe_findings = GRAVE
    harmless_findings = frozenset({"stray-state", "stray-vectors"})
    clients = (session_view.CLIENT,)
    agent_title = "Cognitive Memory"
    suffixes = (".md", ".json")
    depth = 4
    shared_files = frozenset({STATE})
    new_id: ClassVar[Callable[[], str]] = staticmethod(lambda: str(new_uuid()))

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            return path if path.is_dir() and (path / "graph").is_dir() and _is_tree(path) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        created: list[Path] = []
        folders = [*(paths.folder_of(each) for each in FOLDERS), "vault", "episodes"]
        missing = [each for each in (path, *path.parents) if not each.exists()]
        try:
            for folder in [*reversed(missing), path / "graph", *(path / each for each in folders)]:
                folder.mkdir(mode=0o700)
                created.append(folder)
                atomic_write.sync_folder(folder.parent)
        except OSError:
            for folder in reversed(created):
                folder.rmdir()
            raise
        return path

    # -- read

    def belongs(self, name: str) -> bool:
        authored = paths.is_memory(name) or paths.is_edge(name) or paths.is_episodes(name)
        return authored or name in (*GENERATED, INDEX, STATE)

    def _load(
        self, only: Collection[str] | None, entries: Iterable[Entry] | None = None
    ) -> tuple[dict[str, bytes], dict[str, int]]:
        files, modes = super()._load(only, entries)
        for name in (INDEX, STATE):
            if len(files.get(name, b"")) > LIMIT:
                files[name] = bytes_of(self.root / name, _MAX_DERIVED) or b""
        return files, modes

    def parse_files(self, names: Collection[str], files: Mapping[str, bytes]) -> Reading:
        return super().parse_files([name for name in names if name.endswith(".md")], Tree.of(files))

    def parse_file(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        return read_file(name, data, Tree.of(files))

    def depends_on_files(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Hashable:
        return dependencies(name, data, Tree.of(files))

    def read(self) -> Reading:
        out = super().read()
        survey.add_findings(Tree.of(self.load()[0]), out)
        return out

    def session_view(self, content: Content, now: float, task: Task = NO_TASK) -> SessionView:
        assert isinstance(content, Mapping)
        return session_view.session_view(content, now)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        embeddings = bytes_of(self.root / checks.EMBEDDINGS, _MAX_EMBEDDINGS) or b""
        yield from checks.check(Tree.of(self.load()[0]), embeddings)

    def misspellings(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Misspelling]:
        yield from spelling.misspellings(Tree.of(files))

    def update_derived(self, draft: Draft) -> None:
        index_file.update(draft)

    def unsupported_version(self) -> str:
        return checks.unsupported_version(self.root)

    def locked_reason(self) -> str:
        return super().locked_reason() or self.unsupported_version()

    def lock_code(self) -> str:
        is_newer = not super().locked_reason() and self.unsupported_version()
        return "newer-schema" if is_newer else super().lock_code()

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        wanted = set(refs)  # without the survey, whose findings no record has
        return {each.ref: each for each in self.parse(self.load()[0]).records if each.ref in wanted}

    def identity(self, name: str, data: bytes) -> str:
        return document.id_of(data) if paths.is_memory(name) or paths.is_edge(name) else ""

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        # Fingerprints from before the files are read, so that what changes meanwhile is read next time.
        yield CognitiveSnapshot(self, self._fingerprints or self._read_fingerprints())

    # -- write

    def count_uses(self, refs: Sequence[str], now: float, asked: Asked | None = None) -> Mapping[str, int]:
        with atomic_write.lock_folder(self.folder):
            files, modes = self.load()
            ids = [ref for ref in refs if ref in Tree.of(files).memories]
            old = files.get(STATE)
            if not ids or (old is not None and state_file.read(old) is None):
                return {}
            new = state_file.count_uses(_NEW_STATE if old is None else old, ids, now)
            token = f"uses-{type(self).new_id()[:8]}"
            try:
                atomic_write.change(self.folder, STATE, old, new, token, modes.get(STATE, 0o600))
            except OSError as error:
                raise atomic_write.refusal(error) from error
        usage = state_file.read(new) or {}
        return {id: usage[id].count for id in ids}

    def fields_of(self, kind: str) -> frozenset[str]:
        # The text of an episode cannot change, so that a change of it is refused rather than kept in the
        # workspace. Pins and tags are no text, and are kept there.
        return frozenset({"content", "title", "category"}) if kind == "episode" else self.fields

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        title = _title(fields)
        if title != fields.get("title"):
            out.fields["title"] = title
            out.changed["title"] = (fields.get("title"), title)
        return out

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Plan:
        if write.action == "delete":  # the file is removed as it is by a dismissal
            write = replace(write, action="dismiss")
        plan = super()._plan_one(draft, by_ref, write)
        # Where a file is renamed or moved, links in texts are updated.
        moved = any(edit.moved_to for edit in plan.edits)
        more = redaction.EPISODE_FIELDS if write.redacted is not None else ("content",) if moved else ()
        return replace(plan, changed_fields=tuple(sorted({*plan.changed_fields, *more})))

    def with_renames(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Write:
        return move.with_renames(draft, by_ref.get(write.ref), write)

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
        elif record.fields.get("kind") == "episode" and write.redacted is not None:
            ensure_writable(self.folder, draft, record.position[0])
            redaction.redact_episode(draft, *record.position, write.redacted)
        elif record.fields.get("kind") == "episode":
            raise wording.append_only()
        else:
            name = record.position[0]
            ensure_writable(self.folder, draft, name)
            if write.redacted is not None:
                redaction.redact_memory(draft, self.folder, name, write)
            elif write.action == "dismiss":
                relate.remove_memory(draft, self.folder, name)
            elif write.action == "relate":
                relate.relate(draft, self.folder, name, write, type(self).new_id)
            elif write.action == "unrelate":
                relate.unrelate(draft, self.folder, name, write)
            elif write.action == "retie":
                update_relation(draft, self.folder, name, write, type(self).new_id)
            else:
                self._edit(draft, name, write)
        index_file.update(draft, best_effort=write.redacted is None)

    def _edit(self, draft: Draft, name: str, write: Write) -> None:
        before = document.read(draft.files[name])
        for field, value in write.fields.items():
            if field != "pinned":
                writer.set_field(draft, name, field, value)
        after = document.read(draft.files[name])
        if after.data != before.data:
            writer.touch(draft, name, write.now)
        new = _new_name(name, before, after, write)
        move.move(draft, self.folder, name, new)
        titles = (before.title, after.title) if before.title != after.title else None
        if new != name or titles:
            move.update_links(draft, self.folder, {name: new}, {name: titles} if titles else None)
        if titles and before.id:
            move.retitle_edges(draft, self.folder, before.id, *titles)

    def _ensure_appendable(self, draft: Draft, name: str) -> None:
        ensure_writable(self.folder, draft, name)
        if name not in draft.files and os.path.lexists(self.folder / name):
            raise wording.no_plain_file(name)

    def _add(self, draft: Draft, write: Write) -> None:
        if write.incoming and write.link is not None and write.link.kind == LOGGED:
            new_episode.append(draft, write.link.target, write.now, partial(self._ensure_appendable, draft))
            return
        fields = write.fields
        if not str(fields.get("content") or "").strip():
            raise wording.memory_empty()
        title, category = _title(fields), str(fields.get("category") or self.fallback_category)
        ids = draft.tally(_id_of)
        ref = str(fields.get("ref") or "")
        if ref and ref in ids and write.action == "restore":
            raise wording.id_exists_again()
        usable = len(paths.short_id(ref)) == paths.SHORT_ID and paths.is_plain_id(ref)
        id = ref if usable and ref not in ids else type(self).new_id()
        folder = "vault" if fields.get("pinned") else paths.folder_of(category)
        name = f"{folder}/{paths.file_name(title, id)}"
        if name in draft.files or os.path.lexists(self.folder / name):
            raise wording.file_exists(name)
        data = writer.new_text(id, fields, category, title, write.now).encode()
        mode = draft.most_common(_mode_of)
        draft.create(name, data, mode if isinstance(mode, int) else NEW_MODE)
        note = document.read(data)
        if (note.id, note.title, note.type) != (id, title, category):
            raise wording.read_back_differs()
        if id == ref:  # it may have existed before, and others may still relate to it
            tree = Tree.of(dict(draft.files))
            relate.restore_relations(draft, name, tree)
            relate.restore_edge_relations(draft, name, tree)

    def notice_after(self, write: Write) -> str:
        changes_text = write.action == "edit" and not write.fields.keys().isdisjoint(("content", "title"))
        if changes_text and os.path.lexists(self.folder / checks.EMBEDDINGS):
            return wording.OLD_TEXT_KEPT.format(file=checks.EMBEDDINGS)
        return ""

    @classmethod
    def refusal_reason(cls, action: str, kind: str) -> str:
        changes = action in ("edit", "dismiss", "forget", "supersede", "relate", "retie")
        return wording.EPISODES_APPEND_ONLY if kind == "episode" and changes else ""

    # -- undo

    def undo(self, draft: Draft, plan: Plan) -> None:
        undo.undo(draft, self.folder, plan)
        index_file.update(draft)

    def _undo_step(
        self, before: Reading, by_ref: Mapping[str, Record], plan: Plan, restored: set[str | None]
    ) -> Step:
        step = super()._undo_step(before, by_ref, plan, restored)
        step.run = _with_linking_memories(step.run)
        step.fallback = _with_linking_memories(step.fallback) if step.fallback is not None else None
        return step

    def recreate(self, draft: Draft, plan: Plan) -> None:
        fields = {**(plan.removed_fields or {}), "ref": plan.ref}
        self.revise(draft, None, Write("restore", "", fields, {}, time.time()))

    # -- describe

    def relation_fate(self, content: str) -> RelationFate:
        return RelationFate.GO

    def support_for(self, action: str, name: str = "") -> Support:
        native = {
            "pin": wording.PINS,
            "unpin": wording.UNPINS,
            "add": wording.ADDS_FILE,
            "relate": wording.RELATES,
            "unrelate": wording.UNRELATES,
            "retie": wording.CHANGES_RELATION,
        }
        if action in ("dismiss", "delete"):
            return Support(SupportKind.MOVED, wording.REMOVES_FILE)
        if action == "restore":
            return Support(SupportKind.MOVED, wording.RESTORES_FILE)
        if action == "relate" and name and normalize_kind(name) not in RELATION_KINDS:
            kinds = ", ".join(RELATION_KINDS)
            return Support.by_memtui(wording.OTHER_KINDS.format(title=self.title, kinds=kinds))
        if action in native:
            return Support(SupportKind.NATIVE, native[action])
        if action == "edit" and (not name or name in self.fields):
            field = name or "content"
            text = wording.CHANGES.get(field) or wording.CHANGES_FIELD.format(field=field)
            return Support(SupportKind.NATIVE, text)
        named = {"confirm": "field for confirmations", "supersede": "field for replacements"}
        field = name or named.get(action, wording.SUCH_FIELD)
        return Support.by_memtui(wording.NO_SUCH_FIELD.format(title=self.title, field=field))


def _id_of(name: str, data: bytes, mode: int) -> str:
    return document.id_of(data)


def _mode_of(name: str, data: bytes, mode: int) -> int | None:
    return mode if paths.is_memory(name) else None


def _with_linking_memories(run: Callable[[Draft], Plan]) -> Callable[[Draft], Plan]:
    """Extend a plan to undo by the memories whose links lead to where the file is again."""

    def extended(draft: Draft) -> Plan:
        plan = run(draft)
        linking = {edit.identity for edit in plan.edits if edit.identity and paths.is_memory(edit.name)}
        fields = {*plan.changed_fields, *(["content"] if linking - {plan.ref, plan.ref_after} else [])}
        anchors = tuple(sorted({*plan.affected_anchors, *linking}))
        return replace(plan, affected_anchors=anchors, changed_fields=tuple(sorted(fields)))

    return extended


def _new_name(name: str, before: document.Note, after: document.Note, write: Write) -> str:
    """Return where a memory's file belongs after an edit of its title, its type or its pin."""
    folder, last = str(PurePosixPath(name).parent), PurePosixPath(name).name
    if write.fields.get("pinned", paths.is_pinned(name)) != paths.is_pinned(name):
        folder = "vault" if write.fields["pinned"] else paths.folder_of(after.type)
    elif after.type != before.type and not paths.is_pinned(name):
        folder = paths.folder_of(after.type)
    if after.title != before.title and after.id:
        last = paths.file_name(after.title, after.id)
    return f"{folder}/{last}"


def _title(fields: Mapping[str, FieldValue]) -> str:
    """Return the title of a new memory: its own, its subject or key, or its first words."""
    for each in ("title", "subject", "key"):
        if title := writer.one_line(fields.get(each)):
            return title
    return clean(first_words(str(fields.get("content") or ""))) or "Untitled"


def _is_tree(root: Path) -> bool:
    """Return whether some file is a memory of this format, or the tree is empty as it was created."""
    folders = [root / paths.folder_of(each) for each in FOLDERS]
    count = 0
    for folder in (*folders, root / "vault"):
        if not folder.is_dir() or folder.is_symlink():
            continue
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.endswith(".md") or count == _MAX_FILES or not is_file(entry):
                    continue
                count += 1
                note = document.read(bytes_of(entry.path, _MAX_BYTES) or b"")
                if note.id and note.type and note.title:
                    return True
    if count:
        return False
    complete = all(folder.is_dir() for folder in (*folders, root / "vault", root / "episodes"))
    return complete or (any(folder.is_dir() for folder in folders) and _has_index(root))


def _has_index(root: Path) -> bool:
    """Return whether there is an index of the format, which its own client creates with the first folder."""
    try:
        index = json.loads((bytes_of(root / INDEX) or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    parts = [index.get("entries"), index.get("edges")] if isinstance(index, dict) else []
    return bool(parts) and index.get("version") == 2 and all(isinstance(part, dict | int) for part in parts)
