"""The text of a policy: what holds for its agent and from where, what was refused, what is stored already
(S-61); pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.policies import judging
from memtui.memory.policies.policy import EVERY, Policy, limits
from memtui.memory.policies.stated import UNREAD
from memtui.memory.policies.wording import breaching
from memtui.memory.secrets.masking import hidden
from memtui.tui.rules.policies import wording
from memtui.tui.rules.policies.policy_fields import STORE
from memtui.tui.rules.policies.reading import Policies
from memtui.tui.rules.wording import short_path
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import Part, one_line, section, with_heading

if TYPE_CHECKING:
    from memtui.workspace.policies.breaches import Refusals
    from memtui.workspace.remember.checking import Breaching

LABEL = max(map(len, wording.LABELS.values())) + 2  # cells
MAX_REFUSALS = 20  # lines


def policy_text(
    policy: Policy,
    known: Policies,
    breaches: Sequence[Breaching] | None,
    width: int,
    now: float,
    keys: tuple[str, str],
) -> Content:
    """Return a policy as text, `width` cells wide. `breaches` is what of the stored memories it would refuse,
    None while they are read; `keys` edit and remove it."""
    store = policy.store
    told = wording.stated_by(store) if store else wording.set_here(*keys)
    told = wording.from_file(short_path(policy.source)) if policy.source else told
    parts = _wrapped(one_line(hidden(wording.agent(policy)), 120), width, "bold")
    parts += _wrapped(one_line(hidden(told), 300), width, "$quiet")
    if policy.unread:
        parts += _wrapped(one_line(hidden(wording.unreadable(policy.unread)), 300), width, "$error")
    parts += holding_parts(policy, known.listed, width)
    refused = [(_refusal(each, policy, now), "") for each in known.refusals_about(policy)[:MAX_REFUSALS]]
    parts += section(wording.REFUSED, refused or [(wording.NOTHING_REFUSED, "$quiet")], width)
    parts += stored_parts(breaches, width)
    return Content.assemble(*parts, ("\n", ""), *_wrapped(wording.ALWAYS, width, "$quiet")).rstrip()


def holding_parts(policy: Policy, policies: Sequence[Policy], width: int) -> list[Part]:
    """Return what holds for the agent of a policy, wherever that differs: in its store; for one of the
    workspace in each store that states more, and in all others."""
    those = judging.for_agent(policies, policy.agent)
    stores = list(dict.fromkeys(each.store for each in those if each.store))
    parts: list[Part] = []
    if not policy.store:
        where = wording.ELSEWHERE if stores else wording.EVERYWHERE
        parts += _holding(policy.agent, where, judging.in_store(those, ""), width)
    for store in [policy.store] if policy.store else stores:
        parts += _holding(policy.agent, wording.in_store(store), judging.in_store(those, store), width)
    return parts


def stored_parts(breaches: Sequence[Breaching] | None, width: int) -> list[Part]:
    """Return what of the stored memories would be refused, None while that is read."""
    if breaches is None:
        lines: list[Part] = [(wording.CHECKING, "$quiet")]
    else:
        stored = [each for each in breaches if each.code != UNREAD]
        told = (breaching(each.code, each.count, each.detail, hidden(each.agent)) for each in stored)
        lines = [(one_line(text), "$warning") for text in told]
    return section(wording.STORED, lines or [(wording.ALL_FIT, "$quiet")], width)


def _holding(agent: str, where: str, policies: Sequence[Policy], width: int) -> list[Part]:
    lines: list[Part] = []
    for name, part in judging.holding(policies).items():
        stating = () if name == STORE else judging.stating(policies, name)  # a store is no limit
        others = [each for each in stating if each not in part.policies]
        source = wording.from_policies(part.policies, others) if part.policies else ""
        lines += _row(wording.LABELS[name], _value(name, part), source, width)
    return with_heading(one_line(hidden(wording.holds(agent, where)), 200), lines)


def _row(label: str, value: str, source: str, width: int) -> list[Part]:
    """Return a part with its value, and behind or below it where it is from."""
    room = max(12, width - LABEL - 2)
    rows = wrap(one_line(hidden(value), 2_000), room)
    source = one_line(hidden(source), 400)
    below = [] if cell_len(rows[-1]) + cell_len(source) < room else wrap(source, room)
    parts: list[Part] = []
    for index, row in enumerate(rows):
        parts += [(f"  {'' if index else label:<{LABEL}}", "$quiet"), (row, "" if source else "$quiet")]
        if index == len(rows) - 1 and source and not below:
            parts.append((f" {source}", "$quiet"))
        parts.append(("\n", ""))
    for row in below:
        parts += [(f"  {'':<{LABEL}}{row}\n", "$quiet")]
    return parts


def _value(name: str, part: judging.Part) -> str:
    value = part.value
    if not part.policies:
        return wording.UNLIMITED[name]
    if isinstance(value, float):
        return wording.after_days(value)
    texts = value or ()
    if name == "most":
        return "; ".join(map(wording.limit, limits(texts)))
    return ", ".join(texts) or wording.NOTHING


def _refusal(refused: Refusals, policy: Policy, now: float) -> str:
    about = [
        wording.refused_to(refused.agent) if policy.agent == EVERY else "",
        wording.refused_by(refused.policy) if refused.policy != policy.name else "",
        wording.in_store(refused.store) if refused.store else "",
    ]
    last = moment(refused.last, now)
    text = wording.refused(refused.code, refused.count, refused.today, last, [each for each in about if each])
    return one_line(hidden(text))


def _wrapped(text: str, width: int, style: str) -> list[Part]:
    return [part for line in wrap(text, max(12, width)) for part in ((line, style), ("\n", ""))]
