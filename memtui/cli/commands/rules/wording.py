"""Every sentence of `memtui rules`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.importing.project_file import ProjectFile, told
from memtui.memory.rules.file.merging import RuleVerdict
from memtui.memory.rules.trial import Overlap
from memtui.memory.rules.wording import NOTHING_SAVED as NOT_SAVED
from memtui.text import after_colon, counted, plural

NO_RULES = "No rules yet. To add one: memtui rules add NAME --when QUERY --do ACTION"
NOTHING_SAVED = "Nothing was changed."
NEARLY = "Nearly: one part of the query doesn't match"
ON, OFF = "on", "off"
EMPTY = "–"
REFUSES = "It changes no existing memory; it refuses what agents write from now on."
REORDERED = "Rules that are there already take the order of the file."
NOTHING_TO_IMPORT = "Nothing to import: the rules and policies are those of the file already."
NO_LIMITS = "no limits"
TRUSTED_ALREADY = "Nothing to trust: the file is as you trusted it."
GONE = "removed"
SAME_CONTENT = "Only the text of the file changed: its rules and policies are those that you trusted."
FIELDS = ("name", "when", "do", "note", "is")
STDIN = "standard input"
_VERDICTS = {RuleVerdict.NEW: "new", RuleVerdict.CHANGED: "changed", RuleVerdict.SAME: "the same"}


def switch(on: bool) -> str:
    return ON if on else OFF


def does(actions: Sequence[str]) -> str:
    return ", ".join(actions)


def when_and_do(when: str, actions: Sequence[str]) -> str:
    return f"{when} → {does(actions)}"


def held(count: int) -> str:
    return f"{count:,} held"


def today(count: int) -> str:
    return f"{count:,} changed today"


def refused(count: int) -> str:
    return f"{count:,} refused today"


def what_next(name: str) -> str:
    quoted = shlex.quote(name)
    return (
        f"To see what it would touch: memtui rules test {quoted}. To switch it on: memtui rules on {quoted}"
    )


def holds(held: int, today: int) -> str:
    if not held and not today:
        return "It touches no memory now."
    if not held:
        return f"Today it changed {counted(today, 'memory')}."
    return f"It holds {counted(held, 'memory')}; today it changed {today:,}."


def let_go(count: int) -> str:
    return f"It let go of {counted(count, 'memory')}."


def is_at_place(name: str, place: int) -> Refused:
    return Refused("no-change", f"The rule “{name}” is at place {place} already.", NOTHING_SAVED)


# -- redacting


def redacts(name: str, count: int) -> str:
    """What a rule does that begins to redact; `count` memories have a secret now."""
    having = counted(count, "memory has one", "memories have one")
    return f"“{name}” permanently redacts secrets, now and later: {having} now. Backups keep theirs."


def redacting_not_asked(name: str, count: int) -> Refused:
    return Refused(
        "not-asked",
        f"{NOTHING_SAVED} {redacts(name, count)} It can't be undone, and confirming it needs a terminal.",
        "--yes skips the confirmation.",
        secret=count,
    )


def redacting_not_confirmed() -> Refused:
    return Refused("not-asked", NOTHING_SAVED)


def import_redacts(name: str) -> str:
    return f"“{name}” is on and permanently redacts secrets: importing it with --yes can't be undone."


# -- trying a rule


def would_touch(total: int, stores: Sequence[tuple[str, int]]) -> str:
    named = ", ".join(f"{store} {count:,}" for store, count in stores)
    return f"Matches {counted(total, 'memory')}: {named}." if total else "Matches no memory."


def would_settle(count: int) -> str:
    return f"Settles {counted(count, 'contradiction')}."


def would_redact(count: int) -> str:
    having = counted(count, "memory has secrets", "memories have secrets")
    return f"{having} that would be permanently redacted."


def cannot_be_tried(refused: Refused) -> Refused:
    """Return why a rule can't be as it is wanted, without that it was not saved: nobody wanted that."""
    if refused.advice != NOT_SAVED:
        return refused
    return Refused(refused.code, refused.reason, **refused.detail)


def changed_field(name: str, before: str, after: str) -> str:
    return f"{name}: {before or EMPTY} → {after or EMPTY}"


def done_before(rule: str) -> str:
    return f"“{rule}” comes first"


def more(shown: int, total: int) -> str:
    return f"Showing {shown:,} of {total:,}; --limit N shows more."


def lacks(part: str) -> str:
    return f"not {part}"


def overlap(found: Overlap) -> str:
    what = f"sets another {found.action}" if found.differs else f"does the same ({found.action})"
    wins = "it comes first and wins" if found.first else "it comes later"
    return f"Overlap: “{found.rule}” {what} in {counted(found.count, 'memory')}; {wins}."


# -- files


def exported(rules: int, policies: int, file: str) -> str:
    more = f" and {counted(policies, 'policy')}" if policies else ""
    return f"Exported {counted(rules, 'rule')}{more}{f' to {file}' if file else ''}."


def not_a_rules_file(file: str, problem: str) -> Refused:
    return Refused(
        "rules-file",
        f"{file} can't be updated: {after_colon(problem)}",
        f"Correct it (memtui rules check {shlex.quote(file)}), or remove it.",
        unchanged="It was not changed.",
    )


def fine(file: str, rules: int, policies: int) -> str:
    more = f", {counted(policies, 'policy')}" if policies else ""
    return f"{file}: {counted(rules, 'rule')}{more}, no problems."


def verdict(which: RuleVerdict) -> str:
    return _VERDICTS[which]


def would_import(noun: str, new: int, changed: int, same: int, staying: int) -> str:
    which = "Policies: " if noun == "policy" else ""
    counts = f"{which}{new:,} new, {changed:,} changed, {same:,} the same"
    one, many = f"{noun} that isn't in the file stays", f"{plural(2, noun)} that aren't in the file stay"
    return f"{counts}; {counted(staying, one, many)}." if staying else f"{counts}."


def how_to_import(on: int) -> str:
    applied = f" {counted(on, 'rule that is', 'rules that are')} on would be applied at once." if on else ""
    return f"Nothing was changed.{applied} To import: --yes"


def policy_of(name: str) -> str:
    return f"policy {name}"


def stated(name: str, text: str) -> str:
    return f"{name}: {text}"


# -- files of projects


def of_project(path: str) -> str:
    return f"{path}: what it would do to your memories"


def matches(count: int) -> str:
    return f"matches {counted(count, 'memory')}"


def misfits(count: int) -> str:
    return f"would refuse {counted(count, 'existing memory')}"


def ask_to_trust(word: str) -> str:
    return f"Its rules that are on apply at once. To trust it, type {word}:"


def how_to_trust(file: str) -> str:
    return f"Nothing was changed. To trust it: memtui rules trust{file} --yes"


def standing(file: ProjectFile, *, here: bool = False) -> str:
    """Return what there is to say of a project's file, "" if it is as it was trusted; the one that is `here`
    needs no name in commands."""
    name = "" if here else f" {shlex.quote(file.path)}"
    return told(file, file.path, f"memtui rules trust{name}", f"memtui rules distrust{name}")
