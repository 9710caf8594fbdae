"""Changing the tags of memories: TAG, +TAG and -TAG, as they are typed (S-82)."""

from __future__ import annotations

from collections.abc import Sequence


def retagged(given: Sequence[str], tags: Sequence[str]) -> tuple[str, ...]:
    """Return the tags after TAG, which replaces them all, +TAG, which adds one, and -TAG, removing one.

    >>> retagged(["+new", "-old"], ("old", "kept"))
    ('kept', 'new')
    """
    replacing = [tag for tag in given if tag[:1] not in ("+", "-")]
    added = [*(replacing or tags), *(tag[1:] for tag in given if tag.startswith("+"))]
    removed = {tag[1:] for tag in given if tag.startswith("-")}
    return tuple(dict.fromkeys(tag for tag in added if tag not in removed))


def typed_tags(text: str) -> list[str]:
    """Return what is typed in a line as +TAG and -TAG, where a word without a sign is added.

    Commas separate tags if there are any, else spaces do.

    >>> typed_tags("billing +new -old"), typed_tags("+two words, -old")
    (['+billing', '+new', '-old'], ['+two words', '-old'])
    """
    parts = [part.strip() for part in (text.split(",") if "," in text else text.split())]
    signed = [part if part[0] in "+-" else f"+{part}" for part in parts if part]
    return [f"{part[0]}{part[1:].strip()}" for part in signed if part[1:].strip()]
