"""The commands that only read: a part of the table."""

from __future__ import annotations

from memtui.cli.parser.command import Command

READ = {
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
        "Count memories, and what each agent did.",
        "stats",
        "stats --as scout",
    ),
    "decay preview": Command(
        "commands.change.decay:preview",
        "",
        "Preview which memories decay and leave, when and why.",
        "decay_preview",
        "decay preview --days 90",
    ),
    "recall": Command(
        "commands.read.recall:recall",
        "TEXT --as AGENT",
        "Show what an agent that asks is given, by its policies.",
        "options_policies:recall",
        "recall 'how do clients pay' --as scout",
    ),
    "policies list": Command(
        "commands.read.policies:list_",
        "",
        "List what agents may read and write.",
        "none",
        "policies list --json",
    ),
    "policies check": Command(
        "commands.read.policies:check",
        "",
        "List what is stored that policies would refuse.",
        "none",
        "policies check",
    ),
    "inbox": Command(
        "commands.read.inbox:inbox",
        "",
        "List what needs you over all stores, worst first.",
        "none",
        "inbox --json",
    ),
    "secrets list": Command(
        "commands.read.inbox:list_",
        "",
        "List memories that contain a secret, masked.",
        "none",
        "secrets list",
    ),
    "secrets scan": Command(
        "commands.read.inbox:scan",
        "",
        "Search new and changed memories for secrets.",
        "none",
        "secrets scan",
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
