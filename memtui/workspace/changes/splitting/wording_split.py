"""Every sentence about what splitting a memory does."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused
from memtui.memory.secrets.masking import hidden
from memtui.memory.splitting import ALL, NONE
from memtui.text import counted

_MOST_KEYS = 3  # that are named
_LONGEST_NAMES = 80  # characters of the files' names
_LONGEST_NAME = 40  # characters of an entity's name, or of a key


def unknown_choice(choice: str, known: Sequence[str]) -> Refused:
    return Refused("relations", f"Not split: relations must be one of {', '.join(known)}, not “{choice}”.")


def summary(parts: int, place: str) -> str:
    """ "Split into 3 memories in graph (memory.jsonl)"."""
    return f"Split into {counted(parts, 'memory')} {place}"


def place(store: str, names: str) -> str:
    """Return where the parts are; the names of many files are left out."""
    return f"in {store}" if not names or len(names) > _LONGEST_NAMES else f"in {store} ({names})"


def where(parts: int, place: str, entity: str, keys: Sequence[str], kept: str, relations: str) -> str:
    """ "3 parts: 1 stays, 2 new in graph (memory.jsonl), entity “Event replay”; named replay-2, replay-3"."""
    of_entity = f", entity “{_short(entity)}”" if entity else ""
    text = f"{parts:,} parts: 1 stays, {parts - 1:,} new {place}{of_entity}"
    named = ", ".join(map(_short, keys[:_MOST_KEYS])) + (" …" if len(keys) > _MOST_KEYS else "")
    return "; ".join(filter(None, (text, named and f"named {named}", relations, kept)))


def _short(name: str) -> str:
    name = hidden(name)  # of the part of a secret that is left nobody would know it
    return (
        name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 3 :]}"
    )


def kept_fields(names: Sequence[str]) -> str:
    labels = {"source_type": "source", "source_ref": "source"}
    found = dict.fromkeys(labels.get(name, name.replace("_", " ")) for name in names)
    return f"kept only in memtui: {', '.join(found)}" if found else ""


def relations(choice: str, own: int, of_entity: int, in_text: int) -> str:
    """Return what happens to the relations of a memory; "" if it has none."""
    texts = []
    if of_entity:
        count = counted(of_entity, "relation")
        texts.append(f"{count} {_verb(of_entity, 'belongs', 'belong')} to the entity")
    if own:
        count = counted(own, "relation")
        texts.append(
            {
                ALL: f"{count} {_verb(own, 'stays', 'stay')} with the first and "
                f"{_verb(own, 'is', 'are')} copied to the new ones (kept in memtui)",
                NONE: f"{count} {_verb(own, 'is', 'are')} removed",
            }.get(choice, f"{count} {_verb(own, 'stays', 'stay')} with the first")
        )
    if in_text:
        texts.append(f"{counted(in_text, 'link')} in the text {_verb(in_text, 'stays', 'stay')} as written")
    return "; ".join(texts)


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def title_of_part(title: str, heading: str, number: int) -> str:
    """The title of a new memory that names the one it comes from; `number` is its part's."""
    return f"{title}: {heading}" if heading else f"{title} ({number})"
