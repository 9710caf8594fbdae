"""Taking a change to files back to the very bytes, where all that was written in them since is known (S-51).

What a store's files say is a chain of states, each the outcome of a write of ours, known by its digest.
Where the newest of them belong to changes that are taken back, the bytes before the first of these return,
in whatever order that is done. Where another hand wrote in between, the chain breaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.formats.base import Past, Planned
from memtui.formats.draft import Draft, FileEdit
from memtui.formats.edits import digest_of


def take_back(draft: Draft, plan: Planned) -> bool:
    """Undo a plan so in the draft; False, with nothing done, where its files have another past."""
    own = {edit.name for edit in plan.edits}
    told = list(_told(plan))
    names = own | {edit.name for past, edit in told if past.dead}
    base: dict[str, bytes | None] = {}
    for name in names:
        data, met = _before(draft.files.get(name), [each for each in told if each[1].name == name], plan)
        if name in own and not met:
            return False
        if data != draft.files.get(name):
            base[name] = data
    _set(draft, base)
    return True


def _told(plan: Planned) -> Iterable[tuple[Past, FileEdit]]:
    """All edits of the store's newest writes, newest first."""
    for past in plan.since:
        for edit in reversed(past.plan.edits):
            yield past, edit


def _before(
    data: bytes | None, told: Sequence[tuple[Past, FileEdit]], plan: Planned
) -> tuple[bytes | None, bool]:
    """A file before the dead writes that it ends with, and whether `plan` is one of them."""
    state, met = digest_of(data), False
    start = next((at for at, (_, edit) in enumerate(told) if edit.after == state), len(told))
    for past, edit in told[start:]:
        if edit.after != state or not past.dead:
            break
        if edit.before is None:
            data = None
        elif edit.after is None:
            data = edit.whole
        else:
            assert data is not None
            for hunk in reversed(edit.hunks):
                data = data[: hunk.start] + hunk.old + data[hunk.start + len(hunk.new) :]
        state = edit.before
        met = met or past.mine
    return data, met


def _set(draft: Draft, base: dict[str, bytes | None]) -> None:
    """Give the files these bytes; one that goes while another of the same identity comes is renamed."""
    gone = {draft.identity(name, draft.files[name]): name for name, data in base.items() if data is None}
    for name, data in base.items():
        if data is None or name in draft.files:
            continue
        old = gone.pop(draft.identity(name, data), "") if draft.identity(name, data) else ""
        if old:
            draft.move(old, name)
        else:
            draft.create(name, data, draft.modes.get(name, 0o600))
    for name, data in base.items():
        if data is None and name in draft.files:
            draft.remove(name)
        elif data is not None and draft.files[name] != data:
            draft.splice(name, *_difference(draft.files[name], data))


def _difference(now: bytes, wanted: bytes) -> tuple[int, int, bytes]:
    """The one stretch in which two texts differ: start, end, and what is wanted there."""
    start, most = 0, min(len(now), len(wanted))
    while start < most and now[start] == wanted[start]:
        start += 1
    same = 0
    while same < most - start and now[-1 - same] == wanted[-1 - same]:
        same += 1
    return start, len(now) - same, wanted[start : len(wanted) - same]
