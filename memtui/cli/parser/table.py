"""The table of commands: what each calls, its place in the help, its operands, help, options and an example.

`memtui --help`, the help of each command and the completion of shells are generated from it.
"""

from __future__ import annotations

from memtui.cli.parser.command import Command, GlobalOption

QUERIES = (
    "list",
    "search",
    "saved add",
    "clusters",
    "replace",
    "export",
    "report",
)  # commands that take a query

EVERYWHERE = (
    GlobalOption(
        "--workspace",
        "the workspace to use",
        "PATH",
        "(default: $MEMTUI_WORKSPACE, else the nearest\n"
        ".memtui/workspace.db in this folder or above, else the\n"
        "one in your user data folder)",
    ),
    GlobalOption("--json", "print JSON"),
    GlobalOption("--read-only", "refuse every change"),
    GlobalOption("--help", "show help"),
)
VERSION = GlobalOption("--version", "print the version")  # only before a command

_START = {
    "demo": Command(
        "runtime.open_workspace:open_demo",
        "",
        "Try memtui in a temporary workspace with five stores.",
        "none",
        "demo",
    ),
}
_READ = {
    "list": Command(
        "commands.read.memories:list_",
        "[QUERY]",
        "List matching memories, or all except removed ones.",
        "list_",
        "list category:preference -tag:work coffee",
    ),
    "search": Command(
        "commands.read.search:search",
        "QUERY",
        "Search live memories by text and meaning.",
        "search",
        "search 'how do clients pay' category:fact",
    ),
    "show": Command(
        "commands.read.memories:show", "UID", "Show everything about a memory.", "show", "show 7k3m"
    ),
    "export": Command(
        "commands.read.export:export",
        "[QUERY]",
        "Write memories as text for an agent or a program.",
        "options_export:export",
        "export tag:work --budget 800",
    ),
    "report": Command(
        "commands.read.report:report",
        "[QUERY] -o FILE",
        "Write an HTML file that shows what the workspace holds.",
        "options_export:report",
        "report -o report.html",
    ),
    "see": Command(
        "commands.read.see:see",
        "STORE",
        "Show what an agent is given at session start.",
        "options_export:see",
        "see claude-code",
    ),
    "graph": Command(
        "commands.read.graph:graph",
        "UID",
        "Show a memory's relations in both directions.",
        "graph",
        "graph 7k3m --hops 2",
    ),
    "clusters": Command(
        "commands.read.graph:clusters",
        "[QUERY]",
        "List clusters of related memories, largest first.",
        "clusters",
        "clusters tag:work",
    ),
    "journal": Command(
        "commands.change.journal:journal",
        "",
        "Show who changed what, newest first.",
        "journal",
        "journal --limit 10",
    ),
    "since": Command(
        "commands.change.journal:since",
        "",
        "Show what agents changed since your last check.",
        "since",
        "since --seen",
    ),
    "stats": Command(
        "commands.read.stats:stats",
        "",
        "Count memories by store, status and category.",
        "none",
        "stats --json",
    ),
    "decay preview": Command(
        "commands.change.decay:preview",
        "",
        "Preview which memories decay and leave, when and why.",
        "decay_preview",
        "decay preview --days 90",
    ),
    "contradictions list": Command(
        "commands.read.contradictions:list_",
        "",
        "List contradictions, most urgent first.",
        "pair_list",
        "contradictions list --store native",
    ),
    "duplicates list": Command(
        "commands.read.contradictions:list_",
        "",
        "List duplicates, most urgent first.",
        "pair_list",
        "duplicates list --kind exact",
    ),
    "contradictions scan": Command(
        "commands.change.contradictions:scan",
        "",
        "Compare new and changed memories with all others.",
        "none",
        "contradictions scan",
    ),
    "contradictions show": Command(
        "commands.read.contradictions:show",
        "ID",
        "Show both memories and the effect of each verdict.",
        "pair",
        "contradictions show 3",
    ),
    "duplicates show": Command(
        "commands.read.contradictions:show",
        "ID",
        "Show both memories and the effect of each verdict.",
        "pair",
        "duplicates show 4",
    ),
    "saved list": Command(
        "commands.read.saved_searches:list_", "", "List saved searches.", "none", "saved list"
    ),
    "saved add": Command(
        "commands.read.saved_searches:add",
        "NAME QUERY",
        "Save a search, replacing any with the same name.",
        "saved_add",
        "saved add bills 'invoice or payment' --sort newest",
    ),
    "saved forget": Command(
        "commands.read.saved_searches:forget",
        "NAME",
        "Delete a saved search.",
        "forget",
        "saved forget bills",
    ),
}
_CHANGE = {
    "add": Command(
        "commands.change.memories:add",
        "TEXT",
        "Add a memory.",
        "memory_options:add",
        "add 'Swiss offers are in francs' --tag billing --expires 90d",
    ),
    "import": Command(
        "commands.change.importing:import_",
        "FILE...",
        "Import memories from files or stores; --yes adds them.",
        "options_export:import_",
        "import notes.md --yes",
    ),
    "edit": Command(
        "commands.change.memories:edit",
        "UID...",
        "Change the text or other fields of memories.",
        "memory_options:edit",
        "edit 7k3m --content 'The staging host is db-3' --confidence 80%",
    ),
    "split": Command(
        "commands.change.split:split",
        "UID [PARTS]",
        "Split a memory before each --at TEXT, or into PARTS.",
        "memory_options:split",
        "split 7k3m --at 'The staging host' --at 'Deploys run' --dry-run",
    ),
    "replace": Command(
        "commands.change.replace:replace",
        "FIND REPLACEMENT [QUERY]",
        "Find and replace text; --yes writes it.",
        "replace",
        "replace 'Acme Ltd' 'Acme GmbH' tag:clients --in content",
    ),
    "confirm": Command(
        "commands.change.memories:verb",
        "UID...",
        "Confirm that memories are correct.",
        "memory_options:verb",
        "confirm 7k3m",
    ),
    "pin": Command(
        "commands.change.memories:verb",
        "UID...",
        "Pin memories to protect them from decay.",
        "memory_options:pin",
        "pin 7k3m --why 'legal requirement'",
    ),
    "unpin": Command(
        "commands.change.memories:verb", "UID...", "Unpin memories.", "memory_options:verb", "unpin 7k3m"
    ),
    "snooze": Command(
        "commands.change.memories:snooze",
        "UID... --until DATE",
        "Hide memories from Review until a date.",
        "memory_options:snooze",
        "snooze 7k3m --until 30d",
    ),
    "dismiss": Command(
        "commands.change.memories:verb",
        "UID...",
        "Dismiss wrong memories; restore brings them back.",
        "memory_options:verb",
        "dismiss 7k3m 9xq2",
    ),
    "forget": Command(
        "commands.change.forget:forget",
        "UID...",
        "Delete memories in their stores; can be restored.",
        "memory_options:forget",
        "forget --owner scout --key client_tone",
    ),
    "restore": Command(
        "commands.change.memories:verb",
        "UID...",
        "Restore dismissed or forgotten memories.",
        "memory_options:verb",
        "restore 7k3m",
    ),
    "copy": Command(
        "commands.change.transfer:transfer",
        "UID... --to STORE",
        "Copy memories to another store.",
        "transfer",
        "copy 7k3m --to native --dry-run",
    ),
    "move": Command(
        "commands.change.transfer:transfer",
        "UID... --to STORE",
        "Move memories to another store.",
        "transfer",
        "move 7k3m --to native",
    ),
    "relate": Command(
        "commands.change.relations:relate",
        "UID KIND OTHER",
        "Add a relation; with supersedes, UID replaces OTHER.",
        "relate",
        "relate 7k3m supports 9xq2 --context 'same source'",
    ),
    "edit-relation": Command(
        "commands.change.relations:update_relation",
        "UID KIND OTHER",
        "Change a relation's kind, strength, text or direction.",
        "update_relation",
        "edit-relation 7k3m supports 9xq2 --strength 0.8",
    ),
    "unrelate": Command(
        "commands.change.relations:unrelate",
        "UID KIND OTHER",
        "Remove a relation.",
        "unrelate",
        "unrelate 7k3m supports 9xq2",
    ),
    "contradictions resolve": Command(
        "commands.change.contradictions:resolve",
        "ID VERDICT",
        "Resolve a pair with a verdict such as keep-a or merge.",
        "resolve",
        "contradictions resolve 3 keep-a --note 'A is newer'",
    ),
    "duplicates merge": Command(
        "commands.change.contradictions:merge",
        "[ID]",
        "Merge one pair, or exact duplicates with --all-exact.",
        "merge",
        "duplicates merge --all-exact --yes",
    ),
    "decay run": Command(
        "commands.change.decay:run",
        "",
        "Preview due decay; --yes applies it.",
        "decay_run",
        "decay run --yes",
    ),
    "undo": Command(
        "commands.change.journal:undo",
        "[ID]",
        "Undo your last change, or journal entry ID.",
        "undo",
        "undo 12",
    ),
    "redo": Command("commands.change.journal:redo", "", "Redo the last undone change.", "none", "redo"),
    "purge": Command(
        "commands.change.purge:purge",
        "UID...",
        "Erase memories permanently; can't be undone.",
        "purge",
        "purge 7k3m --backups",
    ),
}
_STORES = {
    "stores list": Command(
        "commands.stores.stores:list_",
        "",
        "List the attached stores and their health.",
        "none",
        "stores list --json",
    ),
    "stores attach": Command(
        "commands.stores.stores:attach",
        "PATH...",
        "Attach the stores at PATH.",
        "attach",
        "stores attach ~/.claude/projects",
    ),
    "stores create": Command(
        "commands.stores.stores:create",
        "FORMAT PATH",
        "Create an empty store and attach it.",
        "create",
        "stores create founder-os ./memory",
    ),
    "stores detach": Command(
        "commands.stores.stores:detach",
        "NAME",
        "Detach a store; its pins, notes and history stay.",
        "detach",
        "stores detach founder-os:acme",
    ),
    "stores discover": Command(
        "commands.stores.discover:discover",
        "",
        "Find stores in the usual places without attaching any.",
        "none",
        "stores discover",
    ),
    "stores rename": Command(
        "commands.stores.stores:rename",
        "NAME NEW",
        "Rename a store.",
        "rename",
        "stores rename founder-os:acme acme",
    ),
    "stores read-only": Command(
        "commands.stores.stores:lock",
        "NAME",
        "Refuse changes to a store; --off allows them again.",
        "lock",
        "stores read-only founder-os:acme",
    ),
    "backup list": Command(
        "commands.stores.backup:list_",
        "[STORE]",
        "List backups, made before the first write of each day.",
        "backup_list",
        "backup list native",
    ),
    "backup restore": Command(
        "commands.stores.backup:restore",
        "ID",
        "Restore a store from a backup.",
        "backup_restore",
        "backup restore 20261124-080000-memory.db",
    ),
    "doctor": Command(
        "commands.stores.doctor:doctor",
        "",
        "Check the workspace and all stores; --fix repairs them.",
        "doctor",
        "doctor --fix",
    ),
    "embed": Command(
        "commands.stores.embed:embed", "", "Index memories for semantic search.", "none", "embed"
    ),
    "cognitive list": Command(
        "commands.stores.cognitive:list_",
        "",
        "List the attached Cognitive Memory stores.",
        "none",
        "cognitive list",
    ),
    "cognitive reindex": Command(
        "commands.stores.cognitive:reindex",
        "[STORE]",
        "Rebuild a store's _index.json.",
        "cognitive",
        "cognitive reindex",
    ),
    "cognitive decay": Command(
        "commands.stores.cognitive:decay",
        "[STORE]",
        "Recompute the scores in a store's _state.json.",
        "cognitive",
        "cognitive decay",
    ),
    "cognitive core": Command(
        "commands.stores.cognitive:core",
        "[STORE]",
        "Rebuild CORE.md, a store's most important memories.",
        "cognitive",
        "cognitive core",
    ),
    "cognitive reflect": Command(
        "commands.stores.cognitive:reflect",
        "[STORE]",
        "Rebuild REFLECTION.md, a store's recurring topics.",
        "cognitive",
        "cognitive reflect",
    ),
    "eval retrieval": Command(
        "commands.read.evaluate:retrieval",
        "MEMORIES QUESTIONS",
        "Measure how well questions find the right memories.",
        "eval_retrieval",
        "eval retrieval memories.jsonl questions.jsonl",
    ),
    "eval contradictions": Command(
        "commands.read.evaluate:contradictions",
        "PAIRS",
        "Measure how well contradictions are detected.",
        "eval_contradictions",
        "eval contradictions pairs.jsonl",
    ),
    "completion": Command(
        "parser.completion.script:completion",
        "SHELL",
        "Print the completion script for bash, zsh or fish.",
        "completion",
        "completion bash",
    ),
}
# The commands under the headings of `memtui --help`.
SECTIONS = {
    "Start": _START,
    "Read": _READ,
    "Change (in the agent's own store; all but purge can be undone)": _CHANGE,
    "Stores": _STORES,
}
RENAMED = {"retie": "edit-relation"}  # former names, accepted until 1.0
COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}
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


def meant_by(word: str) -> dict[str, str]:
    """Return what an unknown first word may mean: the verb of a group, or a mistyped command."""
    verbs = {name.partition(" ")[2]: name for name in COMMANDS if " " in name}
    if word in verbs:
        return {word: verbs[word]}
    return {each: each for each in (*(name for name in COMMANDS if " " not in name), *GROUPS, "help")}
