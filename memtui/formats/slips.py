"""Links that lead to nobody and differ in little from the one name that they seem to mean, and the change
that puts such a slip right: only the bytes of the name, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.adapter import Planned, clean
from memtui.formats.media.files.batch import Step
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write

if TYPE_CHECKING:
    from memtui.formats.media.files.store import FileStore


@dataclass(frozen=True, slots=True)
class Slip:
    """One place where a wrong name stands: data[start:end] of a file, which `new` is to replace. A finding of
    `code` at `place` is about the name `said`; `meant` is the right one, in words. `ref` is the memory whose
    link it is."""

    code: str
    place: str
    said: str
    meant: str
    ref: str
    file: str
    start: int
    end: int
    new: bytes

    @property
    def finding(self) -> tuple[str, str, str]:
        """What the finding goes by that it mends."""
        return self.code, self.place, self.said


def found(store: FileStore) -> dict[tuple[str, str, str], str]:
    """The names that are meant, by the findings that they mend."""
    if store.locked():
        return {}
    files = store.load()[0]
    return {slip.finding: slip.meant for slip in store.slips(files, store.parse(files))}


def plan(store: FileStore, finding: tuple[str, str, str]) -> tuple[Planned, str]:
    """What puts the slips of a finding right, and what they then say. Raises Refused."""
    if why := store.locked():
        raise Refused("read-only", why, "Nothing was changed.")
    files, modes = store.load()
    before = store.parse(files)
    slips = [slip for slip in store.slips(files, before) if slip.finding == finding]
    if not slips:
        raise Refused("gone", f"{clean(finding[2])} stands there no longer.", "Nothing was changed.")

    def mended(draft: Draft) -> Planned:
        for slip in _last_first(slips):
            may_write(store.folder, draft, slip.file)
            draft.splice(slip.file, slip.start, slip.end, slip.new)
        store.follow(draft, files)
        return Planned(slips[0].ref, None, draft.take_edits(), changes=("content", "title"))

    (answer,) = store._work_out(before, Draft(files, modes, store.identity), [Step(mended)])
    if isinstance(answer, Refused):
        raise answer
    return answer, slips[0].meant


def _last_first(slips: Sequence[Slip]) -> Iterator[Slip]:
    yield from sorted(slips, key=lambda slip: (slip.file, -slip.start))
