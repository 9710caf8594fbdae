"""Every sentence about the rules file of a project, and about trusting it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memtui.errors import Refused
from memtui.text import after_colon, counted, listed

NOT_CHANGED = "Nothing was changed."
PLACE = ".memtui/rules.toml"


def not_stricter(action: str, allowed: Sequence[str]) -> Refused:
    reason = f"A project's file can't {action.partition('=')[0]}"
    reason = f"A project's file can't set {action}" if action.startswith("scope=") else reason
    return Refused("project", f"{reason}; it can {', '.join(allowed)}.", NOT_CHANGED)


def no_leaving(limit: str) -> Refused:
    allowed = limit.partition(":")[0]
    return Refused(
        "project", f"A project's file can't let memories leave; it can have {allowed}.", NOT_CHANGED
    )


def no_store() -> Refused:
    reason = "A project's file can't say which store an agent writes to."
    return Refused("project", reason, "To say it yourself: memtui policies set AGENT --store NAME")


def not_a_project_file(name: str) -> Refused:
    return Refused(
        "project",
        f"{name} isn't a project's file, which is {PLACE} in its folder.",
        "To import another file: memtui rules import FILE",
    )


def no_project_file() -> Refused:
    return Refused("project", f"There is no {PLACE} in this folder or above.", NOT_CHANGED)


def outside(name: str) -> Refused:
    return Refused("project", f"{name} is a link out of its project.", NOT_CHANGED)


def another_users(name: str) -> Refused:
    return Refused("owner", f"{name} belongs to another user.", NOT_CHANGED)


def not_trusted(name: str) -> Refused:
    return Refused("project", f"{name} is not trusted.", NOT_CHANGED)


def trusted_already(name: str) -> Refused:
    return Refused("no-change", f"{name} is as you trusted it.", NOT_CHANGED)


def changed_meanwhile(name: str) -> Refused:
    return Refused(
        "project", f"{name} changed while you looked at it.", "Look at it again.", unchanged=NOT_CHANGED
    )


def from_file(name: str, path: str) -> Refused:
    reason = f"“{name}” comes from {path}: change it there."
    return Refused("from-file", reason, NOT_CHANGED)


# -- what was done


def trusted(project: str, rules: int, policies: int) -> str:
    return f"Trusted the rules of {project}: {_parts(rules, policies)}"


def distrusted(project: str, rules: int, policies: int) -> str:
    return f"Distrusted the rules of {project}: {_parts(rules, policies)}"


def _parts(rules: int, policies: int) -> str:
    parts = [counted(rules, "rule")] * (rules > 0) + [counted(policies, "policy")] * (policies > 0)
    return listed(parts) or "it has none"


# -- how a file stands; `verb` is the command or the key that shows more


def untrusted(path: str, verb: str) -> str:
    return f"{path} is not trusted, so not used; {verb} shows what it would do."


def changed(path: str, at: float, verb: str) -> str:
    day = f"{datetime.fromtimestamp(at):%Y-%m-%d}"
    return f"{path} changed since you trusted it on {day}; {verb} shows the difference."


def gone(path: str, verb: str) -> str:
    return f"{path} is gone; what you trusted holds until {verb}."


def unusable(path: str, reason: str) -> str:
    return f"{path} is not used: {after_colon(reason)}"


def unusable_now(path: str, reason: str) -> str:
    return f"{path} can't be used now, what you trusted holds: {after_colon(reason)}"
