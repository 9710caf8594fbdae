"""The commands for rules: a part of the table."""

from __future__ import annotations

from memtui.cli.parser.command import Command

RULES = {
    "rules list": Command(
        "commands.rules.listing:list_",
        "",
        "List the rules in their order; the first match wins.",
        "none",
        "rules list",
    ),
    "rules show": Command(
        "commands.rules.listing:show",
        "NAME",
        "Show a rule and how many memories it holds.",
        "options_rules:rule",
        "rules show Decisions",
    ),
    "rules test": Command(
        "commands.rules.trying:test",
        "[NAME]",
        "Show what a rule would touch, before and after.",
        "options_rules:test",
        "rules test --when 'category:decision security' --do pin",
    ),
    "rules add": Command(
        "commands.rules.changing:add",
        "NAME --when QUERY --do ACTION",
        "Add a rule; it is off until it is switched on.",
        "options_rules:add",
        "rules add Decisions --when category:decision --do pin",
    ),
    "rules edit": Command(
        "commands.rules.changing:edit",
        "NAME",
        "Change a rule's name, query, actions or note.",
        "options_rules:edit",
        "rules edit Decisions --when 'category:decision -tag:draft'",
    ),
    "rules remove": Command(
        "commands.rules.changing:remove",
        "NAME",
        "Remove a rule; what it set goes with it.",
        "options_rules:rule",
        "rules remove Decisions",
    ),
    "rules on": Command(
        "commands.rules.changing:turn",
        "NAME",
        "Switch a rule on and apply it at once.",
        "options_rules:on",
        "rules on Decisions",
    ),
    "rules off": Command(
        "commands.rules.changing:turn",
        "NAME",
        "Switch a rule off; what it set goes with it.",
        "options_rules:rule",
        "rules off Decisions",
    ),
    "rules move": Command(
        "commands.rules.changing:move",
        "NAME PLACE",
        "Move a rule to a place in the order, or up or down.",
        "options_rules:move",
        "rules move Decisions 1",
    ),
    "rules export": Command(
        "commands.rules.files:export",
        "",
        "Print rules and policies as TOML, or write a file.",
        "options_rules:export",
        "rules export -o rules.toml",
    ),
    "rules import": Command(
        "commands.rules.files:import_",
        "FILE",
        "Import rules and policies from a file, with --yes.",
        "options_rules:import_",
        "rules import rules.toml --yes",
    ),
    "rules check": Command(
        "commands.rules.checking:check",
        "[FILE]",
        "Check a TOML file with rules and policies.",
        "options_rules:check",
        "rules check rules.toml",
    ),
    "rules trust": Command(
        "commands.rules.trusting:trust",
        "[FILE]",
        "Use the rules of a project's file (asks first).",
        "options_rules:trust",
        "rules trust --yes",
    ),
    "rules distrust": Command(
        "commands.rules.trusting:distrust",
        "[FILE]",
        "Stop using the rules of a project's file.",
        "options_rules:distrust",
        "rules distrust",
    ),
}
