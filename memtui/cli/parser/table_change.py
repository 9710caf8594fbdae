"""The commands that change memories: a part of the table."""

from __future__ import annotations

from memtui.cli.parser.command import Command

CHANGE = {
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
