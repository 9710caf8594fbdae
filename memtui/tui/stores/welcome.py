"""What a new workspace says: what memtui is, what was found, which key begins (S-3)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.stores import DiscoveredStore
from memtui.tui.stores.store_text import UNTOUCHED, Key
from memtui.tui.text.glyphs import counted
from memtui.tui.text.text_layout import Part, one_line

ABOUT = (
    "memtui shows what your AI agents remember, and lets you correct it where the agents read it. "
    "Every change can be taken back."
)
DEMO = "memtui demo, in a shell, opens a made-up company to try it on."


def welcome(found: Sequence[DiscoveredStore] | None, places: Sequence[str], key: Key) -> list[Part]:
    """The text as (text, style) parts; `found` is None while the machine is being looked at."""
    parts: list[Part] = [("Welcome to memtui", "bold $accent"), ("\n", ""), (ABOUT, ""), ("\n\n", "")]
    if found is None:
        return [*parts, ("Looking for the stores of your agents …", "$quiet"), ("\n", "")]
    if not found:
        looked = ", ".join(one_line(place, 200) for place in places)
        return [
            *parts,
            ("No store of an agent was found in the known places.", ""),
            ("\n", ""),
            *_line(key("store.attach"), "attach a file or folder"),
            *_line(key("screen.browse"), "write memories of your own"),
            *([(f"\nLooked in {looked}.", "$quiet"), ("\n", "")] if looked else []),
            (f"\n{DEMO}", "$quiet"),
        ]
    return [
        *parts,
        (f"{counted(len(found), 'store')} found on this machine.", ""),
        ("\n", ""),
        *_line(key("store.open"), "attach it, read its memories"),
        *_line(key("store.attach"), "attach it, stay here"),
        *(_line(key("store.attach_all"), f"attach all {len(found)}") if len(found) > 1 else []),
        *_line(key("store.attach_path"), "attach another file or folder"),
        ("\n", ""),
        (UNTOUCHED, "$quiet"),
        ("\n", ""),
    ]


def _line(key: str, words: str) -> list[Part]:
    return [(f"  {key}  ", "bold $accent"), (words, ""), ("\n", "")]
