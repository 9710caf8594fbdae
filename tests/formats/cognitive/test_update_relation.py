"""A relation of a Cognitive Memory tree is updated line by line: entries, edge file and its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from tests.support.sizes import sample_cases, shard
from tests.support.stores.cognitive import (
    DEPLOY,
    DROPS,
    DROPS_AT,
    DROPS_FILE,
    EDGE,
    EDGE_AT,
    EDGE_FILE,
    FILES,
    INSIGHT,
    REDIS,
    REDIS_AT,
    REDIS_FILE,
    make,
)
from tests.support.stores.files import NOW, apply, read_tree, undo, write

CONTEXT = "Keepalive prevents idle disconnections"
TEXT = "The keepalive fix directly resolves the idle disconnection problem."
LINK = Link(REDIS, "SOLVES", DROPS, 0.8, CONTEXT, TEXT)
REVERSED_EDGE = "graph/edges/redis-connection-drops--SOLVES--fixed-redis-77aa88.md"
COMMENTED_EDGE = EDGE_FILE.replace(
    "strength: 0.8\n", "# by hand\nx_seen: [1,  2]   # twice\nstrength: 0.8   # measured\n"
).replace("created: 2025", "created:   2025")
ODD = {
    **FILES,
    EDGE_AT: COMMENTED_EDGE,
    REDIS_AT: REDIS_FILE.replace(
        "    strength: 0.8\n", "    # by hand\n    x_why: 'none'\n    strength: 0.8 # ok\n"
    ),
}


@pytest.fixture
def store(tmp_path: Path) -> Cognitive:
    return make(tmp_path / "memory", ODD)


def updated(link: Link = LINK, **new: object) -> Write:
    return Write("retie", link.source, {}, {}, NOW, replace(link, **new), previous_link=link)  # type: ignore[arg-type]


def reversed_link(link: Link = LINK, **new: object) -> Write:
    return updated(link, source=link.target, target=link.source, **new)


def changed_lines(store: Cognitive, before: Mapping[str, str | bytes] = ODD) -> dict[str, list[str]]:
    """Return the removed (-) and added (+) lines by file; the index is left out."""
    out: dict[str, list[str]] = {}
    after = read_tree(store.root)
    for name in {*after, *before} - {"_index.json"}:
        old, new = before.get(name, b""), after.get(name, b"")
        old_lines = (old.encode() if isinstance(old, str) else old).splitlines(keepends=True)
        new_lines = new.splitlines(keepends=True)
        changed = [f"-{line.decode().strip()}" for line in old_lines if line not in new_lines]
        changed += [f"+{line.decode().strip()}" for line in new_lines if line not in old_lines]
        if changed or (name in after) != (name in before):
            out[name] = changed
    return out


def stored_link(store: Cognitive) -> Link:
    """Return the one relation between the two memories."""
    (link,) = [
        candidate
        for candidate in store.read().links
        if {candidate.source, candidate.target} == {REDIS, DROPS}
    ]
    return replace(link, unit="")


def index_edge(store: Cognitive) -> dict[str, object]:
    """Return the edge as the index lists it."""
    edge = json.loads((store.root / "_index.json").read_text())["edges"][EDGE]
    assert isinstance(edge, dict)
    return edge


def refusal_of(store: Cognitive, change: Write) -> Refused:
    (refusal,) = store.plan([change])
    assert isinstance(refusal, Refused), refusal
    return refusal


def test_a_new_strength_changes_its_three_lines(store: Cognitive) -> None:
    plans = apply(store, updated(strength=0.5))
    assert changed_lines(store) == {
        REDIS_AT: ["-strength: 0.8 # ok", "+strength: 0.5 # ok"],
        DROPS_AT: ["-strength: 0.8", "+strength: 0.5"],
        EDGE_AT: [
            "-strength: 0.8   # measured",
            "-updated: 2025-12-06T16:25:58+00:00",
            "+strength: 0.5   # measured",
            "+updated: 2027-01-15T08:00:00+00:00",
        ],
    }
    assert stored_link(store) == replace(LINK, strength=0.5)
    assert index_edge(store)["strength"] == 0.5
    undo(store, plans)
    assert read_tree(store.root) == {n: t.encode() if isinstance(t, str) else t for n, t in ODD.items()}


def test_a_new_kind_changes_three_lines_and_the_name_of_the_edge_file(store: Cognitive) -> None:
    plans = apply(store, updated(kind="causes"))
    name = EDGE_AT.replace("SOLVES", "CAUSES")
    after = read_tree(store.root)
    assert EDGE_AT not in after
    old = COMMENTED_EDGE.replace("type: SOLVES", "type: CAUSES")
    assert after[name].decode() == old.replace("updated: 2025-12-06T16:25:58", "updated: 2027-01-15T08:00:00")
    assert {
        name: changed for name, changed in changed_lines(store).items() if name in (REDIS_AT, DROPS_AT)
    } == {
        REDIS_AT: ["-type: SOLVES", "+type: CAUSES"],
        DROPS_AT: ["-type: SOLVES", "+type: CAUSES"],
    }
    assert stored_link(store) == replace(LINK, kind="CAUSES")
    assert (index_edge(store)["type"], index_edge(store)["path"]) == ("CAUSES", name)
    undo(store, plans)
    assert changed_lines(store) == {}
    assert (store.root / "_index.json").read_bytes() == str(ODD["_index.json"]).encode()


def test_reversing_a_relation_swaps_its_ends(store: Cognitive) -> None:
    plans = apply(store, reversed_link())
    after = read_tree(store.root)
    assert after[REVERSED_EDGE].decode() == COMMENTED_EDGE.replace(
        f'from_id: {REDIS}\nfrom_title: "Fixed Redis connection timeouts"\n'
        f'to_id: {DROPS}\nto_title: "Redis connection drops under load"\n',
        f'from_id: {DROPS}\nfrom_title: "Redis connection drops under load"\n'
        f'to_id: {REDIS}\nto_title: "Fixed Redis connection timeouts"\n',
    ).replace("updated: 2025-12-06T16:25:58", "updated: 2027-01-15T08:00:00")
    assert after[REDIS_AT].decode() == str(ODD[REDIS_AT]).replace("outgoing", "incoming")
    assert after[DROPS_AT].decode() == DROPS_FILE.replace("incoming", "outgoing")
    assert stored_link(store) == replace(LINK, source=DROPS, target=REDIS)
    redone = undo(store, plans)
    assert changed_lines(store) == {}
    undo(store, redone)
    assert stored_link(store) == replace(LINK, source=DROPS, target=REDIS)
    apply(store, reversed_link(replace(LINK, source=DROPS, target=REDIS)))
    assert EDGE_AT in read_tree(store.root)
    assert set(changed_lines(store)) == {EDGE_AT}  # all but its time is as before


def test_a_context_changes_only_the_entries_and_a_body_only_the_edge_file(store: Cognitive) -> None:
    apply(store, updated(context='He said: "ja"'))
    assert changed_lines(store) == {
        name: [f'-context: "{CONTEXT}"', '+context: "He said: \\"ja\\""'] for name in (REDIS_AT, DROPS_AT)
    }
    current = stored_link(store)
    apply(store, updated(current, body=f"{TEXT}\n\nReally."))
    assert read_tree(store.root)[EDGE_AT].endswith(f"---\n\n{TEXT}\n\nReally.\n".encode())
    assert stored_link(store).body == f"{TEXT}\n\nReally."
    assert len(changed_lines(store)[REDIS_AT]) == 2


def test_a_cleared_field_removes_its_line(store: Cognitive) -> None:
    plans = apply(store, updated(strength=None, context=""))
    assert changed_lines(store)[REDIS_AT] == ["-strength: 0.8 # ok", f'-context: "{CONTEXT}"']
    assert "-strength: 0.8   # measured" in changed_lines(store)[EDGE_AT]
    assert "strength" not in index_edge(store)
    assert stored_link(store) == replace(LINK, strength=None, context="")
    restored = apply(store, updated(stored_link(store), strength=0.25, context="again"))
    assert '    strength: 0.25\n    context: "again"\n    edge_id' in read_tree(store.root)[DROPS_AT].decode()
    assert index_edge(store)["strength"] == 0.25
    undo(store, restored)
    undo(store, plans)
    assert changed_lines(store) == {}
    assert (store.root / "_index.json").read_bytes() == str(ODD["_index.json"]).encode()


def test_the_edge_file_is_removed_with_its_body_and_created_with_one(store: Cognitive) -> None:
    plans = apply(store, updated(body=""))
    assert EDGE_AT not in read_tree(store.root)
    assert changed_lines(store)[DROPS_AT] == [f"-edge_id: {EDGE}"]
    assert stored_link(store) == replace(LINK, body="")
    created = apply(store, updated(stored_link(store), body="Anew."))
    assert stored_link(store) == replace(LINK, body="Anew.")
    undo(store, created)
    undo(store, plans)
    assert changed_lines(store) == {}


def test_a_created_edge_file_has_the_edge_id_of_its_entry(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != EDGE_AT}
    store = make(tmp_path / "m", files)
    apply(store, updated(replace(LINK, body=""), body="Anew."))
    (name,) = read_tree(store.root).keys() - files.keys()
    assert set(changed_lines(store, files)) == {name}
    assert name.endswith("-77aa88.md")
    assert stored_link(store).body == "Anew."


def test_a_second_edge_file_of_the_pair_is_left_alone(tmp_path: Path) -> None:
    second = "graph/edges/a--SOLVES--b-99ff00.md"
    files = {**FILES, second: EDGE_FILE.replace(EDGE, "99ff00aa-1").replace(TEXT, "Another text.")}
    store = make(tmp_path / "m", files)
    before = read_tree(store.root)
    for change in (updated(strength=0.1), reversed_link(), updated(body=""), updated(kind="CAUSES")):
        plans = apply(store, change)
        assert read_tree(store.root)[second] == before[second]
        undo(store, plans)
        assert read_tree(store.root) == before


@pytest.mark.parametrize("listed", [REDIS_AT, DROPS_AT])
def test_a_relation_listed_at_one_end_stays_listed_there_only(tmp_path: Path, listed: str) -> None:
    unlisted = {REDIS_AT: DROPS_AT, DROPS_AT: REDIS_AT}[listed]
    text = FILES[unlisted]
    files = {**FILES, unlisted: text[: text.index("relations:")] + "---\n\nText.\n"}
    store = make(tmp_path / "m", files)
    before = read_tree(store.root)
    plans = apply(store, reversed_link(kind="FOLLOWS", strength=0.1, context="x", body="y"))
    assert stored_link(store) == Link(DROPS, "FOLLOWS", REDIS, 0.1, "x", "y")
    assert unlisted not in changed_lines(store, files)
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_relation_with_only_an_edge_file_has_no_context(tmp_path: Path) -> None:
    cut = {n: FILES[n][: FILES[n].index("relations:")] + "---\n\nText.\n" for n in (REDIS_AT, DROPS_AT)}
    store = make(tmp_path / "m", {**FILES, **cut})
    before, edge_link = read_tree(store.root), replace(LINK, context="")
    plans = apply(store, reversed_link(edge_link, kind="REQUIRES", strength=0.1, body="y"))
    assert stored_link(store) == Link(DROPS, "REQUIRES", REDIS, 0.1, "", "y")
    assert set(changed_lines(store, {**FILES, **cut})) == {
        EDGE_AT,
        REVERSED_EDGE.replace("SOLVES", "REQUIRES"),
    }
    undo(store, plans)
    assert read_tree(store.root) == before
    apply(store, updated(edge_link, body=""))
    assert stored_link(store) == replace(edge_link, body="")
    assert (
        "only in an edge file" in refusal_of(store, updated(replace(edge_link, body=""), context="x")).message
    )


def with_second_relation(between: str) -> dict[str, str]:
    """Return the sample with a second relation of the pair, which has another reason."""
    files = dict(FILES)
    for name in (REDIS_AT, DROPS_AT):
        text = files[name]
        start, end = text.index("  - target"), text.index("---\n\n")
        second = text[start:end].replace(CONTEXT, "Another reason").replace(f"    edge_id: {EDGE}\n", between)
        files[name] = text[:start] + second + text[start:]
    return files


def test_of_several_relations_the_matching_one_is_updated(tmp_path: Path) -> None:
    files = with_second_relation("")
    store = make(tmp_path / "m", files)
    before = read_tree(store.root)
    plans = apply(store, updated(strength=0.3))
    for name in (REDIS_AT, DROPS_AT):
        assert read_tree(store.root)[name].decode().count("strength: 0.8") == 1
        first, second = read_tree(store.root)[name].decode().split("  - target")[1:]
        assert ("0.8" in first, "0.3" in second) == (True, True)
    undo(store, plans)
    assert read_tree(store.root) == before
    apply(store, updated(replace(LINK, context="Another reason"), kind="FOLLOWS", context="No more"))
    assert EDGE_AT in read_tree(store.root)
    assert set(changed_lines(store, files)) == {REDIS_AT, DROPS_AT}
    assert {
        (found.kind, found.context) for found in store.read().links if REDIS in (found.source, found.target)
    } >= {
        ("SOLVES", CONTEXT),
        ("FOLLOWS", "No more"),
    }


def test_an_edge_file_shared_by_two_relations_stays(tmp_path: Path) -> None:
    files = with_second_relation(f"    edge_id: {EDGE}\n")
    store = make(tmp_path / "m", files)
    apply(store, updated(kind="FOLLOWS", strength=0.3))
    assert set(changed_lines(store, files)) == {REDIS_AT, DROPS_AT}
    assert refusal_of(store, updated(replace(LINK, kind="FOLLOWS", strength=0.3), body="")).code == "shared"


def test_crlf_quotes_and_a_dash_on_its_own_line_stay(tmp_path: Path) -> None:
    def reformat(text: str) -> bytes:
        text = text.replace("  - target:", "  -\n    x: 1\n    target:").replace(
            "type: SOLVES", "type: 'SOLVES'"
        )
        return text.replace("\n", "\r\n").encode()

    files: dict[str, str | bytes] = {
        name: reformat(text) if name.endswith(".md") else text for name, text in FILES.items()
    }
    store = make(tmp_path / "m", files)
    before = read_tree(store.root)
    plans = apply(
        store,
        reversed_link(kind="FOLLOWS", strength=None, context="x"),
    )
    for name, data in read_tree(store.root).items():
        if name.endswith(".md"):
            assert data.count(b"\n") == data.count(b"\r\n"), name
            assert b"SOLVES" not in data
    assert b"type: 'FOLLOWS'" in read_tree(store.root)[REDIS_AT]
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_value_on_the_line_of_the_dash_keeps_its_line(tmp_path: Path) -> None:
    entry = f"  - strength: 0.8\n    target: {DROPS}\n    type: SOLVES\n    direction: outgoing\n"
    text = REDIS_FILE[: REDIS_FILE.index("  - target")] + entry + "---\n\nText.\n"
    store = make(tmp_path / "m", {**FILES, REDIS_AT: text})
    apply(store, updated(replace(LINK, context=""), strength=None))
    assert '  - strength: ""\n' in read_tree(store.root)[REDIS_AT].decode()
    assert stored_link(store).strength is None


def test_existing_invalid_and_ambiguous_relations_are_refused(store: Cognitive, tmp_path: Path) -> None:
    apply(store, Write("relate", REDIS, {}, {}, NOW, Link(REDIS, "FOLLOWS", DROPS)))
    apply(store, Write("relate", DROPS, {}, {}, NOW, Link(DROPS, "SOLVES", REDIS)))
    before = read_tree(store.root)
    assert refusal_of(store, updated(kind="follows")).code == "exists"
    assert refusal_of(store, reversed_link()).code == "exists"
    assert refusal_of(store, updated(kind="LOVES")).code == "kind"
    assert refusal_of(store, updated(target=INSIGHT)).code == "relation"
    assert refusal_of(store, updated(Link(REDIS, "CAUSES", DROPS), kind="REQUIRES")).code == "gone"
    assert read_tree(store.root) == before
    flow = REDIS_FILE[: REDIS_FILE.index("relations:")]
    flow += f"relations: [{{target: {DROPS}, type: SOLVES, direction: outgoing}}]\n---\n\nText.\n"
    other = make(tmp_path / "flow", {**FILES, REDIS_AT: flow})
    assert "one line" in refusal_of(other, updated(replace(LINK, context=""), strength=0.1)).message


def test_a_context_that_differs_only_in_whitespace_is_unchanged(tmp_path: Path) -> None:
    block = f"    context: |\n      Keepalive\n      helps.\n    edge_id: {EDGE}\n"
    files = {**FILES}
    for name in (REDIS_AT, DROPS_AT):
        files[name] = files[name].replace(f'    context: "{CONTEXT}"\n    edge_id: {EDGE}\n', block)
    store = make(tmp_path / "m", files)
    current = stored_link(store)
    assert current.context == "Keepalive\nhelps."
    apply(store, updated(current, context="Keepalive helps.", strength=0.1))
    assert all(
        len(changed) == 2
        for name, changed in changed_lines(store, files).items()
        if name in (REDIS_AT, DROPS_AT)
    )
    apply(store, updated(stored_link(store), context="No."))
    assert stored_link(store).context == "No."


# -- undo


def edit(store: Cognitive, ref: str, **fields: object) -> Write:
    record = next(candidate for candidate in store.read().records if candidate.ref == ref)
    return write("edit", record, **fields)


OTHER_CHANGES: dict[str, Callable[[Cognitive], Write]] = {
    "rename": lambda store: edit(store, REDIS, title="Redis keepalive: on"),
    "rename the target": lambda store: edit(store, DROPS, title="Drops"),
    "edit": lambda store: edit(store, REDIS, content="Another text.", tags=("x",)),
    "type": lambda store: edit(store, REDIS, category="fix"),
    "relate more": lambda store: Write(
        "relate", REDIS, {}, {}, NOW, Link(REDIS, "FOLLOWS", INSIGHT, 0.5, "x")
    ),
    "relate": lambda store: Write("relate", DEPLOY, {}, {}, NOW, Link(DEPLOY, "CAUSES", DROPS, body="x")),
}
UPDATES = {
    "strength": updated(strength=0.5),
    "kind": updated(kind="CAUSES"),
    "turn": reversed_link(),
    "all": reversed_link(kind="FOLLOWS", strength=0.1, context="x", body="y"),
    "no text": updated(body=""),
}


ORDERS = [(1, True), (1, False), (-1, False), (-1, True)]  # (order of undo, whether the update came first)


@pytest.mark.parametrize(
    ("number", "update", "other"),
    [(n, *pair) for n, pair in enumerate(sample_cases(product(UPDATES, OTHER_CHANGES), 8))],
)
def test_an_update_and_another_change_are_undone_in_either_order(
    tmp_path: Path, number: int, update: str, other: str
) -> None:
    for order, first in shard(ORDERS, number, 2):
        if (update, order) == ("no text", 1) and other.startswith("rename"):
            continue  # the restored edge file gets the present titles, and its name from them
        store = make(tmp_path / f"m{order}{first}", ODD)
        plans: list[list[Plan]] = []
        for is_update in (first, not first):
            plans.append(apply(store, UPDATES[update] if is_update else OTHER_CHANGES[other](store)))
        for applied in plans[::order]:
            undo(store, applied)
        assert changed_lines(store) == {}, (order, first)


def test_an_update_of_a_body_changed_since_cannot_be_undone(store: Cognitive) -> None:
    plans = apply(store, updated(body="Another text."))
    path = store.root / EDGE_AT
    path.write_bytes(path.read_bytes().replace(b"Another text.", b"A text of an agent."))
    before = read_tree(store.root)
    (refusal,) = store.reverse(plans)
    assert isinstance(refusal, Refused)
    assert read_tree(store.root) == before
