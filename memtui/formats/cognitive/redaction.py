"""Taking secrets out of a memory's file and of what repeats it: edges, relations and links of others,
episodes, the index, the generated files; and out of the names that were made of its title (S-62)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from memtui.formats.cognitive import document, episodes, links, relation_list, writer
from memtui.formats.cognitive.index import index_file
from memtui.formats.cognitive.links import FileLink
from memtui.formats.cognitive.paths import GENERATED, INDEX, is_edge, is_episodes, is_memory
from memtui.formats.cognitive.reader import Tree, find_moved
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import clean
from memtui.formats.media.files import wording
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.redact_text import (
    ensure_gone,
    place_of,
    redact_comments,
    redact_head,
    redact_json,
    redact_part,
)
from memtui.formats.media.files.tree import ensure_writable
from memtui.memory.secrets.redaction import Replacements

EPISODE_FIELDS = ("category", "content", "tags", "title")  # what changes in an episode that repeats a memory
_CUT = b"..."  # ends a title that was cut in a generated file


def redact_memory(draft: Draft, folder: Path, name: str, write: Write) -> None:
    """Redact a memory, and rename what is named after its title. Raise Refused where a file that has one of
    the values cannot be written."""
    assert write.redacted is not None
    redacted, anchor = write.redacted, document.id_of(draft.files[name]) or clean(name)
    tree = Tree.of(dict(draft.files))
    _redact_file(draft, name, redacted)
    if "content" in write.fields and document.read(draft.files[name]).content != write.fields["content"]:
        writer.set_field(draft, name, "content", write.fields["content"])  # a value of several lines
    ensure_gone(draft, name, redacted)
    moved = {name: redacted.path(name)}
    for other in [each for each in draft.files if each != name]:
        if is_edge(other) and anchor in _ends(draft.files[other]):
            ensure_writable(folder, draft, other)
            _redact_file(draft, other, redacted)
            moved[other] = redacted.path(other)
        elif is_memory(other):
            _redact_relations(draft, other, anchor, redacted)
        elif is_episodes(other):
            _redact_episodes(draft, other, anchor, tree, redacted)
        elif other in GENERATED:
            _redact_generated(draft, other, redacted)
    moved = {old: new for old, new in moved.items() if new != old}
    _update_links(draft, name, moved, redacted)
    _redact_index(draft, anchor, moved, redacted)
    for old, new in moved.items():
        draft.move(old, new)


def redact_episode(draft: Draft, name: str, start: int, redacted: Replacements) -> None:
    """Redact one episode, which begins at an offset of its file."""
    for first, end in _spans(name, draft.files[name]):
        if first == start:
            redact_part(draft, name, first, end, redacted)
            return


def _redact_file(draft: Draft, name: str, redacted: Replacements) -> None:
    """Redact a file with a head."""
    note = document.read(draft.files[name])
    redact_part(draft, name, note.start, note.end, redacted)
    _redact_relations(draft, name, None, redacted)
    set_list = partial(writer.set_list, draft, name)
    redact_head(draft, name, lambda key, text: redacted.text(text), set_list)
    redact_comments(draft, name, redacted)


def _redact_relations(draft: Draft, name: str, target: str | None, redacted: Replacements) -> None:
    """Redact the relations in a head: all, or those with `target`."""
    for number in reversed(range(len(document.read(draft.files[name]).relations))):
        note = document.read(draft.files[name])
        entry = note.relations[number]
        texts = {key: value.text for key, value in entry.values.items()}
        new = {key: redacted.text(text) for key, text in texts.items() if redacted.found_in(text)}
        if new and target in (None, entry.target) and note.head is not None:
            for start, end, data in relation_list.update_entry(note.data, note.head, entry, new):
                draft.splice(name, start, end, data)


def _redact_episodes(draft: Draft, name: str, anchor: str, tree: Tree, redacted: Replacements) -> None:
    """Redact the episodes that link to a memory."""
    data = draft.files[name]
    entries = zip(episodes.read(name, data), _spans(name, data), strict=True)
    for episode, (start, end) in reversed(list(entries)):
        ids = {_id_of(link, anchor, tree, redacted) for link in episode.links}
        if anchor in ids and redacted.found_in(data[start:end].decode(errors="replace")):
            redact_part(draft, name, start, end, redacted)
            draft.affected_anchors.add(episode.ref)


def _redact_generated(draft: Draft, name: str, redacted: Replacements) -> None:
    """Redact a generated file, also the beginnings of values where a title was cut."""
    redact_part(draft, name, 0, len(draft.files[name]), redacted)
    at = len(draft.files[name])
    while (at := draft.files[name].rfind(_CUT, 0, at)) >= 0:
        start = draft.files[name].rfind(b"\n", 0, at) + 1
        text = draft.files[name][start:at].decode("utf-8", "surrogateescape")
        kept = redacted.before(text).encode("utf-8", "surrogateescape")
        draft.splice(name, start + len(kept), at, b"")


def _update_links(draft: Draft, name: str, moved: Mapping[str, str], redacted: Replacements) -> None:
    """Have the links of other memories and edges lead to files under their new names, without the values in
    what they show."""
    for other in [each for each in draft.files if is_memory(each) or is_edge(each)]:
        changed = False
        for link in reversed(list(links.find_links(other, draft.files[other]))):
            if link.target in moved:
                path = links.path_to(moved[link.target], other)
                draft.splice(other, link.start, link.end, path)
                changed = True
            if link.target == name and redacted.found_in(link.label):
                label = redacted.text(link.label).encode()
                draft.splice(other, link.label_start, link.label_end, label)
                changed = True
        if changed and is_memory(other):
            draft.affected_anchors.add(document.id_of(draft.files[other]) or clean(other))


def _redact_index(draft: Draft, anchor: str, moved: Mapping[str, str], redacted: Replacements) -> None:
    """Redact the index, without the entries of other memories that have a value themselves."""
    data = draft.files.get(INDEX, b"")
    names = {old: new.rpartition("/")[2].removesuffix(".md") for old, new in moved.items()}
    stems = {old.rpartition("/")[2].removesuffix(".md"): new for old, new in names.items()}
    redacted = Replacements(redacted.values, {**redacted.names, **stems})
    place = place_of(data, redacted)
    if place is None:
        return
    index = index_file.read(data)
    if index is None:
        raise wording.secret_unparsable(INDEX, *place)
    tree = Tree.of(dict(draft.files))
    spans = [(span, id) for part in index.parts.values() for id, span in part.items()]
    for span, id in sorted(spans, key=lambda each: -each[0].start):
        other = tree.data_of(id) or b""
        if id == anchor or not redacted.found_in(other.decode(errors="replace")):
            start = len(index.text[: span.start].encode())
            end = start + len(index.text[span.start : span.end].encode())
            redact_json(draft, INDEX, start, end, redacted)


def _spans(name: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each episode begins and ends."""
    starts = [each.start for each in episodes.read(name, data)]
    yield from zip(starts, [*starts[1:], len(data)], strict=True)


def _id_of(link: FileLink, anchor: str, tree: Tree, redacted: Replacements) -> str:
    """Return the id of the memory that a link leads to, if only by a name that it once had."""
    if PurePosixPath(link.target).stem in redacted.names:
        return anchor
    return tree.id_at(link.target) or find_moved(link, tree)


def _ends(data: bytes) -> tuple[str, str]:
    edge = document.read(data)
    return edge.text("from_id"), edge.text("to_id")
