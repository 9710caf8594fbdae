"""The table of commands: what each calls, its help, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memtui.cli.parser import options
from memtui.cli.parser.options import Parser

QUERIES = ("list", "search", "saved add", "clusters")  # commands that take a query


class Command(NamedTuple):
    """A command: the function it calls ("module:function" in memtui.cli), its help, and its arguments."""

    function: str
    help: str
    arguments: Callable[[Parser], None]


COMMANDS = {
    "demo": Command(
        "runtime.open_workspace:open_demo", "Open a throw-away workspace of five stores.", options.none
    ),
    "list": Command(
        "commands.read.memories:list_",
        "Memories that match; without a query all but removed ones.",
        options.list_,
    ),
    "search": Command(
        "commands.read.search:search", "Live memories that answer best, by words and meaning.", options.search
    ),
    "show": Command("commands.read.memories:show", "Everything about one memory.", options.show),
    "add": Command("commands.change.memories:add", "Add a memory.", options.add),
    "edit": Command(
        "commands.change.memories:edit", "Change memories, in the store that their agent reads.", options.edit
    ),
    "confirm": Command("commands.change.memories:verb", "Say that memories are right.", options.uids),
    "pin": Command("commands.change.memories:verb", "Keep memories.", options.pin),
    "unpin": Command("commands.change.memories:verb", "Take the pin off.", options.uids),
    "dismiss": Command("commands.change.memories:verb", "Take out what is wrong; restorable.", options.uids),
    "restore": Command("commands.change.memories:verb", "Bring dismissed memories back.", options.uids),
    "copy": Command(
        "commands.change.transfer:transfer", "Copy memories into another store.", options.transfer
    ),
    "move": Command(
        "commands.change.transfer:transfer", "Move memories into another store.", options.transfer
    ),
    "relate": Command(
        "commands.change.relations:relate",
        "Say that a memory has a relation to another; one kind is supersedes.",
        options.relate,
    ),
    "retie": Command(
        "commands.change.relations:update_relation",
        "Change a relation: its kind, strength, words, or way.",
        options.update_relation,
    ),
    "unrelate": Command("commands.change.relations:unrelate", "Take a relation away.", options.unrelate),
    "graph": Command("commands.read.graph:graph", "What a memory is tied to, both ways.", options.graph),
    "clusters": Command(
        "commands.read.graph:clusters",
        "Which memories hang together, the largest cluster first.",
        options.clusters,
    ),
    "journal": Command("commands.change.journal:journal", "Who changed what, newest first.", options.journal),
    "undo": Command(
        "commands.change.journal:undo",
        "Take back your newest change, or the journal's line ID.",
        options.undo,
    ),
    "redo": Command("commands.change.journal:redo", "Do again what the newest undo took back.", options.none),
    "stores attach": Command("commands.stores.stores:attach", "Attach the stores at PATH.", options.attach),
    "stores create": Command(
        "commands.stores.stores:create", "Make an empty store and attach it.", options.create
    ),
    "stores list": Command(
        "commands.stores.stores:list_", "The attached stores and their health.", options.none
    ),
    "stores detach": Command(
        "commands.stores.stores:detach", "Stop watching a store; pins, notes and history stay.", options.named
    ),
    "stores discover": Command(
        "commands.stores.discover:discover",
        "Stores in the known places that are not attached; attaches nothing.",
        options.none,
    ),
    "stores rename": Command("commands.stores.stores:rename", "Give a store another name.", options.rename),
    "stores read-only": Command(
        "commands.stores.stores:lock", "Refuse every change to a store, or allow them again.", options.lock
    ),
    "backup list": Command(
        "commands.stores.backup:list_",
        "The copies of stores that were made before a day's first write.",
        options.backup_list,
    ),
    "backup restore": Command(
        "commands.stores.backup:restore", "Make a store what a backup holds.", options.backup_restore
    ),
    "purge": Command(
        "commands.change.purge:purge",
        "Erase memories for good, from their stores and from memtui; cannot be undone.",
        options.purge,
    ),
    "since": Command(
        "commands.change.journal:since", "What agents did since you last looked.", options.since
    ),
    "doctor": Command(
        "commands.stores.doctor:doctor", "What is wrong or odd, and what it means.", options.doctor
    ),
    "stats": Command("commands.read.stats:stats", "Counts by store, status and category.", options.none),
    "saved list": Command("commands.read.saved_searches:list_", "The searches that you keep.", options.none),
    "saved add": Command(
        "commands.read.saved_searches:add",
        "Keep a search under a name; one of the same name goes.",
        options.saved_add,
    ),
    "saved forget": Command("commands.read.saved_searches:forget", "Keep a search no longer.", options.named),
    "embed": Command(
        "commands.stores.embed:embed", "Read by meaning what waits for it, until all is read.", options.none
    ),
    "eval retrieval": Command(
        "commands.read.evaluate:retrieval",
        "How well the right memories are found, for questions with known answers.",
        options.eval_retrieval,
    ),
    "eval contradictions": Command(
        "commands.read.evaluate:contradictions",
        "How well contradictions are told from what agrees, for pairs with labels.",
        options.eval_contradictions,
    ),
    "contradictions scan": Command(
        "commands.change.contradictions:scan",
        "Compare what is new or changed with all other memories.",
        options.none,
    ),
    "contradictions list": Command(
        "commands.read.contradictions:list_",
        "Memories that contradict each other, most urgent first.",
        options.pair_list,
    ),
    "contradictions show": Command(
        "commands.read.contradictions:show",
        "Both sides of a pair, and what each verdict would do.",
        options.pair,
    ),
    "contradictions resolve": Command(
        "commands.change.contradictions:resolve",
        "Give a verdict on a pair, in the stores of both.",
        options.resolve,
    ),
    "duplicates list": Command(
        "commands.read.contradictions:list_",
        "Memories that say the same, most urgent first.",
        options.pair_list,
    ),
    "duplicates merge": Command(
        "commands.change.contradictions:merge", "Make one memory of two that say the same.", options.merge
    ),
    "decay preview": Command(
        "commands.change.decay:preview",
        "What fades and leaves, when, and by which rule; changes nothing.",
        options.decay_preview,
    ),
    "decay run": Command(
        "commands.change.decay:run",
        "Do what decay has due; tells it first, --yes does it.",
        options.decay_run,
    ),
    "cognitive list": Command(
        "commands.stores.cognitive:list_", "The attached Cognitive Memory trees.", options.none
    ),
    "cognitive reindex": Command(
        "commands.stores.cognitive:reindex", "Rebuild _index.json from the memories.", options.cognitive
    ),
    "cognitive decay": Command(
        "commands.stores.cognitive:decay", "Work the scores in _state.json out anew.", options.cognitive
    ),
    "cognitive core": Command(
        "commands.stores.cognitive:core", "Rebuild CORE.md, what counts most.", options.cognitive
    ),
    "cognitive reflect": Command(
        "commands.stores.cognitive:reflect", "Rebuild REFLECTION.md, what repeats.", options.cognitive
    ),
    "completion": Command(
        "parser.completion:completion", "Print the completion script of a shell.", options.completion
    ),
}
# Groups of commands, each with the command that it stands for alone.
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
