"""Every sentence about settling pairs."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSettled, Refused
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    DISCARD_BOTH,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
)
from memtui.text import after_colon, counted
from memtui.workspace.changes.wording import KEPT_IN_MEMTUI

NOTHING_CHANGED = "Nothing was changed."

# What a verdict did to a pair; of one that is none, by whether it was found as a duplicate.
SETTLED = {
    KEEP_A: "Kept A",
    KEEP_B: "Kept B",
    MERGE: "Merged into A",
    BOTH_TRUE: "Marked both as true",
    LATER: "Snoozed for 7 days",
    DISCARD_BOTH: "Discarded both memories",
}
NOT_A_DUPLICATE = "Marked as not a duplicate"
NO_CONTRADICTION = "Marked as not a contradiction"
STORE_KEEPS_RELATION = "the store still marks them as contradictory"

# What a verdict would do.
BOTH_STAY = "Both memories stay unchanged."
NOT_ASKED_AGAIN = "You won't be asked again unless either text changes."
ASKED_AGAIN_LATER = "Both memories stay unchanged. You'll be asked again in 7 days."
WINNER_KEPT_IN_MEMTUI = "memtui remembers which one replaced it."
CONTRADICTION_REMOVED = "The relation that marks them as contradictory is removed."


# -- why a verdict cannot be given


def unknown_verdict(known: Iterable[str]) -> Refused:
    return Refused("verdict", f"The verdict must be one of {', '.join(known)}.", NOTHING_CHANGED)


def one_by_one(known: Iterable[str]) -> Refused:
    return Refused(
        "verdict",
        f"Several pairs can be resolved only as {', '.join(known)}.",
        "Resolve the others one by one.",
    )


def stopped() -> Refused:
    return Refused("stopped", "Stopped before any pair was resolved.", NOTHING_CHANGED)


def text_changed() -> Refused:
    return Refused("changed", "Not resolved: one of the two texts has changed.", "Read both again.")


def changed_since_found() -> Refused:
    return Refused(
        "changed-since",
        "This pair is no longer open: one of the memories was changed or removed.",
        NOTHING_CHANGED,
    )


def empty_merge() -> Refused:
    return Refused("empty", "Not merged: the text is empty.", "Enter the text for A.")


def blocked(reason: str) -> NotSettled:
    return NotSettled("blocked", reason, NOTHING_CHANGED)


def settled_already(verdict: str, entry_id: int) -> str:
    return f"Already resolved: {verdict}. Undo it with: memtui undo {entry_id}"


def not_live(letter: str, status: str) -> str:
    """Of memory A or B, whose `status` is "" if it is not in its store."""
    return f"{letter} is {status or 'no longer in its store'}; restore it first."


def blocked_memory(letter: str, reason: str) -> str:
    return f"{letter}: {after_colon(reason)}"


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def detached(store: str) -> Refused:
    return Refused("detached", f"{store} is detached.", "Attach it first.")


# -- what a verdict did


def settled(verdict: str, *, is_duplicate: bool, until: str | None) -> str:
    """`until` is the time at which a snoozed pair returns, if it was chosen."""
    if verdict == FALSE_POSITIVE:
        return NOT_A_DUPLICATE if is_duplicate else NO_CONTRADICTION
    return f"Snoozed until {until[:10]}" if verdict == LATER and until else SETTLED[verdict]


def settled_summary(settled: str, places: str) -> str:
    """ "Kept A; saved in founder-os"; `places` is "" if the verdict changes neither memory."""
    if places == KEPT_IN_MEMTUI:
        return f"{settled}; saved in memtui only"
    return f"{settled}; saved {places}" if places else settled


def settled_many(settled: str, count: int) -> str:
    """ "Marked both as true: 12 pairs; saved in memtui only"."""
    return f"{settled}: {counted(count, 'pair')}; saved in memtui only"


def relations_moved(total: int, local: int) -> str:
    """ "moved 2 relations (1 kept in memtui)"."""
    return f"moved {counted(total, 'relation')}{_kept(total, local)}"


# -- what a verdict would do


def relations_would_move(total: int, local: int, loser: str, winner: str) -> str:
    moves = counted(total, "relation moves", "relations move")
    return f"{moves} from {loser} to {winner}{_kept(total, local)}."


def _kept(total: int, local: int) -> str:
    if not local:
        return ""
    return f" ({KEPT_IN_MEMTUI})" if local == total else f" ({local:,} {KEPT_IN_MEMTUI})"


def replaces(loser: str, winner: str) -> str:
    return f"{winner} replaces {loser}"


def is_discarded(letter: str) -> str:
    return f"{letter} is discarded"


def leaving(event: str, letter: str, store: str, status: str, action: str) -> str:
    """ "A replaces B: in minions, B's status becomes superseded."; `action` if there is no status."""
    if status:
        return f"{event}: in {store}, {letter}'s status becomes {status}."
    return f"{event}: in {store}, memtui {action}."


def leaving_unreachable(event: str, store: str) -> str:
    return f"{event}, but the store {store} can't be reached."


def adaptations_reverted(count: int) -> str:
    return f"{counted(count, 'adaptation is', 'adaptations are')} reverted."


def leaves_though_pinned(letter: str) -> str:
    return f"{letter} is pinned, but the pin is ignored here."


def merged(store: str, *, text_stays: bool) -> str:
    return f"A {'keeps its text' if text_stays else 'gets the merged text'} in {store}."


def merged_with_tags(store: str, *, text_stays: bool, tags_in_store: bool) -> str:
    text = "keeps its text" if text_stays else "gets the merged text"
    if tags_in_store:
        return f"A {text} and {'gets ' if text_stays else ''}both sets of tags in {store}."
    return f"A {text} in {store}; both sets of tags are kept in memtui."


def becomes_pinned(consequence: str) -> str:
    return f"A will be pinned too, because B is pinned: this {consequence}."


def several_values(attribute: str) -> str:
    """What both true implies; `attribute` is "" where there is no name for it."""
    if not attribute:
        return "From now on, more than one value is allowed."
    return f"From now on, “{attribute}” may have several values."


def contradiction_stays(reason: str) -> str:
    return f"The store will still mark them as contradictory: {after_colon(reason)}"


def suggestion_blocked(verdict: str, reason: str) -> str:
    return f"The suggested verdict, {verdict}, isn't possible right now: {after_colon(reason)}"
