"""What trusting a project's file would do: its rules and policies, next to those that were trusted (S-63)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memtui.memory.policies.policy import Policy, folded
from memtui.memory.rules.file.merging import ImportedPolicy, ImportedRule, RuleVerdict, merged_policies
from memtui.memory.rules.file.project import folder_of
from memtui.memory.rules.rule import Rule
from memtui.text import clean_text

MOST_NAME = 40  # characters of a project's name


@dataclass(frozen=True, slots=True)
class TrustedFile:
    """A project's file as it was trusted: its path, what its rules and policies are named after, the digest
    of its bytes, when (Unix seconds), and the names of the rules that it had switched on itself."""

    path: str
    project: str
    digest: str
    at: float
    on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustPlan:
    """What trusting a file would do: its rules and policies with what each is to the one that was trusted,
    as they would be kept, and those that were trusted and that it no longer has."""

    file: TrustedFile
    rules: Sequence[ImportedRule]
    policies: Sequence[ImportedPolicy]
    gone_rules: Sequence[Rule]
    gone_policies: Sequence[Policy]

    @property
    def changes(self) -> bool:
        """Whether a rule or policy would be changed."""
        items: list[ImportedRule | ImportedPolicy] = [*self.rules, *self.policies]
        gone = self.gone_rules or self.gone_policies
        return bool(gone) or any(each.verdict is not RuleVerdict.SAME for each in items)


def project_name(path: str, taken: Collection[str]) -> str:
    """Return what the rules and policies of a file are named after: its folder, with a number if another file
    has that name."""
    folder = " ".join(clean_text(folder_of(path)).split())[:MOST_NAME].strip() or "project"
    names = [folder, *(f"{folder}-{number}" for number in range(2, len(taken) + 3))]
    return next(each for each in names if each.casefold() not in taken)


def name_of(rule: str, project: str) -> str:
    """Return the name of a rule of a project: "Keep@app"."""
    return f"{rule}@{project}"


def planned(
    file: TrustedFile,
    before: TrustedFile | None,
    rules: Sequence[Rule],
    policies: Sequence[Policy],
    kept_rules: Sequence[Rule],
    kept_policies: Sequence[Policy],
) -> TrustPlan:
    """Return what trusting these rules and policies of a file would do to those that are kept of it.

    Whether a rule is on stays as the person decided, unless the file changed that rule since.
    """
    known = {each.name.casefold(): each for each in kept_rules}
    items = []
    for place, rule in enumerate(rules, 1):
        new = replace(rule, name=name_of(rule.name, file.project), source=file.path, position=place)
        was = known.pop(new.name.casefold(), None)
        if was is None:
            items.append(ImportedRule(RuleVerdict.NEW, new, None))
            continue
        was_on = before is not None and new.name.casefold() in before.on
        is_same = (was.when, was.actions, was.note, was_on) == (new.when, new.actions, new.note, new.on)
        new = replace(new, id=was.id, on=was.on if is_same else new.on)
        verdict = RuleVerdict.SAME if new == replace(was, position=place) else RuleVerdict.CHANGED
        items.append(ImportedRule(verdict, new, was))
    named = [replace(each, source=file.path, project=file.project) for each in policies]
    agents = {folded(each.agent) for each in named}
    gone = [each for each in kept_policies if folded(each.agent) not in agents]
    return TrustPlan(file, items, merged_policies(kept_policies, named), list(known.values()), gone)


def names_on(rules: Sequence[Rule], project: str) -> tuple[str, ...]:
    """Return the folded names of the rules that a file switches on itself."""
    return tuple(name_of(each.name, project).casefold() for each in rules if each.on)
