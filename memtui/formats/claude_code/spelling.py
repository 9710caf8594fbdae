"""Links and index lines of a Claude Code memory that misspell the name of the memory they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memtui.formats.checkup.similar_names import Names
from memtui.formats.claude_code import memory_index
from memtui.formats.claude_code.document import CODE
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.misspellings import Misspelling

_PATH = re.compile(rb"\]\(([^()]+)\)")


def misspellings(files: Mapping[str, bytes], reading: Reading) -> Iterator[Misspelling]:
    """Yield each link and each index line whose target does not exist and is similar to one memory's name."""
    records = {record.position[0]: record for record in reading.records if record.position[1] < 0}
    names_of = {
        file: (record.anchor, file.rpartition("/")[2], str(record.fields.get("title") or ""))
        for file, record in records.items()
    }
    names = Names((name, file) for file, names in names_of.items() for name in names)
    yield from _links(files, reading, records, names)
    yield from _index_lines(files, records, names)


def _links(
    files: Mapping[str, bytes], reading: Reading, records: Mapping[str, Record], names: Names
) -> Iterator[Misspelling]:
    dangling = {
        (each.place, each.about) for each in reading.findings if each.code == "dangling" and each.about
    }
    for place, name in sorted(dangling):
        file = names.best_match(name)
        if not file or place not in files or file == place:
            continue
        spelled = re.escape(name.encode())
        wiki_link = re.compile(rb"(?<=\[\[)[ \t]*" + spelled + rb"[ \t]*(?=\]\]|[|#])")
        file_link = re.compile(rb"(?<=\]\()" + spelled + rb"(?=[)#])")
        anchor, ref = records[file].anchor, records[place].ref
        text = CODE.sub("", str(records[place].fields["content"])).encode()
        patterns = [(wiki_link, anchor)]
        if "/" not in f"{place}{file}":
            patterns.append((file_link, file))
        for pattern, meant in patterns:
            matches = list(pattern.finditer(files[place]))
            if len(matches) == len(pattern.findall(text)):  # none of them is in code
                for match in matches:
                    yield Misspelling(
                        "dangling", place, name, meant, ref, place, *match.span(), meant.encode()
                    )


def _index_lines(
    files: Mapping[str, bytes], records: Mapping[str, Record], names: Names
) -> Iterator[Misspelling]:
    data = files.get(INDEX_FILE, b"")[:LIMIT]
    index = memory_index.read(data)
    for entry in index.entries:
        file = names.best_match(entry.target) if entry.target not in files else ""
        path = _PATH.search(data, entry.label[1], entry.end)
        if file and path and not index.entries_for(file) and " " not in file and clean(file) == file:
            place = f"{INDEX_FILE}, line {entry.number}"
            meant = file, records[file].ref
            yield Misspelling(
                "dangling-line", place, entry.target, *meant, INDEX_FILE, *path.span(1), file.encode()
            )
