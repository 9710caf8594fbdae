"""Plan the lines in MEMORY.md that memory files lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode, document, growing_index, memory_index, wording
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Record
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.syntax.markdown import first_words


def plan(store: ClaudeCode, refs: Sequence[str]) -> list[Plan | Refused]:
    """Return for each record the plan that adds its line and leaves the memory file as it is, or why it has
    none: the record is gone, or has a line. Raise Refused if the store is read-only."""
    if reason := store.locked_reason():
        raise wording.locked(reason)
    files, modes = store.load()
    before = store.parse(files)
    records = {each.ref: each for each in before.records if each.position[1] < 0}
    index = memory_index.read(files.get(INDEX_FILE, b""))
    answers: dict[str, Plan | Refused] = {}
    steps: dict[str, Step] = {}
    for ref in refs:
        record = records.get(ref)
        if record is None:
            answers[ref] = wording.file_gone(ref)
        elif index.entries_for(record.position[0]):
            answers[ref] = wording.listed_already(record.position[0])
        else:
            mode = modes.get(record.position[0], 0o600)
            steps[ref] = Step(_adding(store, record, files[record.position[0]], mode))
    results = store.work_out(before, Draft(files, modes), list(steps.values())) if steps else ()
    answers |= dict(zip(steps, results, strict=True))
    return [answers[ref] for ref in refs]


def _adding(store: ClaudeCode, record: Record, data: bytes, mode: int) -> Callable[[Draft], Plan]:
    """Return the step that adds the line of a memory file, whose bytes and mode are given."""
    file, note = record.position[0], document.read(data)
    title = str(record.fields.get("title") or "") or first_words(note.content) or file
    description = note.text("description") or first_words(note.content, 150)
    hook = f" — {' '.join(description.split())}" if description.strip() else ""

    def add_line(draft: Draft) -> Plan:
        ensure_writable(store.folder, draft, INDEX_FILE)
        growing_index.add_line(draft, f"- [{memory_index.escape_title(title)}]({file}){hook}", mode)
        return Plan(record.ref, None, draft.take_edits(), changed_fields=("title",))

    return add_line
