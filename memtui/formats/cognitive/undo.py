"""Taking a change to a tree back, where others wrote meanwhile (S-51).

Where nobody did, every byte comes back. Else a record's own lines return to their old place, and what
only goes along is worked out anew: links lead to where files are by then, the index says what they say.
A list of relations is there as long as it has an entry, whichever change made it.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memtui.errors import Refused
from memtui.formats.cognitive import document, links, move, relate, relation_list
from memtui.formats.cognitive.paths import (
    GENERATED,
    INDEX,
    folder_of,
    is_edge,
    is_memory,
    is_pinned,
    named_edge,
)
from memtui.formats.cognitive.reader import Tree, ending_alike
from memtui.formats.contract.adapter import Planned
from memtui.formats.media.files import rename_undo
from memtui.formats.media.files.draft import Draft, FileEdit, Hunk, undo_edit
from memtui.formats.syntax.frontmatter import Style

_TITLES = ("from_title", "to_title")


def take_back(draft: Draft, folder: Path, plan: Planned) -> None:
    """Undo what a carried-out plan did. Raises Refused."""
    if all(draft.holds(edit) for edit in plan.edits):
        rename_undo.take_back(draft, plan.edits)
        return
    was = Tree.of(dict(draft.files))
    own = [edit for edit in plan.edits if not is_edge(edit.name)]
    edits = [_own_hunks(edit) for edit in own if edit.name not in GENERATED]
    edits = _where_they_stand(draft, edits)
    rename_undo.take_back(draft, [edit for edit in edits if not _goes_along(edit)])
    for edit in reversed([edit for edit in edits if _goes_along(edit)]):
        with suppress(Refused):
            rename_undo.take_back(draft, [edit])
    _edges(draft, folder, [edit for edit in plan.edits if is_edge(edit.name)])
    for edit in own:
        if None not in (edit.before, edit.after) and is_memory(edit.name):
            _relations(draft, edit)
        _drop_empty(draft, edit.of, was)
        if edit.after is None and not edit.moved_to and is_memory(edit.name):
            _reunite(draft, edit.of, was)
        _home(draft, edit.of, was)
    _mend(draft, folder, plan, was)


def _home(draft: Draft, id: str, was: Tree) -> None:
    """A memory whose type is another again goes to the folder of that, unless it is pinned."""
    now, name, old = Tree.of(dict(draft.files)), was.names.get(id, ""), was.note(id)
    at = now.names.get(id, "")
    if old is None or not at or is_pinned(at) or at != name:
        return
    kind = document.read(draft.files[at]).type
    path = PurePosixPath(at)
    if kind != old.type and str(path.parent) == folder_of(old.type):
        target = f"{folder_of(kind)}/{path.name}"
        if target in draft.files:
            raise Refused("exists", f"{target} is there again already.", "Nothing was changed.")
        draft.move(at, target)


def _where_they_stand(draft: Draft, edits: list[FileEdit]) -> list[FileEdit]:
    """The edits with the folders that memories have, or get, by now: a pin and another type change a
    folder for reasons of their own."""
    out = {edit.name: edit for edit in edits}
    tree = Tree.of(dict(draft.files))
    for gone in edits:
        came = out.get(gone.moved_to)
        name = tree.names.get(gone.of, "")
        if came is None or not name:
            continue
        old, new, now = (PurePosixPath(each).parent for each in (gone.name, came.name, name))
        if old == new:
            continue
        if is_pinned(came.name) and now == new:  # the pin goes: back to the folder of its type
            target = PurePosixPath(folder_of(document.read(draft.files[name]).type))
            out[gone.name] = replace(gone, name=str(target / PurePosixPath(gone.name).name))
        elif now != new:  # pinned or unpinned since: it stays where it is
            back = str(now / PurePosixPath(came.name).name)
            out[came.name] = replace(came, name=back)
            out[gone.name] = replace(gone, name=str(now / PurePosixPath(gone.name).name), moved_to=back)
    return list(out.values())


def _goes_along(edit: FileEdit) -> bool:
    return None not in (edit.before, edit.after) and all(hunk.soft for hunk in edit.hunks)


def _own_hunks(edit: FileEdit) -> FileEdit:
    """The edit but for what is worked out anew: links, relations, and what the index says of a memory
    that is there."""
    hunks = []
    for hunk in edit.hunks:
        if edit.name == INDEX:
            kept = not (hunk.old and hunk.new)  # a memory that came or went
        else:
            kept = not (hunk.soft and hunk.old.endswith(b".md")) and not _is_relation(hunk)
        if kept:
            hunks.append(hunk)
    return replace(edit, hunks=tuple(hunks))


def _is_relation(hunk: Hunk) -> bool:
    text = hunk.old or hunk.new
    return not (hunk.old and hunk.new) and (_is_key(text) or text.lstrip().startswith(b"- target:"))


def _is_key(line: bytes) -> bool:
    return line.strip() == relation_list.KEY.encode() + b":"


# -- edge files


def _edges(draft: Draft, folder: Path, edits: list[FileEdit]) -> None:
    """Take back what became of edge files: made, taken away, or given another title and name."""
    came = {edit.name: edit for edit in edits if edit.before is None}
    for edit in edits:
        name = Tree.of(dict(draft.files)).edges.get(edit.of, "")
        if edit.moved_to:
            if name:
                _named_back(draft, name, edit, came[edit.moved_to])
            elif any(not hunk.soft and _key_of(hunk) not in _TITLES for hunk in came[edit.moved_to].hunks):
                raise _since(edit.moved_to)
        elif edit.after is None:
            undo_edit(draft, edit)
            _entitle(draft, folder, edit.name)
        elif edit.before is not None:
            _said_back(draft, replace(edit, name=name or edit.name))
        elif not any(other.moved_to == edit.name for other in edits) and name:
            if document.read(draft.files[name]).content != document.read(edit.whole).content:
                raise Refused("changed-since", f"{name} changed since.", "Nothing was written.")
            draft.remove(name)


def _entitle(draft: Draft, folder: Path, name: str) -> None:
    """Have an edge file that is back say the titles that its memories have by now."""
    edge, tree = document.read(draft.files[name]), Tree.of(dict(draft.files))
    for end in ("from", "to"):
        id, said = edge.says(f"{end}_id"), edge.says(f"{end}_title")
        found = tree.note(id)
        if found is not None and said and found.title and found.title != said:
            move.retitle_edges(draft, folder, id, said, found.title)


def _said_back(draft: Draft, edit: FileEdit) -> None:
    """What an edge file said before an edit; titles in it go along, whichever end each is at by now."""
    titles, exact = _titles(draft, edit.name), draft.holds(edit)
    hunks = tuple(replace(hunk, soft=hunk.soft or _key_of(hunk) in _TITLES) for hunk in edit.hunks)
    with suppress(Refused) if all(hunk.soft for hunk in hunks) else nullcontext():
        undo_edit(draft, replace(edit, hunks=hunks))
    if exact or edit.name not in draft.files:
        return
    wanted: dict[str, bytes] = {}
    if _is_turn(edit) and len(titles) == len(_TITLES):
        wanted = dict(zip(_TITLES, reversed(titles.values()), strict=True))
    for hunk in hunks if not wanted else ():
        own = _key_of(hunk)
        at = [key for key in sorted(titles, key=lambda key: key != own) if titles[key] == hunk.new]
        if own in _TITLES and at:
            wanted[at[0]] = hunk.old
    for key, title in wanted.items():
        head = document.read(draft.files[edit.name]).head
        if head is not None and not head.odd and key in head.values:
            draft.splice(edit.name, head.values[key].start, head.values[key].end, title, soft=True)


def _named_back(draft: Draft, name: str, gone: FileEdit, came: FileEdit) -> None:
    """What the file says of its relation as it was, in its head and its name: a title at one end, its kind,
    which way it leads. What else became of the name since stays."""
    edit = FileEdit(name, "", came.after, came.hunks)
    _said_back(draft, edit)
    old, new, now = map(named_edge, (gone.name, came.name, name))
    if not (old and new and now):
        return
    kind = old.kind if now.kind == new.kind else now.kind
    ends = [now.source, now.target]
    if _is_turn(edit) and (old.source, old.target) == (new.target, new.source):
        ends.reverse()
    else:
        for at, (was, said) in enumerate(((old.source, new.source), (old.target, new.target))):
            here = at if ends[at] == said else 1 - at  # it was turned round since
            if was != said and ends[here] == said:
                ends[here] = was
    target = replace(now, source=ends[0], kind=kind, target=ends[1]).name
    if target != name and target not in draft.files:
        draft.move(name, target)


def _titles(draft: Draft, name: str) -> dict[str, bytes]:
    """The titles at both ends of an edge file, as they are spelled."""
    data = draft.files.get(name, b"")
    head = document.read(data).head
    values = head.values if head is not None else {}
    return {key: data[values[key].start : values[key].end] for key in _TITLES if key in values}


def _key_of(hunk: Hunk) -> str:
    """The key in whose line a value was changed."""
    return hunk.head.rpartition(b"\n")[2].partition(b":")[0].decode(errors="replace")


def _is_turn(edit: FileEdit) -> bool:
    return {"from_id", "to_id"} <= {_key_of(hunk) for hunk in edit.hunks}


# -- relations


def _relations(draft: Draft, edit: FileEdit) -> None:
    """Take back the entries that a change made in a list of relations, and those that it took out."""
    name = Tree.of(dict(draft.files)).names.get(edit.of, "")
    for hunk in reversed([hunk for hunk in edit.hunks if _is_relation(hunk)]):
        if not name:
            if not hunk.soft:
                raise _since(edit.name)
        elif _is_key(hunk.old):
            _list_again(draft, name, edit, hunk)
        elif hunk.old:
            _list_again(draft, name, edit, hunk)
            if hunk.old not in draft.files[name]:
                found = document.read(draft.files[name])
                ends = [entry.end for entry in found.relations if entry.start >= 0]
                value = found.head.values[relation_list.KEY] if found.head is not None else None
                last = max(ends, default=0) or (value.next if value is not None else 0)
                _put(draft, name, edit, hunk, last)
        elif not _is_key(hunk.new):
            at = draft.files[name].find(hunk.new)
            if at >= 0:
                draft.splice(name, at, at + len(hunk.new), b"")
            elif not hunk.soft:
                raise _since(name)


def _list_again(draft: Draft, name: str, edit: FileEdit, hunk: Hunk) -> None:
    """Have the head hold a list of relations."""
    head = document.read(draft.files[name]).head
    if head is None or head.odd:
        raise _since(name)
    if relation_list.KEY not in head.values:
        line = relation_list.KEY.encode() + b":" + head.newline
        _put(draft, name, edit, hunk if _is_key(hunk.old) else replace(hunk, old=line), head.end)


def _put(draft: Draft, name: str, edit: FileEdit, hunk: Hunk, at: int) -> None:
    """Put lines back at their old place, or at `at` where that cannot be told."""
    try:
        undo_edit(draft, FileEdit(name, "", edit.after, (replace(hunk, soft=False),)))
    except Refused:
        draft.splice(name, at, at, hunk.old)


def _since(name: str) -> Refused:
    return Refused("changed-since", f"{name} changed since, at this very place.", "Nothing was written.")


def _drop_empty(draft: Draft, id: str, was: Tree) -> None:
    """Take the list of relations away with its last entry."""
    name = Tree.of(dict(draft.files)).names.get(id, "")
    old = was.note(id)
    if not name or old is None or not old.relations:
        return
    head = document.read(draft.files[name]).head
    value = head.values.get(relation_list.KEY) if head is not None else None
    if value is not None and value.style is Style.EMPTY:
        draft.splice(name, value.line, value.next, b"")


def _reunite(draft: Draft, id: str, was: Tree) -> None:
    """Have a memory that is back tell the relations that others, which were back before it, tell of it."""
    name = Tree.of(dict(draft.files)).names.get(id, "")
    if name and id not in was.names:
        relate.reunite(draft, name, was)


# -- links


def _mend(draft: Draft, folder: Path, plan: Planned, was: Tree) -> None:
    """Have links lead to where the files are by now."""
    now = Tree.of(dict(draft.files))
    shifted = {was.names[id]: now.names[id] for id in was.names.keys() & now.names.keys()}
    shifted |= {was.edges[id]: now.edges[id] for id in was.edges.keys() & now.edges.keys()}
    shifted = {old: new for old, new in shifted.items() if old != new}
    for old, new in shifted.items():
        links.rebase(draft, new, old)
    titles = {}
    for old, new in shifted.items():
        titles[old] = document.read(was[old]).title, document.read(now[new]).title
    if shifted:
        move.mend(draft, folder, shifted, titles)
    for edit in plan.edits:
        name = now.names.get(edit.of, "")
        if not name or not is_memory(edit.name):
            continue
        for way in reversed(list(links.ways(name, draft.files[name]))):
            if way.target in draft.files:
                continue
            written = next((w for w in links.ways(edit.name, draft.files[name]) if w.start == way.start), way)
            found = written.target if written.target in draft.files else ""
            found = found or now.names.get(_moved_to(way.target, now) or _moved_to(written.target, now), "")
            if found:
                draft.splice(name, way.start, way.end, links.path_to(found, name), soft=True)


def _moved_to(target: str, now: Tree) -> str:
    """The memory to which a link of our own led: it may be called anything by now, but for the digits."""
    found = ending_alike(target, now)
    return found[0] if len(found) == 1 else ""
