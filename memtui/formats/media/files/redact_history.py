"""Past writes to files as if redacted values had never been in them (S-62).

The content of a store's files is a chain of states, each known by its digest. It is followed back from the
present; in each state the format itself redacts what had the values then, and the edits between the states
are made anew. An undo therefore leads, to the byte, to what was there but for the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memtui.formats.contract.plans import Plan
from memtui.formats.media.files import redacted_regions
from memtui.formats.media.files.digests import digest_of
from memtui.formats.media.files.hunks import FileEdit, Hunk
from memtui.formats.media.files.redacted_regions import Region
from memtui.memory.secrets.redaction import Replacements
from memtui.values import JsonObject

RedactState = Callable[[Mapping[str, bytes]], Mapping[str, Sequence[Hunk]] | None]
"""Returns, by file, the hunks by which a format redacts all records of a state; None where it cannot."""


@dataclass(frozen=True, slots=True)
class _Passed:
    """An edit, and its file before it and now: after it. `regions` are what it changed, None where they touch
    each other; `redacted` is what is redacted in the file after it."""

    edit: FileEdit
    before: bytes | None
    now: bytes | None
    regions: list[Region] | None
    redacted: list[Region]


@dataclass(slots=True)
class History:
    """The way back from the present state of a store's files.

    `files` are the real state, `regions` what is redacted in each file of it, `unknown` the files whose
    earlier states are not known. A file of which nothing is redacted has no regions.
    """

    files: dict[str, bytes]
    redacted: Replacements
    redact: RedactState
    regions: dict[str, list[Region]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        # What other memories still have is no part of this: their history keeps it.
        self.unknown |= {name for name, data in self.files.items() if self.redacted.held_by(data)}

    def keep(self, plan: Plan) -> None:
        """Leave the files alone in which a plan wrote or replaced a value that its memory holds still."""
        for edit in plan.edits:
            texts = (edit.content, *(side for hunk in edit.hunks for side in (hunk.old, hunk.new)))
            if any(map(self.redacted.held_by, texts)):
                self.unknown.add(edit.name)

    def rewritten(self, plan: Plan, holds: bool = False) -> Plan:
        """Go back before a plan, and return it between the redacted states; its memory `holds` a value still,
        or what it removed is redacted, too."""
        passed = [self._back(edit) for edit in reversed(plan.edits)]
        # The format redacts a state of all files: it is that before the whole plan.
        edits = [self._between(each) if isinstance(each, _Passed) else each for each in passed]
        removed = plan.removed_fields
        if removed is not None and not holds:
            removed = self.redacted.value(dict(removed))
        return replace(plan, edits=tuple(reversed(edits)), removed_fields=removed)

    def skip(self, plan: Plan) -> None:
        """Go back before a redaction: the files were as they are but for the values."""
        for edit in reversed(plan.edits):
            regions = redacted_regions.regions_of(edit.hunks)
            data = self.files.get(edit.name)
            known = edit.name not in self.unknown and digest_of(data) == edit.after
            if not known or data is None or None in (edit.before, edit.after) or regions is None:
                self.unknown.add(edit.name)
                continue
            earlier = self.regions.get(edit.name, [])
            back = redacted_regions.inverted(regions)
            if not redacted_regions.apart(back, earlier):
                self.unknown.add(edit.name)
                continue
            self.files[edit.name] = redacted_regions.applied(data, back)
            moved = redacted_regions.after(back, earlier)
            self.regions[edit.name] = sorted([*moved, *regions], key=lambda each: each.start)

    def _back(self, edit: FileEdit) -> _Passed | FileEdit:
        """Go back before an edit in the real state; return the edit alone if that is not known."""
        name, now = edit.name, self.files.get(edit.name)
        known = name not in self.unknown and digest_of(now) == edit.after
        renamed = None in (edit.before, edit.after) and edit.hunks and self.regions.get(name)
        if not known or renamed or self.redacted.held_by(name.encode()):
            self.unknown.add(name)
            return edit
        regions: list[Region] | None = []
        if edit.before is None:
            before = None
        elif now is None:
            before = edit.content
        else:
            before = now
            for hunk in reversed(edit.hunks):
                before = before[: hunk.start] + hunk.old + before[hunk.start + len(hunk.new) :]
            regions = redacted_regions.regions_of(edit.hunks)
        if digest_of(before) != edit.before:
            self.unknown.add(name)
            return edit
        if before is None:
            del self.files[name]
        else:
            self.files[name] = before
        return _Passed(edit, before, now, regions, self.regions.pop(name, []))

    def _between(self, passed: _Passed) -> FileEdit:
        """Return an edit between the redacted states before and after it."""
        edit, before, now, after = passed.edit, passed.before, passed.now, passed.redacted
        redacted_before: list[Region] | None = []
        if before is not None and self.redacted.held_by(before):
            redacted_before = self._carried_back(passed)
            redacted_before = self._redact(edit.name) if redacted_before is None else redacted_before
        if redacted_before is None:
            self.unknown.add(edit.name)
            return edit
        if redacted_before:
            self.regions[edit.name] = redacted_before
        old = None if before is None else redacted_regions.applied(before, redacted_before)
        new = None if now is None else redacted_regions.applied(now, after)
        if (old, new) == (before, now):
            return edit
        if old is None or new is None:
            return replace(edit, before=digest_of(old), after=digest_of(new), content=old or new or b"")
        hunks = None
        if passed.regions is not None and before is not None:
            hunks = redacted_regions.hunks_between(before, passed.regions, redacted_before, after)
        hunks = (redacted_regions.whole_difference(old, new),) if hunks is None else hunks
        return replace(edit, before=digest_of(old), after=digest_of(new), hunks=hunks)

    def _carried_back(self, passed: _Passed) -> list[Region] | None:
        """Return what is redacted before an edit that has nothing to do with it; None if it has."""
        before, now, regions = passed.before, passed.now, passed.regions
        if before is None or now is None or regions is None:
            return None
        back = redacted_regions.inverted(regions)
        same = self.redacted.held_by(before) == self.redacted.held_by(now)
        if not same or not redacted_regions.apart(back, passed.redacted):
            return None
        return redacted_regions.after(back, passed.redacted)

    def _redact(self, name: str) -> list[Region] | None:
        """Return what the format redacts in a file of the present state."""
        if not self.redacted.held_by(self.files[name]):
            return []
        found = self.redact(self.files)
        regions = None if found is None else redacted_regions.regions_of(found.get(name, ()))
        if regions is None:
            return None
        regions = sorted(regions, key=lambda each: each.start)
        kept = [each for each in regions if not each.best_effort]  # the times stay what they were
        return None if self.redacted.held_by(redacted_regions.applied(self.files[name], kept)) else kept


def without_contexts(plan: JsonObject, redacted: Replacements) -> JsonObject | None:
    """Return a plan as JSON without the values in what stands around its hunks; None if they are in what it
    wrote or replaced itself, or a part of one may be."""
    for edit in plan.get("edits", ()):
        for hunk in edit.get("hunks", ()):
            hunk[3:5] = [redacted.behind(hunk[3]), redacted.before(hunk[4])]
    return None if redacted.in_value(plan) else plan
