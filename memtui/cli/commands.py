"""The table of commands: what each calls, its help, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memtui.cli import options
from memtui.cli.options import Parser

QUERIES = ("list", "search", "saved add", "clusters")  # commands that take a query


class Command(NamedTuple):
    """What a command calls ("module:function" in memtui.cli), its help, and its arguments."""

    calls: str
    help: str
    arguments: Callable[[Parser], None]


COMMANDS = {
    "demo": Command("opening:open_demo", "Open a throw-away workspace of five stores.", options.none),
    "list": Command(
        "memories:show_list", "Memories that match; without a query all but removed ones.", options.listed
    ),
    "search": Command(
        "search:search", "Live memories that answer best, by words and meaning.", options.search
    ),
    "show": Command("memories:show_one", "Everything about one memory.", options.show),
    "add": Command("memories:add", "Add a memory.", options.add),
    "edit": Command("memories:edit", "Change memories, in the store that their agent reads.", options.edit),
    "confirm": Command("memories:verb", "Say that memories are right.", options.uids),
    "pin": Command("memories:verb", "Keep memories.", options.pin),
    "unpin": Command("memories:verb", "Take the pin off.", options.uids),
    "dismiss": Command("memories:verb", "Take out what is wrong; restorable.", options.uids),
    "restore": Command("memories:verb", "Bring dismissed memories back.", options.uids),
    "copy": Command("carrying:carry", "Copy memories into another store.", options.carry),
    "move": Command("carrying:carry", "Move memories into another store.", options.carry),
    "relate": Command(
        "relating:relate",
        "Say that a memory has a relation to another; one kind is supersedes.",
        options.relate,
    ),
    "retie": Command(
        "relating:retie", "Change a relation: its kind, strength, words, or way.", options.retie
    ),
    "unrelate": Command("relating:unrelate", "Take a relation away.", options.unrelate),
    "graph": Command("graph:graph", "What a memory is tied to, both ways.", options.graph),
    "clusters": Command(
        "graph:clusters", "Which memories hang together, the largest cluster first.", options.clusters
    ),
    "journal": Command("lines:journal", "Who changed what, newest first.", options.journal),
    "undo": Command("lines:undo", "Take back your newest change, or the journal's line ID.", options.undo),
    "redo": Command("lines:redo", "Do again what the newest undo took back.", options.none),
    "stores attach": Command("stores:attach", "Attach the stores at PATH.", options.attach),
    "stores create": Command("stores:create", "Make an empty store and attach it.", options.create),
    "stores list": Command("stores:show", "The attached stores and their health.", options.none),
    "stores detach": Command(
        "stores:detach", "Stop watching a store; pins, notes and history stay.", options.named
    ),
    "stores discover": Command(
        "discover:discover",
        "Stores in the known places that are not attached; attaches nothing.",
        options.none,
    ),
    "stores rename": Command("stores:rename", "Give a store another name.", options.rename),
    "stores read-only": Command(
        "stores:lock", "Refuse every change to a store, or allow them again.", options.lock
    ),
    "backup list": Command(
        "backup:show", "The copies of stores that were made before a day's first write.", options.backup_list
    ),
    "backup restore": Command("backup:restore", "Make a store what a backup holds.", options.backup_restore),
    "purge": Command(
        "purge:purge",
        "Erase memories for good, from their stores and from memtui; cannot be undone.",
        options.purge,
    ),
    "since": Command("lines:since", "What agents did since you last looked.", options.since),
    "doctor": Command("doctor:doctor", "What is wrong or odd, and what it means.", options.doctor),
    "stats": Command("stats:stats", "Counts by store, status and category.", options.none),
    "saved list": Command("saved:show", "The searches that you keep.", options.none),
    "saved add": Command(
        "saved:add", "Keep a search under a name; one of the same name goes.", options.saved_add
    ),
    "saved forget": Command("saved:forget", "Keep a search no longer.", options.named),
    "embed": Command("embed:embed", "Read by meaning what waits for it, until all is read.", options.none),
    "eval retrieval": Command(
        "evaluate:retrieval",
        "How well the right memories are found, for questions with known answers.",
        options.eval_retrieval,
    ),
    "eval contradictions": Command(
        "evaluate:contradictions",
        "How well contradictions are told from what agrees, for pairs with labels.",
        options.eval_contradictions,
    ),
    "contradictions scan": Command(
        "contradictions:scan", "Compare what is new or changed with all other memories.", options.none
    ),
    "contradictions list": Command(
        "contradictions:show_list",
        "Memories that contradict each other, most urgent first.",
        options.pair_list,
    ),
    "contradictions show": Command(
        "contradictions:show_one", "Both sides of a pair, and what each verdict would do.", options.pair
    ),
    "contradictions resolve": Command(
        "contradictions:resolve", "Give a verdict on a pair, in the stores of both.", options.resolve
    ),
    "duplicates list": Command(
        "contradictions:show_list", "Memories that say the same, most urgent first.", options.pair_list
    ),
    "duplicates merge": Command(
        "contradictions:merge", "Make one memory of two that say the same.", options.merge
    ),
    "decay preview": Command(
        "decay:preview",
        "What fades and leaves, when, and by which rule; changes nothing.",
        options.decay_preview,
    ),
    "decay run": Command(
        "decay:run", "Do what decay has due; tells it first, --yes does it.", options.decay_run
    ),
    "cognitive list": Command("cognitive:show", "The attached Cognitive Memory trees.", options.none),
    "cognitive reindex": Command(
        "cognitive:reindex", "Rebuild _index.json from the memories.", options.cognitive
    ),
    "cognitive decay": Command(
        "cognitive:decay", "Work the scores in _state.json out anew.", options.cognitive
    ),
    "cognitive core": Command("cognitive:core", "Rebuild CORE.md, what counts most.", options.cognitive),
    "cognitive reflect": Command(
        "cognitive:reflect", "Rebuild REFLECTION.md, what repeats.", options.cognitive
    ),
    "completion": Command(
        "completion:completion", "Print the completion script of a shell.", options.completion
    ),
}
# Groups of commands, with the one that a group alone stands for.
GROUPS = {
    "stores": "list",
    "backup": "list",
    "saved": "list",
    "eval": "retrieval",
    "contradictions": "list",
    "duplicates": "list",
    "decay": "preview",
    "cognitive": "list",
}
