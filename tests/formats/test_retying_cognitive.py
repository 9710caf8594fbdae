"""A relation of a Cognitive Memory tree is changed line by line: entries, edge file, and its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.adapter import Link, Planned, Write
from tests.support.sizes import share, turn
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
from tests.support.stores.files import NOW, do, tree, undo, write

WORDS = "Keepalive prevents idle disconnections"
TEXT = "The keepalive fix directly resolves the idle disconnection problem."
TOLD = Link(REDIS, "SOLVES", DROPS, 0.8, WORDS, TEXT)
TURNED = "graph/edges/redis-connection-drops--SOLVES--fixed-redis-77aa88.md"
ODD_EDGE = EDGE_FILE.replace(
    "strength: 0.8\n", "# by hand\nx_seen: [1,  2]   # twice\nstrength: 0.8   # measured\n"
).replace("created: 2025", "created:   2025")
ODD = {
    **FILES,
    EDGE_AT: ODD_EDGE,
    REDIS_AT: REDIS_FILE.replace(
        "    strength: 0.8\n", "    # by hand\n    x_why: 'none'\n    strength: 0.8 # ok\n"
    ),
}


@pytest.fixture
def store(tmp_path: Path) -> Cognitive:
    return make(tmp_path / "memory", ODD)


def retied(was: Link = TOLD, **new: object) -> Write:
    return Write("retie", was.source, {}, {}, NOW, replace(was, **new), was=was)  # type: ignore[arg-type]


def turned(was: Link = TOLD, **new: object) -> Write:
    return retied(was, source=was.target, target=was.source, **new)


def lines(store: Cognitive, before: Mapping[str, str | bytes] = ODD) -> dict[str, list[str]]:
    """The lines that are no longer there (-) and those that are new (+), by file; the index left out."""
    out: dict[str, list[str]] = {}
    now = tree(store.root)
    for name in {*now, *before} - {"_index.json"}:
        old, new = before.get(name, b""), now.get(name, b"")
        a = (old.encode() if isinstance(old, str) else old).splitlines(keepends=True)
        b = new.splitlines(keepends=True)
        said = [f"-{x.decode().strip()}" for x in a if x not in b]
        said += [f"+{x.decode().strip()}" for x in b if x not in a]
        if said or (name in now) != (name in before):
            out[name] = said
    return out


def link(store: Cognitive) -> Link:
    """The one relation between the two."""
    (found,) = [x for x in store.read().links if {x.source, x.target} == {REDIS, DROPS}]
    return replace(found, unit="")


def index(store: Cognitive) -> dict[str, object]:
    """What the index says of the edge."""
    said = json.loads((store.root / "_index.json").read_text())["edges"][EDGE]
    assert isinstance(said, dict)
    return said


def refused(store: Cognitive, asked: Write) -> Refused:
    (answer,) = store.plan([asked])
    assert isinstance(answer, Refused), answer
    return answer


def test_only_the_strength_changes_in_its_three_lines(store: Cognitive) -> None:
    plans = do(store, retied(strength=0.5))
    assert lines(store) == {
        REDIS_AT: ["-strength: 0.8 # ok", "+strength: 0.5 # ok"],
        DROPS_AT: ["-strength: 0.8", "+strength: 0.5"],
        EDGE_AT: [
            "-strength: 0.8   # measured",
            "-updated: 2025-12-06T16:25:58+00:00",
            "+strength: 0.5   # measured",
            "+updated: 2027-01-15T08:00:00+00:00",
        ],
    }
    assert link(store) == replace(TOLD, strength=0.5)
    assert index(store)["strength"] == 0.5
    undo(store, plans)
    assert tree(store.root) == {n: t.encode() if isinstance(t, str) else t for n, t in ODD.items()}


def test_a_kind_changes_three_lines_and_the_name_of_the_edge_file(store: Cognitive) -> None:
    plans = do(store, retied(kind="causes"))
    name = EDGE_AT.replace("SOLVES", "CAUSES")
    now = tree(store.root)
    assert EDGE_AT not in now
    old = ODD_EDGE.replace("type: SOLVES", "type: CAUSES")
    assert now[name].decode() == old.replace("updated: 2025-12-06T16:25:58", "updated: 2027-01-15T08:00:00")
    assert {name: said for name, said in lines(store).items() if name in (REDIS_AT, DROPS_AT)} == {
        REDIS_AT: ["-type: SOLVES", "+type: CAUSES"],
        DROPS_AT: ["-type: SOLVES", "+type: CAUSES"],
    }
    assert link(store) == replace(TOLD, kind="CAUSES")
    assert (index(store)["type"], index(store)["path"]) == ("CAUSES", name)
    undo(store, plans)
    assert lines(store) == {}
    assert (store.root / "_index.json").read_bytes() == str(ODD["_index.json"]).encode()


def test_turned_round_the_ends_change_places(store: Cognitive) -> None:
    plans = do(store, turned())
    now = tree(store.root)
    assert now[TURNED].decode() == ODD_EDGE.replace(
        f'from_id: {REDIS}\nfrom_title: "Fixed Redis connection timeouts"\n'
        f'to_id: {DROPS}\nto_title: "Redis connection drops under load"\n',
        f'from_id: {DROPS}\nfrom_title: "Redis connection drops under load"\n'
        f'to_id: {REDIS}\nto_title: "Fixed Redis connection timeouts"\n',
    ).replace("updated: 2025-12-06T16:25:58", "updated: 2027-01-15T08:00:00")
    assert now[REDIS_AT].decode() == str(ODD[REDIS_AT]).replace("outgoing", "incoming")
    assert now[DROPS_AT].decode() == DROPS_FILE.replace("incoming", "outgoing")
    assert link(store) == replace(TOLD, source=DROPS, target=REDIS)
    again = undo(store, plans)
    assert lines(store) == {}
    undo(store, again)
    assert link(store) == replace(TOLD, source=DROPS, target=REDIS)
    do(store, turned(replace(TOLD, source=DROPS, target=REDIS)))
    assert EDGE_AT in tree(store.root)
    assert set(lines(store)) == {EDGE_AT}  # but for its time all is as it was


def test_words_change_in_the_entries_alone_and_a_text_in_the_edge_file_alone(store: Cognitive) -> None:
    do(store, retied(context='He said: "ja"'))
    assert lines(store) == {
        name: [f'-context: "{WORDS}"', '+context: "He said: \\"ja\\""'] for name in (REDIS_AT, DROPS_AT)
    }
    was = link(store)
    do(store, retied(was, body=f"{TEXT}\n\nReally."))
    assert tree(store.root)[EDGE_AT].endswith(f"---\n\n{TEXT}\n\nReally.\n".encode())
    assert link(store).body == f"{TEXT}\n\nReally."
    assert len(lines(store)[REDIS_AT]) == 2


def test_what_is_no_longer_said_goes_with_its_line(store: Cognitive) -> None:
    plans = do(store, retied(strength=None, context=""))
    assert lines(store)[REDIS_AT] == ["-strength: 0.8 # ok", f'-context: "{WORDS}"']
    assert "-strength: 0.8   # measured" in lines(store)[EDGE_AT]
    assert "strength" not in index(store)
    assert link(store) == replace(TOLD, strength=None, context="")
    back = do(store, retied(link(store), strength=0.25, context="again"))
    assert '    strength: 0.25\n    context: "again"\n    edge_id' in tree(store.root)[DROPS_AT].decode()
    assert index(store)["strength"] == 0.25
    undo(store, back)
    undo(store, plans)
    assert lines(store) == {}
    assert (store.root / "_index.json").read_bytes() == str(ODD["_index.json"]).encode()


def test_an_edge_file_goes_with_its_text_and_comes_with_one(store: Cognitive) -> None:
    plans = do(store, retied(body=""))
    assert EDGE_AT not in tree(store.root)
    assert lines(store)[DROPS_AT] == [f"-edge_id: {EDGE}"]
    assert link(store) == replace(TOLD, body="")
    more = do(store, retied(link(store), body="Anew."))
    assert link(store) == replace(TOLD, body="Anew.")
    undo(store, more)
    undo(store, plans)
    assert lines(store) == {}


def test_what_an_entry_names_is_the_id_of_the_file_that_is_made(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != EDGE_AT}
    store = make(tmp_path / "m", files)
    do(store, retied(replace(TOLD, body=""), body="Anew."))
    (name,) = tree(store.root).keys() - files.keys()
    assert set(lines(store, files)) == {name}
    assert name.endswith("-77aa88.md")
    assert link(store).body == "Anew."


def test_a_second_edge_file_of_the_pair_is_left_alone(tmp_path: Path) -> None:
    second = "graph/edges/a--SOLVES--b-99ff00.md"
    files = {**FILES, second: EDGE_FILE.replace(EDGE, "99ff00aa-1").replace(TEXT, "Another text.")}
    store = make(tmp_path / "m", files)
    before = tree(store.root)
    for asked in (retied(strength=0.1), turned(), retied(body=""), retied(kind="CAUSES")):
        plans = do(store, asked)
        assert tree(store.root)[second] == before[second]
        undo(store, plans)
        assert tree(store.root) == before


@pytest.mark.parametrize("teller", [REDIS_AT, DROPS_AT])
def test_told_by_one_end_it_stays_told_by_that_one(tmp_path: Path, teller: str) -> None:
    silent = {REDIS_AT: DROPS_AT, DROPS_AT: REDIS_AT}[teller]
    text = FILES[silent]
    files = {**FILES, silent: text[: text.index("relations:")] + "---\n\nText.\n"}
    store = make(tmp_path / "m", files)
    before = tree(store.root)
    plans = do(store, turned(kind="FOLLOWS", strength=0.1, context="x", body="y"))
    assert link(store) == Link(DROPS, "FOLLOWS", REDIS, 0.1, "x", "y")
    assert silent not in lines(store, files)
    undo(store, plans)
    assert tree(store.root) == before


def test_told_by_an_edge_file_alone_it_has_no_words(tmp_path: Path) -> None:
    cut = {n: FILES[n][: FILES[n].index("relations:")] + "---\n\nText.\n" for n in (REDIS_AT, DROPS_AT)}
    store = make(tmp_path / "m", {**FILES, **cut})
    before, was = tree(store.root), replace(TOLD, context="")
    plans = do(store, turned(was, kind="REQUIRES", strength=0.1, body="y"))
    assert link(store) == Link(DROPS, "REQUIRES", REDIS, 0.1, "", "y")
    assert set(lines(store, {**FILES, **cut})) == {EDGE_AT, TURNED.replace("SOLVES", "REQUIRES")}
    undo(store, plans)
    assert tree(store.root) == before
    do(store, retied(was, body=""))
    assert link(store) == replace(was, body="")
    assert "only an edge file" in refused(store, retied(replace(was, body=""), context="x")).message


def twice(between: str) -> dict[str, str]:
    """The sample, its relation told twice, with another reason."""
    files = dict(FILES)
    for name in (REDIS_AT, DROPS_AT):
        text = files[name]
        start, end = text.index("  - target"), text.index("---\n\n")
        other = text[start:end].replace(WORDS, "Another reason").replace(f"    edge_id: {EDGE}\n", between)
        files[name] = text[:start] + other + text[start:]
    return files


def test_of_several_the_one_that_says_so_is_changed(tmp_path: Path) -> None:
    files = twice("")
    store = make(tmp_path / "m", files)
    before = tree(store.root)
    plans = do(store, retied(strength=0.3))
    for name in (REDIS_AT, DROPS_AT):
        assert tree(store.root)[name].decode().count("strength: 0.8") == 1
        first, second = tree(store.root)[name].decode().split("  - target")[1:]
        assert ("0.8" in first, "0.3" in second) == (True, True)
    undo(store, plans)
    assert tree(store.root) == before
    do(store, retied(replace(TOLD, context="Another reason"), kind="FOLLOWS", context="No more"))
    assert EDGE_AT in tree(store.root)
    assert set(lines(store, files)) == {REDIS_AT, DROPS_AT}
    assert {(x.kind, x.context) for x in store.read().links if REDIS in (x.source, x.target)} >= {
        ("SOLVES", WORDS),
        ("FOLLOWS", "No more"),
    }


def test_an_edge_file_of_two_relations_is_left_to_the_other(tmp_path: Path) -> None:
    files = twice(f"    edge_id: {EDGE}\n")
    store = make(tmp_path / "m", files)
    do(store, retied(kind="FOLLOWS", strength=0.3))
    assert set(lines(store, files)) == {REDIS_AT, DROPS_AT}
    assert refused(store, retied(replace(TOLD, kind="FOLLOWS", strength=0.3), body="")).code == "shared"


def test_crlf_quotes_and_a_dash_of_its_own_stay(tmp_path: Path) -> None:
    def odd(text: str) -> bytes:
        text = text.replace("  - target:", "  -\n    x: 1\n    target:").replace(
            "type: SOLVES", "type: 'SOLVES'"
        )
        return text.replace("\n", "\r\n").encode()

    files: dict[str, str | bytes] = {
        name: odd(text) if name.endswith(".md") else text for name, text in FILES.items()
    }
    store = make(tmp_path / "m", files)
    before = tree(store.root)
    plans = do(
        store,
        turned(kind="FOLLOWS", strength=None, context="x"),
    )
    for name, data in tree(store.root).items():
        if name.endswith(".md"):
            assert data.count(b"\n") == data.count(b"\r\n"), name
            assert b"SOLVES" not in data
    assert b"type: 'FOLLOWS'" in tree(store.root)[REDIS_AT]
    undo(store, plans)
    assert tree(store.root) == before


def test_a_value_behind_the_dash_keeps_its_line(tmp_path: Path) -> None:
    entry = f"  - strength: 0.8\n    target: {DROPS}\n    type: SOLVES\n    direction: outgoing\n"
    text = REDIS_FILE[: REDIS_FILE.index("  - target")] + entry + "---\n\nText.\n"
    store = make(tmp_path / "m", {**FILES, REDIS_AT: text})
    do(store, retied(replace(TOLD, context=""), strength=None))
    assert '  - strength: ""\n' in tree(store.root)[REDIS_AT].decode()
    assert link(store).strength is None


def test_what_stands_already_and_what_cannot_be_told_apart_is_refused(
    store: Cognitive, tmp_path: Path
) -> None:
    do(store, Write("relate", REDIS, {}, {}, NOW, Link(REDIS, "FOLLOWS", DROPS)))
    do(store, Write("relate", DROPS, {}, {}, NOW, Link(DROPS, "SOLVES", REDIS)))
    before = tree(store.root)
    assert refused(store, retied(kind="follows")).code == "exists"
    assert refused(store, turned()).code == "exists"
    assert refused(store, retied(kind="LOVES")).code == "kind"
    assert refused(store, retied(target=INSIGHT)).code == "relation"
    assert refused(store, retied(Link(REDIS, "CAUSES", DROPS), kind="REQUIRES")).code == "gone"
    assert tree(store.root) == before
    flow = REDIS_FILE[: REDIS_FILE.index("relations:")]
    flow += f"relations: [{{target: {DROPS}, type: SOLVES, direction: outgoing}}]\n---\n\nText.\n"
    other = make(tmp_path / "flow", {**FILES, REDIS_AT: flow})
    assert "one line" in refused(other, retied(replace(TOLD, context=""), strength=0.1)).message


def test_what_differs_in_blanks_only_nobody_touched(tmp_path: Path) -> None:
    block = f"    context: |\n      Keepalive\n      helps.\n    edge_id: {EDGE}\n"
    files = {**FILES}
    for name in (REDIS_AT, DROPS_AT):
        files[name] = files[name].replace(f'    context: "{WORDS}"\n    edge_id: {EDGE}\n', block)
    store = make(tmp_path / "m", files)
    was = link(store)
    assert was.context == "Keepalive\nhelps."
    do(store, retied(was, context="Keepalive helps.", strength=0.1))
    assert all(len(said) == 2 for name, said in lines(store, files).items() if name in (REDIS_AT, DROPS_AT))
    do(store, retied(link(store), context="No."))
    assert link(store).context == "No."


# -- taking back


def edited(store: Cognitive, ref: str, **fields: object) -> Write:
    record = next(each for each in store.read().records if each.ref == ref)
    return write("edit", record, **fields)


OTHERS: dict[str, Callable[[Cognitive], Write]] = {
    "rename": lambda store: edited(store, REDIS, title="Redis keepalive: on"),
    "rename the other": lambda store: edited(store, DROPS, title="Drops"),
    "edit": lambda store: edited(store, REDIS, content="Another text.", tags=("x",)),
    "type": lambda store: edited(store, REDIS, category="fix"),
    "relate more": lambda store: Write(
        "relate", REDIS, {}, {}, NOW, Link(REDIS, "FOLLOWS", INSIGHT, 0.5, "x")
    ),
    "relate": lambda store: Write("relate", DEPLOY, {}, {}, NOW, Link(DEPLOY, "CAUSES", DROPS, body="x")),
}
ASKED = {
    "strength": retied(strength=0.5),
    "kind": retied(kind="CAUSES"),
    "turn": turned(),
    "all": turned(kind="FOLLOWS", strength=0.1, context="x", body="y"),
    "no text": retied(body=""),
}


WAYS = [(1, True), (1, False), (-1, False), (-1, True)]  # in which order it is undone, and which was first


@pytest.mark.parametrize(
    ("number", "asked", "other"), [(n, *pair) for n, pair in enumerate(share(product(ASKED, OTHERS), 13))]
)
def test_it_is_taken_back_in_either_order(tmp_path: Path, number: int, asked: str, other: str) -> None:
    for order, first in turn(WAYS, number, 2):
        if (asked, order) == ("no text", 1) and other.startswith("rename"):
            continue  # its file comes back with the titles of now, and is called by these
        store = make(tmp_path / f"m{order}{first}", ODD)
        plans: list[list[Planned]] = []
        for mine in (first, not first):
            plans.append(do(store, ASKED[asked] if mine else OTHERS[other](store)))
        for each in plans[::order]:
            undo(store, each)
        assert lines(store) == {}, (order, first)


def test_where_the_edge_file_was_changed_at_that_very_place_nothing_is_taken_back(store: Cognitive) -> None:
    plans = do(store, retied(body="Another text."))
    path = store.root / EDGE_AT
    path.write_bytes(path.read_bytes().replace(b"Another text.", b"A text of an agent."))
    before = tree(store.root)
    (answer,) = store.reverse(plans)
    assert isinstance(answer, Refused)
    assert tree(store.root) == before
