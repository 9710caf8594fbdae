"""The line of a policy in the list: agent, what it says, where it stands, what it refused today (S-61)."""

from __future__ import annotations

from rich.cells import cell_len

from memtui.memory.policies.policy import Policy
from memtui.memory.secrets.masking import hidden
from memtui.tui.common.virtual_list import Part
from memtui.tui.rules.policies import wording
from memtui.tui.text.glyphs import fit

SIGN, REFUSED, SOURCE = 5, 12, 18  # cells
WITH_REFUSED, WITH_SOURCE = 60, 100  # cells of the list from which they are shown


def policy_parts(policy: Policy, refused: int, name_width: int, width: int) -> list[Part]:
    """Return the line of a policy that refused `refused` things today, `width` cells wide; `name_width` is
    that of the names of rules."""
    name, tail = policy.name, list[Part]()
    if width >= WITH_SOURCE:
        name = wording.agent(policy)
        tail.append((f"  {fit(hidden(wording.source(policy.store, policy.project)), SOURCE)}", "quiet"))
    if width >= WITH_SOURCE or (width >= WITH_REFUSED and refused):
        told = wording.refused_today(refused) if refused else ""
        tail.append((f"{fit(told, REFUSED, right=True)} ", "warn"))
    head: list[Part] = [
        (" ", "plain"),
        _sign(policy, refused),
        ("  ", "plain"),
        (f"{fit(hidden(name), name_width - 1)} ", "plain"),
    ]
    room = width - sum(cell_len(text) for text, _ in [*head, *tail])
    return [*head, (fit(hidden(wording.says(policy)), max(0, room)), "quiet"), *tail]


def _sign(policy: Policy, refused: int) -> Part:
    """Return what is unusual about a policy, as a sign; its word follows in the line."""
    if policy.unread:
        return fit(wording.UNREADABLE, SIGN), "error"
    return fit(wording.REFUSES if refused else "", SIGN), "warn"
