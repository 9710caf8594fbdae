"""The commands about stores, and the rest: a part of the table."""

from __future__ import annotations

from memtui.cli.parser.command import Command

STORES = {
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
