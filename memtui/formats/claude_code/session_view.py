"""Which memories are in the part of MEMORY.md that Claude Code loads, and which are not (S-72, FORMATS 6).

Of a memory file only its line in the index is loaded; the agent reads the file itself when it needs it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memtui.formats.claude_code import memory_index, session_start
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.claude_code.session_start import MAX_LINES, MAX_UNITS, Loaded, Span
from memtui.formats.contract.records import Record
from memtui.formats.contract.session_view import Cut, Passage, SessionView

CLIENT = "claude-code"
_COMMENTS = 20  # listed one by one; more are listed as one


def session_view(files: Mapping[str, bytes], records: Sequence[Record]) -> SessionView:
    """Return what is loaded of these files; `records` are the memories in them."""
    data = files.get(INDEX_FILE, b"")
    loaded = session_start.load(data)
    places = list(_places(data, records))
    passages: list[Passage] = []
    hidden: list[tuple[str, int]] = []
    for ref, start, end in places:
        first, last = bisect_left(loaded.origin, start), bisect_left(loaded.origin, end)
        if first < last:
            passages.append(Passage(ref, first, last))
        else:
            hidden.append((ref, start))
    shown = {each.ref for each in passages}
    cut = list(_cuts(loaded, [each for each in hidden if each[0] not in shown]))
    listed = {ref for ref, _, _ in places}
    if unlisted := tuple(each.ref for each in records if each.ref not in listed):
        cut.append(Cut("no-line", unlisted))
    limits = {"lines": MAX_LINES, "utf16_units": MAX_UNITS}
    return SessionView(CLIENT, loaded.text, limits, tuple(passages), tuple(cut))


def _places(data: bytes, records: Sequence[Record]) -> Iterator[tuple[str, int, int]]:
    """Yield the memories in the index, each with the characters of the file that show it, in order."""
    index = memory_index.read(data)
    by_position = {each.position: each.ref for each in records}
    found: list[tuple[str, int, int]] = []
    for entry in index.entries:
        if ref := by_position.get((entry.target, -1)):
            found.append((ref, entry.start, entry.end))
    for block in index.blocks:
        if ref := by_position.get((INDEX_FILE, block.start)):
            found.append((ref, block.start, block.end))
    spans = [(ref, a, a + len(data[a:b].rstrip(b"\r\n"))) for ref, a, b in found]
    characters = _characters(data, (at for _, a, b in spans for at in (a, b)))
    for ref, a, b in sorted(spans, key=lambda each: each[1]):
        yield ref, characters[a], characters[b]


def _characters(data: bytes, offsets: Iterable[int]) -> dict[int, int]:
    """Return the offsets of bytes as offsets of characters in the decoded file."""
    out: dict[int, int] = {}
    done = count = 0
    for at in sorted(set(offsets)):
        part = data[done:at]
        count += len(session_start.decoded(part) if done == 0 else part.decode("utf-8", "replace"))
        done, out[at] = at, count
    return out


def _cuts(loaded: Loaded, hidden: Sequence[tuple[str, int]]) -> Iterator[Cut]:
    """Yield what of the index is missing, in order; comments beyond the first few as one."""
    starts = [start for _, start in hidden]
    comments: list[Span] = []
    others: list[Span] = []
    for each in loaded.missing:
        (comments if each.code == "comment" else others).append(each)
    groups = [[each] for each in (*comments[:_COMMENTS], *others)]
    if rest := comments[_COMMENTS:]:
        groups.append(rest)
    for group in sorted(groups, key=lambda group: group[0].start):
        parts = [loaded.source[each.start : each.end].strip("\r\n") for each in group]
        first = loaded.source.count("\n", 0, group[0].start) + 1
        end = group[-1].start + len(loaded.source[group[-1].start : group[-1].end].rstrip("\r\n"))
        last = first + loaded.source.count("\n", group[0].start, end)
        near = slice(bisect_left(starts, group[0].start), bisect_left(starts, group[-1].end))
        refs = () if group[0].code == "comment" else tuple(dict.fromkeys(ref for ref, _ in hidden[near]))
        yield Cut(group[0].code, refs, (first, last), INDEX_FILE, "\n".join(parts))
