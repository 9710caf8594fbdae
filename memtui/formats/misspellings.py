"""Dangling links whose target differs little from one existing name, and the change that corrects them: only
the bytes of the name, wherever it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats import wording
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import clean
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable

if TYPE_CHECKING:
    from memtui.formats.media.files.store import FileStore

FindingKey = tuple[str, str, str]  # code, place, the name as written


@dataclass(frozen=True, slots=True)
class Misspelling:
    """One place where a wrong name is written: data[start:end] of a file, to be replaced by `replacement`.

    The finding of `code` at `place` is about the name `written`; `meant` is the right name as shown to the
    user. `ref` is the memory that contains the link.
    """

    code: str
    place: str
    written: str
    meant: str
    ref: str
    file: str
    start: int
    end: int
    replacement: bytes

    @property
    def finding(self) -> FindingKey:
        """The key of the finding that the correction repairs."""
        return self.code, self.place, self.written


def corrections(store: FileStore) -> dict[FindingKey, str]:
    """Return the right names by the findings that they repair; none if the store is read-only."""
    if store.locked_reason():
        return {}
    files = store.load()[0]
    return {each.finding: each.meant for each in store.misspellings(files, store.parse(files))}


def plan_corrections(store: FileStore, findings: Sequence[FindingKey]) -> list[tuple[Plan | Refused, str]]:
    """Return for each finding the plan that corrects all its misspellings, or why there is none, and the
    right name. Raise Refused if the store is read-only."""
    if reason := store.locked_reason():
        raise wording.read_only(reason)
    files, modes = store.load()
    before = store.parse(files)
    places: dict[FindingKey, list[Misspelling]] = {}
    for each in store.misspellings(files, before):
        places.setdefault(each.finding, []).append(each)
    known = [finding for finding in dict.fromkeys(findings) if finding in places]
    steps = [Step(partial(_correct, store, places[finding])) for finding in known]
    results = store.work_out(before, Draft(files, modes, store.identity), steps) if steps else ()
    answers = dict(zip(known, results, strict=True))
    return [
        (answers[finding], places[finding][0].meant)
        if finding in answers
        else (wording.no_longer_misspelled(clean(finding[2])), "")
        for finding in findings
    ]


def _correct(store: FileStore, found: Sequence[Misspelling], draft: Draft) -> Plan:
    """Replace a name in all places; those of names that were corrected before may have moved."""
    moved = draft.position_map
    for each in sorted(found, key=lambda each: (each.file, -each.start)):
        ensure_writable(store.folder, draft, each.file)
        place = moved.locate((each.file, each.start))
        if place is None:
            raise wording.no_longer_misspelled(each.written)
        file, start = place
        draft.splice(file, start, start + each.end - each.start, each.replacement)
    store.update_derived(draft)
    return Plan(found[0].ref, None, draft.take_edits(), changed_fields=("content", "title"))
