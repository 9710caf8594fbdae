"""Links and index lines of a Claude Code memory that are spelled otherwise than the memory they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memtui.formats.checkup.similar_names import Names
from memtui.formats.claude_code import memory_index
from memtui.formats.claude_code.document import CODE
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.contract.adapter import Reading, clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.slips import Slip

_PATH = re.compile(rb"\]\(([^()]+)\)")


def slips(files: Mapping[str, bytes], reading: Reading) -> Iterator[Slip]:
    """Where a name stands that no memory has, and that is near to one that is there."""
    notes = {record.at[0]: record for record in reading.records if record.at[1] < 0}
    called = {
        file: (record.anchor, file.rpartition("/")[2], str(record.fields.get("title") or ""))
        for file, record in notes.items()
    }
    names = Names((name, file) for file, all in called.items() for name in all)
    wrong = {(each.place, each.about) for each in reading.findings if each.code == "dangling" and each.about}
    for place, said in sorted(wrong):
        file = names.meant(said)
        if not file or place not in files or file == place:
            continue
        link = re.compile(rb"(?<=\[\[)[ \t]*" + re.escape(said.encode()) + rb"[ \t]*(?=\]\]|[|#])")
        meant, ref = notes[file].anchor, notes[place].ref
        told = CODE.sub("", str(notes[place].fields["content"])).encode()
        linked = re.compile(rb"(?<=\]\()" + re.escape(said.encode()) + rb"(?=[)#])")
        ways = [(link, meant), (linked, file)] if "/" not in f"{place}{file}" else [(link, meant)]
        for way, name in ways:
            found = list(way.finditer(files[place]))
            if len(found) == len(way.findall(told)):  # what stands in code is no link
                for match in found:
                    yield Slip("dangling", place, said, name, ref, place, *match.span(), name.encode())
    data = files.get(NAME, b"")[:LIMIT]
    lines = memory_index.read(data)
    for entry in lines.entries:
        file = names.meant(entry.target) if entry.target not in files else ""
        path = _PATH.search(data, entry.label[1], entry.end)
        if file and path and not lines.to(file) and " " not in file and clean(file) == file:
            place = f"{NAME}, line {entry.number}"
            target = file, notes[file].ref
            yield Slip("dangling-line", place, entry.target, *target, NAME, *path.span(1), file.encode())
