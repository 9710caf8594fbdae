"""The table of commands, from which bindings, footer, help and docs/keys.md are made.

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
TRANSFER, RELATE, SPLIT = "copy to", "relate", "split"
SUGGESTIONS, FILTER, SAVE_SEARCH = "suggestions", "filter", "save search"
VIEWS = "views"
MERGE, BOTH_TRUE, PAIR_FILTER = "merge", "both true", "pair filter"
REPLACE, MATCHES = "replace", "matches"
BULK, SNOOZE, TAGS, REASON, ADD_TO = "bulk", "snooze", "tags", "reason", "add to"
FIND_MEMORY, RELATION_KINDS, RELATION = "find memory", "relation kinds", "relation"
DETAIL = "detail"  # the pane of one memory, while it has the focus
ALL = (BROWSE, REVIEW, GRAPH, DECAY, JOURNAL, STORES)
SHOWN = (BROWSE, REVIEW, GRAPH, DECAY, JOURNAL)  # show what the stores hold
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
    Command("move.first", ("g", "home"), "", "go to top", "Move", ALL, "first", pane=True),
    Command("move.last", ("G", "end"), "", "go to bottom", "Move", ALL, "last", pane=True),
    Command("move.half_down", ("ctrl+d",), "", "half page down", "Move", ALL, "half_down", pane=True),
    Command("move.half_up", ("ctrl+u",), "", "half page up", "Move", ALL, "half_up", pane=True),
    Command("move.page_down", ("pagedown",), "", "page down", "Move", ALL, "page_down", pane=True),
    Command("move.page_up", ("pageup",), "", "page up", "Move", ALL, "page_up", pane=True),
    Command("move.pane", ("tab",), "", "next pane", "Move", ALL, "app.focus_next"),
    Command("detail.down", ("J",), "", "scroll the detail down", "Move", ALL, "detail_down"),
    Command("detail.up", ("K",), "", "scroll the detail up", "Move", ALL, "detail_up"),
    Command("detail.next_link", ("tab",), "", "next link, then next pane", "Detail", (DETAIL,), "next_link"),
    Command(
        "detail.previous_link",
        ("shift+tab",),
        "",
        "previous link, then previous pane",
        "Detail",
        (DETAIL,),
        "previous_link",
    ),
    Command("detail.follow", ("enter",), "", "follow the link", "Detail", (DETAIL,), "follow"),
    Command("memory.mark", ("space",), "mark", "mark and move down", "Memory", LISTS, "mark", 9),
    Command("memory.mark_all", ("*",), "", "mark all or none", "Memory", LISTS, "mark_all"),
    Command("memory.open", ("enter",), "open", "open full screen", "Memory", LISTS, "open", 4),
    Command("memory.pin", ("p",), "pin", "pin or unpin", "Memory", MEMORY, "pin", 5),
    Command("memory.confirm", ("v",), "confirm", "confirm as correct", "Memory", MEMORY, "confirm", 8),
    Command("memory.dismiss", ("d",), "dismiss", "dismiss as wrong", "Memory", MEMORY, "dismiss_memory", 6),
    Command("memory.restore", ("R",), "", "restore dismissed, forgotten", "Memory", MEMORY, "restore"),
    Command("memory.forget", ("delete",), "", "forget (asks first)", "Memory", LISTS, "forget"),
    Command("memory.snooze", ("s",), "", "snooze or unsnooze", "Memory", LISTS, "snooze"),
    Command("memory.retag", ("t",), "", "edit tags and category", "Memory", LISTS, "retag"),
    Command("memory.reason", ("P",), "", "pin with a reason", "Memory", MEMORY, "reason"),
    Command("memory.edit", ("e",), "edit", "edit", "Memory", MEMORY, "edit", 7),
    Command("memory.edit_outside", ("E",), "", "edit in $EDITOR", "Memory", MEMORY, "edit_outside"),
    Command("memory.purge", ("X",), "", "purge (asks first)", "Memory", (BROWSE,), "purge"),
    Command("memory.add", ("a",), "add", "add a memory", "Memory", (BROWSE,), "add", 10),
    Command("memory.copy", ("y",), "copy", "copy text", "Memory", MEMORY, "copy", 12),
    Command("memory.relate", ("O",), "", "relate to another memory", "Memory", (BROWSE,), "relate"),
    Command("memory.split", ("|",), "", "split into several", "Memory", (BROWSE,), "split"),
    Command("memory.graph", ("o",), "graph", "show in graph", "Memory", (*LISTS, REVIEW), "graph", 11),
    Command("memory.copy_to", ("Y",), "", "copy to another store", "Memory", (BROWSE,), "copy_to"),
    Command("memory.move_to", ("M",), "", "move to another store", "Memory", (BROWSE,), "move_to"),
    Command("list.replace", ("%",), "replace", "find and replace", "Memory", (BROWSE,), "replace", 14),
    Command("memory.pairs", ("c",), "", "contradictions, duplicates", "Memory", (BROWSE, GRAPH), "pairs"),
    Command(
        "detail.back",
        ("backspace",),
        "",
        "go back from a link",
        "Memory",
        (BROWSE, DECAY, REVIEW),
        "detail_back",
    ),
    Command("detail.fields", ("i",), "", "show ids and fields", "Memory", (*MEMORY, REVIEW), "fields"),
    Command("graph.walk", ("enter",), "go to", "go to, or open the center", "Navigate", (GRAPH,), "walk", 3),
    Command("graph.back", ("backspace",), "back", "go back", "Navigate", (GRAPH,), "back_along", 4),
    Command("graph.left", ("left", "h"), "", "incoming relations", "Navigate", (GRAPH,), "left"),
    Command("graph.right", ("right", "l"), "", "outgoing relations", "Navigate", (GRAPH,), "right"),
    Command("graph.find", ("/",), "find", "find a memory", "Navigate", (GRAPH,), "find", 7),
    Command("graph.list", ("L",), "list", "graph or list", "Navigate", (GRAPH,), "list", 8),
    Command(
        "graph.kinds",
        ("f",),
        "kinds",
        "filter what is shown",
        "Navigate",
        (GRAPH,),
        "kinds",
        6,
    ),
    Command("graph.hops", ("H",), "", "one or two hops", "Navigate", (GRAPH,), "hops"),
    Command("graph.near", ("N",), "", "show similar memories", "Navigate", (GRAPH,), "near"),
    Command("graph.whole", ("W",), "overview", "overview of clusters", "Navigate", (GRAPH,), "whole", 10),
    Command(
        "relation.add", ("O",), "relate", "relate to another memory", "Relation", (GRAPH,), "relate_here", 5
    ),
    Command(
        "relation.change",
        ("C",),
        "edit",
        "edit kind, strength, reason or direction",
        "Relation",
        (GRAPH,),
        "change_relation",
        5,
    ),
    Command("relation.remove", ("delete",), "", "remove relation", "Relation", (GRAPH,), "remove_relation"),
    Command("pair.keep_a", ("a",), "keep A", "keep A (replaces B)", "Verdict", (REVIEW,), "keep_a", 3),
    Command("pair.keep_b", ("b",), "keep B", "keep B (replaces A)", "Verdict", (REVIEW,), "keep_b", 3),
    Command("pair.merge", ("m",), "merge", "merge into one memory", "Verdict", (REVIEW,), "merge", 4),
    Command("pair.both", ("t",), "both true", "both are true", "Verdict", (REVIEW,), "both", 5),
    Command("pair.later", ("s",), "snooze", "snooze for 7 days", "Verdict", (REVIEW,), "later", 6),
    Command("pair.discard", ("delete",), "discard both", "discard both", "Verdict", (REVIEW,), "discard", 7),
    Command(
        "pair.not_so",
        ("n",),
        "false positive",
        "not a contradiction or duplicate",
        "Verdict",
        (REVIEW,),
        "not_so",
        8,
    ),
    Command("pair.left", ("h", "left"), "", "select A", "Pair", (REVIEW,), "look_at_a"),
    Command("pair.right", ("l", "right"), "", "select B", "Pair", (REVIEW,), "look_at_b"),
    Command("pair.open", ("enter",), "open", "open this memory", "Pair", (REVIEW,), "open", 10),
    Command("pair.copy", ("y",), "", "copy text", "Pair", (REVIEW,), "copy"),
    Command("pair.filter", ("f",), "filter", "filter pairs", "Pair", (REVIEW,), "filter", 9),
    Command("decay.longer", ("]",), "longer", "extend the range", "Decay", (DECAY,), "longer", 5),
    Command("decay.shorter", ("[",), "", "shorten the range", "Decay", (DECAY,), "shorter"),
    Command("decay.slower", ("+",), "slower", "try a longer half-life", "Decay", (DECAY,), "slower", 10),
    Command("decay.faster", ("-",), "", "try a shorter half-life", "Decay", (DECAY,), "faster"),
    Command("decay.try", ("V",), "try", "try another lifecycle", "Decay", (DECAY,), "try", 7),
    Command("decay.view", ("f",), "", "only leaving, or all changes", "Decay", (DECAY,), "view"),
    Command("decay.save", ("w",), "", "save to settings", "Decay", (DECAY,), "save"),
    Command("decay.run", ("D",), "run", "run due decay (with preview)", "Decay", (DECAY,), "run", 6),
    Command("journal.open", ("enter",), "open", "open full screen", "Change", (JOURNAL,), "open", 4),
    Command("journal.undo", ("z",), "undo this", "undo this change", "Change", (JOURNAL,), "undo_this", 5),
    Command(
        "journal.since",
        ("V",),
        "unseen",
        "unseen only, or all",
        "Change",
        (JOURNAL,),
        "since",
        6,
    ),
    Command("journal.seen", ("S",), "mark seen", "mark all as seen", "Change", (JOURNAL,), "seen", 8),
    Command(
        "journal.restore", ("R",), "restore", "restore removed memories", "Change", (JOURNAL,), "restore", 9
    ),
    Command(
        "journal.filter", ("f",), "filter", "filter: you, agents, all", "Change", (JOURNAL,), "filter", 10
    ),
    Command("store.open", ("enter",), "memories", "show its memories", "Store", (STORES,), "open", 4),
    Command("store.attach", ("a",), "attach", "attach, or type a path", "Store", (STORES,), "attach", 5),
    Command("store.detach", ("delete",), "detach", "detach (file is kept)", "Store", (STORES,), "detach", 8),
    Command("store.attach_all", ("*",), "", "attach all found", "Store", (STORES,), "attach_all"),
    Command("store.attach_path", ("A",), "", "attach a file or folder", "Store", (STORES,), "attach_path"),
    Command("store.rename", ("e",), "rename", "rename", "Store", (STORES,), "rename", 9),
    Command("store.lock", ("!",), "read-only", "toggle read-only", "Store", (STORES,), "lock", 10),
    Command("store.check", ("r",), "check", "load changes, run checks", "Store", (STORES,), "check", 7),
    Command("store.mend", ("F",), "repair", "repair this finding", "Store", (STORES,), "mend", 6),
    Command(
        "store.backups", ("b",), "backups", "list and restore backups", "Store", (STORES,), "backups", 11
    ),
    Command("change.undo", ("u",), "undo", "undo your last change", "Undo", ALL, "undo", 2),
    Command("change.redo", ("U",), "redo", "redo", "Undo", ALL, "redo", 12),
    Command("search.focus", ("/",), "search", "search", "Search", (BROWSE,), "search", 7),
    Command("search.filter", ("f",), "filter", "filters, saved searches", "Search", (BROWSE,), "filter", 12),
    Command("search.save", ("w",), "", "save this search", "Search", (BROWSE,), "save_search"),
    Command("search.sort", (",",), "sort", "next sort order", "Search", (BROWSE,), "sort", 13),
    Command("list.views", ("V",), "views", "quick views", "Search", (BROWSE,), "views", 12),
    Command("list.group", ("=",), "group", "next grouping", "Search", (BROWSE,), "group", 11),
    Command("list.fold", ("left",), "", "fold the group", "Search", (BROWSE,), "fold"),
    Command("list.unfold", ("right",), "", "unfold the group", "Search", (BROWSE,), "unfold"),
    Command("list.fold_all", ("#",), "", "fold or unfold all", "Search", (BROWSE,), "fold_all"),
    Command("search.reload", ("r",), "", "load changes", "Search", SHOWN, "reload"),
    Command("screen.back", ("escape",), "", "go back", "Anywhere", ALL, "back"),
    Command("screen.browse", ("1",), "", "Browse", "Screens", ALL, "app.switch_mode('browse')"),
    Command("screen.review", ("3",), "", "Review", "Screens", ALL, "app.switch_mode('review')"),
    Command("screen.graph", ("4",), "", "Graph", "Screens", ALL, "app.switch_mode('graph')"),
    Command("screen.decay", ("5",), "", "Decay", "Screens", ALL, "app.switch_mode('decay')"),
    Command("screen.journal", ("7",), "", "Journal", "Screens", ALL, "app.switch_mode('journal')"),
    Command("screen.stores", ("8",), "", "Stores", "Screens", ALL, "app.switch_mode('stores')"),
    Command("app.palette", ("ctrl+p",), "", "command palette", "Anywhere", ALL, "app.palette"),
    Command("app.jump", ("ctrl+o",), "", "jump to a pane", "Anywhere", ALL, "app.jump"),
    Command("app.help", ("?",), "help", "help", "Anywhere", ALL, "help", 1),
    Command("app.theme", ("T",), "", "next theme", "Anywhere", ALL, "app.next_theme"),
    # Without a key of its own: by name, through the palette.
    Command("app.settings", (), "", "create a settings file", "Anywhere", ALL, "app.write_settings"),
    Command("app.quit", ("q",), "", "quit", "Anywhere", ALL, "app.quit"),
    Command("edit.save", ("ctrl+s",), "save", "save", "Edit", (EDIT,), "save"),
    Command(
        "edit.clean",
        ("ctrl+l",),
        "clean",
        "remove unsupported characters",
        "Edit",
        (EDIT,),
        "clean",
    ),
    Command("edit.next", ("tab",), "", "next field", "Edit", (EDIT,), "app.focus_next"),
    Command("edit.more", ("ctrl+n",), "more fields", "more fields", "Edit", (EDIT,), "more"),
    Command("edit.cancel", ("escape",), "cancel", "cancel", "Edit", (EDIT,), "cancel"),
    Command("split.save", ("ctrl+s",), "split", "split", "Split", (SPLIT,), "save"),
    Command("split.cut", ("ctrl+t",), "cut here", "cut, or remove the cut", "Split", (SPLIT,), "cut"),
    Command(
        "split.relations",
        ("ctrl+r",),
        "relations",
        "which parts keep relations",
        "Split",
        (SPLIT,),
        "relations",
    ),
    Command(
        "split.clean",
        ("ctrl+l",),
        "clean",
        "remove unsupported characters",
        "Split",
        (SPLIT,),
        "clean",
    ),
    Command("split.cancel", ("escape",), "cancel", "cancel", "Split", (SPLIT,), "cancel"),
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
        "conflict.mine", ("y",), "write mine", "overwrite with mine", "Conflict", (CONFLICT,), "write_own"
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
        "use",
        "use suggestion",
        "Suggestions",
        (SUGGESTIONS,),
        "accept_suggestion",
    ),
    Command(
        "offers.down", ("down",), "", "next suggestion", "Suggestions", (SUGGESTIONS,), "next_suggestion"
    ),
    Command(
        "offers.up", ("up",), "", "previous suggestion", "Suggestions", (SUGGESTIONS,), "previous_suggestion"
    ),
    Command(
        "offers.close",
        ("escape",),
        "close",
        "hide suggestions",
        "Suggestions",
        (SUGGESTIONS,),
        "close_suggestions",
    ),
    Command("filter.choose", ("space",), "select", "select or deselect", "Filter", (FILTER,), "choose"),
    Command("filter.up", ("up",), "", "up", "Filter", (FILTER,), "up"),
    Command("filter.down", ("down",), "", "down", "Filter", (FILTER,), "down"),
    Command("filter.page_up", ("pageup",), "", "page up", "Filter", (FILTER,), "page_up"),
    Command("filter.page_down", ("pagedown",), "", "page down", "Filter", (FILTER,), "page_down"),
    Command(
        "filter.forget", ("ctrl+r",), "", "delete saved search (asks first)", "Filter", (FILTER,), "forget"
    ),
    Command("filter.search", ("enter",), "search", "search with this filter", "Filter", (FILTER,), "search"),
    Command("filter.cancel", ("escape",), "cancel", "cancel", "Filter", (FILTER,), "cancel"),
    Command("replace.find", ("enter",), "find", "find matches", "Replace", (REPLACE,), "find"),
    Command("replace.next", ("tab",), "next", "next field", "Replace", (REPLACE,), "app.focus_next"),
    Command("replace.down", ("down",), "", "down", "Replace", (REPLACE,), "app.focus_next"),
    Command("replace.toggle", ("space",), "on or off", "turn on or off", "Replace", (REPLACE,), "turn"),
    Command("replace.regex", ("ctrl+r",), "regex", "regular expression", "Replace", (REPLACE,), "regex"),
    Command("replace.cancel", ("escape",), "cancel", "stop or cancel", "Replace", (REPLACE,), "cancel"),
    Command("match.write", ("enter",), "replace", "replace accepted matches", "Matches", (MATCHES,), "write"),
    Command("match.yes", ("y",), "replace", "replace this match", "Matches", (MATCHES,), "yes"),
    Command("match.no", ("n",), "skip", "skip this match", "Matches", (MATCHES,), "no"),
    Command("match.all", ("a",), "all", "replace this and all the rest", "Matches", (MATCHES,), "all"),
    Command("match.finish", ("q",), "finish", "replace accepted matches", "Matches", (MATCHES,), "finish"),
    Command("match.back", ("u",), "back", "undo the last answer", "Matches", (MATCHES,), "take_back"),
    Command(
        "match.cancel",
        ("escape",),
        "cancel",
        "leave without replacing anything",
        "Matches",
        (MATCHES,),
        "cancel",
    ),
    Command("views.choose", ("enter",), "show", "show this view", "Views", (VIEWS,), "choose"),
    Command("views.cancel", ("escape", "V"), "cancel", "cancel", "Views", (VIEWS,), "cancel"),
    Command("save.cancel", ("escape",), "cancel", "cancel", "Save", (SAVE_SEARCH,), "cancel"),
    Command("merge.save", ("ctrl+s",), "merge", "merge", "Merge", (MERGE,), "save"),
    Command(
        "merge.clean",
        ("ctrl+l",),
        "clean",
        "remove unsupported characters",
        "Merge",
        (MERGE,),
        "clean",
    ),
    Command("merge.cancel", ("escape",), "cancel", "cancel", "Merge", (MERGE,), "cancel"),
    Command("note.cancel", ("escape",), "cancel", "cancel", "Both true", (BOTH_TRUE,), "cancel"),
    Command("pairs.choose", ("enter",), "show", "show these pairs", "Pair filter", (PAIR_FILTER,), "choose"),
    Command("pairs.cancel", ("escape", "f"), "cancel", "cancel", "Pair filter", (PAIR_FILTER,), "cancel"),
    Command("attach.complete", ("tab",), "complete", "complete path", "Attach", (ATTACH,), "complete"),
    Command("attach.up", ("up",), "", "up", "Attach", (ATTACH,), "up"),
    Command("attach.down", ("down",), "", "down", "Attach", (ATTACH,), "down"),
    Command("attach.cancel", ("escape",), "cancel", "cancel", "Attach", (ATTACH,), "cancel"),
    Command("rename.cancel", ("escape",), "cancel", "cancel", "Rename", (RENAME,), "cancel"),
    Command("carry.cancel", ("escape",), "cancel", "cancel", "Copy to", (TRANSFER,), "cancel"),
    Command("carry.up", ("up",), "", "up", "Copy to", (TRANSFER,), "up"),
    Command("carry.down", ("down",), "", "down", "Copy to", (TRANSFER,), "down"),
    Command("carry.go", ("enter",), "", "copy or move", "Copy to", (TRANSFER,), "transfer"),
    Command("relate.back", ("escape",), "back", "back", "Relate", (RELATE,), "back"),
    Command("relate.up", ("up",), "", "up", "Relate", (RELATE,), "up"),
    Command("relate.down", ("down",), "", "down", "Relate", (RELATE,), "down"),
    Command("pick.cancel", ("escape",), "cancel", "cancel", "Find", (FIND_MEMORY,), "cancel"),
    Command("pick.up", ("up",), "", "up", "Find", (FIND_MEMORY,), "up"),
    Command("pick.down", ("down",), "", "down", "Find", (FIND_MEMORY,), "down"),
    Command("kinds.toggle", ("space",), "show or hide", "show or hide", "Kinds", (RELATION_KINDS,), "turn"),
    Command("kinds.all", ("a", "*"), "all or none", "all or none", "Kinds", (RELATION_KINDS,), "all"),
    Command("kinds.show", ("enter", "f"), "done", "show these kinds", "Kinds", (RELATION_KINDS,), "show"),
    Command("kinds.cancel", ("escape",), "cancel", "cancel", "Kinds", (RELATION_KINDS,), "cancel"),
    Command("tie.save", ("ctrl+s",), "save", "save", "Relation", (RELATION,), "save"),
    Command("tie.reverse", ("ctrl+r",), "reverse", "reverse direction", "Relation", (RELATION,), "reverse"),
    Command("tie.remove", ("ctrl+d",), "remove", "remove relation", "Relation", (RELATION,), "remove"),
    Command("tie.cancel", ("escape",), "cancel", "cancel", "Relation", (RELATION,), "cancel"),
    Command("backups.ask", ("enter",), "restore", "restore (asks first)", "Backups", (BACKUPS,), "ask"),
    Command("backups.restore", ("y",), "", "restore it", "Backups", (BACKUPS,), "restore"),
    Command("backups.back", ("escape",), "close", "close", "Backups", (BACKUPS,), "back"),
    Command(
        "purge.backups",
        ("ctrl+b",),
        "include backups",
        "include backups",
        "Purge",
        (PURGE,),
        "toggle_backups",
    ),
    Command("purge.cancel", ("escape",), "cancel", "cancel", "Purge", (PURGE,), "cancel"),
    Command("target.up", ("up",), "", "up", "Add to", (ADD_TO,), "up"),
    Command("target.down", ("down",), "", "down", "Add to", (ADD_TO,), "down"),
    Command("target.choose", ("enter",), "", "choose", "Add to", (ADD_TO,), "choose"),
    Command("target.cancel", ("escape",), "cancel", "cancel", "Add to", (ADD_TO,), "cancel"),
    Command("bulk.go", ("enter",), "", "do it", "Bulk", (BULK,), "go"),
    Command("bulk.cancel", ("escape",), "cancel", "cancel", "Bulk", (BULK,), "cancel"),
    Command("snooze.up", ("up",), "", "up", "Snooze", (SNOOZE,), "up"),
    Command("snooze.down", ("down",), "", "down", "Snooze", (SNOOZE,), "down"),
    Command("snooze.cancel", ("escape",), "cancel", "cancel", "Snooze", (SNOOZE,), "cancel"),
    Command("tags.complete", ("tab",), "", "complete, or next field", "Tags", (TAGS,), "complete"),
    Command("tags.cancel", ("escape",), "cancel", "cancel", "Tags", (TAGS,), "cancel"),
    Command("reason.cancel", ("escape",), "cancel", "cancel", "Reason", (REASON,), "cancel"),
    Command("help.up", ("up",), "", "up", "Help", (HELP,), "up"),
    Command("help.down", ("down",), "scroll", "down", "Help", (HELP,), "down"),
    Command("help.page_up", ("pageup",), "", "page up", "Help", (HELP,), "page_up"),
    Command("help.page_down", ("pagedown",), "", "page down", "Help", (HELP,), "page_down"),
    Command("help.close", ("escape",), "close", "clear the filter, then close", "Help", (HELP,), "close"),
    Command("palette.run", ("enter",), "run", "run selected", "Palette", (PALETTE,), "run"),
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

_CHARACTERS = {_character_to_key(character): character for character in map(chr, range(33, 127))}
"""The characters by Textual's names of their keys."""

# Bound with priority: these are handled before the next key of a burst is (which is typed into what they
# open), and before a pane scrolls sideways.
_PRIORITY = frozenset(
    (
        *("search.focus", "list.views", "filter.choose", "pair.left", "pair.right"),
        *("graph.left", "graph.right", "tie.remove", "replace.next", "edit.next"),
    )
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


def tabs_elsewhere(key: str, screen: str, table: Table = COMMANDS) -> dict[str, list[str]]:
    """Return the tabs of the other screens that have a command with this key, by the command's help."""
    found: dict[str, list[str]] = {}
    for _, _, mode in TABS:
        for command in table:
            if mode != screen and mode in command.screens and key in map(textual_key, command.keys):
                found.setdefault(command.help, []).append(tab_label(mode))
    return found


def unbound_key_text(key: str, screen: str, table: Table = COMMANDS) -> str:
    """Return what to say of a key without a command on a screen: where it has one."""
    *modifiers, last = key.split("+")
    label = "+".join((*modifiers, key_label(_CHARACTERS.get(last, last))))
    if tabs := tabs_elsewhere(key, screen, table):
        return wording.works_elsewhere(label, tabs)
    return wording.unbound_key(label, key_of("app.help", table))


def tab_label(mode: str) -> str:
    """Return the tab of a mode: Stores (8)."""
    return next(f"{name} ({digit})" for digit, name, known in TABS if known == mode)
