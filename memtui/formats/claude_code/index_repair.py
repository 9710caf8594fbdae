"""The plan of one line in MEMORY.md for a memory file that has none."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode, document, memory_index, writer
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.contract.adapter import Planned
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft


def plan(store: ClaudeCode, ref: str) -> Planned:
    """What adds the line of this record, and changes nothing of what it says. Raises Refused."""
    if why := store.locked():
        raise Refused("read-only", why, "Nothing was changed.")
    files, modes = store.load()
    before = store.parse(files)
    record = next((each for each in before.records if each.ref == ref and each.at[1] < 0), None)
    if record is None:
        raise Refused("gone", f"{ref} is no longer there.", "Nothing was changed.")
    file = record.at[0]
    if memory_index.read(files.get(NAME, b"")).to(file):
        raise Refused("listed", f"{file} has its line in MEMORY.md by now.", "Nothing was changed.")
    found = document.read(files[file])
    title = str(record.fields.get("title") or "") or writer.first_words(found.content) or file
    said = found.says("description") or writer.first_words(found.content, 150)
    hook = f" — {' '.join(said.split())}" if said.strip() else ""

    def listed(draft: Draft) -> Planned:
        store._may_write(draft, NAME)
        mode = modes.get(file, 0o600)
        writer.put_line(draft, f"- [{memory_index.label(title)}]({file}){hook}", mode)
        return Planned(ref, None, draft.take_edits(), changes=("title",))

    (answer,) = store._work_out(before, Draft(files, modes), [Step(listed)])
    if isinstance(answer, Refused):
        raise answer
    return answer
