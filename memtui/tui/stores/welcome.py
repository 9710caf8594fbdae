"""The text for a new workspace: what memtui is, what was found, and how to begin (S-3)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.stores import DiscoveredStore
from memtui.tui.stores import wording
from memtui.tui.stores.store_text import Key
from memtui.tui.text.text_layout import Part, one_line


def welcome(found: Sequence[DiscoveredStore] | None, places: Sequence[str], key: Key) -> list[Part]:
    """Return the welcome text; `found` is None during the search, which looks in `places`."""
    parts: list[Part] = [(wording.WELCOME, "bold $accent"), ("\n", ""), (wording.ABOUT, ""), ("\n\n", "")]
    if found is None:
        return [*parts, (wording.SEARCHING, "$quiet"), ("\n", "")]
    if not found:
        searched = ", ".join(one_line(place, 200) for place in places)
        return [
            *parts,
            (wording.NO_STORE_FOUND, ""),
            ("\n", ""),
            *_key_line(key("store.attach"), wording.ATTACH_A_PATH),
            *_key_line(key("screen.browse"), wording.WRITE_YOUR_OWN),
            *([(f"\n{wording.looked_in(searched)}", "$quiet"), ("\n", "")] if searched else []),
            (f"\n{wording.DEMO}", "$quiet"),
        ]
    return [
        *parts,
        (wording.found_on_machine(len(found)), ""),
        ("\n", ""),
        *_key_line(key("store.open"), wording.ATTACH_AND_READ),
        *_key_line(key("store.attach"), wording.ATTACH_AND_STAY),
        *(_key_line(key("store.attach_all"), wording.attach_all(len(found))) if len(found) > 1 else []),
        *_key_line(key("store.attach_path"), wording.ATTACH_ANOTHER_PATH),
        ("\n", ""),
        (wording.UNTOUCHED, "$quiet"),
        ("\n", ""),
    ]


def _key_line(key: str, words: str) -> list[Part]:
    return [(f"  {key}  ", "bold $accent"), (words, ""), ("\n", "")]
