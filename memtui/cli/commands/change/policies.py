"""`memtui policies set` and `remove` (S-61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

_LISTS = ("read", "write", "most", "sensitive", "categories")


def set_(args: Namespace, output: Output) -> None:
    """Set the parts of an agent's policy that are given; the others stay."""
    parts: dict[str, Any] = {
        name: _texts(given) for name in _LISTS if (given := getattr(args, name)) is not None
    }
    if not parts and args.expiry is None and args.store is None:
        raise usage.no_part_of_policy()
    with workspace(args, output) as opened:
        change = opened.set_policy(args.agent, expiry=args.expiry, writes_to=args.store, **parts)
        output.change(opened, change, [])


def _texts(given: Sequence[str]) -> list[str]:
    return [text.strip() for each in given for text in each.split(",") if text.strip()]


def remove(args: Namespace, output: Output) -> None:
    """Remove an agent's policy."""
    with workspace(args, output) as opened:
        output.change(opened, opened.remove_policy(args.agent), [])
