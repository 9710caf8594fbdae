"""Undoing a change to files back to the exact bytes, where all writes to them since are known (S-51).

The content of a store's files is a chain of states, each the result of one of memtui's writes and known by
its digest. Where the newest writes belong to changes that are undone, the bytes before the first of them
return, in whatever order the changes are undone. A write of another program breaks the chain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, PriorWrite
from memtui.formats.media.files import wording
from memtui.formats.media.files.digests import digest_of
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.hunks import FileEdit

Splice = tuple[int, int, bytes]  # data[start:end] is replaced by these bytes


def file_names(writes: Iterable[PriorWrite]) -> set[str]:
    """Return the names of the files that were written to."""
    return {edit.name for past in writes for edit in past.plan.edits}


def reverted_edits(plan: Plan) -> list[FileEdit]:
    """Return the edits that have no effect any more once a plan is undone."""
    prior = (edit for past in plan.prior_writes if past.reverted for edit in past.plan.edits)
    return [*plan.edits, *prior]


def reverted_refs(plan: Plan) -> frozenset[str]:
    """Return the refs or anchors of the records in the changes that have no effect once a plan is undone."""
    reverted = [past.plan for past in plan.prior_writes if past.reverted]
    refs = {ref for each in reverted for ref in (each.ref, each.ref_after, *each.affected_anchors)}
    identities = {edit.identity for each in reverted for edit in each.edits}
    return frozenset({ref for ref in refs if ref} | (identities - {""}))


@dataclass(slots=True)
class _Target:
    """The state to restore a file to: its bytes before the reverted writes at the end of its chain.

    `splices` lead there, None where the file was created or removed in between. `includes_plan` is set if
    the plan is one of these writes. `mode` is for a file that is created again.
    """

    data: bytes | None
    splices: list[Splice] | None
    includes_plan: bool = False
    mode: int = 0o600


def undo_exactly(draft: Draft, plan: Plan, undo: Callable[[Draft, Plan], None]) -> None:
    """Undo a plan in the draft, down to the bytes. Raises Refused where its files have another history.

    The format's own `undo` runs first, since it knows which record is which; only what older changes left is
    corrected after it. In a batch this is the last plan, and goes back to before the first.
    """
    targets = _targets(draft, plan)
    present = set(draft.initial_files)  # what an earlier plan of the batch created is new as well
    restored = {draft.identity(name, t.data) for name, t in targets.items() if t.data is not None} - {""}
    try:
        undo(draft, plan)
    except Refused:
        draft.drop_edits()
    else:
        if any(draft.files.get(name) != target.data for name, target in targets.items()):
            draft.drop_edits()
            if _undo_single_hunk(draft, plan, targets):
                return
            undo(draft, plan)
        for target in targets.values():
            target.splices = None
        for name in draft.files.keys() - present - targets.keys():
            if draft.identity(name, draft.files[name]) in restored:  # the same file under another name
                targets[name] = _Target(None, None)
    differing = {name: t for name, t in targets.items() if t.data != draft.files.get(name)}
    _bring_to(draft, differing)


def _targets(draft: Draft, plan: Plan) -> dict[str, _Target]:
    """Return the state to restore each file to. Raises Refused if another program wrote to a file of the
    plan."""
    files = draft.initial_files
    writes = list(_writes(plan))
    own = {edit.name for past, edit in writes if past.own}
    targets: dict[str, _Target] = {}
    by_file: dict[str, list[tuple[PriorWrite, FileEdit]]] = {}
    for past, edit in writes:
        by_file.setdefault(edit.name, []).append((past, edit))
    elsewhere, stuck = _passed_elsewhere(files, by_file)
    for name in own | {edit.name for past, edit in writes if past.reverted}:
        to_file = by_file[name]
        if name not in own and digest_of(files.get(name)) != to_file[0][1].after:
            continue  # another program wrote to it
        target, _ = _target(files.get(name), to_file, _undoers(writes), elsewhere, stuck)
        if name in own and not target.includes_plan:
            raise wording.written_by_another(name)
        if draft.files.get(name) != files.get(name):
            target.splices = None
        targets[name] = target
    return targets


def _writes(plan: Plan) -> Iterable[tuple[PriorWrite, FileEdit]]:
    """Yield all edits of the newest writes to the store, newest first."""
    for past in plan.prior_writes:
        for edit in reversed(past.plan.edits):
            yield past, edit


def _undoers(writes: Iterable[tuple[PriorWrite, FileEdit]]) -> dict[int, set[int]]:
    """Return the units that undo each unit."""
    found: dict[int, set[int]] = {}
    for past, _ in writes:
        if past.undoes is not None:
            found.setdefault(past.undoes, set()).add(past.unit)
    return found


def _passed_elsewhere(
    files: Mapping[str, bytes], by_file: Mapping[str, Sequence[tuple[PriorWrite, FileEdit]]]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the units all of whose edits are among the reverted writes at the ends of their files' chains,
    and those that move a file of which not both edits are.

    A file that was put back under another name has its removal in one file and its return in another: both
    are taken back, or neither. What was written to it while it had the other name would be lost.
    """
    undoers = _undoers(each for writes in by_file.values() for each in writes)
    everywhere = frozenset(past.unit for writes in by_file.values() for past, _ in writes)
    moving, stuck = _moving(by_file), frozenset[int]()
    while True:
        failed, failed_moves = set[int](), set[int]()
        for name, writes in by_file.items():
            _, passed = _target(files.get(name), writes, undoers, everywhere, stuck)
            failed |= {past.unit for past, _ in writes} - passed
            failed_moves |= {past.unit for past, edit in writes if _is_whole(edit)} - passed
        failed_moves &= moving
        if not failed & everywhere and failed_moves <= stuck:
            return everywhere, stuck
        everywhere -= failed
        stuck |= failed_moves


def _moving(by_file: Mapping[str, Sequence[tuple[PriorWrite, FileEdit]]]) -> frozenset[int]:
    """Return the units that move a file: that remove one and create one."""
    edits = [each for writes in by_file.values() for each in writes]
    removing = {past.unit for past, edit in edits if edit.after is None}
    return frozenset(past.unit for past, edit in edits if edit.before is None and past.unit in removing)


def _is_whole(edit: FileEdit) -> bool:
    """Return whether an edit creates or removes its file."""
    return None in (edit.before, edit.after)


def _target(
    data: bytes | None,
    writes: Sequence[tuple[PriorWrite, FileEdit]],
    undoers: Mapping[int, set[int]],
    elsewhere: frozenset[int],
    stuck: frozenset[int],
) -> tuple[_Target, set[int]]:
    """Return the state to restore a file to, given the writes to it, newest first, and the units whose edits
    of it are all taken back then. `elsewhere` are the units that are taken back in all other files, `stuck`
    those whose move of a file is not."""
    target, best = _Target(data, []), _Target(data, [])
    parts = Counter(past.unit for past, _ in writes)
    passed: Counter[int] = Counter()
    best_passed: set[int] = set()
    undone_units: set[int] = set()
    own_left = sum(past.own for past, _ in writes)
    state = digest_of(data)
    start = next((at for at, (_, edit) in enumerate(writes) if edit.after == state), len(writes))

    def is_passed(unit: int) -> bool:
        return passed[unit] == parts[unit] if unit in parts else unit in elsewhere

    for past, edit in writes[start:]:
        if edit.after != state or not past.reverted or (past.unit in stuck and _is_whole(edit)):
            break
        _step_back(target, edit)
        state = edit.before
        own_left -= past.own
        target.includes_plan = not own_left
        passed[past.unit] += 1
        undone_units |= set() if past.undoes is None else {past.undoes}
        undone_units |= {each for each in undoers.get(past.unit, ()) if each not in parts}
        # Before a write that undoes another is the result of that other one: only before both is neither.
        if all(map(is_passed, undone_units)):
            best = replace(target, splices=None if target.splices is None else [*target.splices])
            best_passed = {unit for unit in parts if passed[unit] == parts[unit]}
    return best, best_passed


def _step_back(target: _Target, edit: FileEdit) -> None:
    """Take one edit off the target's bytes."""
    if edit.before is None or edit.after is None:
        target.data, target.splices = (None if edit.before is None else edit.content), None
        target.mode = edit.mode
        return
    assert target.data is not None
    for hunk in reversed(edit.hunks):
        end = hunk.start + len(hunk.new)
        target.data = target.data[: hunk.start] + hunk.old + target.data[end:]
        if target.splices is not None:
            target.splices.append((hunk.start, end, hunk.old))


def _undo_single_hunk(draft: Draft, plan: Plan, targets: Mapping[str, _Target]) -> bool:
    """Undo a plan with a single hunk at the offset that yields the wanted bytes; return whether there is one.

    Among equal texts, the context around a hunk may match at another place.
    """
    hunks = [(edit.name, hunk) for edit in plan.edits for hunk in edit.hunks]
    if len(plan.edits) != 1 or len(hunks) != 1 or targets.keys() != {hunks[0][0]}:
        return False
    name, hunk = hunks[0]
    data, wanted = draft.files.get(name), targets[name].data
    if data is None or wanted is None:
        return False
    first, _, _ = _difference(data, wanted)
    for start in range(first, max(-1, first - len(hunk.old) - len(hunk.new) - 1), -1):
        end, after = start + len(hunk.new), start + len(hunk.old)
        fits = data[start:end] == hunk.new and wanted[start:after] == hunk.old
        if fits and data[end:] == wanted[after:]:
            draft.splice(name, start, end, hunk.old, best_effort=hunk.best_effort)
            return True
    return False


def _bring_to(draft: Draft, targets: Mapping[str, _Target]) -> None:
    """Bring the files to their targets; a removed and an added file with the same identity become a
    rename."""
    removed = {draft.identity(name, draft.files[name]): name for name, t in targets.items() if t.data is None}
    for name, target in targets.items():
        if target.data is None or name in draft.files:
            continue
        identity = draft.identity(name, target.data)
        old = removed.pop(identity, "") if identity else ""
        if old:
            draft.move(old, name)
        else:
            draft.create(name, target.data, target.mode)
    for name, target in targets.items():
        if target.data is None:
            if name in draft.files:
                draft.remove(name)
        elif target.splices is not None:
            for start, end, new in target.splices:
                draft.splice(name, start, end, new)
        elif draft.files[name] != target.data:
            draft.splice(name, *_difference(draft.files[name], target.data))


def _difference(now: bytes, wanted: bytes) -> Splice:
    """Return the one splice that turns `now` into `wanted`."""
    start, most = 0, min(len(now), len(wanted))
    while start < most and now[start] == wanted[start]:
        start += 1
    same = 0
    while same < most - start and now[-1 - same] == wanted[-1 - same]:
        same += 1
    return start, len(now) - same, wanted[start : len(wanted) - same]
