"""Writing a rules file: the same rules make the same bytes, and a file that is written again keeps its
comments (S-63).

A rule that did not change keeps its lines, with the comments directly above them; of another one, only the
values that did change are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.memory.rules.file import wording
from memtui.memory.rules.file.places import RULE, places
from memtui.memory.rules.file.reading import DO, KEYS, NAME, NOTE, ON, WHEN
from memtui.memory.rules.rule import Rule
from memtui.text import is_clean
from memtui.values import Json

if TYPE_CHECKING:
    from tomlkit.items import Item


def text_of(rules: Sequence[Rule], before: str = "", rules_before: Sequence[Rule] = ()) -> str:
    """Return the text of a file with these rules; `before` is the text that is there, valid and without
    problems, and `rules_before` what was read from it."""
    crlf = "\r\n" in before
    text = before.replace("\r\n", "\n")
    starts = [each.start for each in places(text).blocks]
    ends = [*starts[1:], len(text)][: len(starts)]
    known = {
        rule.name.casefold(): (rule, text[start:end])
        for rule, start, end in zip(rules_before, starts, ends, strict=True)
    }
    blocks = [_block(rule, *known.get(rule.name.casefold(), (None, ""))) for rule in rules]
    if text and blocks == [block for _, block in known.values()]:
        return before
    head = text[: starts[0] if starts else len(text)].rstrip() if text.strip() else wording.HEADER
    parts = [head, *(each.strip("\n") for each in blocks)]
    made = "\n\n".join(part for part in parts if part) + "\n"
    return made.replace("\n", "\r\n") if crlf else made


def _block(rule: Rule, before: Rule | None, text: str) -> str:
    """Return the lines of a rule, which were those of `text` if there was one."""
    new = _values(rule)
    if before is None:
        return "\n".join([f"[[{RULE}]]", *(f"{key} = {_item(new[key]).as_string()}" for key in new)])
    old = _values(before)
    changed = {key: new.get(key) for key in KEYS if new.get(key) != old.get(key)}
    return _edited(text, changed) if changed else text


def _values(rule: Rule) -> dict[str, Json]:
    """Return the keys of a rule in their order; without a note, there is none."""
    values: dict[str, Json] = {
        NAME: rule.name,
        WHEN: rule.when,
        DO: [each.text for each in rule.actions],
        NOTE: rule.note,
        ON: rule.on,
    }
    return {key: value for key, value in values.items() if value != ""}


def _edited(text: str, values: Mapping[str, Json]) -> str:
    """Return the lines of a rule with other values; None removes one."""
    import tomlkit

    document = tomlkit.parse(text.rstrip("\n") + "\n")
    table = document[RULE][0]
    for key, value in values.items():
        if value is None:
            del table[key]
        else:
            table[key] = _item(value)
    return tomlkit.dumps(document)


def _item(value: Json) -> Item:
    """Return a value as TOML writes it: a text with quotes as it is, where that can be."""
    import tomlkit

    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(_item(each) for each in value)
        return array
    signs = set(value) if isinstance(value, str) and is_clean(value) else set[str]()
    literal = signs & {'"', "\\"} and not signs & {"'", "\n", "\t"}
    return tomlkit.string(value, literal=True) if literal else tomlkit.item(value)
