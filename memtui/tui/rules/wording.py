"""Every sentence of the Rules screen and its dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from memtui.importing.project_file import ProjectFile, told
from memtui.memory.rules.file.problems import Problem, shown
from memtui.memory.rules.trial import Overlap, RuleCounts
from memtui.memory.secrets.masking import hidden
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.text.text_layout import one_line

# What could not be done; an error's own text follows.
SUBJECT = "The rules"
NOT_READ = "Could not read the rules"
NOT_TRIED = "Could not tell what the rule would touch"
NOT_SAVED = "Could not save the rule"
VALUES_NOT_READ = "Could not load what is in use"

# Files of projects.
FILES_NOT_READ = "Could not read the project's rules"
NO_PROJECT_FILE = "No project's rules: there is no .memtui/rules.toml in this folder or above."
POLICIES, REMOVED = "Policies", "Removed"
FROM = "from"
TRUSTING = (
    "These rules come after yours; their policies only restrict. When the file changes, they hold as they "
    "are until you trust it again."
)
SAME_RULES = "Only the text of the file changed: its rules and policies are those that you trusted."
DISTRUSTING = "Its rules and policies go; what they set goes back. What you changed since stays."

# The list.
RULES, RULE = "Rules", "Rule"
ON, OFF, BROKEN = "● on ", "○ off", "! bad"

# The empty list.
NO_RULES = "No rules yet."
WHAT_FOR = "A rule keeps true what you say once: “pin whatever is about security”."
HOLDS = "It holds for what matches a search, in every store, new memories too."
NOTHING_CHANGES = (
    "A new rule is off. Here you see each memory that it would touch, before and after; nothing changes "
    "until you switch it on. What it sets goes back when it is switched off."
)

# The text of a rule.
WHEN, DO, NOTE = "when", "do", "note"
LOADING = "Reading what it touches …"
NOTHING = "nothing"
MATCH_NONE = "No memory matches."
TOUCHED, ALIKE = "Before and after", "There already"
ONLY_NEW = "It touches only what agents write from now on."
CLOSE = "Close, but for one part"
BEFORE, AFTER = "Rules before it", "Rules after it"
NO_CHANGE = "is so already, or can't be set there"

# What needs a rule.
READ_ONLY = "The workspace is read-only: rules can't be changed."
READING = "Counting what it touches …"

# The form.
NAME_FIELD, WHEN_FIELD, DO_FIELD, NOTE_FIELD = "Name", "When", "Do", "Note"
NAME_HINT = "what you call it"
WHEN_HINT = "a search: category:security, or words"
DO_HINT = "pin, tag=security, expire=30d …"
NOTE_HINT = "why; shown as the reason of a pin"
NEW_RULE = "New rule"
DRY_RUN = "Dry run"
APPLIES = "The rule is on: saving applies it"
TYPE_QUERY = "Type a search: the rule is for the memories that match it."
NO_ACTION = "Say what it does, such as pin."

# Recipes.
RECIPES = "Start from a recipe"

DOING = "Applying rules to"


# The list.


def now(count: int) -> str:
    return f"{grouped(count)} now"


def today(count: int) -> str:
    return f"{grouped(count)} today"


def refused(count: int) -> str:
    return f"{grouped(count)} refused"


def counts(rules: int, on: int, policies: str) -> str:
    """How many rules there are, how many of them are on, and how many policies."""
    return " · ".join(
        filter(None, (f"{counted(rules, 'rule')}, {grouped(on)} on" if rules else "", policies))
    )


def recipe_key(key: str) -> str:
    return f"{key}  start from a recipe"


def new_key(key: str) -> str:
    return f"{key}  write a new rule"


# The text of a rule.


def state(
    counts: RuleCounts, number: int, total: int, key: str, *, on: bool, only_refuses: bool = False
) -> str:
    """Whether a rule is on, its place, and what it holds."""
    where = f"rule {grouped(number)} of {grouped(total)}"
    held = counted(counts.held, "memory")
    if on:
        did = [] if only_refuses else [f"it holds {held}", f"{grouped(counts.today)} changed today"]
        refused = f"{counted(counts.refused, 'write')} refused today"
        did += [refused] if counts.refused or only_refuses else []
        return f"On · {where} · {', '.join(did)}"
    rest = f", {held} not yet taken back" if counts.held else ""
    return f"Off{rest} · {where} · {key} switches it on"


def total(count: int, stores: Sequence[tuple[str, int]], *, on: bool) -> str:
    """How many memories a rule touches, and in which stores how many of them."""
    text = counted(count, "memory")
    if len(stores) == 1:
        text += f" in {stores[0][0]}"
    elif stores:
        text += f": {', '.join(f'{grouped(number)} in {store}' for store, number in stores)}"
    return f"It touches {text}." if on else f"It would touch {text}. Nothing has changed yet."


def alike(count: int, stores: Sequence[tuple[str, int]]) -> str:
    """How many memories are there already that a rule would refuse."""
    verb = "is" if count == 1 else "are"
    where = f" in {stores[0][0]}" if len(stores) == 1 else ""
    return f"{counted(count, 'memory')} like this {verb} there already{where}. {ONLY_NEW}"


def redacts(count: int) -> str:
    """About a rule that begins to redact; `count` memories have a secret now."""
    has = "has" if count == 1 else "have"
    return (
        f"{counted(count, 'memory')} {has} a secret now. Each is permanently redacted, and so is each that "
        "comes to match. This can't be undone; backups keep theirs."
    )


def more(count: int, key: str) -> str:
    shown = f"; {key} shows all of them" if key else ""
    return f"and {counted(count, 'more memory')}{shown}"


def more_rules(count: int) -> str:
    return f"and {counted(count, 'more overlap')}"


def settles(count: int, *, on: bool) -> str:
    """How many contradictions a rule settles."""
    return f"It {'settles' if on else 'would settle'} {counted(count, 'contradiction')}."


def comes_first(rule: str) -> str:
    return f"“{rule}” comes first"


def does_not_match(part: str) -> str:
    return f"all but {part}"


def overlap(found: Overlap) -> str:
    """How another rule meets this one."""
    memories = counted(found.count, "memory")
    if not found.differs:
        when = "comes first and does" if found.first else "comes later and does"
        return f"“{found.rule}” {when} the same ({found.action}) for {memories}."
    if found.first:
        return f"“{found.rule}” comes first and sets another {found.action} for {memories}."
    return f"“{found.rule}” comes later; this rule decides the {found.action} of {memories}."


# Keys.


def no_rule(key: str, recipe: str) -> str:
    return f"There is no rule yet: {key} writes one, {recipe} starts from a recipe."


def switch_on(key: str, undo: str) -> str:
    return f"{key} switch it on · {undo} undo"


def order_refused(name: str, *, up: bool) -> str:
    return f"“{name}” is the {'first' if up else 'last'} rule already."


def last_own(name: str) -> str:
    return f"“{name}” is your last rule: those of projects come after it."


# Files of projects.


def short_path(path: str) -> str:
    """The end of a path, by which a person knows it."""
    return one_line(hidden("/".join(PurePath(path).parts[-3:])), 50)


def standing(file: ProjectFile, key: str) -> str:
    return told(file, short_path(file.path), key, f"{key} takes them back")


def notice(texts: Sequence[str]) -> str:
    more = f" And {counted(len(texts) - 1, 'more file')}." if len(texts) > 1 else ""
    return f"{texts[0]}{more}" if texts else ""


def has_problems(path: str, problems: Sequence[Problem]) -> str:
    first = next(shown(problems, short_path(path), 1))
    return f"Not trusted: {first}"


def trust_title(name: str, *, trust: bool) -> str:
    return f"Trust {name}" if trust else f"No longer trust {name}"


def verdict(code: str) -> str:
    return code


def was(text: str) -> str:
    return f"was: {text}"


def switch(*, on: bool) -> str:
    return "on" if on else "off"


def stated(name: str, text: str) -> str:
    return f"{name}: {text}"


def touches(count: int, *, on: bool) -> str:
    return f"{'It touches' if on else 'Once on, it would touch'} {counted(count, 'memory')}."


def misfits(count: int) -> str:
    return f"It would refuse {counted(count, 'existing memory')}."


# Switching on and off.


def turn_title(name: str, *, on: bool) -> str:
    return f"Switch “{name}” {'on' if on else 'off'}"


def takes_back(count: int) -> str:
    return (
        f"What it set in {counted(count, 'memory')} goes back to what it was. What you changed since stays."
    )


def holds(summary: str, counts: RuleCounts) -> str:
    """What a rule does that was switched on: what an act did is not held."""
    if counts.today and not counts.held:
        return f"{summary}: today it changed {counted(counts.today, 'memory')}"
    return f"{summary}: it holds {counted(counts.held, 'memory')}"


def refuses(summary: str) -> str:
    return f"{summary}: it refuses from now on"


def unfinished(summary: str) -> str:
    return f"{summary}; the rest follows in the background"


# The form.


def edit_title(name: str) -> str:
    return f"Edit “{name}”"


# Recipes.


def recipe(when: str, note: str) -> str:
    return f"When {when}. {note}"
