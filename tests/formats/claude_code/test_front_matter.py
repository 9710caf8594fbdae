"""Claude Code: front matter is read and changed value by value."""

from __future__ import annotations

import pytest

from memtui.formats.syntax import frontmatter, yaml_scalars

_HEAD = """\
---
name: no
title: "a \\"b\\" \\u00e9"   # why
single: 'it''s'
metadata:\x20
  node_type: memory
  type: user

# a comment
id: 00123
empty:
block: |
  one
   two

  three
folded: >-
  a
  b

  c
tags:
- x
- 'y z'
flow: [a, "b, c", d]
long: hello
  world
map: {type: user, k: 'v'}
---
body
"""


@pytest.mark.parametrize("text", [_HEAD, _HEAD.replace("\n", "\r\n"), "\ufeff" + _HEAD])
def test_front_matter_values_are_read_as_text(text: str) -> None:
    head = frontmatter.read(text.encode())
    assert head is not None
    assert not head.problems
    texts = {key: value.text for key, value in head.values.items() if value.style not in ("list", "map")}
    assert texts == {
        "name": "no",
        "title": 'a "b" é',
        "single": "it's",
        "metadata.node_type": "memory",
        "metadata.type": "user",
        "id": "00123",
        "empty": "",
        "block": "one\n two\n\nthree",
        "folded": "a b\nc",
        "long": "hello world",
        "map.type": "user",
        "map.k": "v",
    }
    assert head.values["tags"].items == ("x", "y z")
    assert head.values["flow"].items == ("a", "b, c", "d")
    assert text.encode()[head.body :].strip() == b"body"


@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\x1c", "\u3000 "])
def test_a_blank_value_is_empty_and_can_be_set(blank: str) -> None:
    data = f"---\nname: {blank}\ntype: user\n---\n".encode()
    head = frontmatter.read(data)
    assert head is not None
    assert head.values["name"].style == "empty"
    start, end, new = head.put("name", "Tea")
    assert (data[:start] + new + data[end:]).startswith(b"---\nname: Tea")


_VALUES = (
    "x",
    "no",
    "12",
    "it's",
    'say "hi"',
    "a: b",
    "a #b",
    "- a",
    "ü\n☕",
    " lead",
    "\u2028",
    "[",
    "",
    "yes: &no",
)


@pytest.mark.parametrize(
    "key", ["name", "title", "single", "metadata.type", "id", "empty", "block", "folded", "long"]
)
@pytest.mark.parametrize("value", _VALUES)
def test_setting_one_value_changes_no_other_byte(key: str, value: str) -> None:
    data = _HEAD.replace("\n", "\r\n").encode()
    before = frontmatter.read(data)
    assert before is not None
    start, end, new = before.put(key, value)
    after = frontmatter.read(data[:start] + new + data[end:])
    assert after is not None
    assert not after.problems
    others = {k: v.text for k, v in before.values.items() if k != key and not key.startswith(f"{k}.")}
    assert {k: v.text for k, v in after.values.items() if k in others} == others
    assert after.text(key) == value
    assert (start, end) in {(v.start, v.end) for k, v in before.values.items() if k == key}


@pytest.mark.parametrize("word", ["no", "12", "1:30", "2026-01-01", "~", "true", "0x1f", "-.5", "1e5"])
def test_a_text_that_yaml_would_type_is_quoted_unless_it_replaces_such_a_value(word: str) -> None:
    assert yaml_scalars.format_scalar(word) == f'"{word}"'
    head = frontmatter.read(b"---\nat: 2026-03-04\n---\n")
    assert head is not None
    assert yaml_scalars.format_scalar(word, head.values["at"]) == word if word[0] not in "~-" else True
