"""Writing a rules file: the same rules make the same bytes, and a file that is written again keeps its
comments (S-63).

A rule or policy that did not change keeps its lines, with the comments directly above them; of another one,
only the values that did change are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.policies.policy import Policy, folded
from memtui.memory.rules.file import policy_table, wording
from memtui.memory.rules.file.places import POLICY, RULE, places
from memtui.memory.rules.file.reading import RulesFile
from memtui.memory.rules.file.rule_table import DO, NAME, NOTE, ON, WHEN
from memtui.memory.rules.rule import Rule
from memtui.text import is_clean
from memtui.values import Json

if TYPE_CHECKING:
    from tomlkit.items import Item


EMPTY = RulesFile((), (), ())


def text_of(
    rules: Sequence[Rule],
    policies: Sequence[Policy] = (),
    before: str = "",
    file_before: RulesFile = EMPTY,
) -> str:
    """Return the text of a file with these rules, and after them these policies; `before` is the text that is
    there, valid and without problems, and `file_before` what was read from it."""
    crlf = "\r\n" in before
    text = before.replace("\r\n", "\n")
    wanted = [*map(_of_rule, rules), *map(_of_policy, policies)]
    kept = [*map(_of_rule, file_before.rules), *map(_of_policy, file_before.policies)]
    # A file may have its policies in another order, or before its rules: that says nothing.
    if text and wanted[: len(rules)] == kept[: len(file_before.rules)] and _same(wanted, kept):
        return before
    blocks = places(text).blocks
    ends = [*(each.start for each in blocks[1:]), len(text)][: len(blocks)]
    texts: dict[str, list[str]] = {RULE: [], POLICY: []}
    for block, end in zip(blocks, ends, strict=True):
        texts[block.table].append(text[block.start : end])
    known = {each.key: (each, text) for each, text in zip(kept, texts[RULE] + texts[POLICY], strict=True)}
    made = [_block(each, *known.get(each.key, (None, ""))).strip("\n") for each in wanted]
    head = text[: blocks[0].start if blocks else len(text)].rstrip() if text.strip() else wording.HEADER
    whole = "\n\n".join(part for part in (head, *made) if part) + "\n"
    return whole.replace("\n", "\r\n") if crlf else whole


class _Table(NamedTuple):
    """A rule or policy as it is written: its table, what it is known by, and its keys in their order."""

    key: tuple[str, str]
    values: dict[str, Json]


def _of_rule(rule: Rule) -> _Table:
    """Return a rule as it is written; without a note, there is none."""
    values: dict[str, Json] = {
        NAME: rule.name,
        WHEN: rule.when,
        DO: [each.text for each in rule.actions],
        NOTE: rule.note,
        ON: rule.on,
    }
    stated = {key: value for key, value in values.items() if value != ""}
    return _Table((RULE, rule.name.casefold()), stated)


def _of_policy(policy: Policy) -> _Table:
    return _Table((POLICY, folded(policy.agent)), policy_table.values(policy))


def _same(one: Sequence[_Table], other: Sequence[_Table]) -> bool:
    """Return whether both have the same tables, in whatever order."""
    return dict(one) == dict(other)  # of pairs of key and values


def _block(table: _Table, before: _Table | None, text: str) -> str:
    """Return the lines of a table, which were those of `text` if there was one."""
    name, new = table.key[0], table.values
    if before is None:
        return "\n".join([f"[[{name}]]", *(f"{key} = {_item(new[key]).as_string()}" for key in new)])
    old = before.values
    changed = {key: new.get(key) for key in {**old, **new} if new.get(key) != old.get(key)}
    return _edited(name, text, changed) if changed else text


def _edited(name: str, text: str, values: Mapping[str, Json]) -> str:
    """Return the lines of a table with other values; None removes one."""
    import tomlkit

    document = tomlkit.parse(text.rstrip("\n") + "\n")
    table = document[name][0]
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
