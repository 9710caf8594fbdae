"""The steps of an agent's write that can refuse it: each looks at one thing, and raises PolicyRefused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.incoming import Effect
from memtui.memory import secrets
from memtui.memory.policies import judging, wording
from memtui.memory.secrets.wording import name_of
from memtui.text import without_unseen
from memtui.workspace.changes import verbs
from memtui.workspace.remember.asked import Asked
from memtui.workspace.remember.insert import acting, as_inserted
from memtui.workspace.remember.known import Meeting
from memtui.workspace.rules import refusing

if TYPE_CHECKING:
    from memtui.memory.rules.rule import Rule
    from memtui.workspace.context import Context

_SEPARATOR = re.compile(r"[:/.\s]+")  # between the parts of a key


def own(write: Asked) -> None:
    """An agent writes as itself alone."""
    if write.text("owner") != write.agent:
        raise wording.other_owner(write.agent)


def scope(write: Asked) -> None:
    """Every policy that holds in the store has to let it write the scope."""
    if policy := judging.against_scope(write.policies, write.scope):
        raise wording.scope_refused(policy.name, write.agent, write.scope, policy.write or ())


def category(write: Asked) -> None:
    """Where policies name categories, it has to be one of them."""
    if policy := judging.against_category(write.policies, write.text("category")):
        raise wording.category_refused(policy.name, write.agent, policy.categories or ())


def pattern(write: Asked) -> None:
    """Neither its key nor another name of it may be like a sensitive one."""
    names = [write.text("key"), write.key, write.text("title"), write.text("subject")]
    if found := judging.against_names(write.policies, names):
        policy, like = found
        raise wording.key_refused(policy.name, write.agent, like)


def secret(write: Asked) -> None:
    """No text of it may hold a secret; neither may one of its names, or a part of it as in "password:db", and
    its text read together."""
    names = [write.text(name) for name in ("key", "title", "subject")]
    parts = [part for name in names for part in _SEPARATOR.split(name)]
    together = [f"{name}: {write.text('content')}" for name in dict.fromkeys([*names, *parts])]
    texts = (*write.texts(), *together)
    for text in dict.fromkeys([*texts, *map(without_unseen, texts)]):  # unseen letters split one
        if found := secrets.find(text):
            raise wording.has_secret(write.agent, name_of(found[0].kind))


def rule(ctx: Context, write: Asked, met: Meeting) -> None:
    """No rule that is on may refuse it. What takes the place of a text is judged as the memory that gets it,
    and what the store would not take a second time as the one that says it already; raise Refused where there
    is none."""
    rules = refusing.listed(ctx)
    if not rules:
        return
    if met.changes is not None and met.effect is Effect.REPLACES:
        found = refusing.first_edited(ctx, rules, met.changes.id, {"content": write.text("content")})
    else:
        found = _refusing_addition(ctx, write, met, rules)
    if found is not None:
        raise wording.by_rule(found.name, write.agent)


def _refusing_addition(ctx: Context, write: Asked, met: Meeting, rules: list[Rule]) -> Rule | None:
    fields, status = as_inserted(ctx, write, met.effect)
    try:
        item, *_ = verbs.planned_add(acting(ctx, write.agent), fields, write.store.name, status)
    except Refused:
        if met.changes is None:
            raise
        return refusing.first_of(ctx, rules, met.changes.id)
    return refusing.first_on(ctx, rules, item)
