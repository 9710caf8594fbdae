"""minions: a change keeps every other byte, in any form of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.minions import Minions
from tests.formats.minions.support import WHEN, record_of, store_with
from tests.support.sizes import examples, sample_cases
from tests.support.stores.files import NOW, apply, read_tree, undo, write
from tests.support.stores.minions import PROPOSALS, encode, index, item, make, read_minion, relative_path, uid

# -- bytes


def _forms() -> Iterator[tuple[str, Callable[[bytes], bytes]]]:
    yield "CRLF", lambda data: data.replace(b"\n", b"\r\n")
    yield "BOM", lambda data: b"\xef\xbb\xbf" + data
    yield "final newline", lambda data: data + b"\n"
    yield "tabs", lambda data: data.replace(b"  ", b"\t")
    yield "one line", lambda data: json.dumps(json.loads(data)).encode()
    yield "compact", lambda data: json.dumps(json.loads(data), separators=(",", ":")).encode()
    yield "sorted", lambda data: json.dumps(json.loads(data), indent=4, sort_keys=True).encode()
    yield (
        "unusual numbers",
        lambda data: data.replace(b'"key"', b'"big": 1e5, "small": 0.1000, "url": "a\\/b", "key"'),
    )
    yield "unusual spaces", lambda data: data.replace(b'": ', b'" :\t')


FORMS = dict(_forms())


@pytest.mark.parametrize("form", sample_cases(FORMS, 5))
def test_a_change_keeps_every_other_byte(store: Minions, form: str) -> None:
    for path in sorted(store.root.rglob("*.json")):
        path.write_bytes(FORMS[form](path.read_bytes()))
    before = read_tree(store.root)
    values = {name: json.loads(data.decode("utf-8-sig")) for name, data in before.items()}
    record = record_of(store, PROPOSALS)
    plans = [
        *apply(store, write("edit", record, content='Now "this" ✨\tor\nthat')),
        *apply(
            store, write("confirm", record_of(store, PROPOSALS), confidence=0.8, last_confirmed_at=NOW + 5)
        ),
        *apply(store, write("dismiss", record_of(store, PROPOSALS), status="dismissed")),
    ]
    name = relative_path(uid(PROPOSALS))
    after = read_tree(store.root)[name]
    expected = values[name] | {"updatedAt": WHEN, "deletedAt": WHEN, "deletedBy": "person"}
    expected["fields"] |= {"value": 'Now "this" ✨\tor\nthat', "confidence": 0.8}
    stored = json.loads(after.decode("utf-8-sig"))
    assert 'now "this" ✨\tor\nthat' in stored.pop("searchableText")
    assert stored["fields"].pop("lastReinforcedAt") != expected["fields"].pop("lastReinforcedAt")
    assert stored == expected
    assert list(stored)[-2:] == ["deletedAt", "deletedBy"]
    for sign in (b"\r\n", b"\xef\xbb\xbf", b"\t", b"0.1000", b"a\\/b", b'":"'):
        assert (sign in after) == (sign in before[name])
    if form == "CRLF":
        assert after.count(b"\n") == after.count(b"\r\n")
    for plan in reversed(plans):
        undo(store, [plan])
    assert read_tree(store.root) == before


def test_copies_of_the_text_follow_an_edit(tmp_path: Path) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", searchableText="k likes tea", title="k"))
    before = read_tree(store.root)
    plans = apply(store, write("edit", record_of(store, 1), content="Likes Coffee"))
    assert read_minion(store.root, 1)["searchableText"] == "k likes coffee"
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_file_with_a_duplicate_key_is_never_written(tmp_path: Path) -> None:
    store = store_with(
        tmp_path, encode(item(1, "k", "text")).replace(b'"key": "k"', b'"key": "j", "key": "k"')
    )
    assert record_of(store, 1).fields["key"] == "k"
    (refusal,) = store.plan([write("edit", record_of(store, 1), content="other")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "double-key"


def test_an_index_that_cannot_be_written_does_not_prevent_an_edit(store: Minions) -> None:
    path = store.root / relative_path(uid(101))
    path.write_bytes(path.read_bytes().replace(b'"keywords"', b'"keywords": 1, "keywords"'))
    before = path.read_bytes()
    apply(store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters."))
    assert read_minion(store.root, PROPOSALS)["fields"]["value"] == "Client xyz prefers long letters."
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("keywords", "after"),
    [
        ("client xyz short proposals", "client xyz long letters"),
        ("short, proposals", "long, letters"),
        ("short;client;proposals", "client;long;letters"),
        (["short", "own"], ["own", "long", "letters"]),
        ("", "long, letters"),
        ('say "short", tea', 'say "short", tea, long, letters'),
        (None, "long, letters"),
        ("own\nshort", "own\nlong\nletters"),
    ],
)
def test_keywords_keep_their_form(tmp_path: Path, keywords: Any, after: Any) -> None:
    store = make(tmp_path, item(1, "client", "Client xyz: short proposals"), index(2, 1, keywords))
    before = read_tree(store.root)
    plans = apply(store, write("edit", record_of(store, 1), content="Client xyz: long letters"))
    assert read_minion(store.root, 2)["fields"]["keywords"] == after
    undo(store, plans)
    assert read_tree(store.root) == before


# -- any form of JSON

_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9**9) | st.floats(-9, 9) | _NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)


@examples(15)
@given(
    st.dictionaries(_NAMES, _JSON, max_size=3),
    st.dictionaries(_NAMES, _JSON, max_size=3),
    st.sampled_from([None, 0, 1, 2, "\t"]),
    st.booleans(),
    st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]),
    _NAMES.filter(str.strip),
)
def test_unknown_members_survive_every_change(
    tmp_path: Path,
    outer: dict[str, Any],
    inner: dict[str, Any],
    indent: Any,
    ascii: bool,
    separators: tuple[str, str],
    text: str,
) -> None:
    expected = outer | item(1, "k", "text")
    expected["fields"] = {"agentId": "x", "value": "text"} | {
        name: value for name, value in inner.items() if name not in ("agentId", "value")
    }
    data = json.dumps(expected, indent=indent, ensure_ascii=ascii, separators=separators).encode()
    store = store_with(tmp_path, data)
    plans = [apply(store, write("dismiss", record_of(store, 1), status="dismissed"))]
    plans.append(apply(store, write("restore", record_of(store, 1), status="confirmed")))
    assert read_minion(store.root, 1) == expected | {"updatedAt": WHEN}
    plans.append(apply(store, write("edit", record_of(store, 1), content=text, tags=("a",))))
    after = read_minion(store.root, 1)
    searchable = after.pop("searchableText")
    assert after == expected | {
        "updatedAt": WHEN,
        "tags": ["a"],
        "fields": expected["fields"] | {"value": text},
    }
    assert text.lower() in searchable
    assert [name for name in after if name in expected] == list(expected)
    for plan in reversed(plans):
        undo(store, plan)
    assert (store.root / relative_path(uid(1))).read_bytes() == data
