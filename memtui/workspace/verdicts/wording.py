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
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."

# What a verdict did to a pair; of one that is none, by whether it was found as a duplicate.
SETTLED = {
    KEEP_A: "Kept A of 1 pair",
    KEEP_B: "Kept B of 1 pair",
    MERGE: "Merged 1 pair into A",
    BOTH_TRUE: "Both are true, 1 pair",
    LATER: "Put off 1 pair",
    DISCARD_BOTH: "Discarded both of 1 pair",
}
NOT_A_DUPLICATE = "Not the same, 1 pair"
NO_CONTRADICTION = "No contradiction, 1 pair"
STORE_KEEPS_RELATION = "their store still says that they contradict"
KEPT_IN_MEMTUI = "kept in memtui"

# What a verdict would do.
BOTH_STAY = "Both memories stay as they are."
NOT_ASKED_AGAIN = "It is not asked again while both texts stand; kept in memtui."
ASKED_AGAIN_LATER = "Both memories stay as they are; it is asked again in 7 days."
WINNER_KEPT_IN_MEMTUI = "Which one it gave way to is kept in memtui."
CONTRADICTION_REMOVED = "That they contradict each other is taken away."


# -- why a verdict cannot be given


def unknown_verdict(known: Iterable[str]) -> Refused:
    return Refused("verdict", f"A verdict is one of {', '.join(known)}.", NOTHING_CHANGED)


def no_pair() -> Refused:
    return Refused("nothing", "There is no such pair.", "memtui contradictions list --all shows them.")


def text_changed() -> Refused:
    return Refused("changed", "Not settled: one of the two says something else by now.", "Look again.")


def changed_since_found() -> NotSettled:
    return NotSettled(
        "changed-since",
        "One of the two says something else since it was found; it is compared again first.",
        NOTHING_CHANGED,
    )


def empty_merge() -> Refused:
    return Refused("empty", "Not merged: the text is empty.", "Write what A is to say.")


def blocked(reason: str) -> NotSettled:
    return NotSettled("blocked", reason, NOTHING_CHANGED)


def settled_already(verdict: str, entry_id: int) -> str:
    return f"It is settled already: {verdict}. memtui undo {entry_id} takes that back."


def not_live(letter: str, status: str) -> str:
    """Of memory A or B, whose `status` is "" if it is not in its store."""
    return f"{letter} is {status or 'no longer in its store'}; restore it first."


def blocked_memory(letter: str, reason: str) -> str:
    return f"{letter}: {reason}"


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def detached(store: str) -> Refused:
    return Refused("detached", f"{store} is detached.", "Attach it again first.")


# -- what a verdict did


def settled(verdict: str, *, is_duplicate: bool) -> str:
    if verdict == FALSE_POSITIVE:
        return NOT_A_DUPLICATE if is_duplicate else NO_CONTRADICTION
    return SETTLED[verdict]


def settled_summary(settled: str, places: str) -> str:
    return f"{settled}, {places or KEPT_IN_MEMTUI}"


def relations_moved(total: int, local: int) -> str:
    """ "2 relations move along, 1 of them kept in memtui"."""
    kept = (
        "" if not local else ", kept in memtui" if local == total else f", {local:,} of them kept in memtui"
    )
    return f"{counted(total, 'relation moves', 'relations move')} along{kept}"


# -- what a verdict would do


def relations_would_move(total: int, local: int, loser: str, winner: str) -> str:
    kept = "" if not local else ", kept in memtui" if local == total else f", {local:,} kept in memtui"
    return f"{counted(total, 'relation moves', 'relations move')} from {loser} to {winner}{kept}."


def supersedes(loser: str, winner: str) -> str:
    return f"{loser} gives way to {winner}"


def leaves(letter: str) -> str:
    return f"{letter} leaves"


def leaving(event: str, store: str, status: str, action: str) -> str:
    """ "B gives way to A: in minions its status becomes superseded."; `action` if there is no status."""
    effect = f"its status becomes {status}" if status else f"memtui {action}"
    return f"{event}: in {store} {effect}."


def leaving_unreachable(event: str, store: str) -> str:
    return f"{event}: in {store} its store cannot be reached."


def adaptations_reverted(count: int) -> str:
    return f"{counted(count, 'adaptation is', 'adaptations are')} reverted."


def leaves_though_pinned(letter: str) -> str:
    return f"{letter} is pinned, and leaves all the same."


def merged(store: str, *, text_stays: bool) -> str:
    return f"A {'keeps its text' if text_stays else 'takes the merged text'}, in {store}."


def merged_with_tags(store: str, *, text_stays: bool, tags_in_store: bool) -> str:
    action = "keeps its text and takes" if text_stays else "takes the merged text and"
    kept = "" if tags_in_store else "; its tags are kept in memtui"
    return f"A {action} the tags of both, in {store}{kept}."


def becomes_pinned(consequence: str) -> str:
    return f"A is pinned, as B is: that {consequence}."


def several_values(topic: str) -> str:
    return f"From now on “{topic}” may have several values."


def contradiction_stays(reason: str) -> str:
    return f"Their store goes on saying that they contradict each other: {reason}"


def suggestion_blocked(verdict: str, reason: str) -> str:
    return f"{verdict} would be it, but that cannot be done now: {reason}"
