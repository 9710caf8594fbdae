"""Every sentence of the parts that screens and dialogs share."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

# Empty lists.
OPENING_WORKSPACE = "Opening the workspace …"
UNDOING = "Undoing …"
REDOING = "Redoing …"
DOCTOR_HELPS = "Run memtui doctor to see what is wrong; --salvage NEW recovers what can be read."
NO_MEMORY_FOUND = "No matches."

RELATION_EXISTS = "already related: press ⏎ to remove"

NO_TEXT_BESIDE = "No detail is shown here; open the memory to read it."

# The help.
FILTER_HELP = "Type to search keys and concepts"
CONCEPTS_HEADING = "Concepts"
CONCEPTS = {
    "signs": "Before a memory's text: ▌ marked, else + added or ~ changed by the last load; ★ pinned, else "
    "● new; ◆ secret, ≠ contradiction, ≈ duplicate, ? pending, ↘ fading. "
    "After it: ☾ snoozed, ◌ candidate, ✗ dismissed, » replaced, ⌛ expired, − removed.",
    "groups": "A list can be grouped by entity, folder, category or store. Keys on a heading act on all "
    "memories below it. Ranked results of a text search are not grouped.",
    "links": "In the detail of a memory, › marks a link to another one. Keys move between the links, follow "
    "one and go back. A memory that isn't in the list is shown only in the detail.",
    "quick views": "V lists all memories, or only new, flagged, pinned, fading, pending, snoozed, "
    "dismissed or removed ones, within the current search; esc on the list leaves a view. Each is a filter, "
    "such as is:pinned.",
    "Inbox": "What needs you over all stores, worst first. A key decides on the item under the cursor, and "
    "the next follows. An item goes when its cause goes, whoever removed it; u brings the last one back.",
    "new": "A new memory was added by an agent since you last marked agents' changes as seen in the Journal.",
    "secret": "Keys, tokens and passwords in memories are shown and copied as dots. One key shows those of a "
    "memory for ten seconds. An editor has ⟦secret 1⟧ in place of each: leave it, or take it out whole.",
    "pin": "A pinned memory does not decay. It keeps its place in the list; V lists the pinned ones alone.",
    "fading": "A fading memory has little strength left and will soon leave its store unless it is used "
    "or pinned.",
    "what is written where": "A change goes into the memory's own store. What the store can't hold, such as "
    "a pin, is kept in memtui's workspace.",
    "undo": "Undo reverts memtui's changes, in the stores too; z in the Journal undoes any of them. "
    "A purge or a redaction can't be undone.",
    "dismiss or purge": "Dismissing takes a memory out of use and can be undone. Purging erases its text "
    "permanently, from its store and from memtui.",
    "split": "Splitting turns one memory into several. The memory keeps the first part; the others become "
    "new memories in the same store. A single undo reverts it all.",
    "find and replace": "Finds text in the marked memories, or in the whole list if none are marked, and "
    "asks about each match. Nothing is written before you answer the last one or finish; a single undo "
    "reverts it all.",
    "rule": "A rule does the same with every memory that matches a search, such as pinning it. It is off "
    "until you switch it on, and shows before what it would touch. Of two rules that do the same kind of "
    "thing, the first one wins. What it set goes back when it is switched off.",
    "policy": "A policy says what an agent may read and write. Where several meet, the stricter one holds. "
    "What they refuse is in the Journal, without its text. Rules lists them below Agents.",
    "connection": "An entry of memtui in the settings of an agent's program. Stores lists them under "
    "Connections (tab), with what each agent wrote and read, and connects and disconnects them there.",
    "contradiction": "Two memories that can't both be right. Review lists them with the duplicates.",
    "verdict": "Your decision on a pair, stored in memtui's workspace and in the journal. Its changes to "
    "the memories are written to their stores.",
}
"""What each idea means, by its name."""


def quit_line(key: str) -> str:
    return f"{key}  quit"


def retry_line(key: str) -> str:
    return f"{key}  try again"


def not_read(subject: str) -> str:
    return f"{subject} could not be read."


def not_read_see_below(subject: str) -> str:
    return f"{subject} could not be read: see below."


def line_failed(error: Exception) -> str:
    return f"   ! Can't show this line: {error}"


def keys_on(screen: str) -> str:
    return f"Keys in {screen.capitalize()}"


def redo_hint(key: str) -> str:
    return f"{key} redo"


def node_place(count: int, store: str) -> str:
    return store if count == 1 else f"{counted(count, 'memory')} · {store}"


def news(new: int, changed: int, removed: int, *, short: bool) -> str:
    """How much agents wrote, changed and removed, e.g. “● 2 new · 1 changed”, or in short “● 2 new · ~1”."""
    kinds = ((new, "", "new"), (changed, "~", "changed"), (removed, "−", "removed"))
    known = [(grouped(count), sign, word) for count, sign, word in kinds if count]
    # A sign alone, as the first, would say nothing.
    parts = [
        f"{sign}{n}" if short and place else f"{n} {word}" for place, (n, sign, word) in enumerate(known)
    ]
    return f"● {' · '.join(parts)}"


def all_news(count: int) -> str:
    return f"● {grouped(count)}"


def no_help(query: str) -> str:
    return f"No key or concept matches “{query}”."
