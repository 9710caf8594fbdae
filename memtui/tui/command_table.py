"""One table of commands: bindings, footer, help and the README's keys come from it (DESIGN wall 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import Keys, _character_to_key

BROWSE, REVIEW, GRAPH, DECAY, JOURNAL, STORES = "browse", "review", "graph", "decay", "journal", "stores"
EDIT, CONFLICT, HELP, PALETTE = "edit", "conflict", "help", "palette"
ATTACH, RENAME, BACKUPS, PURGE = "attach", "rename", "backups", "purge"
CARRY, RELATE = "copy to", "relate"
OFFERS, FILTER, SAVE = "search line", "filter", "keep search"
MERGE, NOTE, PAIRS = "merge", "both true", "which pairs"
PICK, KINDS, TIE = "find a memory", "which relations", "relation"
ALL = (BROWSE, REVIEW, GRAPH, DECAY, JOURNAL, STORES)
ACTING = (BROWSE, DECAY)  # on lists of memories
ON_ONE = (*ACTING, GRAPH)


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that a key does.

    `footer` is its rank there (1 stays longest when the screen is narrow, 0 is never drawn);
    `pane` commands are bound by the focused list or text, the others by the screen.
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
    Command("memory.mark", ("space",), "mark", "mark and go on", "Memory", ACTING, "mark", 9),
    Command("memory.mark_all", ("*",), "", "mark all found, or none", "Memory", ACTING, "mark_all"),
    Command("memory.open", ("enter",), "open", "open full screen", "Memory", ACTING, "open", 4),
    Command("memory.pin", ("p",), "pin", "pin or unpin", "Memory", ON_ONE, "pin", 5),
    Command("memory.confirm", ("v",), "confirm", "confirm: it is true", "Memory", ON_ONE, "confirm", 8),
    Command("memory.dismiss", ("d",), "dismiss", "dismiss: it is wrong", "Memory", ON_ONE, "reject", 6),
    Command("memory.restore", ("R",), "", "restore the dismissed", "Memory", ON_ONE, "restore"),
    Command("memory.edit", ("e",), "edit", "edit", "Memory", ON_ONE, "edit", 7),
    Command("memory.edit_outside", ("E",), "", "edit in $EDITOR", "Memory", ON_ONE, "edit_outside"),
    Command("memory.purge", ("X",), "", "purge for good (asks)", "Memory", (BROWSE,), "purge"),
    Command("memory.add", ("a",), "add", "add a new memory", "Memory", (BROWSE,), "add", 10),
    Command("memory.copy", ("y",), "copy", "copy the text", "Memory", ON_ONE, "copy", 12),
    Command("memory.relate", ("O",), "", "relate to another memory", "Memory", (BROWSE,), "relate"),
    Command("memory.graph", ("o",), "graph", "what it is tied to", "Memory", (*ACTING, REVIEW), "graph", 11),
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
        "journal.open",
        ("enter",),
        "show change",
        "show it full screen",
        "Change",
        (JOURNAL,),
        "open",
        4,
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
        "conflict.theirs", ("t",), "keep theirs", "keep the store's text", "Conflict", (CONFLICT,), "theirs"
    ),
    Command("conflict.mine", ("y",), "write mine", "write mine over it", "Conflict", (CONFLICT,), "mine"),
    Command(
        "conflict.back",
        ("escape",),
        "back to the editor",
        "back to the editor",
        "Conflict",
        (CONFLICT,),
        "back",
    ),
    Command("offers.take", ("tab",), "take", "take what is offered", "Search line", (OFFERS,), "take"),
    Command("offers.down", ("down",), "", "the next offer", "Search line", (OFFERS,), "next_offer"),
    Command("offers.up", ("up",), "", "the one before", "Search line", (OFFERS,), "previous_offer"),
    Command("offers.close", ("escape",), "close", "no offers", "Search line", (OFFERS,), "close_offers"),
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
    Command("save.cancel", ("escape",), "cancel", "cancel", "Save", (SAVE,), "cancel"),
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
    Command("note.cancel", ("escape",), "cancel", "cancel", "Both true", (NOTE,), "cancel"),
    Command("pairs.choose", ("enter",), "show", "show these", "Which pairs", (PAIRS,), "choose"),
    Command("pairs.cancel", ("escape", "f"), "cancel", "cancel", "Which pairs", (PAIRS,), "cancel"),
    Command("attach.complete", ("tab",), "complete", "complete the path", "Attach", (ATTACH,), "complete"),
    Command("attach.up", ("up",), "", "up", "Attach", (ATTACH,), "up"),
    Command("attach.down", ("down",), "", "down", "Attach", (ATTACH,), "down"),
    Command("attach.cancel", ("escape",), "cancel", "cancel", "Attach", (ATTACH,), "cancel"),
    Command("rename.cancel", ("escape",), "cancel", "cancel", "Rename", (RENAME,), "cancel"),
    Command("carry.cancel", ("escape",), "cancel", "cancel", "Copy to", (CARRY,), "cancel"),
    Command("carry.up", ("up",), "", "up", "Copy to", (CARRY,), "up"),
    Command("carry.down", ("down",), "", "down", "Copy to", (CARRY,), "down"),
    Command("carry.go", ("enter",), "", "do it", "Copy to", (CARRY,), "go"),
    Command("relate.back", ("escape",), "back", "back", "Relate", (RELATE,), "back"),
    Command("relate.up", ("up",), "", "up", "Relate", (RELATE,), "up"),
    Command("relate.down", ("down",), "", "down", "Relate", (RELATE,), "down"),
    Command("pick.cancel", ("escape",), "cancel", "cancel", "Find", (PICK,), "cancel"),
    Command("pick.up", ("up",), "", "up", "Find", (PICK,), "up"),
    Command("pick.down", ("down",), "", "down", "Find", (PICK,), "down"),
    Command("kinds.toggle", ("space",), "show or hide", "show or hide", "Kinds", (KINDS,), "turn"),
    Command("kinds.all", ("a", "*"), "all or none", "all or none", "Kinds", (KINDS,), "all"),
    Command("kinds.show", ("enter", "f"), "done", "show these", "Kinds", (KINDS,), "show"),
    Command("kinds.cancel", ("escape",), "cancel", "cancel", "Kinds", (KINDS,), "cancel"),
    Command("tie.save", ("ctrl+s",), "save", "save", "Relation", (TIE,), "save"),
    Command("tie.reverse", ("ctrl+r",), "turn round", "turn it round", "Relation", (TIE,), "reverse"),
    Command("tie.remove", ("ctrl+d",), "take away", "take it away", "Relation", (TIE,), "remove"),
    Command("tie.cancel", ("escape",), "cancel", "cancel", "Relation", (TIE,), "cancel"),
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

# The tabs of the header: digit, name, mode. Screens that are not built are not drawn.
TABS = (
    ("1", "Browse", BROWSE),
    ("3", "Review", REVIEW),
    ("4", "Graph", GRAPH),
    ("5", "Decay", DECAY),
    ("7", "Journal", JOURNAL),
    ("8", "Stores", STORES),
)

Table = tuple[Command, ...]
"""The commands with the keys that hold now: COMMANDS, or what `configured` made of them."""

_SHOWN = {
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
_FIXED = "0123456789"


class FooterItem(NamedTuple):
    """What the footer draws of a command; without an id a click does nothing."""

    rank: int
    key: str
    label: str
    id: str = ""


def bindings(screen: str | None) -> list[BindingType]:
    """What a screen binds; None gives what the focused pane binds on every screen."""
    chosen = [c for c in COMMANDS if (c.pane if screen is None else not c.pane and screen in c.screens)]
    return [
        Binding(
            bound(key),
            command.action,
            command.help,
            show=False,
            # Before the next key of a burst is handed on: it is typed, not a command. And before a
            # pane scrolls sideways.
            priority=command.id
            in (
                "search.focus",
                "filter.choose",
                "pair.left",
                "pair.right",
                "graph.left",
                "graph.right",
                "tie.remove",
            ),
            id=command.id,
        )
        for command in chosen
        for key in command.keys
    ]


def bound(key: str) -> str:
    """A key of the table as Textual names it."""
    return _character_to_key(key) if len(key) == 1 else key


def configured(keys: Mapping[str, tuple[str, ...]]) -> tuple[Table, list[str]]:
    """The table with a person's keys, and why some of them are not taken."""
    known = {command.id: command for command in COMMANDS if command.screens[0] in ALL}
    taken: dict[str, tuple[str, ...]] = {}
    troubles: list[str] = []
    for id, wanted in keys.items():
        if id not in known:
            named = any(command.id == id for command in COMMANDS)
            troubles.append(
                f"{id} is a key of a dialog and stays as it is." if named else f"There is no command “{id}”."
            )
        elif id.startswith("screen."):
            troubles.append(f"{id} keeps its key.")
        elif wrong := next((why for key in wanted if (why := _unbindable(key))), ""):
            troubles.append(f"{id}: {wrong}")
        else:
            taken[id] = wanted
    while clash := _clash(table := _with(taken), taken):
        id, trouble = clash
        del taken[id]
        troubles.append(trouble)
    return table, troubles


def _with(keys: Mapping[str, tuple[str, ...]]) -> Table:
    return tuple(
        replace(command, keys=keys[command.id]) if command.id in keys else command for command in COMMANDS
    )


def _clash(table: Table, taken: dict[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """The last setting that takes a key which means something else on the same screen."""
    by_id = {command.id: command for command in table}
    for id in reversed(taken):
        command = by_id[id]
        for other in table:
            shared = [key for key in command.keys if key in other.keys]
            where = [screen for screen in command.screens if screen in other.screens]
            if other.id != id and shared and where:
                return id, f"{id}: {shared[0]} is taken by {other.id} on {where[0].capitalize()}."
    return None


def _unbindable(key: str) -> str:
    """Why a key cannot be had."""
    if key in _FIXED or key in ("escape", "esc", "ctrl+c", "ctrl+q"):
        return f"{key} cannot be given away."
    if len(key) == 1:
        return "" if key.isprintable() and not key.isspace() else f"“{key}” is no key."
    same = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+j": "enter"}
    if key in same:
        return f"{key} is {same[key]} in most terminals."
    parts = key.split("+")
    if parts[0] == "shift" and len(parts) == 2 and len(parts[1]) == 1:
        return f"write {parts[1].upper()} for {key}."
    named = parts[-1] in _NAMED or (len(parts) > 1 and len(parts[-1]) == 1 and parts[-1].isalnum())
    return "" if named and set(parts[:-1]) <= {"ctrl", "alt", "shift"} else f"there is no key “{key}”."


_NAMED = {key.value for key in Keys if re.fullmatch("[a-z]+|f[0-9]+", key.value)} - {"ignore", "return"} | {
    "space"
}


def keymap(table: Table) -> dict[str, str]:
    """What differs from COMMANDS, as Textual wants it."""
    return {
        command.id: ",".join(bound(key) for key in command.keys)
        for command, plain in zip(table, COMMANDS, strict=True)
        if command.keys != plain.keys
    }


def key_of(id: str, table: Table = COMMANDS) -> str:
    """The first key of a command, as a person reads it."""
    command = next(command for command in table if command.id == id)
    return shown(command.keys[0]) if command.keys else ""


def shown(key: str) -> str:
    """One key as a person reads it."""
    return _SHOWN.get(key, key)


def keys_shown(command: Command) -> str:
    """The keys as a person reads them."""
    return " ".join(shown(key) for key in command.keys)


def footer_items(
    screen: str, hidden: frozenset[str] = frozenset(), table: Table = COMMANDS
) -> list[FooterItem]:
    """What the footer shows, in reading order."""
    items = []
    for command in table:
        if command.footer and screen in command.screens and command.id not in hidden:
            arrows = command.id == "move.down" and command.keys[0] == "down"
            key = "↑↓" if arrows else shown(command.keys[0])
            items.append(FooterItem(command.footer, key, command.label, command.id))
    return items


def dialog_keys(dialog: str) -> str:
    """The keys of a dialog as its border shows them."""
    return " · ".join(
        f"{shown(command.keys[0])} {command.label}"
        for command in COMMANDS
        if dialog in command.screens and command.label
    )


def groups(screen: str, table: Table = COMMANDS) -> dict[str, list[Command]]:
    """The commands of one screen under their headings, in the table's order."""
    found: dict[str, list[Command]] = {}
    for command in table:
        if screen in command.screens and command.keys:
            found.setdefault(command.group, []).append(command)
    return found


def elsewhere(key: str, screen: str, table: Table = COMMANDS) -> Command | None:
    """The command of another screen that has a key which does nothing on this one."""
    others = (c for c in table if c.screens[0] in ALL and screen not in c.screens)
    return next((command for command in others if key in map(bound, command.keys)), None)


def useless(key: str, character: str, screen: str, table: Table = COMMANDS) -> str:
    """Why a key does nothing on a screen."""
    character = "space" if character == " " else character
    if command := elsewhere(key, screen, table):
        return f"{character} works on {tab_of(command.screens[0])}: {command.help}."
    return f"{character} does nothing here; {key_of('app.help', table)} shows the keys."


def tab_of(mode: str) -> str:
    """Stores (8)."""
    return next(f"{name} ({digit})" for digit, name, known in TABS if known == mode)


def keys_markdown() -> str:
    """The key table of the README."""
    lines = ["| key | what it does | where |", "|---|---|---|"]
    for command in COMMANDS:
        keys = " ".join(f"`{shown(key)}`" for key in command.keys) or f"`{key_of('app.palette')}`, by name"
        where = ", ".join(screen.capitalize() for screen in command.screens)
        where = "every screen" if command.screens == ALL else where
        lines.append(f"| {keys} | {command.help} | {where} |")
    return "\n".join(lines) + "\n"
