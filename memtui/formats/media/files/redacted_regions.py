"""Changes of a file as regions of its bytes, each change seen in terms of another (S-62)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memtui.formats.media.files.hunks import CONTEXT, Hunk


@dataclass(frozen=True, slots=True)
class Region:
    """The bytes `old` at offset `start` of a file, which become `new`."""

    start: int
    old: bytes
    new: bytes
    best_effort: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.old)


def regions_of(hunks: Iterable[Hunk]) -> list[Region] | None:
    """Return hunks, whose offsets count after those before them, as regions of the file before all of them,
    in the same order; None where two touch each other."""
    found: list[Region] = []
    for hunk in hunks:
        start = hunk.start
        for region in sorted(found, key=lambda each: each.start):
            if start >= region.start + len(region.new):
                start += len(region.old) - len(region.new)
            elif start + len(hunk.old) > region.start:
                return None
            else:
                break
        found.append(Region(start, hunk.old, hunk.new, hunk.best_effort))
    return found


def applied(data: bytes, regions: Iterable[Region]) -> bytes:
    """Return a file after the changes of these regions."""
    for region in sorted(regions, key=lambda each: -each.start):
        data = data[: region.start] + region.new + data[region.end :]
    return data


def after(regions: Sequence[Region], changed: Iterable[Region]) -> list[Region]:
    """Return `changed` as seen from behind the others: their offsets count after `regions`."""
    out = []
    for each in changed:
        moved = sum(len(r.new) - len(r.old) for r in regions if r.end <= each.start)
        out.append(replace(each, start=each.start + moved))
    return out


def inverted(regions: Sequence[Region]) -> list[Region]:
    """Return the regions that take these back, of the file after them."""
    return [
        Region(a.start, r.new, r.old, r.best_effort)
        for r, a in zip(regions, after(regions, regions), strict=True)
    ]


def apart(one: Iterable[Region], others: Sequence[Region]) -> bool:
    """Return whether no region touches one of the others; both are of the same file."""
    return all(a.end < b.start or b.end < a.start for a in one for b in others)


def hunks_between(
    before: bytes,
    regions: Sequence[Region],
    redacted_before: Sequence[Region],
    redacted_after: Sequence[Region],
) -> tuple[Hunk, ...] | None:
    """Return a file's change as hunks of the redacted file.

    `regions` are the change, `redacted_before` what is redacted in the file `before` it, `redacted_after` in
    the file after it. None where what is redacted reaches over the edge of what was changed.
    """
    changed = inverted(regions)
    edges = [(region, after_region) for region, after_region in zip(regions, changed, strict=True)]
    inside_before = [[s for s in redacted_before if r.start <= s.start and s.end <= r.end] for r, _ in edges]
    inside_after = [[s for s in redacted_after if a.start <= s.start and s.end <= a.end] for _, a in edges]
    outside = [s for s in redacted_before if not any(s in each for each in inside_before)]
    outside_after = [s for s in redacted_after if not any(s in each for each in inside_after)]
    if not apart(regions, outside) or after(regions, outside) != outside_after:
        return None
    text = applied(before, redacted_before)
    hunks: list[Hunk] = []
    done: list[tuple[Region, int]] = []  # with how much longer the redacted file is since
    for (region, changed_to), old_inside, new_inside in zip(edges, inside_before, inside_after, strict=True):
        old = applied(region.old, [replace(s, start=s.start - region.start) for s in old_inside])
        new = applied(region.new, [replace(s, start=s.start - changed_to.start) for s in new_inside])
        start = region.start + sum(
            len(s.new) - len(s.old) for s in redacted_before if s.end <= region.start and s not in old_inside
        )
        start += sum(grown for other, grown in done if other.start < region.start)
        head, tail = (
            text[max(0, start - CONTEXT) : start],
            text[start + len(old) : start + len(old) + CONTEXT],
        )
        hunks.append(Hunk(start, old, new, head, tail, region.best_effort))
        text = text[:start] + new + text[start + len(old) :]
        done.append((region, len(new) - len(old)))
    return tuple(hunks)


def whole_difference(before: bytes, now: bytes) -> Hunk:
    """Return the one hunk that makes the second file of the first."""
    start, most = 0, min(len(before), len(now))
    while start < most and before[start] == now[start]:
        start += 1
    same = 0
    while same < most - start and before[-1 - same] == now[-1 - same]:
        same += 1
    end, end_now = len(before) - same, len(now) - same
    head, tail = before[max(0, start - CONTEXT) : start], before[end : end + CONTEXT]
    return Hunk(start, before[start:end], now[start:end_now], head, tail)
