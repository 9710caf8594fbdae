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
    each other; `redacted` is what is redacted in the file after it. Where it renamed the file, `removed` is
    the edit of the old name."""

    edit: FileEdit
    removed: FileEdit | None
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
    names: dict[str, str] = field(default_factory=dict)  # the new ones of files that a redaction renamed

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
        renamed = _renamed(plan.edits)
        old_names = {edit.name for edit in renamed.values()}
        # A rename is gone back as a whole, where the file has its new name.
        passed = [
            self._back(edit, renamed.get(edit.name))
            for edit in reversed(plan.edits)
            if edit.name not in old_names
        ]
        # The format redacts a state of all files: it is that before the whole plan.
        groups = [self._between(each) if isinstance(each, _Passed) else each for each in passed]
        by_name = {edit.name: edit for group in groups for edit in group}
        removed = plan.removed_fields
        if removed is not None and not holds:
            removed = self.redacted.value(dict(removed))
        named = self._named([by_name[edit.name] for edit in plan.edits])
        return replace(plan, edits=named, removed_fields=removed)

    def skip(self, plan: Plan) -> None:
        """Go back before a redaction: the files were as they are but for the values, and their names."""
        renamed = _renamed(plan.edits)
        old_names = {edit.name for edit in renamed.values()}
        for edit in reversed(plan.edits):
            if edit.name in old_names:
                continue
            removed = renamed.get(edit.name)
            name = edit.name if removed is None else removed.name
            self.names[name] = self._name(edit.name)
            regions = redacted_regions.regions_of(edit.hunks)
            data = self.files.get(edit.name)
            known = edit.name not in self.unknown and digest_of(data) == edit.after
            if removed is None:
                known = known and None not in (edit.before, edit.after)
            earlier = self.regions.pop(edit.name, [])
            back = redacted_regions.inverted(regions or [])
            if not known or data is None or regions is None or not redacted_regions.apart(back, earlier):
                self.unknown |= {name, edit.name}
                continue
            del self.files[edit.name]
            self.files[name] = redacted_regions.applied(data, back)
            moved = redacted_regions.after(back, earlier)
            self.regions[name] = sorted([*moved, *regions], key=lambda each: each.start)

    def _name(self, name: str) -> str:
        return self.names.get(name) or self.redacted.path(name)

    def _named(self, edits: Sequence[FileEdit]) -> tuple[FileEdit, ...]:
        """Return edits under the names that files have without the values. What renamed a file from one value
        to another does not rename it."""
        renamed = _renamed(edits)
        out = []
        for edit in edits:
            name, moved_to = self._name(edit.name), edit.moved_to and self._name(edit.moved_to)
            removed = renamed.get(edit.name)
            if name == moved_to:
                continue
            if removed is not None and self._name(removed.name) == name:
                edit = replace(edit, before=removed.before, content=b"")
            out.append(replace(edit, name=name, moved_to=moved_to))
        return tuple(out)

    def _back(self, edit: FileEdit, removed: FileEdit | None) -> _Passed | tuple[FileEdit, ...]:
        """Go back before an edit in the real state; return the edit alone if that is not known."""
        now, old = self.files.get(edit.name), edit if removed is None else removed
        regions: list[Region] | None = []
        if removed is not None:
            before: bytes | None = removed.content
            regions = redacted_regions.regions_of(edit.hunks)
        elif edit.before is None:
            before = None
        elif now is None:
            before = edit.content
        else:
            before = now
            for hunk in reversed(edit.hunks):
                before = before[: hunk.start] + hunk.old + before[hunk.start + len(hunk.new) :]
            regions = redacted_regions.regions_of(edit.hunks)
        known = edit.name not in self.unknown and digest_of(now) == edit.after
        if not known or digest_of(before) != old.before:
            self.unknown |= {edit.name, old.name}
            return (edit,) if removed is None else (removed, edit)
        self.files.pop(edit.name, None)
        if before is not None:
            self.files[old.name] = before
        return _Passed(edit, removed, before, now, regions, self.regions.pop(edit.name, []))

    def _between(self, passed: _Passed) -> tuple[FileEdit, ...]:
        """Return an edit between the redacted states before and after it."""
        edit, before, now, after = passed.edit, passed.before, passed.now, passed.redacted
        removed = passed.removed
        name = edit.name if removed is None else removed.name
        redacted_before: list[Region] | None = []
        if before is not None and self.redacted.held_by(before):
            redacted_before = self._carried_back(passed)
            redacted_before = self._redact(name) if redacted_before is None else redacted_before
        unchanged = (edit,) if removed is None else (removed, edit)
        if redacted_before is None:
            self.unknown.add(name)
            return unchanged
        if redacted_before:
            self.regions[name] = redacted_before
        old = None if before is None else redacted_regions.applied(before, redacted_before)
        new = None if now is None else redacted_regions.applied(now, after)
        if (old, new) == (before, now):
            return unchanged
        if old is None or new is None:
            return (replace(edit, before=digest_of(old), after=digest_of(new), content=old or new or b""),)
        hunks = None
        if passed.regions is not None and before is not None:
            hunks = redacted_regions.hunks_between(before, passed.regions, redacted_before, after)
        hunks = (redacted_regions.whole_difference(old, new),) if hunks is None else hunks
        if removed is None:
            return (replace(edit, before=digest_of(old), after=digest_of(new), hunks=hunks),)
        hunks = hunks if old != new else ()
        return (
            replace(removed, before=digest_of(old), content=old),
            replace(edit, after=digest_of(new), content=new, hunks=hunks),
        )

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


def _renamed(edits: Sequence[FileEdit]) -> dict[str, FileEdit]:
    """Return the edits of the files that were renamed, by their new names."""
    return {edit.moved_to: edit for edit in edits if edit.moved_to}


def without_contexts(plan: JsonObject, redacted: Replacements) -> JsonObject | None:
    """Return a plan as JSON without the values in what stands around its hunks; None if they are in what it
    wrote or replaced itself, or a part of one may be."""
    for edit in plan.get("edits", ()):
        for hunk in edit.get("hunks", ()):
            hunk[3:5] = [redacted.behind(hunk[3]), redacted.before(hunk[4])]
    return None if redacted.in_value(plan) else plan
