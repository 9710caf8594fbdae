"""Rules, what trying one tells, and what importing a file would do, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.encoding import plain
from memtui.memory.policies.policy import fields_of
from memtui.memory.rules.file.merging import ImportedPolicy, ImportedRule
from memtui.memory.rules.file.problems import Problem
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts, Trial
from memtui.values import JsonObject


def rule_as_json(rule: Rule, place: int, counts: RuleCounts) -> JsonObject:
    """Return a rule; "place" is from 1; it holds "held" memories now, changed "today" of them today,
    and "refused" so many writes of agents today; "source" is the project's file that it comes from, or
    null."""
    return {
        **_as_written(rule),
        "place": place,
        "held": counts.held,
        "today": counts.today,
        "refused": counts.refused,
        "source": rule.source or None,
    }


def _as_written(rule: Rule) -> JsonObject:
    return {
        "name": rule.name,
        "on": rule.on,
        "when": rule.when,
        "do": [each.text for each in rule.actions],
        "note": rule.note,
    }


def trial_as_json(trial: Trial) -> JsonObject:
    """Return what a rule would do; "memories" has the first 1,000."""
    return {
        "total": trial.total,
        "stores": dict(trial.by_store),
        "settles": trial.settles,
        "memories": [
            {
                "uid": each.uid,
                "store": each.store,
                "label": each.label,
                "changes": [
                    {"field": name, "before": plain(before), "after": plain(after)}
                    for name, before, after in each.changes
                ],
                "other": each.other or None,
                "pairs": [{"uid": pair.uid, "label": pair.label, "stays": pair.stays} for pair in each.pairs],
                "cannot": list(each.cannot),
            }
            for each in trial.touched
        ],
        "near": [
            {"uid": each.uid, "store": each.store, "label": each.label, "part": each.part}
            for each in trial.near
        ],
        "overlaps": [
            {
                "rule": each.rule,
                "action": each.action,
                "count": each.count,
                "differs": each.differs,
                "first": each.first,
            }
            for each in trial.overlaps
        ],
        "secret": trial.secret,
        "only_refuses": trial.only_refuses,
    }


def imported_as_json(item: ImportedRule) -> JsonObject:
    """Return a rule of a file; "before" is the kept rule of its name, null if it is new."""
    return {
        "verdict": item.verdict.value,
        **_as_written(item.rule),
        "before": _as_written(item.before) if item.before is not None else None,
    }


def imported_policy_as_json(item: ImportedPolicy) -> JsonObject:
    """Return a policy of a file; "before" is the kept one of its agent, null if it is new."""
    return {
        "verdict": item.verdict.value,
        **fields_of(item.policy),
        "before": fields_of(item.before) if item.before is not None else None,
    }


def problem_as_json(problem: Problem) -> JsonObject:
    """Return what is wrong with a file, and where."""
    return {"line": problem.line, "column": problem.column, "message": problem.reason}
