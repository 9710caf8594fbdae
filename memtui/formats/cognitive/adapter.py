"""Cognitive Memory (FORMATS 5): a tree of Markdown files, one a memory, and what is derived from it.

`graph/` and `vault/` are the truth. `_index.json` is kept right where it was right; `_config.json` may
hold an API key and is never opened.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import ClassVar
from uuid import uuid4

from memtui.errors import NotSaved
from memtui.formats.syntax.markdown import first_words
from memtui.formats.cognitive import (
    checks,
    document,
    index_file,
    move,
    paths,
    relate,
    spelling,
    state_file,
    survey,
    undo,
    update_relation,
    writer,
)
from memtui.formats.cognitive.finding_help import GRAVE, MEANINGS
from memtui.formats.cognitive.incremental import CognitiveLook
from memtui.formats.cognitive.paths import FOLDERS, GENERATED, INDEX, RELATIONS, STATE
from memtui.formats.cognitive.reader import Tree, depends_on_files, part
from memtui.formats.contract.adapter import (
    Fitted,
    How,
    Planned,
    Reading,
    Record,
    RelationFate,
    Support,
    Write,
    clean,
)
from memtui.formats.contract.incremental import Look
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import LIMIT, TreeStore, bytes_of, is_file, may_write
from memtui.formats.slips import Slip
from memtui.memory.stores import Finding

_BIG = 64 << 20  # bytes of a derived file that is read at all
_LOOK_AT, _BEGINNING = 200, 1 << 14  # files, and bytes of each, that tell whether a tree is of this format
_VECTORS = "_embeddings.json"  # of its own client; only the doctor looks into it
_SEARCHED = 16 << 20  # bytes of it up to which that is so
_APPEND_ONLY = "episodes are append-only."
_OTHERWISE = "Copy the episode, and change the copy."
_PLACES = {
    "content": "changes the text in its file",
    "title": "changes the title in its file, renames the file and mends every link to it",
    "category": "changes the type in its file and moves it to that type's folder",
}


class Cognitive(TreeStore):
    """A Cognitive Memory tree, attached; `root` is the folder that has graph/."""

    format = "cognitive"
    title = "Cognitive Memory"
    looked_for = "a graph/ folder of .md files with id, type and title at their head"
    inside = ("memory", ".claude/memory")
    known_places = (
        "~/.claude/memory",
        "~/.local/share/cognitive-memory",
        "./.cognitive",
        "~/.cognitive-memory",
    )
    fields = frozenset({"content", "title", "category", "tags", "importance", "confidence", "pinned"})
    restorable_fields = frozenset({"ref", "created_at", "extra", *writer.STEPS})
    categories = tuple(FOLDERS)
    plain_category = "general"
    relation_kinds = RELATIONS
    relation_says = frozenset({"strength", "context", "body"})
    lifecycle = "cognitive"
    counts_uses = True
    meanings = MEANINGS
    grave = GRAVE
    suffixes = (".md", ".json")
    depth = 4
    wide = frozenset({STATE})
    new_id: ClassVar[Callable[[], str]] = staticmethod(lambda: str(uuid4()))

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            return path if path.is_dir() and (path / "graph").is_dir() and _is_tree(path) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        made: list[Path] = []
        folders = [*(paths.folder_of(each) for each in FOLDERS), "vault", "episodes"]
        missing = [each for each in (path, *path.parents) if not each.exists()]
        try:
            for folder in [*reversed(missing), path / "graph", *(path / each for each in folders)]:
                folder.mkdir(mode=0o700)
                made.append(folder)
                atomic_write.sync_folder(folder.parent)
        except OSError:
            for folder in reversed(made):
                folder.rmdir()
            raise
        return path

    # -- read

    def belongs(self, name: str) -> bool:
        said = paths.is_memory(name) or paths.is_edge(name) or paths.is_episodes(name)
        return said or name in (*GENERATED, INDEX, STATE)

    def _load(self, only: Collection[str] | None) -> tuple[dict[str, bytes], dict[str, int]]:
        files, modes = super()._load(only)
        for name in (INDEX, STATE):
            if len(files.get(name, b"")) > LIMIT:
                files[name] = bytes_of(self.root / name, _BIG) or b""
        return files, modes

    def parts(self, names: Collection[str], files: Mapping[str, bytes]) -> Reading:
        return super().parts([name for name in names if name.endswith(".md")], Tree.of(files))

    def part(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        return part(name, data, Tree.of(files))

    def depends_on_files(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Hashable:
        return depends_on_files(name, data, Tree.of(files))

    def read(self) -> Reading:
        out = super().read()
        survey.survey(Tree.of(self.load()[0]), out)
        return out

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.look(Tree.of(self.load()[0]), bytes_of(self.root / _VECTORS, _SEARCHED) or b"")

    def slips(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Slip]:
        yield from spelling.slips(Tree.of(files))

    def follow(self, draft: Draft, before: Mapping[str, bytes]) -> None:
        index_file.follow(draft, before)

    def newer(self) -> str:
        return checks.newer(self.root)

    def locked(self) -> str:
        return super().locked() or self.newer()

    def lock_code(self) -> str:
        return "newer-schema" if not super().locked() and self.newer() else super().lock_code()

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        wanted = set(refs)  # what is odd about the tree is of no matter here
        return {each.ref: each for each in self.parse(self.load()[0]).records if each.ref in wanted}

    def identity(self, name: str, data: bytes) -> str:
        return document.id_of(data) if paths.is_memory(name) or paths.is_edge(name) else ""

    @contextmanager
    def look(self) -> Iterator[Look]:
        # As they were before the files are read: what changes meanwhile is another mark next time.
        yield CognitiveLook(self, self._marks or self._marked())

    # -- write

    def count_uses(self, refs: Sequence[str], now: float) -> None:
        with atomic_write.alone(self.folder):
            files, modes = self.load()
            ids = [ref for ref in refs if ref in Tree.of(files).names]
            old = files.get(STATE)
            if not ids or (old is not None and state_file.read(old) is None):
                return
            empty = b'{\n  "version": 1,\n  "entries": {}\n}'
            new = state_file.counted(empty if old is None else old, ids, now)
            try:
                atomic_write.change(
                    self.folder, STATE, old, new, f"uses-{type(self).new_id()[:8]}", modes.get(STATE, 0o600)
                )
            except OSError as trouble:
                raise atomic_write.refusal(trouble) from trouble

    def fields_of(self, kind: str) -> frozenset[str]:
        # What an episode says is refused, not kept beside it; a pin or a tag of a person's is no text.
        return frozenset({"content", "title", "category"}) if kind == "episode" else self.fields

    def fit(self, fields: Mapping[str, object]) -> Fitted:
        out = super().fit(fields)
        title = _title(fields)
        if title != fields.get("title"):
            out.fields["title"] = title
            out.changed["title"] = (fields.get("title"), title)
        return out

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Planned:
        if write.action == "delete":  # the record leaves, as it does when it is dismissed
            write = replace(write, action="dismiss")
        plan = super()._plan_one(draft, by_ref, write)
        # Where a file goes to another name or folder, the links in texts go along.
        moved = any(edit.moved_to for edit in plan.edits)
        return replace(plan, changes=tuple(sorted({*plan.changes, "content"}))) if moved else plan

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        before = dict(draft.files)
        if record is None:
            self._add(draft, write)
        elif record.fields.get("kind") == "episode":
            raise NotSaved("append-only", _APPEND_ONLY, _OTHERWISE)
        else:
            name = record.at[0]
            may_write(self.folder, draft, name)
            if write.action == "dismiss":
                relate.part_from(draft, self.folder, name)
            elif write.action == "relate":
                relate.relate(draft, self.folder, name, write, type(self).new_id)
            elif write.action == "unrelate":
                relate.unrelate(draft, self.folder, name, write)
            elif write.action == "retie":
                update_relation.retie(draft, self.folder, name, write, type(self).new_id)
            else:
                self._edit(draft, name, write)
        index_file.follow(draft, before)

    def _edit(self, draft: Draft, name: str, write: Write) -> None:
        found = document.read(draft.files[name])
        for field, value in write.fields.items():
            if field != "pinned":
                writer.set_field(draft, name, field, value)
        now = document.read(draft.files[name])
        if now.data != found.data:
            writer.touch(draft, name, write.now)
        new = _place(name, found, now, write)
        move.move(draft, self.folder, name, new)
        title = (found.title, now.title) if found.title != now.title else None
        if new != name or title:
            move.mend(draft, self.folder, {name: new}, {name: title} if title else None)
        if title and found.id:
            move.retitle_edges(draft, self.folder, found.id, *title)

    def _add(self, draft: Draft, write: Write) -> None:
        fields = write.fields
        if not str(fields.get("content") or "").strip():
            raise NotSaved("empty", "a memory without a text is none.")
        title, category = _title(fields), str(fields.get("category") or self.plain_category)
        ids = {document.id_of(data) for data in draft.files.values()}
        ref = str(fields.get("ref") or "")
        if ref and ref in ids and write.action == "restore":
            raise NotSaved("exists", "a file with its id is there again.", "Nothing was changed.")
        free = ref not in ids and len(paths.mark(ref)) == 6 and paths.is_id(ref)
        id = ref if free else type(self).new_id()
        folder = "vault" if fields.get("pinned") else paths.folder_of(category)
        name = f"{folder}/{paths.file_of(title, id)}"
        if name in draft.files or os.path.lexists(self.folder / name):
            raise NotSaved("exists", f"{name} is there already.", "Nothing was changed.")
        data = writer.whole(id, fields, category, title, write.now).encode()
        modes = [draft.modes[each] for each in draft.files if paths.is_memory(each) and each in draft.modes]
        draft.create(name, data, max(modes, key=modes.count) if modes else 0o600)
        found = document.read(data)
        if (found.id, found.title, found.type) != (id, title, category):
            raise NotSaved("unsure", "the text could not be read back as it was to be.")
        if id == ref:  # it was here before, perhaps, and others tell of it
            tree = Tree.of(dict(draft.files))
            relate.reunite(draft, name, tree)
            relate.tell_edges(draft, name, tree)

    def afterword(self, write: Write) -> str:
        old = write.action == "edit" and not write.fields.keys().isdisjoint(("content", "title"))
        held = old and os.path.lexists(self.folder / _VECTORS)
        return f"{_VECTORS} holds the old text until it is made anew" if held else ""

    @classmethod
    def refuses(cls, action: str, kind: str) -> str:
        changes = action in ("edit", "dismiss", "supersede", "relate", "retie")
        return f"Not saved: {_APPEND_ONLY} {_OTHERWISE}" if kind == "episode" and changes else ""

    # -- take back

    def take_back(self, draft: Draft, plan: Planned) -> None:
        before = dict(draft.files)
        undo.take_back(draft, self.folder, plan)
        index_file.follow(draft, before)

    def _way_back(
        self, before: Reading, here: Mapping[str, Record], plan: Planned, brought: set[str | None]
    ) -> Step:
        step = super()._way_back(before, here, plan, brought)

        def wider(go: Callable[[Draft], Planned]) -> Callable[[Draft], Planned]:
            def gone(draft: Draft) -> Planned:
                back = go(draft)
                # Links in texts lead to where the file is again, also those that came meanwhile.
                also = {edit.of for edit in back.edits if edit.of and paths.is_memory(edit.name)}
                changes = {*back.changes, *(["content"] if also - {back.ref, back.ref_after} else [])}
                return replace(back, also=tuple(sorted({*back.also, *also})), changes=tuple(sorted(changes)))

            return gone

        step.go = wider(step.go)
        step.other = wider(step.other) if step.other is not None else None
        return step

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        fields = {**(plan.removed or {}), "ref": plan.ref}
        self.revise(draft, None, Write("restore", "", fields, {}, time.time()))

    # -- in words

    def parts_with(self, content: str) -> RelationFate:
        return RelationFate.GO

    def supports(self, action: str, name: str = "") -> Support:
        if action in ("pin", "unpin"):
            where = "to vault/" if action == "pin" else "back to its type's folder"
            return Support(How.NATIVE, f"moves its file {where} and mends every link to it")
        if action == "add":
            return Support(How.NATIVE, "adds a file in its type's folder")
        if action in ("dismiss", "delete"):
            words = "removes its file and the relations to it, and keeps both in memtui"
            return Support(How.MOVED, words)
        if action == "restore":
            return Support(How.MOVED, "puts its file and the relations to it back at their old place")
        if action == "relate" and name and name.upper().replace("-", "_").replace(" ", "_") not in RELATIONS:
            words = f"is kept in memtui: {self.title} knows only {', '.join(RELATIONS)}"
            return Support(How.WORKSPACE, words)
        if action in ("relate", "unrelate", "retie"):
            what = {"relate": "writes the relation into", "unrelate": "takes the relation out of"}
            return Support(How.NATIVE, f"{what.get(action, 'changes the relation in')} both files")
        if action == "edit" and (not name or name in self.fields):
            return Support(How.NATIVE, _PLACES.get(name or "content", f"changes the {name} in its file"))
        field = name or {"confirm": "confirmation", "supersede": "such mark"}.get(action, "such field")
        return Support(How.WORKSPACE, f"is kept in memtui: {self.title} has no {field}")


def _place(name: str, was: document.Note, now: document.Note, write: Write) -> str:
    """Where a memory's file belongs once it says what it says `now`."""
    folder, last = str(PurePosixPath(name).parent), PurePosixPath(name).name
    if write.fields.get("pinned", paths.is_pinned(name)) != paths.is_pinned(name):
        folder = "vault" if write.fields["pinned"] else paths.folder_of(now.type)
    elif now.type != was.type and not paths.is_pinned(name):
        folder = paths.folder_of(now.type)
    if now.title != was.title and now.id:
        last = paths.file_of(now.title, now.id)
    return f"{folder}/{last}"


def _title(fields: Mapping[str, object]) -> str:
    """What a new memory is called: its title, what it is about, or its first words."""
    for each in ("title", "subject", "key"):
        if title := writer.one_line(fields.get(each)):
            return title
    return clean(first_words(str(fields.get("content") or ""))) or "Untitled"


def _is_tree(root: Path) -> bool:
    """Whether some file is a memory of this format, or the tree is empty as it was made."""
    folders = [root / paths.folder_of(each) for each in FOLDERS]
    looked = 0
    for folder in (*folders, root / "vault"):
        if not folder.is_dir() or folder.is_symlink():
            continue
        with os.scandir(folder) as found:
            for each in found:
                if not each.name.endswith(".md") or looked == _LOOK_AT or not is_file(each):
                    continue
                looked += 1
                said = document.read(bytes_of(each.path, _BEGINNING) or b"")
                if said.id and said.type and said.title:
                    return True
    if looked:
        return False
    whole = all(folder.is_dir() for folder in (*folders, root / "vault", root / "episodes"))
    return whole or (any(folder.is_dir() for folder in folders) and _has_index(root))


def _has_index(root: Path) -> bool:
    """Whether an index of the format lies there; its own client makes it with the first folder."""
    try:
        said = json.loads((bytes_of(root / INDEX) or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    parts = [said.get("entries"), said.get("edges")] if isinstance(said, dict) else []
    return bool(parts) and said.get("version") == 2 and all(isinstance(part, dict | int) for part in parts)
