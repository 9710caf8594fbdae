"""`--reveal`: print secrets instead of masks (S-62). A terminal asks first, since others may see it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memtui.cli.runtime import wording

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output
    from memtui.memory.secrets.masking import Masking

_YES = "yes"


def masking_of(args: Namespace, output: Output) -> Masking | None:
    """Return how the stored texts of a command are shown, None if secrets are revealed; raise Refused if
    that was asked for on a terminal and not confirmed."""
    output.offers_reveal = True
    if not args.reveal:
        return output.masking
    if sys.stdin and sys.stdin.isatty() and sys.stderr.isatty():
        output.note(wording.confirm_reveal(_YES))
        if sys.stdin.readline().strip() != _YES:
            raise wording.not_revealed()
    output.revealed = True
    return None
