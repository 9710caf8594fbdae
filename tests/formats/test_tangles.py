"""What is broken in the relations of a store of any format, told once and by one mechanism (S-91)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import Adapter, Link, Reading, Record
from memtui.formats.relation_checks import LENGTH, MOST, tangles
from memtui.memory.stores import Finding
from tests.support.stores import base_coat, claude_code, cognitive, mcp_memory, minions
from tests.support.stores.cognitive import memory
from tests.support.stores.mcp_memory import entity, lines, relation


def graph(tmp_path: Path, *objects: dict[str, Any]) -> Reading:
    """What an MCP file of these lines says."""
    return mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(lines(*objects)).encode()).read()


def told(reading: Reading) -> list[tuple[str, str]]:
    return [(each.code, each.text) for each in tangles(reading)]


def codes(reading: Reading) -> list[str]:
    return [each.code for each in tangles(reading)]


def linked(*links: tuple[str, str, str], names: str = "ABCDEF", **by: str) -> Reading:
    """Memories of these names and the relations between them; `by` says what some gave way to."""
    records = [
        Record(f"ref-{name}", {"content": name, "superseded_by": by.get(name)}, name, f"row {name}")
        for name in names
    ]
    return Reading(records, [Link(*link) for link in links])


# -- stores as they are


@pytest.mark.parametrize("format", ["base-coat", "claude-code", "cognitive", "mcp-memory", "minions"])
def test_a_sound_store_has_none(tmp_path: Path, format: str) -> None:
    make: dict[str, Callable[[], Adapter]] = {
        "base-coat": lambda: BaseCoat(base_coat.make(tmp_path / "memory.db")),
        "claude-code": lambda: claude_code.make(tmp_path),
        "cognitive": lambda: cognitive.make(tmp_path),
        "mcp-memory": lambda: mcp_memory.make(tmp_path / "memory.jsonl"),
        "minions": lambda: minions.make(tmp_path),
    }
    reading = make[format]().read()
    assert reading.links
    assert told(reading) == []


def test_both_ends_of_a_cognitive_relation_tell_it_once(tmp_path: Path) -> None:
    """Its head, the head of the other end, the edge file: the sample tells one relation three times."""
    reading = cognitive.make(tmp_path).read()
    ways = [(link.source, link.kind, link.target) for link in reading.links]
    assert (cognitive.REDIS, "SOLVES", cognitive.DROPS) in ways
    assert len(ways) == len(set(ways))


def test_an_episode_may_mention_a_memory_twice(tmp_path: Path) -> None:
    """By its place of today and by the one before, both lead to the same memory."""
    again = cognitive.DAY_FILE.replace(
        "- **Summary:** Lower latency",
        "- **Summary:** see [sockets](../vault/chose-websocket-over-polling-d4e5f6.md)",
    )
    reading = cognitive.make(tmp_path, cognitive.FILES | {cognitive.DAY_AT: again}).read()
    assert max(Counter((link.source, link.target) for link in reading.links).values()) == 2
    assert told(reading) == []


# -- each thing


def test_a_relation_to_nobody_is_told_once_a_name() -> None:
    reading = linked(("A", "knows", "X"), ("B", "knows", "X"), ("Y", "likes", "A"))
    assert [(each.code, each.place, each.text) for each in tangles(reading)] == [
        (
            "dangling",
            "row A",
            "The relation “knows” from “A” to “X” leads to a memory that is not in the store, “X”; "
            "relations that name it: 2.",
        ),
        (
            "dangling",
            "row A",
            "The relation “likes” from “Y” to “A” comes from a memory that is not in the store, “Y”.",
        ),
    ]


def test_nobody_is_missed_while_a_part_of_the_store_cannot_be_read() -> None:
    reading = linked(("A", "knows", "X"), ("A", "is", "A"))
    reading.unread.append("closed/")
    assert codes(reading) == ["self-relation"]


def test_a_relation_to_itself_and_one_without_a_kind(tmp_path: Path) -> None:
    reading = graph(
        tmp_path,
        *(entity("Ada", "tea"), entity("Bo", "ink")),
        *(relation("Ada", "is", "Ada"), relation("Bo", " \t", "Ada"), relation("Ada", "", "Bo")),
    )
    assert told(reading) == [
        ("self-relation", "The relation “is” from “Ada” to “Ada” leads from a memory to itself."),
        ("no-kind", "The relation from “Bo” to “Ada” does not say of what kind it is."),
        ("no-kind", "The relation from “Ada” to “Bo” does not say of what kind it is."),
    ]


def test_a_relation_that_stands_twice(tmp_path: Path) -> None:
    twice = relation("Ada", "knows", "Bo")
    others = relation("Ada", "Knows", "Bo"), relation("Bo", "knows", "Ada")
    reading = graph(tmp_path, entity("Ada", "tea"), entity("Bo", "ink"), twice, *others, twice, twice)
    (finding,) = tangles(reading)
    assert (finding.code, finding.place) == ("twice-told", "memory.jsonl, Ada")
    assert finding.text == "The relation “knows” from “Ada” to “Bo” is told 3 times."


def test_a_name_that_several_share_only_where_a_relation_goes_by_it() -> None:
    reading = linked(("A", "knows", "B"), ("A", "likes", "B"), names="AABBCC")
    words = [words for code, words in told(reading) if code == "shared-name"]
    assert len(words) == len(told(reading)) == 2
    assert words[1].startswith("The relation “knows” from “A” to “B” may mean any of 2 memories")
    gone = linked(("A", "knows", "B"), names="AB")
    gone.records.append(Record("old", {"content": "was here"}, "A", removed_at=1.0))
    assert told(gone) == []


def test_observations_share_the_name_of_their_entity(tmp_path: Path) -> None:
    reading = graph(
        tmp_path,
        entity("Ada", "tea", "ink"),
        entity("Bo", "x"),
        entity("Bo", "y"),
        relation("Ada", "k", "Bo"),
    )
    assert told(reading) == []


@pytest.mark.parametrize(
    "kinds", [("supersedes",) * 3, ("Superseded-By",) * 3, ("SUPERSEDES", " supersedes")]
)
def test_a_loop_of_giving_way(kinds: tuple[str, ...]) -> None:
    names = "ABC"[: len(kinds)]
    reading = linked(
        *((a, kind, b) for a, kind, b in zip(names, kinds, names[1:] + names[0], strict=True)),
        *(("D", "supersedes", "A"), ("A", "supersedes", "E"), ("D", "supersedes", "E")),
    )
    (finding,) = tangles(reading)
    assert finding.code == "loop"
    assert finding.text.count("supersedes") == len(kinds)
    assert finding.text.endswith("itself.")
    assert not {"“D”", "“E”"} & set(finding.text.replace(",", "").split())


def test_both_ways_of_telling_it_are_no_loop_unless_they_disagree() -> None:
    agreed = linked(("A", "supersedes", "B"), ("B", "superseded_by", "A"), B="A")
    assert told(agreed) == []
    assert codes(linked(("A", "supersedes", "B"), A="ref-B")) == ["loop"]
    assert codes(linked(A="B", B="C", C="A")) == ["loop"]
    assert codes(linked(A="A")) == ["self-relation"]
    assert codes(linked(A="nobody")) == ["dangling"]


def test_a_long_loop_is_told_short() -> None:
    names = [f"N{number}" for number in range(5_000)]
    reading = Reading(
        [Record(name, {}, name) for name in names],
        [Link(a, "supersedes", b) for a, b in zip(names, [*names[1:], names[0]], strict=True)],
    )
    ((code, words),) = told(reading)
    assert (code, len(words) < 300) == ("loop", True)
    assert "4,997 more in turn, the last of which supersedes “N0” itself." in words


def test_each_loop_shares_a_memory_with_one_that_is_told() -> None:
    """Against a search by brute force: where all told loops are cut out, none is left."""
    chance = random.Random(7)
    for _ in range(300):
        names = "ABCDEFGH"[: chance.randint(2, 8)]
        ways = {(chance.choice(names), chance.choice(names)) for _ in range(chance.randint(1, 12))}
        ways = {(a, b) for a, b in ways if a != b}
        reading = linked(*((a, "supersedes", b) for a, b in sorted(ways)), names=names)
        found = [words for code, words in told(reading) if code == "loop"]
        assert bool(found) == _has_loop(ways)
        told_of = Counter(name for words in found for name in {*words.replace("“", "”").split("”")[1::2]})
        assert set(told_of.values()) <= {1}, "a memory is told in one loop"
        for words in found:  # each is one
            loop = words.replace("“", "”").split("”")[1::2]
            if " more in turn" not in words:
                assert set(pairwise(loop)) <= ways
        if not any(" more in turn" in words for words in found):
            cut = {name for words in found for name in words.replace("“", "”").split("”")[1::2]}
            assert not _has_loop({way for way in ways if not cut & set(way)})


def _has_loop(ways: set[tuple[str, str]]) -> bool:
    while ways:
        left = {(a, b) for a, b in ways if any(b == source for source, _ in ways)}
        if left == ways:
            return True
        ways = left
    return False


# -- nothing twice


def _cognitive(tmp_path: Path) -> Adapter:
    far = "relations:\n  - target: far-1\n    type: SOLVES\n    direction: {}"
    bare = "\n  - target: aa0010-2\n    type: ''"
    edge = "---\nid: ee-1\ntype: SOLVES\nfrom_id: gone-1\nto_id: gone-2\n---\n"
    return cognitive.make(
        tmp_path,
        {
            "graph/fixes/one-aa0010.md": memory("aa0010-1", "one", head=far.format("outgoing") + bare),
            "graph/fixes/two-aa0010.md": memory("aa0010-2", "two", head=far.format("incoming")),
            "graph/fixes/two-again-aa0010.md": memory("aa0010-2", "two"),
            "graph/edges/e.md": edge,
            "episodes/2025-01-01.md": "## 10:00 - x\n\n- [m](../graph/fixes/none-999999.md)\n",
        },
    )


def _base_coat(tmp_path: Path) -> Adapter:
    ways = [("x (1)", base_coat.TESTS, "supports"), (base_coat.TESTS, "“y”", "refines")]
    ways += [(base_coat.FEED, base_coat.FEED, "supports"), (base_coat.OLD, base_coat.TABS, " ")]
    return BaseCoat(base_coat.make(tmp_path / "memory.db", relations=ways))


def _claude(tmp_path: Path) -> Adapter:
    return claude_code.make(
        tmp_path,
        {
            "a.md": claude_code.flat("same-name", "user", "See [[nobody]] and [[same-name]]."),
            "b.md": claude_code.flat("same-name", "user", "One."),
            "c.md": claude_code.flat("c", "user", "See [[same-name]] and [[no “body” (x)]]."),
        },
    )


def _mcp(tmp_path: Path) -> Adapter:
    ways = [relation("Ada", "k", "a” b “c"), relation("", "k", "Ada"), relation("x", "k", "y")]
    return mcp_memory.make(tmp_path / "m.jsonl", "\n".join(lines(entity("Ada", "tea"), *ways)).encode())


def _minions(tmp_path: Path, count: int = 5) -> Adapter:
    ways = [{"memoryIdA": minions.uid(1), "memoryIdB": f"gone-{n}", "description": "x"} for n in range(count)]
    each = [minions.minion(300 + n, "contradiction", way) for n, way in enumerate(ways)]
    return minions.make(tmp_path, minions.item(1, "k", "v"), *each)


def _many_minions(tmp_path: Path) -> Adapter:
    """So many that the reader itself only counts the last of them."""
    return _minions(tmp_path, 30)


@pytest.mark.parametrize("make", [_cognitive, _base_coat, _claude, _mcp, _minions, _many_minions])
def test_what_a_reader_has_noted_is_not_told_again(tmp_path: Path, make: Any) -> None:
    reading = make(tmp_path).read()
    assert told(reading) == []
    reading.findings.clear()
    assert codes(reading), "without the reader's own findings they are told"


def test_what_a_reader_says_of_other_names_hides_nothing() -> None:
    reading = linked(("A", "k", "X"), ("A", "k", "A"))
    reading.findings = [
        Finding("dangling", "", "A relation names “XX”, which is no entity.", names=("XX",)),
        Finding("odd-tier", "", "“A” and “X” are none."),
    ]
    assert codes(reading) == ["self-relation", "dangling"]
    words = "A relation names “X”, which is no entity."
    reading.findings.append(Finding("dangling", "", words, names=("X",)))
    assert codes(reading) == ["self-relation"]


def test_a_relation_in_a_file_of_its_own_is_found_there(tmp_path: Path) -> None:
    reading = _minions(tmp_path, 1).read()
    reading.findings.clear()
    (finding,) = tangles(reading)
    assert finding.place == minions.place(minions.uid(300))


# -- bounds


def test_a_flood_is_counted_and_hides_nothing_else() -> None:
    flood = [(f"S{number}", "k", f"T{number}") for number in range(500)]
    reading = linked(*flood, ("A", "k", "A"), ("A", "supersedes", "B"), ("B", "supersedes", "A"))
    found = list(tangles(reading))
    assert Counter(each.code for each in found) == {
        "loop": 1,
        "self-relation": 1,
        "dangling": MOST - 2,
        "more-tangles": 1,
    }
    assert found[-1].text == "There are 902 more such findings: 902 dangling."
    assert len(list(tangles(linked(*flood[:50])))) == 100
    selves = [(f"S{number}", "k", f"S{number}") for number in range(500)]
    shares = Counter(codes(linked(*flood, *selves)))
    assert shares == {"self-relation": MOST // 2, "dangling": MOST // 2, "more-tangles": 1}


def test_names_are_cut_in_words_and_stay_raw(tmp_path: Path) -> None:
    """What prints a finding makes it safe; a name full of signs that a sentence is taken apart by takes no
    longer than another."""
    long = "“(" * 50_000 + "\x1b]52;c;x\x07\u202e"
    reading = graph(tmp_path, entity("\x1b[31mAda", "tea"), relation(long, "\u202e" * 200, "\x1b[31mAda"))
    assert told(reading) == [], "the reader notes it"
    reading.findings = [Finding("dangling", "x", f"“{long}"), Finding("dangling", "x", "→ " * 50_000)]
    (finding,) = tangles(reading)
    assert "“\x1b[31mAda”" in finding.text
    assert len(finding.text) < 4 * LENGTH + 200
    reading.records = [Record(long, {}, long, long), Record("x", {}, "\x1b[31mAda")]
    reading.links.append(Link(long, "is", long))
    assert all(len(each.place) <= 4 * LENGTH for each in tangles(reading))
