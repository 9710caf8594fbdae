"""Numbers on the command line."""

from __future__ import annotations

import argparse

from memtui.cli.parser import wording

MAX_COUNT = 1_000_000_000
MAX_PORT = 65_535


def count(text: str) -> int:
    """Return a number from 1 to `MAX_COUNT`; raise ArgumentTypeError for anything else."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= MAX_COUNT:
        raise argparse.ArgumentTypeError(wording.not_a_count(text, MAX_COUNT))
    return number


def port(text: str) -> int:
    """Return a port, 0 for any that is free; raise ArgumentTypeError for anything else."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else -1
    if not 0 <= number <= MAX_PORT:
        raise argparse.ArgumentTypeError(wording.not_a_port(text))
    return number
