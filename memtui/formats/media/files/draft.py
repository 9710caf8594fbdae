"""A draft: the bytes of a store's files while changes are worked out on them.

Nothing here reads or writes a disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping

from memtui.formats.media.files import wording
from memtui.formats.media.files.digests import BlockDigest, digest, digest_of
from memtui.formats.media.files.hunks import CONTEXT, FileEdit, Hunk, find_new
from memtui.formats.media.files.position_map import PositionMap
from memtui.formats.media.files.tally import Mark, Tally
from memtui.values import Opaque


class Draft:
    """Files in memory, by name. Changes go through `splice`, `create`, `remove` and `move`; `take_edits`
    returns those since its last call as edits, one per file.

    `caches` are for the format: by what is cached, the bytes it was computed from, and the value.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        modes: Mapping[str, int] | None = None,
        identity: Callable[[str, bytes], str] = lambda name, data: "",
    ) -> None:
        self.initial_files: Mapping[str, bytes] = dict(files)
        self.files: dict[str, bytes] = dict(files)
        self.modes = dict(modes or {})
        self.identity = identity
        self.edits: list[FileEdit] = []
        self.affected_anchors: set[str] = set()  # whose records change with the pending change
        self.caches: dict[str, tuple[bytes, Opaque]] = {}
        self.removals = 0  # after each, a name may be free again
        self._changed: list[str] = []  # the files that changed, in order, for those who count in them
        self._tallies: dict[Mark, tuple[Tally, int]] = {}  # with how many changes are counted
        self._position_map: tuple[int, PositionMap] = (0, PositionMap())  # with the number of edits in it
        self._moved: dict[str, str] = {}  # pending renames, old name to new
        self._originals: dict[str, bytes | None] = {}  # of files with pending changes
        self._hunks: dict[str, list[Hunk]] = {}
        self._digests: dict[str, BlockDigest] = {}

    def splice(self, name: str, start: int, end: int, new: bytes, *, best_effort: bool = False) -> None:
        """Replace the bytes from `start` to `end` (exclusive) by `new`."""
        data = self.files[name]
        old = data[start:end]
        if old == new:
            return
        self._originals.setdefault(name, data)
        head, tail = data[max(0, start - CONTEXT) : start], data[end : end + CONTEXT]
        self._hunks.setdefault(name, []).append(Hunk(start, old, new, head, tail, best_effort))
        view = memoryview(data)
        self.files[name] = b"".join((view[:start], new, view[end:]))
        self._changed.append(name)

    def create(self, name: str, data: bytes, mode: int = 0o600) -> None:
        """Add a file. Raises Refused if there is one of that name."""
        if name in self.files:
            raise wording.file_exists(name)
        old = self._originals.setdefault(name, None)
        if old is not None:  # removed and created in one change: its bytes were replaced
            self._hunks[name] = [Hunk(0, old, data)]
        self.files[name] = data
        self.modes[name] = mode
        self._changed.append(name)

    def remove(self, name: str) -> None:
        """Remove a file."""
        self._originals.setdefault(name, self.files[name])
        del self.files[name]
        self.removals += 1
        self._changed.append(name)

    def move(self, name: str, new: str) -> None:
        """Rename a file; later changes go to the new name."""
        data, mode = self.files[name], self.modes.get(name, 0o600)
        self.create(new, data, mode)
        self.remove(name)
        self._hunks[new] = self._hunks.pop(name, [])
        first = next((old for old, now in self._moved.items() if now == name), name)
        self._moved.pop(first, None)
        if first != new:
            self._moved[first] = new

    def take_edits(self) -> tuple[FileEdit, ...]:
        """Return the edits since the last call, one per file."""
        edits: list[FileEdit] = []
        for name, old in self._originals.items():
            new = self.files.get(name)
            mode = self.modes.get(name, 0o600)
            known = old if old is not None else new
            identity = "" if known is None else self.identity(name, known)
            if old is None and new is not None:
                moved = name in self._moved.values()
                hunks = tuple(self._hunks.get(name, ())) if moved else ()
                edits.append(FileEdit(name, None, digest(new), hunks, new, mode, identity=identity))
            elif old is not None and new is None:
                before, moved_to = self._digest(name, old), self._moved.get(name, "")
                edits.append(FileEdit(name, before, None, (), old, mode, moved_to, identity))
            elif old is not None and new is not None and old != new:
                hunks = tuple(self._hunks.get(name, ()))
                before = self._digest(name, old)
                same = min((hunk.start for hunk in hunks), default=0)
                after = self._digest(name, new, same)
                edits.append(FileEdit(name, before, after, hunks, identity=identity))
        self._forget_pending()
        self.edits += edits
        return tuple(edits)

    def drop_edits(self) -> None:
        """Go back to the state at the last `take_edits`."""
        for name, old in self._originals.items():
            if old is None:
                self.files.pop(name, None)
            else:
                self.files[name] = old
            self._changed.append(name)
        self._forget_pending()

    def _forget_pending(self) -> None:
        self._originals, self._hunks, self._moved, self.affected_anchors = {}, {}, {}, set()

    def pending(self) -> list[tuple[str, int]]:
        """Return the positions where changes start that `take_edits` has not returned yet."""
        existing = [(name, hunks) for name, hunks in self._hunks.items() if name in self.files]
        return [(name, hunk.start) for name, hunks in existing for hunk in hunks]

    def originals(self) -> Mapping[str, bytes | None]:
        """Return what the files with pending changes were before, None for those that did not exist."""
        return self._originals

    def matches(self, edit: FileEdit) -> bool:
        """Return whether the file is, to the byte, as `edit` left it."""
        data = self.files.get(edit.name)
        return edit.after == (None if data is None else self._digest(edit.name, data))

    def savepoint(self) -> tuple[dict[str, bytes], dict[str, int], int]:
        """Return the current state for `roll_back`; nothing may be pending."""
        return dict(self.files), dict(self.modes), len(self.edits)

    def roll_back(self, savepoint: tuple[dict[str, bytes], dict[str, int], int]) -> None:
        """Forget all edits since `savepoint`."""
        then = savepoint[0]
        self._changed += [
            name for name in self.files.keys() | then.keys() if self.files.get(name) is not then.get(name)
        ]
        self.removals += 1
        self.files, self.modes = dict(then), dict(savepoint[1])
        del self.edits[savepoint[2] :]
        self._position_map = (0, PositionMap())

    def tally(self, mark: Mark) -> Counter[Hashable]:
        """Return how many files have each mark; only those that changed since the last call are marked."""
        return self._tally(mark).counts

    def most_common(self, mark: Mark) -> Hashable:
        """Return the mark that most files have, of several that of the first file; None without any."""
        tally = self._tally(mark)
        most = max(tally.counts.values(), default=0)
        best = [each for each, count in tally.counts.items() if count == most]
        return best[0] if len(best) == 1 else tally.first_of(best, self.files)

    def _tally(self, mark: Mark) -> Tally:
        tally, counted = self._tallies.get(mark, (None, 0))
        if tally is None:
            tally = Tally(mark)
            tally.update(self.files, self.files, self.modes)
        else:
            tally.update(dict.fromkeys(self._changed[counted:]), self.files, self.modes)
        self._tallies[mark] = tally, len(self._changed)
        return tally

    @property
    def renamed(self) -> dict[str, str]:
        """The files that the edits so far renamed, old name to new."""
        return {edit.name: edit.moved_to for edit in self.edits if edit.moved_to}

    @property
    def position_map(self) -> PositionMap:
        """Where positions of the initial files are now."""
        count, positions = self._position_map
        for edit in self.edits[count:]:
            positions.add(edit)
        self._position_map = len(self.edits), positions
        return positions

    def _digest(self, name: str, data: bytes, same: int = 0) -> str:
        """Return the digest of a file whose first `same` bytes are those of the last call for it."""
        known = self._digests.get(name)
        if known is None or known.data is not data:
            known = self._digests[name] = BlockDigest(data, known, same)
        return known.digest


def undo_edit(draft: Draft, edit: FileEdit) -> None:
    """Undo one edit in the draft, at its old offsets or where its bytes are now. Raises Refused with code
    "changed-since"."""
    data = draft.files.get(edit.name)
    if edit.before is None or edit.after is None:
        if not draft.matches(edit):
            raise wording.changed_at_place(edit.name)
        if edit.before is None:
            draft.remove(edit.name)
        else:
            draft.create(edit.name, edit.content, edit.mode)
        return
    if data is None:
        raise wording.changed_at_place(edit.name)
    exact = draft.matches(edit)
    found: list[tuple[int, Hunk]] = []
    for hunk in reversed(edit.hunks):
        start = hunk.start if exact else find_new(data, hunk)
        if start is None and not hunk.best_effort:
            raise wording.changed_at_place(edit.name)
        if start is not None:
            data = data[:start] + hunk.old + data[start + len(hunk.new) :]
            found.append((start, hunk))
    for start, hunk in found:
        draft.splice(edit.name, start, start + len(hunk.new), hunk.old, best_effort=hunk.best_effort)


def redo_edit(draft: Draft, edit: FileEdit) -> None:
    """Make one edit in a file that others changed meanwhile, where its old bytes are now. Raises Refused with
    code "changed-since"."""
    data = draft.files.get(edit.name)
    if edit.before is None or edit.after is None:
        if digest_of(data) != edit.before:
            raise wording.changed_at_place(edit.name)
        if edit.before is None:
            draft.create(edit.name, edit.content, edit.mode)
        else:
            draft.remove(edit.name)
        return
    if data is None:
        raise wording.changed_at_place(edit.name)
    for hunk in edit.hunks:
        start = find_new(draft.files[edit.name], hunk.inverted())
        if start is None and not hunk.best_effort:
            raise wording.changed_at_place(edit.name)
        if start is not None:
            draft.splice(edit.name, start, start + len(hunk.old), hunk.new, best_effort=hunk.best_effort)
