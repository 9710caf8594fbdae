"""One table of commands: bindings, footer, help and the README's keys come from it (DESIGN wall 7)."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

BROWSE, JOURNAL = "browse", "journal"
EDIT, CONFLICT, HELP = "edit", "conflict", "help"
BOTH = (BROWSE, JOURNAL)


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
    Command("move.up", ("up", "k"), "", "up", "Move", BOTH, "up", pane=True),
    Command("move.down", ("down", "j"), "move", "down", "Move", BOTH, "down", 3, pane=True),
    Command("move.first", ("g", "home"), "", "first", "Move", BOTH, "first", pane=True),
    Command("move.last", ("G", "end"), "", "last", "Move", BOTH, "last", pane=True),
    Command("move.half_down", ("ctrl+d",), "", "half a page down", "Move", BOTH, "half_down", pane=True),
    Command("move.half_up", ("ctrl+u",), "", "half a page up", "Move", BOTH, "half_up", pane=True),
    Command("move.page_down", ("pagedown",), "", "a page down", "Move", BOTH, "page_down", pane=True),
    Command("move.page_up", ("pageup",), "", "a page up", "Move", BOTH, "page_up", pane=True),
    Command("move.pane", ("tab",), "", "next pane", "Move", BOTH, "app.focus_next"),
    Command("memory.mark", ("space",), "mark", "mark and go on", "Memory", (BROWSE,), "mark", 9),
    Command("memory.mark_all", ("*",), "", "mark all found, or none", "Memory", (BROWSE,), "mark_all"),
    Command("memory.open", ("enter",), "open", "open full screen", "Memory", (BROWSE,), "open", 4),
    Command("memory.pin", ("p",), "pin", "pin or unpin", "Memory", (BROWSE,), "pin", 5),
    Command("memory.confirm", ("v",), "confirm", "confirm: it is true", "Memory", (BROWSE,), "confirm", 8),
    Command("memory.dismiss", ("d",), "dismiss", "dismiss: it is wrong", "Memory", (BROWSE,), "reject", 6),
    Command("memory.restore", ("R",), "", "restore what was dismissed", "Memory", (BROWSE,), "restore"),
    Command("memory.edit", ("e",), "edit", "edit", "Memory", (BROWSE,), "edit", 7),
    Command("memory.add", ("a",), "add", "add a new memory", "Memory", (BROWSE,), "add", 10),
    Command("memory.copy", ("y",), "copy", "copy the text", "Memory", (BROWSE,), "copy", 11),
    Command(
        "journal.open",
        ("enter",),
        "show change",
        "show the change full screen",
        "Change",
        (JOURNAL,),
        "open",
        4,
    ),
    Command(
        "journal.undo", ("z",), "undo this one", "undo this change", "Change", (JOURNAL,), "undo_this", 5
    ),
    Command("change.undo", ("u",), "undo", "undo your last change", "Undo", BOTH, "undo", 2),
    Command("change.redo", ("U",), "redo", "redo", "Undo", BOTH, "redo", 12),
    Command("search.focus", ("/",), "search", "search", "Search", (BROWSE,), "search", 7),
    Command("search.sort", (",",), "sort", "sort by the next order", "Search", (BROWSE,), "sort", 13),
    Command("search.reload", ("r",), "", "load what is new", "Search", BOTH, "reload"),
    Command("screen.back", ("escape",), "", "one step back", "Anywhere", BOTH, "back"),
    Command("screen.browse", ("1",), "", "Browse", "Screens", BOTH, "app.switch_mode('browse')"),
    Command("screen.journal", ("7",), "", "Journal", "Screens", BOTH, "app.switch_mode('journal')"),
    Command("app.help", ("?",), "help", "this help", "Anywhere", BOTH, "help", 1),
    Command("app.theme", ("T",), "", "dark or light", "Anywhere", BOTH, "app.next_theme"),
    Command("app.quit", ("q",), "", "quit", "Anywhere", BOTH, "app.quit"),
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
    Command("help.close", ("escape", "?", "q"), "close", "close", "Help", (HELP,), "close"),
)

# The tabs of the header: digit, name, mode. Screens that are not built are not drawn.
TABS = (("1", "Browse", BROWSE), ("7", "Journal", JOURNAL))

_SHOWN = {
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "⏎",
    "pagedown": "pgdn",
    "pageup": "pgup",
}
_BOUND = {"*": "asterisk", ",": "comma", "/": "slash", "?": "question_mark"}


def bindings(screen: str | None) -> list[BindingType]:
    """What a screen binds; None gives what the focused pane binds on every screen."""
    chosen = [c for c in COMMANDS if (c.pane if screen is None else not c.pane and screen in c.screens)]
    return [
        Binding(
            _BOUND.get(key, key),
            command.action,
            command.help,
            show=False,
            # Before the next key of a burst is handed on: it is typed, not a command.
            priority=command.id == "search.focus",
            id=f"{command.id}.{place}",
        )
        for command in chosen
        for place, key in enumerate(command.keys)
    ]


def keys_shown(command: Command) -> str:
    """The keys as a person reads them."""
    return " ".join(_SHOWN.get(key, key) for key in command.keys)


def footer_items(screen: str, hidden: frozenset[str] = frozenset()) -> list[tuple[int, str, str]]:
    """(rank, key, label) in reading order."""
    items = []
    for command in COMMANDS:
        if command.footer and screen in command.screens and command.id not in hidden:
            key = "↑↓" if command.id == "move.down" else _SHOWN.get(command.keys[0], command.keys[0])
            items.append((command.footer, key, command.label))
    return items


def dialog_keys(dialog: str) -> str:
    """The keys of a dialog as its border shows them."""
    return " · ".join(
        f"{_SHOWN.get(command.keys[0], command.keys[0])} {command.label}"
        for command in COMMANDS
        if dialog in command.screens and command.label
    )


def groups(screen: str) -> dict[str, list[Command]]:
    """The commands of one screen under their headings, in the table's order."""
    found: dict[str, list[Command]] = {}
    for command in COMMANDS:
        if screen in command.screens:
            found.setdefault(command.group, []).append(command)
    return found


def keys_markdown() -> str:
    """The key table of the README."""
    lines = ["| key | what it does | where |", "|---|---|---|"]
    for command in COMMANDS:
        keys = " ".join(f"`{_SHOWN.get(key, key)}`" for key in command.keys)
        where = "both screens" if command.screens == BOTH else command.screens[0].capitalize()
        lines.append(f"| {keys} | {command.help} | {where} |")
    return "\n".join(lines) + "\n"
