"""Undo a change to a tree that other programs have written to since (S-51).

Where none has, every byte is restored. Otherwise a record's own lines return to their old place, and what is
derived from them is worked out again: links lead to where the files are now, and the index repeats the
current heads. A list of relations exists as long as it has an entry, whichever change created it.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memtui.errors import Refused
from memtui.formats.cognitive import document, links, move, relate, relation_list, wording
from memtui.formats.cognitive.paths import (
    GENERATED,
    INDEX,
    folder_of,
    is_edge,
    is_memory,
    is_pinned,
    parse_edge_name,
)
from memtui.formats.cognitive.reader import Tree, same_short_id
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files import rename_undo
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.hunks import FileEdit, Hunk
from memtui.formats.syntax.yaml_scalars import Style

_TITLES = ("from_title", "to_title")


def undo(draft: Draft, folder: Path, plan: Plan) -> None:
    """Undo a carried-out plan. Raise Refused if something it wrote was changed since."""
    if all(draft.matches(edit) for edit in plan.edits):
        rename_undo.undo_edits(draft, plan.edits)
        return
    before = Tree.of(dict(draft.files))
    own = [edit for edit in plan.edits if not is_edge(edit.name)]
    edits = _relocate(draft, [_own_hunks(edit) for edit in own if edit.name not in GENERATED])
    rename_undo.undo_edits(draft, [edit for edit in edits if not _is_best_effort(edit)])
    for edit in reversed([edit for edit in edits if _is_best_effort(edit)]):
        with suppress(Refused):
            rename_undo.undo_edits(draft, [edit])
    _undo_edges(draft, folder, [edit for edit in plan.edits if is_edge(edit.name)])
    for edit in own:
        if None not in (edit.before, edit.after) and is_memory(edit.name):
            _undo_relations(draft, edit)
        _remove_empty_list(draft, edit.identity, before)
        if edit.after is None and not edit.moved_to and is_memory(edit.name):
            _restore_relations(draft, edit.identity, before)
        _move_to_type_folder(draft, edit.identity, before)
    _update_links(draft, folder, plan, before)


def _current(draft: Draft) -> Tree:
    return Tree.of(dict(draft.files))


def _move_to_type_folder(draft: Draft, id: str, before: Tree) -> None:
    """Move a memory whose type was restored to the folder of that type, unless it is pinned."""
    now, name, old = _current(draft), before.memories.get(id, ""), before.note(id)
    current = now.memories.get(id, "")
    if old is None or not current or is_pinned(current) or current != name:
        return
    kind = document.read(draft.files[current]).type
    path = PurePosixPath(current)
    if kind != old.type and str(path.parent) == folder_of(old.type):
        target = f"{folder_of(kind)}/{path.name}"
        if target in draft.files:
            raise wording.exists_again(target)
        draft.move(current, target)


def _relocate(draft: Draft, edits: list[FileEdit]) -> list[FileEdit]:
    """Return the edits with the folders in which the memories are now, or to which they return.

    A pin and a change of type move a file independently of other changes."""
    out = {edit.name: edit for edit in edits}
    tree = _current(draft)
    for removed in edits:
        created = out.get(removed.moved_to)
        name = tree.memories.get(removed.identity, "")
        if created is None or not name:
            continue
        old, new, now = (PurePosixPath(each).parent for each in (removed.name, created.name, name))
        old_name, new_name = (PurePosixPath(each.name).name for each in (removed, created))
        if old == new:
            continue
        if is_pinned(created.name) and now == new:  # unpinned: back to the folder of its type
            folder = PurePosixPath(folder_of(document.read(draft.files[name]).type))
            out[removed.name] = replace(removed, name=str(folder / old_name))
        elif now != new:  # pinned or unpinned since: it stays where it is
            moved = str(now / new_name)
            out[created.name] = replace(created, name=moved)
            out[removed.name] = replace(removed, name=str(now / old_name), moved_to=moved)
    return list(out.values())


def _is_best_effort(edit: FileEdit) -> bool:
    """Return whether an edit is best effort in all its hunks."""
    return None not in (edit.before, edit.after) and all(hunk.best_effort for hunk in edit.hunks)


def _own_hunks(edit: FileEdit) -> FileEdit:
    """Return the edit without what is worked out again: links, relations, and index entries that changed."""
    hunks = []
    for hunk in edit.hunks:
        if edit.name == INDEX:
            kept = not (hunk.old and hunk.new)  # an entry that was added or removed
        else:
            kept = not (hunk.best_effort and hunk.old.endswith(b".md")) and not _is_relation(hunk)
        if kept:
            hunks.append(hunk)
    return replace(edit, hunks=tuple(hunks))


def _is_relation(hunk: Hunk) -> bool:
    """Return whether a hunk only adds or only removes relations."""
    text = hunk.old or hunk.new
    return not (hunk.old and hunk.new) and (_is_list_key(text) or text.lstrip().startswith(b"- target:"))


def _is_list_key(line: bytes) -> bool:
    return line.strip() == relation_list.KEY.encode() + b":"


# -- edge files


def _undo_edges(draft: Draft, folder: Path, edits: list[FileEdit]) -> None:
    """Undo the changes to edge files: created, removed, renamed or changed ones."""
    created = {edit.name: edit for edit in edits if edit.before is None}
    for edit in edits:
        name = _current(draft).edges.get(edit.identity, "")
        if edit.moved_to:
            renamed = created[edit.moved_to]
            if name:
                _undo_edge_name(draft, name, edit, renamed)
            elif any(not hunk.best_effort and _key_of(hunk) not in _TITLES for hunk in renamed.hunks):
                raise wording.changed_here_since(edit.moved_to)
        elif edit.after is None:
            undo_edit(draft, edit)
            _update_titles(draft, folder, edit.name)
        elif edit.before is not None:
            _undo_edge_content(draft, replace(edit, name=name or edit.name))
        elif not any(other.moved_to == edit.name for other in edits) and name:
            if document.read(draft.files[name]).content != document.read(edit.content).content:
                raise wording.changed_since(name)
            draft.remove(name)


def _update_titles(draft: Draft, folder: Path, name: str) -> None:
    """Put the current titles of its memories into a restored edge file."""
    edge, tree = document.read(draft.files[name]), _current(draft)
    for end in ("from", "to"):
        id, title = edge.text(f"{end}_id"), edge.text(f"{end}_title")
        note = tree.note(id)
        if note is not None and title and note.title and note.title != title:
            move.retitle_edges(draft, folder, id, title, note.title)


def _undo_edge_content(draft: Draft, edit: FileEdit) -> None:
    """Undo an edit in an edge file; titles are best effort, and found at whichever end they are now."""
    titles, exact = _titles(draft, edit.name), draft.matches(edit)
    hunks = tuple(
        replace(hunk, best_effort=hunk.best_effort or _key_of(hunk) in _TITLES) for hunk in edit.hunks
    )
    with suppress(Refused) if all(hunk.best_effort for hunk in hunks) else nullcontext():
        undo_edit(draft, replace(edit, hunks=hunks))
    if exact or edit.name not in draft.files:
        return
    restored: dict[str, bytes] = {}
    if _is_reversal(edit) and len(titles) == len(_TITLES):
        restored = dict(zip(_TITLES, reversed(titles.values()), strict=True))
    for hunk in hunks if not restored else ():
        own = _key_of(hunk)
        keys = [key for key in sorted(titles, key=lambda key: key != own) if titles[key] == hunk.new]
        if own in _TITLES and keys:
            restored[keys[0]] = hunk.old
    for key, title in restored.items():
        head = document.read(draft.files[edit.name]).head
        if head is not None and not head.problems and key in head.values:
            draft.splice(edit.name, head.values[key].start, head.values[key].end, title, best_effort=True)


def _undo_edge_name(draft: Draft, name: str, removed: FileEdit, created: FileEdit) -> None:
    """Undo the renaming of an edge file, which is called `name` now, with the edit in its head.

    Only the parts of the name that the plan changed return: a title, the kind, the direction."""
    edit = FileEdit(name, "", created.after, created.hunks)
    _undo_edge_content(draft, edit)
    old, new, now = map(parse_edge_name, (removed.name, created.name, name))
    if not (old and new and now):
        return
    kind = old.kind if now.kind == new.kind else now.kind
    ends = [now.source, now.target]
    if _is_reversal(edit) and (old.source, old.target) == (new.target, new.source):
        ends.reverse()
    else:
        for at, (before, after) in enumerate(((old.source, new.source), (old.target, new.target))):
            end = at if ends[at] == after else 1 - at  # the other one if it was reversed since
            if before != after and ends[end] == after:
                ends[end] = before
    target = replace(now, source=ends[0], kind=kind, target=ends[1]).name
    if target != name and target not in draft.files:
        draft.move(name, target)


def _titles(draft: Draft, name: str) -> dict[str, bytes]:
    """Return the titles of both ends of an edge file, as they are spelled."""
    data = draft.files.get(name, b"")
    head = document.read(data).head
    values = head.values if head is not None else {}
    return {key: data[values[key].start : values[key].end] for key in _TITLES if key in values}


def _key_of(hunk: Hunk) -> str:
    """Return the key whose value a hunk changed."""
    return hunk.head.rpartition(b"\n")[2].partition(b":")[0].decode(errors="replace")


def _is_reversal(edit: FileEdit) -> bool:
    return {"from_id", "to_id"} <= {_key_of(hunk) for hunk in edit.hunks}


# -- relations


def _undo_relations(draft: Draft, edit: FileEdit) -> None:
    """Remove the entries that a change added to a list of relations, and restore those that it removed."""
    name = _current(draft).memories.get(edit.identity, "")
    for hunk in reversed([hunk for hunk in edit.hunks if _is_relation(hunk)]):
        if not name:
            if not hunk.best_effort:
                raise wording.changed_here_since(edit.name)
        elif _is_list_key(hunk.old):
            _restore_list(draft, name, edit, hunk)
        elif hunk.old:
            _restore_list(draft, name, edit, hunk)
            if hunk.old not in draft.files[name]:
                note = document.read(draft.files[name])
                ends = [entry.end for entry in note.relations if entry.start >= 0]
                value = note.head.values[relation_list.KEY] if note.head is not None else None
                last = max(ends, default=0) or (value.line_end if value is not None else 0)
                _restore_lines(draft, name, edit, hunk, last)
        elif not _is_list_key(hunk.new):
            at = draft.files[name].find(hunk.new)
            if at >= 0:
                draft.splice(name, at, at + len(hunk.new), b"")
            elif not hunk.best_effort:
                raise wording.changed_here_since(name)


def _restore_list(draft: Draft, name: str, edit: FileEdit, hunk: Hunk) -> None:
    """Add a list of relations to a head that has none."""
    head = document.read(draft.files[name]).head
    if head is None or head.problems:
        raise wording.changed_here_since(name)
    if relation_list.KEY not in head.values:
        line = relation_list.KEY.encode() + b":" + head.newline
        list_hunk = hunk if _is_list_key(hunk.old) else replace(hunk, old=line)
        _restore_lines(draft, name, edit, list_hunk, head.end)


def _restore_lines(draft: Draft, name: str, edit: FileEdit, hunk: Hunk, at: int) -> None:
    """Restore removed lines at their old place, or at the offset `at` where that is unknown."""
    try:
        undo_edit(draft, FileEdit(name, "", edit.after, (replace(hunk, best_effort=False),)))
    except Refused:
        draft.splice(name, at, at, hunk.old)


def _remove_empty_list(draft: Draft, id: str, before: Tree) -> None:
    """Remove the list of relations of a memory that lost its last entry."""
    name = _current(draft).memories.get(id, "")
    old = before.note(id)
    if not name or old is None or not old.relations:
        return
    head = document.read(draft.files[name]).head
    value = head.values.get(relation_list.KEY) if head is not None else None
    if value is not None and value.style is Style.EMPTY:
        draft.splice(name, value.line_start, value.line_end, b"")


def _restore_relations(draft: Draft, id: str, before: Tree) -> None:
    """Add the relations that memories restored earlier have to a memory that is restored now."""
    name = _current(draft).memories.get(id, "")
    if name and id not in before.memories:
        relate.restore_relations(draft, name, before)


# -- links


def _update_links(draft: Draft, folder: Path, plan: Plan, before: Tree) -> None:
    """Make links lead to where the files are now."""
    now = _current(draft)
    moved = {before.memories[id]: now.memories[id] for id in before.memories.keys() & now.memories.keys()}
    moved |= {before.edges[id]: now.edges[id] for id in before.edges.keys() & now.edges.keys()}
    moved = {old: new for old, new in moved.items() if old != new}
    for old, new in moved.items():
        links.rebase(draft, new, old)
    titles = {
        old: (document.read(before[old]).title, document.read(now[new]).title) for old, new in moved.items()
    }
    if moved:
        move.update_links(draft, folder, moved, titles)
    for edit in plan.edits:
        name = now.memories.get(edit.identity, "")
        if name and is_memory(edit.name):
            _repair_links(draft, name, edit.name, now)


def _repair_links(draft: Draft, name: str, written_as: str, now: Tree) -> None:
    """Repair the dangling links of a memory's file, which were written when it was called `written_as`."""
    for link in reversed(list(links.find_links(name, draft.files[name]))):
        if link.target in draft.files:
            continue
        as_written = links.find_links(written_as, draft.files[name])
        written = next((each for each in as_written if each.start == link.start), link)
        target = written.target if written.target in draft.files else ""
        id = _only_match(link.target, now) or _only_match(written.target, now)
        target = target or now.memories.get(id, "")
        if target:
            draft.splice(name, link.start, link.end, links.path_to(target, name), best_effort=True)


def _only_match(target: str, now: Tree) -> str:
    """Return the id of the only memory with the short id of a file that was renamed; "" if there are several.

    The plan wrote the link itself, so that the rest of the name need not fit."""
    ids = same_short_id(target, now)
    return ids[0] if len(ids) == 1 else ""
