"""The entry that storing a memory adds to the episodes of the day: only ever appended (S-105)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.formats.cognitive import document, paths, wording
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.writer import one_line
from memtui.formats.media.files.commit import NEW_MODE
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax.timestamps import format_like

_LONGEST = 200  # characters of a summary


def append(draft: Draft, id: str, now: float, ensure_writable: Callable[[str], None]) -> None:
    """Append an entry about the memory with this id, at `now` (Unix seconds, told in UTC). Raise Refused if
    the memory is not there, or the file of the day cannot be written."""
    memory = Tree.of(dict(draft.files)).memories.get(id)
    if memory is None:
        raise wording.no_memory_for_episode()
    moment = str(format_like(now, "2026-01-01T00:00:00Z"))
    day, time = moment[:10], moment[11:16]
    name = f"{paths.EPISODES}{day}.md"
    entry = _entry(time, memory, document.read(draft.files[memory]))
    ensure_writable(name)
    if name not in draft.files:
        mode = draft.most_common(_mode_of)
        draft.create(name, f"# {day}\n\n{entry}".encode(), mode if isinstance(mode, int) else NEW_MODE)
        return
    data = draft.files[name]
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data or data.endswith(newline * 2) else newline * (1 + (not data.endswith(newline)))
    draft.splice(name, len(data), len(data), gap + entry.encode().replace(b"\n", newline))


def _mode_of(name: str, data: bytes, mode: int) -> int | None:
    return mode if paths.is_episodes(name) or paths.is_memory(name) else None


def _entry(time: str, memory: str, note: Note) -> str:
    slug = paths.split_name(memory)[0]
    lines = [f"## {time} - {note.title}", f"- **Type:** {note.type}"]
    if tags := note.list_of("tags"):
        lines.append(f"- **Tags:** {', '.join(map(one_line, tags))}")
    lines.append(f"- **Memory:** [{slug}](../{memory})")
    lines.append(f"- **Summary:** {_summary(note)}")
    return "\n".join(lines) + "\n"


def _summary(note: Note) -> str:
    """Return the text of a memory on one line, cut between words."""
    text = one_line(note.content)
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
