"""Commands that are hard to take back (S-81): how each is recognised, and what memories about it say.

A new one is a line of RISKS.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Risk:
    """A kind of command: its name, what recognises it, and questions whose answers are about it."""

    name: str
    pattern: re.Pattern[str]
    questions: tuple[str, ...]


def _risk(name: str, questions: str, pattern: str) -> Risk:
    """Return a risk; its name is a question, too, and so is each part of `questions`. In the pattern, @ is
    where the name of a program begins."""
    begins = r"(?:\A|[\s;&|(`'\"/])"
    return Risk(name, re.compile(pattern.replace("@", begins), re.I), (name, *questions.split(", ")))


_GIT = r"@git\s+(?:-\S+\s+)*"
RISKS = (
    _risk("rm -rf", "delete files, delete folder", r"@rm\s+(?:\S+\s+)*?-(?:\w*[rf]\w*|-recursive|-force)\b"),
    _risk("git push --force", "force push", _GIT + r"push\b.*(?:\s--force\S*|\s-\w*f\w*\b|\s\+\S)"),
    _risk("git reset --hard", "hard reset", _GIT + r"reset\b.*\s--hard\b"),
    _risk("git clean", "untracked files", _GIT + r"clean\b.*\s-\w*[fdx]"),
    _risk("git branch -D", "delete branch", _GIT + r"(?:branch\b.*\s(?-i:-D)\b|push\b.*\s--delete\b)"),
    _risk("git rebase", "rewrite history", _GIT + r"(?:rebase|filter-branch|filter-repo)\b"),
    _risk("git --no-verify", "pre-commit hooks, skip hooks", r"@git\b.*\s--no-verify\b"),
    _risk("DROP TABLE", "drop database, delete table", r"\bdrop\s+(?:table|database|schema)\b|\bdropdb\b"),
    _risk("TRUNCATE", "truncate table", r"\btruncate\s+(?:table\s+)?\w"),
    _risk("DELETE FROM", "delete rows", r"\bdelete\s+from\s+\S+\s*(?:;|['\"`]|$)"),
    _risk(
        "chmod -R", "permissions, chmod 777", r"@chmod\s+(?:\S+\s+)*?(?:-\w*(?-i:R)\w*\b|--recursive|0?777\b)"
    ),
    _risk("chown -R", "file owner", r"@chown\s+(?:\S+\s+)*?(?:-\w*(?-i:R)\w*\b|--recursive)"),
    _risk("curl | sh", "install script", r"\b(?:curl|wget)\b[^|;&]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"),
    _risk("dd", "disk image, format disk", r"@dd\s+.*\bof=|@mkfs\S*\s|>\s*/dev/(?:sd|nvme|disk)"),
    _risk("kubectl delete", "kubernetes, cluster", r"@(?:kubectl|oc)\b.*\sdelete\b|@helm\s+uninstall\b"),
    _risk("terraform", "infrastructure", r"@(?:terraform|tofu|pulumi)\b.*\s(?:destroy|apply|up)\b"),
    _risk("docker prune", "docker volumes", r"@(?:docker|podman)\b.*\s(?:prune|rmi?|down\s+.*-v)\b"),
    _risk("npm publish", "release", r"@(?:npm|pnpm|yarn|cargo|poetry|uv)\s+publish\b|@twine\s+upload\b"),
    _risk(
        "deploy", "production, deployment", r"@[\w./-]*deploy[\w.-]*(?:\s|$)|@(?:fly|gcloud)\b.*\sdeploy\b"
    ),
    _risk(
        "migrate",
        "migration, database migration",
        r"\b(?:alembic|prisma|rails|rake|knex|manage\.py)\b.*\b(?:downgrade|rollback|reset|migrate|flush)",
    ),
    _risk("FLUSHALL", "redis", r"\bflush(?:all|db)\b"),
    _risk("kill", "kill process", r"@(?:killall|pkill)\s|@kill\s+(?:-9|-KILL)\b"),
    _risk("shutdown", "restart server", r"@(?:shutdown|reboot|halt|poweroff)\b"),
)


def risks_of(command: str) -> list[Risk]:
    """Return the kinds of risky command that a command line has."""
    return [each for each in RISKS if each.pattern.search(command)]
