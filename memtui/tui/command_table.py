"""The table of commands, from which bindings, footer, help and the README's keys are made (DESIGN wall 7).

The user's own keys are applied in `keymap`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

from memtui.tui import wording

BROWSE, REVIEW, GRAPH, DECAY, JOURNAL, STORES = "browse", "review", "graph", "decay", "journal", "stores"
EDIT, CONFLICT, HELP, PALETTE = "edit", "conflict", "help", "palette"
ATTACH, RENAME, BACKUPS, PURGE = "attach", "rename", "backups", "purge"
TRANSFER, RELATE = "copy to", "relate"
SUGGESTIONS, FILTER, SAVE_SEARCH = "search line", "filter", "keep search"
MERGE, BOTH_TRUE, PAIR_FILTER = "merge", "both true", "which pairs"
FIND_MEMORY, RELATION_KINDS, RELATION = "find a memory", "which relations", "relation"
ALL = (BROWSE, REVIEW, GRAPH, DECAY, JOURNAL, STORES)
LISTS = (BROWSE, DECAY)  # of memories
MEMORY = (*LISTS, GRAPH)  # act on memories


@dataclass(frozen=True, slots=True)
class Command:
    """An action with its keys and texts.

    `label` is its word in the footer and `help` its line in the help; `group` is the heading there.
    `screens` are the screens or dialogs that have it, `action` is Textual's action. `footer` is its rank
    (1 is kept longest on a narrow screen, 0 is never drawn). `pane` commands are bound by the focused list
    or text, the others by the screen.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    screens: tuple[str, ...]
    action: str
    footer: int = 0
    pane: bool = False


COMMANDS = (
    Command("move.up", ("up", "k"), "", "up", "Move", ALL, "up", pane=True),
    Command("move.down", ("down", "j"), "move", "down", "Move", ALL, "down", 3, pane=True),
    Command("move.first", ("g", "home"), "", "first", "Move", ALL, "first", pane=True),
    Command("move.last", ("G", "end"), "", "last", "Move", ALL, "last", pane=True),
    Command("move.half_down", ("ctrl+d",), "", "half a page down", "Move", ALL, "half_down", pane=True),
    Command("move.half_up", ("ctrl+u",), "", "half a page up", "Move", ALL, "half_up", pane=True),
    Command("move.page_down", ("pagedown",), "", "a page down", "Move", ALL, "page_down", pane=True),
    Command("move.page_up", ("pageup",), "", "a page up", "Move", ALL, "page_up", pane=True),
    Command("move.pane", ("tab",), "", "next pane", "Move", ALL, "app.focus_next"),
    Command("memory.mark", ("space",), "mark", "mark and go on", "Memory", LISTS, "mark", 9),
    Command("memory.mark_all", ("*",), "", "mark all found, or none", "Memory", LISTS, "mark_all"),
    Command("memory.open", ("enter",), "open", "open full screen", "Memory", LISTS, "open", 4),
    Command("memory.pin", ("p",), "pin", "pin or unpin", "Memory", MEMORY, "pin", 5),
    Command("memory.confirm", ("v",), "confirm", "confirm: it is true", "Memory", MEMORY, "confirm", 8),
    Command(
        "memory.dismiss", ("d",), "dismiss", "dismiss: it is wrong", "Memory", MEMORY, "dismiss_memory", 6
    ),
    Command("memory.restore", ("R",), "", "restore the dismissed", "Memory", MEMORY, "restore"),
    Command("memory.edit", ("e",), "edit", "edit", "Memory", MEMORY, "edit", 7),
    Command("memory.edit_outside", ("E",), "", "edit in $EDITOR", "Memory", MEMORY, "edit_outside"),
    Command("memory.purge", ("X",), "", "purge for good (asks)", "Memory", (BROWSE,), "purge"),
    Command("memory.add", ("a",), "add", "add a new memory", "Memory", (BROWSE,), "add", 10),
    Command("memory.copy", ("y",), "copy", "copy the text", "Memory", MEMORY, "copy", 12),
    Command("memory.relate", ("O",), "", "relate to another memory", "Memory", (BROWSE,), "relate"),
    Command("memory.graph", ("o",), "graph", "what it is tied to", "Memory", (*LISTS, REVIEW), "graph", 11),
    Command("memory.copy_to", ("Y",), "", "copy to another store", "Memory", (BROWSE,), "copy_to"),
    Command("memory.move_to", ("M",), "", "move to another store", "Memory", (BROWSE,), "move_to"),
    Command("memory.pairs", ("c",), "", "clashes and duplicates", "Memory", (BROWSE, GRAPH), "pairs"),
    Command("graph.walk", ("enter",), "walk", "walk there; in the middle: open", "Walk", (GRAPH,), "walk", 3),
    Command("graph.back", ("backspace",), "back", "back along the trail", "Walk", (GRAPH,), "back_along", 4),
    Command("graph.left", ("left", "h"), "", "to what leads here", "Walk", (GRAPH,), "left"),
    Command("graph.right", ("right", "l"), "", "to what it leads to", "Walk", (GRAPH,), "right"),
    Command("graph.find", ("/",), "find", "walk to a memory found by words", "Walk", (GRAPH,), "find", 7),
    Command("graph.list", ("L",), "list", "as a list, or drawn", "Walk", (GRAPH,), "list", 8),
    Command(
        "graph.kinds",
        ("f",),
        "kinds",
        "which kinds; of clusters: which memories",
        "Walk",
        (GRAPH,),
        "kinds",
        6,
    ),
    Command("graph.hops", ("H",), "", "one hop, or two", "Walk", (GRAPH,), "hops"),
    Command("graph.near", ("N",), "", "what is near in meaning, too", "Walk", (GRAPH,), "near"),
    Command("graph.whole", ("W",), "whole", "the whole, in clusters", "Walk", (GRAPH,), "whole", 10),
    Command(
        "relation.add", ("O",), "relate", "relate to another memory", "Relation", (GRAPH,), "relate_here", 5
    ),
    Command(
        "relation.change",
        ("K",),
        "change",
        "change kind, strength, words, way",
        "Relation",
        (GRAPH,),
        "change_relation",
        5,
    ),
    Command(
        "relation.remove", ("delete",), "", "take the relation away", "Relation", (GRAPH,), "remove_relation"
    ),
    Command("pair.keep_a", ("a",), "keep A", "keep A; B gives way", "Verdict", (REVIEW,), "keep_a", 3),
    Command("pair.keep_b", ("b",), "keep B", "keep B; A gives way", "Verdict", (REVIEW,), "keep_b", 3),
    Command("pair.merge", ("m",), "merge", "merge into one text", "Verdict", (REVIEW,), "merge", 4),
    Command("pair.both", ("t",), "both true", "both are true", "Verdict", (REVIEW,), "both", 5),
    Command("pair.later", ("s",), "later", "ask again later", "Verdict", (REVIEW,), "later", 6),
    Command("pair.discard", ("d",), "discard both", "discard both", "Verdict", (REVIEW,), "discard", 7),
    Command("pair.not_so", ("n",), "not so", "not so: no clash", "Verdict", (REVIEW,), "not_so", 8),
    Command("pair.left", ("h", "left"), "", "look at A", "Pair", (REVIEW,), "look_at_a"),
    Command("pair.right", ("l", "right"), "", "look at B", "Pair", (REVIEW,), "look_at_b"),
    Command("pair.open", ("enter",), "open", "all of this memory", "Pair", (REVIEW,), "open", 10),
    Command("pair.copy", ("y",), "", "copy its text", "Pair", (REVIEW,), "copy"),
    Command("pair.filter", ("f",), "filter", "which pairs", "Pair", (REVIEW,), "filter", 9),
    Command("decay.longer", ("]",), "farther", "look farther ahead", "Decay", (DECAY,), "longer", 5),
    Command("decay.shorter", ("[",), "", "look less far ahead", "Decay", (DECAY,), "shorter"),
    Command("decay.slower", ("+",), "slower", "a longer half-life, tried", "Decay", (DECAY,), "slower", 10),
    Command("decay.faster", ("-",), "", "a shorter half-life, tried", "Decay", (DECAY,), "faster"),
    Command("decay.try", ("t",), "try", "try another lifecycle", "Decay", (DECAY,), "try", 7),
    Command("decay.view", ("f",), "", "what leaves, or all that changes", "Decay", (DECAY,), "view"),
    Command("decay.save", ("w",), "", "keep it as a setting", "Decay", (DECAY,), "save"),
    Command("decay.run", ("D",), "do due", "do what is due, told first", "Decay", (DECAY,), "run", 6),
    Command(
        "journal.open", ("enter",), "show change", "show it full screen", "Change", (JOURNAL,), "open", 4
    ),
    Command(
        "journal.undo", ("z",), "undo this one", "undo this change", "Change", (JOURNAL,), "undo_this", 5
    ),
    Command(
        "journal.since",
        ("s",),
        "since you looked",
        "since you looked, or all",
        "Change",
        (JOURNAL,),
        "since",
        6,
    ),
    Command("journal.seen", ("S",), "seen", "all seen, begin anew", "Change", (JOURNAL,), "seen", 8),
    Command(
        "journal.restore", ("R",), "restore", "restore what was removed", "Change", (JOURNAL,), "restore", 9
    ),
    Command("journal.filter", ("f",), "filter", "by you, agents, or all", "Change", (JOURNAL,), "filter", 10),
    Command("store.open", ("enter",), "memories", "show its memories", "Store", (STORES,), "open", 4),
    Command("store.attach", ("a",), "attach", "attach it, or a path", "Store", (STORES,), "attach", 5),
    Command("store.detach", ("d",), "detach", "detach; its file stays", "Store", (STORES,), "detach", 8),
    Command("store.attach_all", ("*",), "", "attach all found", "Store", (STORES,), "attach_all"),
    Command("store.attach_path", ("A",), "", "attach a path", "Store", (STORES,), "attach_path"),
    Command("store.rename", ("e",), "rename", "give it another name", "Store", (STORES,), "rename", 9),
    Command("store.lock", ("space",), "read-only", "read-only, or not", "Store", (STORES,), "lock", 10),
    Command("store.check", ("c",), "check", "the doctor looks again", "Store", (STORES,), "check", 7),
    Command("store.mend", ("m",), "mend", "mend this finding", "Store", (STORES,), "mend", 6),
    Command(
        "store.backups", ("b",), "backups", "its backups; restore one", "Store", (STORES,), "backups", 11
    ),
    Command("change.undo", ("u",), "undo", "undo your last change", "Undo", ALL, "undo", 2),
    Command("change.redo", ("U",), "redo", "redo", "Undo", ALL, "redo", 12),
    Command("search.focus", ("/",), "search", "search", "Search", (BROWSE,), "search", 7),
    Command("search.filter", ("f",), "filter", "filters, saved searches", "Search", (BROWSE,), "filter", 12),
    Command("search.save", ("w",), "", "keep this search", "Search", (BROWSE,), "save_search"),
    Command("search.sort", (",",), "sort", "sort by the next order", "Search", (BROWSE,), "sort", 13),
    Command("search.reload", ("r",), "", "load what is new", "Search", ALL, "reload"),
    Command("screen.back", ("escape",), "", "one step back", "Anywhere", ALL, "back"),
    Command("screen.browse", ("1",), "", "Browse", "Screens", ALL, "app.switch_mode('browse')"),
    Command("screen.review", ("3",), "", "Review", "Screens", ALL, "app.switch_mode('review')"),
    Command("screen.graph", ("4",), "", "Graph", "Screens", ALL, "app.switch_mode('graph')"),
    Command("screen.decay", ("5",), "", "Decay", "Screens", ALL, "app.switch_mode('decay')"),
    Command("screen.journal", ("7",), "", "Journal", "Screens", ALL, "app.switch_mode('journal')"),
    Command("screen.stores", ("8",), "", "Stores", "Screens", ALL, "app.switch_mode('stores')"),
    Command("app.palette", ("ctrl+p",), "", "everything by name", "Anywhere", ALL, "app.palette"),
    Command("app.jump", ("ctrl+o",), "", "jump to a pane", "Anywhere", ALL, "app.jump"),
    Command("app.help", ("?",), "help", "this help", "Anywhere", ALL, "help", 1),
    Command("app.theme", ("T",), "", "next theme", "Anywhere", ALL, "app.next_theme"),
    # Without a key of its own: by name, through the palette.
    Command("app.settings", (), "", "write a settings file", "Anywhere", ALL, "app.write_settings"),
    Command("app.quit", ("q",), "", "quit", "Anywhere", ALL, "app.quit"),
    Command("edit.save", ("ctrl+s",), "save", "save", "Edit", (EDIT,), "save"),
    Command(
        "edit.clean",
        ("ctrl+l",),
        "clean",
        "take out characters that cannot be edited",
        "Edit",
        (EDIT,),
        "clean",
    ),
    Command("edit.cancel", ("escape",), "cancel", "cancel", "Edit", (EDIT,), "cancel"),
    Command(
        "conflict.theirs",
        ("t",),
        "keep theirs",
        "keep the store's text",
        "Conflict",
        (CONFLICT,),
        "keep_stored",
    ),
    Command(
        "conflict.mine", ("y",), "write mine", "write mine over it", "Conflict", (CONFLICT,), "write_own"
    ),
    Command(
        "conflict.back",
        ("escape",),
        "back to the editor",
        "back to the editor",
        "Conflict",
        (CONFLICT,),
        "back",
    ),
    Command(
        "offers.take",
        ("tab",),
        "take",
        "take what is offered",
        "Search line",
        (SUGGESTIONS,),
        "accept_suggestion",
    ),
    Command("offers.down", ("down",), "", "the next offer", "Search line", (SUGGESTIONS,), "next_suggestion"),
    Command("offers.up", ("up",), "", "the one before", "Search line", (SUGGESTIONS,), "previous_suggestion"),
    Command(
        "offers.close", ("escape",), "close", "no offers", "Search line", (SUGGESTIONS,), "close_suggestions"
    ),
    Command("filter.choose", ("space",), "choose", "choose, or no more", "Filter", (FILTER,), "choose"),
    Command("filter.up", ("up",), "", "up", "Filter", (FILTER,), "up"),
    Command("filter.down", ("down",), "", "down", "Filter", (FILTER,), "down"),
    Command("filter.page_up", ("pageup",), "", "a page up", "Filter", (FILTER,), "page_up"),
    Command("filter.page_down", ("pagedown",), "", "a page down", "Filter", (FILTER,), "page_down"),
    Command(
        "filter.forget", ("ctrl+r",), "", "forget the saved search (asks)", "Filter", (FILTER,), "forget"
    ),
    Command(
        "filter.search", ("enter",), "search", "search for what is chosen", "Filter", (FILTER,), "search"
    ),
    Command(
        "filter.cancel", ("escape",), "cancel", "leave the search as it was", "Filter", (FILTER,), "cancel"
    ),
    Command("save.cancel", ("escape",), "cancel", "cancel", "Save", (SAVE_SEARCH,), "cancel"),
    Command("merge.save", ("ctrl+s",), "merge", "merge so", "Merge", (MERGE,), "save"),
    Command(
        "merge.clean",
        ("ctrl+l",),
        "clean",
        "take out characters that cannot be edited",
        "Merge",
        (MERGE,),
        "clean",
    ),
    Command("merge.cancel", ("escape",), "cancel", "cancel", "Merge", (MERGE,), "cancel"),
    Command("note.cancel", ("escape",), "cancel", "cancel", "Both true", (BOTH_TRUE,), "cancel"),
    Command("pairs.choose", ("enter",), "show", "show these", "Which pairs", (PAIR_FILTER,), "choose"),
    Command("pairs.cancel", ("escape", "f"), "cancel", "cancel", "Which pairs", (PAIR_FILTER,), "cancel"),
    Command("attach.complete", ("tab",), "complete", "complete the path", "Attach", (ATTACH,), "complete"),
    Command("attach.up", ("up",), "", "up", "Attach", (ATTACH,), "up"),
    Command("attach.down", ("down",), "", "down", "Attach", (ATTACH,), "down"),
    Command("attach.cancel", ("escape",), "cancel", "cancel", "Attach", (ATTACH,), "cancel"),
    Command("rename.cancel", ("escape",), "cancel", "cancel", "Rename", (RENAME,), "cancel"),
    Command("carry.cancel", ("escape",), "cancel", "cancel", "Copy to", (TRANSFER,), "cancel"),
    Command("carry.up", ("up",), "", "up", "Copy to", (TRANSFER,), "up"),
    Command("carry.down", ("down",), "", "down", "Copy to", (TRANSFER,), "down"),
    Command("carry.go", ("enter",), "", "do it", "Copy to", (TRANSFER,), "transfer"),
    Command("relate.back", ("escape",), "back", "back", "Relate", (RELATE,), "back"),
    Command("relate.up", ("up",), "", "up", "Relate", (RELATE,), "up"),
    Command("relate.down", ("down",), "", "down", "Relate", (RELATE,), "down"),
    Command("pick.cancel", ("escape",), "cancel", "cancel", "Find", (FIND_MEMORY,), "cancel"),
    Command("pick.up", ("up",), "", "up", "Find", (FIND_MEMORY,), "up"),
    Command("pick.down", ("down",), "", "down", "Find", (FIND_MEMORY,), "down"),
    Command("kinds.toggle", ("space",), "show or hide", "show or hide", "Kinds", (RELATION_KINDS,), "turn"),
    Command("kinds.all", ("a", "*"), "all or none", "all or none", "Kinds", (RELATION_KINDS,), "all"),
    Command("kinds.show", ("enter", "f"), "done", "show these", "Kinds", (RELATION_KINDS,), "show"),
    Command("kinds.cancel", ("escape",), "cancel", "cancel", "Kinds", (RELATION_KINDS,), "cancel"),
    Command("tie.save", ("ctrl+s",), "save", "save", "Relation", (RELATION,), "save"),
    Command("tie.reverse", ("ctrl+r",), "turn round", "turn it round", "Relation", (RELATION,), "reverse"),
    Command("tie.remove", ("ctrl+d",), "take away", "take it away", "Relation", (RELATION,), "remove"),
    Command("tie.cancel", ("escape",), "cancel", "cancel", "Relation", (RELATION,), "cancel"),
    Command("backups.ask", ("enter",), "restore", "restore (asks)", "Backups", (BACKUPS,), "ask"),
    Command("backups.restore", ("y",), "", "restore it", "Backups", (BACKUPS,), "restore"),
    Command("backups.back", ("escape",), "close", "close", "Backups", (BACKUPS,), "back"),
    Command(
        "purge.backups", ("ctrl+b",), "backups too", "the backups too", "Purge", (PURGE,), "toggle_backups"
    ),
    Command(
        "purge.cancel", ("escape",), "keep the memories", "keep the memories", "Purge", (PURGE,), "cancel"
    ),
    Command("help.close", ("escape", "?", "q"), "close", "close", "Help", (HELP,), "close"),
    Command("palette.run", ("enter",), "do it", "do what is highlighted", "Palette", (PALETTE,), "run"),
    Command("palette.up", ("up",), "", "up", "Palette", (PALETTE,), "up"),
    Command("palette.down", ("down",), "", "down", "Palette", (PALETTE,), "down"),
    Command("palette.close", ("escape", "ctrl+p"), "close", "close", "Palette", (PALETTE,), "close"),
)

# The tabs of the header: digit, name, mode.
TABS = (
    ("1", "Browse", BROWSE),
    ("3", "Review", REVIEW),
    ("4", "Graph", GRAPH),
    ("5", "Decay", DECAY),
    ("7", "Journal", JOURNAL),
    ("8", "Stores", STORES),
)

Table = tuple[Command, ...]
"""COMMANDS, or the same with the user's keys."""

_KEY_LABELS = {
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "⏎",
    "backspace": "⌫",
    "delete": "del",
    "left": "←",
    "right": "→",
    "pagedown": "pgdn",
    "pageup": "pgup",
}


# Bound with priority: these are handled before the next key of a burst is (which is typed into what they
# open), and before a pane scrolls sideways.
_PRIORITY = frozenset(
    ("search.focus", "filter.choose", "pair.left", "pair.right", "graph.left", "graph.right", "tie.remove")
)


class FooterItem(NamedTuple):
    """What the footer draws of a command; without an id a click has no effect."""

    rank: int
    key: str
    label: str
    id: str = ""


def bindings(screen: str | None) -> list[BindingType]:
    """Return the bindings of a screen or dialog; with None those of a focused pane."""
    commands = [c for c in COMMANDS if (c.pane if screen is None else not c.pane and screen in c.screens)]
    return [
        Binding(
            textual_key(key),
            command.action,
            command.help,
            show=False,
            priority=command.id in _PRIORITY,
            id=command.id,
        )
        for command in commands
        for key in command.keys
    ]


def textual_key(key: str) -> str:
    """Return Textual's name of a key."""
    return _character_to_key(key) if len(key) == 1 else key


def key_of(id: str, table: Table = COMMANDS) -> str:
    """Return the label of a command's first key, "" if it has none."""
    command = next(command for command in table if command.id == id)
    return key_label(command.keys[0]) if command.keys else ""


def key_label(key: str) -> str:
    """Return a key as it is shown, ⏎ for enter."""
    return _KEY_LABELS.get(key, key)


def key_labels(command: Command) -> str:
    """Return the labels of all keys of a command."""
    return " ".join(key_label(key) for key in command.keys)


def footer_items(
    screen: str, hidden: frozenset[str] = frozenset(), table: Table = COMMANDS
) -> list[FooterItem]:
    """Return the footer's items of a screen, in reading order."""
    items = []
    for command in table:
        if command.footer and screen in command.screens and command.id not in hidden:
            arrows = command.id == "move.down" and command.keys[0] == "down"
            key = "↑↓" if arrows else key_label(command.keys[0])
            items.append(FooterItem(command.footer, key, command.label, command.id))
    return items


def dialog_keys(dialog: str, hidden: frozenset[str] = frozenset()) -> str:
    """Return the keys of a dialog for its border, without those of `hidden`: ctrl+s save · esc cancel."""
    return " · ".join(
        f"{key_label(command.keys[0])} {command.label}"
        for command in COMMANDS
        if dialog in command.screens and command.label and command.id not in hidden
    )


def groups(screen: str, table: Table = COMMANDS) -> dict[str, list[Command]]:
    """Return the commands of a screen by group, in the table's order."""
    found: dict[str, list[Command]] = {}
    for command in table:
        if screen in command.screens and command.keys:
            found.setdefault(command.group, []).append(command)
    return found


def command_elsewhere(key: str, screen: str, table: Table = COMMANDS) -> Command | None:
    """Return a command of another screen with this key."""
    others = (c for c in table if c.screens[0] in ALL and screen not in c.screens)
    return next((command for command in others if key in map(textual_key, command.keys)), None)


def unbound_key_text(key: str, character: str, screen: str, table: Table = COMMANDS) -> str:
    """Return what to say of a key without a command on a screen: where it has one."""
    character = "space" if character == " " else character
    if command := command_elsewhere(key, screen, table):
        return wording.works_elsewhere(character, tab_label(command.screens[0]), command.help)
    return wording.unbound_key(character, key_of("app.help", table))


def tab_label(mode: str) -> str:
    """Return the tab of a mode: Stores (8)."""
    return next(f"{name} ({digit})" for digit, name, known in TABS if known == mode)


def keys_markdown() -> str:
    """Return the README's table of keys."""
    lines = ["| key | what it does | where |", "|---|---|---|"]
    for command in COMMANDS:
        keys = (
            " ".join(f"`{key_label(key)}`" for key in command.keys) or f"`{key_of('app.palette')}`, by name"
        )
        where = ", ".join(screen.capitalize() for screen in command.screens)
        where = "every screen" if command.screens == ALL else where
        lines.append(f"| {keys} | {command.help} | {where} |")
    return "\n".join(lines) + "\n"
