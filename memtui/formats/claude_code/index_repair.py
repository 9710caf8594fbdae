"""Plan the line in MEMORY.md that a memory file lacks."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode, document, growing_index, memory_index, wording
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.plans import Plan
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.syntax.markdown import first_words


def plan(store: ClaudeCode, ref: str) -> Plan:
    """Return the plan that adds the line of this record and leaves the memory file as it is.

    Raise Refused if the store is read-only, the record is gone or it has a line."""
    if reason := store.locked_reason():
        raise wording.locked(reason)
    files, modes = store.load()
    before = store.parse(files)
    record = next((each for each in before.records if each.ref == ref and each.position[1] < 0), None)
    if record is None:
        raise wording.file_gone(ref)
    file = record.position[0]
    if memory_index.read(files.get(INDEX_FILE, b"")).entries_for(file):
        raise wording.listed_already(file)
    note = document.read(files[file])
    title = str(record.fields.get("title") or "") or first_words(note.content) or file
    description = note.text("description") or first_words(note.content, 150)
    hook = f" — {' '.join(description.split())}" if description.strip() else ""

    def add_line(draft: Draft) -> Plan:
        ensure_writable(store.folder, draft, INDEX_FILE)
        mode = modes.get(file, 0o600)
        growing_index.add_line(draft, f"- [{memory_index.escape_title(title)}]({file}){hook}", mode)
        return Plan(ref, None, draft.take_edits(), changed_fields=("title",))

    (result,) = store.work_out(before, Draft(files, modes), [Step(add_line)])
    if isinstance(result, Refused):
        raise result
    return result
