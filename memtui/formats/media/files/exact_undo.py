"""Taking a change to files back to the very bytes, where all that was written in them since is known (S-51).

What a store's files say is a chain of states, each the outcome of a write of ours, known by its digest.
Where the newest of them belong to changes that are taken back, the bytes before the first of these return,
in whatever order that is done. Where another hand wrote in between, the chain breaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Planned, PriorWrites
from memtui.formats.media.files.draft import Draft, FileEdit
from memtui.formats.media.files.edit_application import digest_of


def take_back(draft: Draft, plan: Planned, usual: Callable[[Draft, Planned], None]) -> None:
    """Undo a plan so in the draft. Raises Refused where its files have another past.

    The `usual` way is gone first, since it knows which record is which; only what older changes left is
    put right after it. Of a batch this is the last plan, and goes back to before the first."""
    files = draft.opened
    told = list(_told(plan))
    own = {edit.name for past, edit in told if past.mine}
    names = own | {edit.name for past, edit in told if past.dead}
    ways: dict[str, _Way] = {}
    for name in names:
        here = [each for each in told if each[1].name == name]
        if name not in own and digest_of(files.get(name)) != here[0][1].after:
            continue  # another hand has it
        way = _before(files.get(name), here)
        if name in own and not way.met:
            raise Refused("changed-since", f"{name} was written by another hand since.")
        if draft.files.get(name) != files.get(name):
            way.splices = None
        ways[name] = way
    there = set(draft.files)
    back = {draft.identity(name, way.data) for name, way in ways.items() if way.data is not None} - {""}
    try:
        usual(draft, plan)
    except Refused:
        draft.drop_edits()
    else:
        if any(draft.files.get(name) != way.data for name, way in ways.items()):
            draft.drop_edits()
            if _at_once(draft, plan, ways):
                return
            usual(draft, plan)
        for way in ways.values():
            way.splices = None
        for name in draft.files.keys() - there - ways.keys():
            if draft.identity(name, draft.files[name]) in back:  # it has another name then
                ways[name] = _Way(None, None)
    _go(draft, {name: way for name, way in ways.items() if way.data != draft.files.get(name)})


def _at_once(draft: Draft, plan: Planned, ways: Mapping[str, _Way]) -> bool:
    """Undo a plan with a single hunk at the offset that yields the wanted bytes: among equal texts, the
    context around a hunk may match at another place. Whether there was such an offset."""
    hunks = [(edit.name, hunk) for edit in plan.edits for hunk in edit.hunks]
    if len(plan.edits) != 1 or len(hunks) != 1 or ways.keys() != {hunks[0][0]}:
        return False
    name, hunk = hunks[0]
    data, wanted = draft.files.get(name), ways[name].data
    if data is None or wanted is None:
        return False
    first, _, _ = _difference(data, wanted)
    for start in range(first, max(-1, first - len(hunk.old) - len(hunk.new) - 1), -1):
        end, after = start + len(hunk.new), start + len(hunk.old)
        there = data[start:end] == hunk.new and wanted[start:after] == hunk.old
        if there and data[end:] == wanted[after:]:
            draft.splice(name, start, end, hunk.old, soft=hunk.soft)
            return True
    return False


@dataclass(slots=True)
class _Way:
    """A file's way back: its bytes before the dead writes that it ends with, the splices that lead there
    (None where it came or went in between), and whether the plan is one of those writes."""

    data: bytes | None
    splices: list[tuple[int, int, bytes]] | None
    met: bool = False
    mode: int = 0o600  # of one that comes back


def _told(plan: Planned) -> Iterable[tuple[PriorWrites, FileEdit]]:
    """All edits of the store's newest writes, newest first."""
    for past in plan.since:
        for edit in reversed(past.plan.edits):
            yield past, edit


def _before(data: bytes | None, told: Sequence[tuple[PriorWrites, FileEdit]]) -> _Way:
    way, best = _Way(data, []), _Way(data, [])
    parts = Counter(past.unit for past, _ in told)
    passed: Counter[int] = Counter()
    wanted: set[int] = set()
    mine = sum(past.mine for past, _ in told)
    state = digest_of(data)
    start = next((at for at, (_, edit) in enumerate(told) if edit.after == state), len(told))
    for past, edit in told[start:]:
        if edit.after != state or not past.dead:
            break
        if edit.before is None or edit.after is None:
            way.data, way.splices = (None if edit.before is None else edit.whole), None
            way.mode = edit.mode
        else:
            assert way.data is not None
            for hunk in reversed(edit.hunks):
                end = hunk.start + len(hunk.new)
                way.data = way.data[: hunk.start] + hunk.old + way.data[end:]
                if way.splices is not None:
                    way.splices.append((hunk.start, end, hunk.old))
        state = edit.before
        mine -= past.mine
        way.met = not mine
        passed[past.unit] += 1
        wanted |= set() if past.back is None else {past.back}
        # Before what takes a write back is the outcome of that write: only before both is neither.
        if all(unit in parts and passed[unit] == parts[unit] for unit in wanted):
            best = replace(way, splices=None if way.splices is None else [*way.splices])
    return best


def _go(draft: Draft, ways: Mapping[str, _Way]) -> None:
    """Bring the files there; one that goes while another of the same identity comes is renamed."""
    gone = {draft.identity(name, draft.files[name]): name for name, way in ways.items() if way.data is None}
    for name, way in ways.items():
        if way.data is None or name in draft.files:
            continue
        identity = draft.identity(name, way.data)
        old = gone.pop(identity, "") if identity else ""
        if old:
            draft.move(old, name)
        else:
            draft.create(name, way.data, way.mode)
    for name, way in ways.items():
        if way.data is None:
            if name in draft.files:
                draft.remove(name)
        elif way.splices is not None:
            for start, end, new in way.splices:
                draft.splice(name, start, end, new)
        elif draft.files[name] != way.data:
            draft.splice(name, *_difference(draft.files[name], way.data))


def _difference(now: bytes, wanted: bytes) -> tuple[int, int, bytes]:
    """The one stretch in which two texts differ: start, end, and what is wanted there."""
    start, most = 0, min(len(now), len(wanted))
    while start < most and now[start] == wanted[start]:
        start += 1
    same = 0
    while same < most - start and now[-1 - same] == wanted[-1 - same]:
        same += 1
    return start, len(now) - same, wanted[start : len(wanted) - same]
