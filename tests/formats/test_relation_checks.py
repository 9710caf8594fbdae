"""Broken relations are reported once, by one check for all formats (S-91)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.records import Link, Reading, Record
from memtui.formats.relation_checks import MOST, broken_relations
from memtui.formats.wording_relations import LENGTH
from memtui.memory.stores import Finding
from tests.support.stores import base_coat, claude_code, cognitive, mcp_memory, minions
from tests.support.stores.cognitive import memory
from tests.support.stores.mcp_memory import entity, lines, relation


def read_graph(tmp_path: Path, *objects: dict[str, Any]) -> Reading:
    """Return the reading of an MCP file with these objects."""
    return mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(lines(*objects)).encode()).read()


def findings(reading: Reading) -> list[tuple[str, str]]:
    return [(finding.code, finding.text) for finding in broken_relations(reading)]


def codes(reading: Reading) -> list[str]:
    return [finding.code for finding in broken_relations(reading)]


def reading_of(*links: tuple[str, str, str], names: str = "ABCDEF", **by: str) -> Reading:
    """Return a reading of memories with these names and links; `by` sets which memory superseded them."""
    records = [
        Record(f"ref-{name}", {"content": name, "superseded_by": by.get(name)}, name, f"row {name}")
        for name in names
    ]
    return Reading(records, [Link(*link) for link in links])


# -- healthy stores


@pytest.mark.parametrize("format", ["base-coat", "claude-code", "cognitive", "mcp-memory", "minions"])
def test_a_healthy_store_has_no_broken_relations(tmp_path: Path, format: str) -> None:
    make: dict[str, Callable[[], Adapter]] = {
        "base-coat": lambda: BaseCoat(base_coat.make(tmp_path / "memory.db")),
        "claude-code": lambda: claude_code.make(tmp_path),
        "cognitive": lambda: cognitive.make(tmp_path),
        "mcp-memory": lambda: mcp_memory.make(tmp_path / "memory.jsonl"),
        "minions": lambda: minions.make(tmp_path),
    }
    reading = make[format]().read()
    assert reading.links
    assert findings(reading) == []


def test_a_relation_listed_in_three_files_is_one_relation(tmp_path: Path) -> None:
    """The sample lists the relation in the front matter of both ends and in the edge file."""
    reading = cognitive.make(tmp_path).read()
    links = [(link.source, link.kind, link.target) for link in reading.links]
    assert (cognitive.REDIS, "SOLVES", cognitive.DROPS) in links
    assert len(links) == len(set(links))


def test_an_episode_may_link_to_a_memory_twice(tmp_path: Path) -> None:
    """The present and the former path lead to the same memory."""
    day = cognitive.DAY_FILE.replace(
        "- **Summary:** Lower latency",
        "- **Summary:** see [sockets](../vault/chose-websocket-over-polling-d4e5f6.md)",
    )
    reading = cognitive.make(tmp_path, cognitive.FILES | {cognitive.DAY_AT: day}).read()
    assert max(Counter((link.source, link.target) for link in reading.links).values()) == 2
    assert findings(reading) == []


# -- each finding


def test_relations_to_a_missing_memory_are_one_finding_per_name() -> None:
    reading = reading_of(("A", "knows", "X"), ("B", "knows", "X"), ("Y", "likes", "A"))
    assert [(finding.code, finding.place, finding.text) for finding in broken_relations(reading)] == [
        (
            "dangling",
            "row A",
            "The relation “knows” from “A” to “X” points to a missing memory, “X”; 2 relations refer to it.",
        ),
        (
            "dangling",
            "row A",
            "The relation “likes” from “Y” to “A” starts at a missing memory, “Y”.",
        ),
    ]


def test_missing_memories_are_not_reported_while_a_part_is_unreadable() -> None:
    reading = reading_of(("A", "knows", "X"), ("A", "is", "A"))
    reading.unread.append("closed/")
    assert codes(reading) == ["self-relation"]


def test_a_relation_to_itself_and_one_without_a_kind_are_findings(tmp_path: Path) -> None:
    reading = read_graph(
        tmp_path,
        *(entity("Ada", "tea"), entity("Bo", "ink")),
        *(relation("Ada", "is", "Ada"), relation("Bo", " \t", "Ada"), relation("Ada", "", "Bo")),
    )
    assert findings(reading) == [
        ("self-relation", "The relation “is” from “Ada” to “Ada” points back to the same memory."),
        ("no-kind", "The relation from “Bo” to “Ada” has no kind."),
        ("no-kind", "The relation from “Ada” to “Bo” has no kind."),
    ]


def test_a_duplicate_relation_is_a_finding(tmp_path: Path) -> None:
    knows = relation("Ada", "knows", "Bo")
    others = relation("Ada", "Knows", "Bo"), relation("Bo", "knows", "Ada")
    reading = read_graph(tmp_path, entity("Ada", "tea"), entity("Bo", "ink"), knows, *others, knows, knows)
    (finding,) = broken_relations(reading)
    assert (finding.code, finding.place) == ("twice-told", "memory.jsonl, Ada")
    assert finding.text == "The relation “knows” from “Ada” to “Bo” is stored 3 times."


def test_a_shared_name_is_a_finding_only_if_a_relation_uses_it() -> None:
    reading = reading_of(("A", "knows", "B"), ("A", "likes", "B"), names="AABBCC")
    texts = [texts for code, texts in findings(reading) if code == "shared-name"]
    assert len(texts) == len(findings(reading)) == 2
    assert texts[1].startswith("The relation “knows” from “A” to “B” is ambiguous: 2 memories are named “B”")
    removed = reading_of(("A", "knows", "B"), names="AB")
    removed.records.append(Record("old", {"content": "was here"}, "A", removed_at=1.0))
    assert findings(removed) == []


def test_observations_may_share_the_name_of_their_entity(tmp_path: Path) -> None:
    reading = read_graph(
        tmp_path,
        entity("Ada", "tea", "ink"),
        entity("Bo", "x"),
        entity("Bo", "y"),
        relation("Ada", "k", "Bo"),
    )
    assert findings(reading) == []


@pytest.mark.parametrize(
    "kinds", [("supersedes",) * 3, ("Superseded-By",) * 3, ("SUPERSEDES", " supersedes")]
)
def test_a_loop_of_supersedes_relations_is_a_finding(kinds: tuple[str, ...]) -> None:
    names = "ABC"[: len(kinds)]
    reading = reading_of(
        *((a, kind, b) for a, kind, b in zip(names, kinds, names[1:] + names[0], strict=True)),
        *(("D", "supersedes", "A"), ("A", "supersedes", "E"), ("D", "supersedes", "E")),
    )
    (finding,) = broken_relations(reading)
    assert finding.code == "loop"
    assert finding.text.count("replaces") == len(kinds)
    assert finding.text.endswith(f", which replaces {finding.text.split()[2]}.")
    assert not {"“D”", "“E”"} & set(finding.text.replace(",", "").split())


def test_a_relation_and_a_field_that_agree_are_not_a_loop() -> None:
    agreed = reading_of(("A", "supersedes", "B"), ("B", "superseded_by", "A"), B="A")
    assert findings(agreed) == []
    assert codes(reading_of(("A", "supersedes", "B"), A="ref-B")) == ["loop"]
    assert codes(reading_of(A="B", B="C", C="A")) == ["loop"]
    assert codes(reading_of(A="A")) == ["self-relation"]
    assert codes(reading_of(A="nobody")) == ["dangling"]


def test_the_text_of_a_long_loop_is_short() -> None:
    names = [f"N{number}" for number in range(5_000)]
    reading = Reading(
        [Record(name, {}, name) for name in names],
        [Link(a, "supersedes", b) for a, b in zip(names, [*names[1:], names[0]], strict=True)],
    )
    ((code, text),) = findings(reading)
    assert (code, len(text) < 300) == ("loop", True)
    assert "loop of 5,000 memories: “N0” replaces “N1”, which replaces “N2”, and so on back to “N0”." in text


def test_each_loop_shares_a_memory_with_a_reported_one() -> None:
    """Check against a brute-force search: without the reported loops no loop is left."""
    chance = random.Random(7)
    for _ in range(300):
        names = "ABCDEFGH"[: chance.randint(2, 8)]
        edges = {(chance.choice(names), chance.choice(names)) for _ in range(chance.randint(1, 12))}
        edges = {(a, b) for a, b in edges if a != b}
        reading = reading_of(*((a, "supersedes", b) for a, b in sorted(edges)), names=names)
        texts = [text for code, text in findings(reading) if code == "loop"]
        assert bool(texts) == _has_loop(edges)
        reported = Counter(name for text in texts for name in {*text.replace("“", "”").split("”")[1::2]})
        assert set(reported.values()) <= {1}, "a memory is told in one loop"
        for text in texts:  # each is a real loop
            loop = text.replace("“", "”").split("”")[1::2]
            if "and so on" not in text:
                assert set(pairwise(loop)) <= edges
        if not any("and so on" in text for text in texts):
            cut = {name for text in texts for name in text.replace("“", "”").split("”")[1::2]}
            assert not _has_loop({edge for edge in edges if not cut & set(edge)})


def _has_loop(edges: set[tuple[str, str]]) -> bool:
    while edges:
        remaining = {(a, b) for a, b in edges if any(b == source for source, _ in edges)}
        if remaining == edges:
            return True
        edges = remaining
    return False


# -- no duplicates of the reader's own findings


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
    relations = [("x (1)", base_coat.TESTS, "supports"), (base_coat.TESTS, "“y”", "refines")]
    relations += [(base_coat.FEED, base_coat.FEED, "supports"), (base_coat.OLD, base_coat.TABS, " ")]
    return BaseCoat(base_coat.make(tmp_path / "memory.db", relations=relations))


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
    relations = [relation("Ada", "k", "a” b “c"), relation("", "k", "Ada"), relation("x", "k", "y")]
    return mcp_memory.make(tmp_path / "m.jsonl", "\n".join(lines(entity("Ada", "tea"), *relations)).encode())


def _minions(tmp_path: Path, count: int = 5) -> Adapter:
    fields = [
        {"memoryIdA": minions.uid(1), "memoryIdB": f"gone-{n}", "description": "x"} for n in range(count)
    ]
    contradictions = [minions.minion(300 + n, "contradiction", values) for n, values in enumerate(fields)]
    return minions.make(tmp_path, minions.item(1, "k", "v"), *contradictions)


def _many_minions(tmp_path: Path) -> Adapter:
    """So many that the reader only counts the last of them."""
    return _minions(tmp_path, 30)


@pytest.mark.parametrize("make", [_cognitive, _base_coat, _claude, _mcp, _minions, _many_minions])
def test_problems_reported_by_the_reader_are_not_reported_again(tmp_path: Path, make: Any) -> None:
    reading = make(tmp_path).read()
    assert findings(reading) == []
    reading.findings.clear()
    assert codes(reading), "without the reader's own findings they are told"


def test_reader_findings_about_other_names_hide_nothing() -> None:
    reading = reading_of(("A", "k", "X"), ("A", "k", "A"))
    reading.findings = [
        Finding("dangling", "", "A relation names “XX”, but there is no such entity.", names=("XX",)),
        Finding("odd-tier", "", "“A” and “X” are none."),
    ]
    assert codes(reading) == ["self-relation", "dangling"]
    text = "A relation names “X”, but there is no such entity."
    reading.findings.append(Finding("dangling", "", text, names=("X",)))
    assert codes(reading) == ["self-relation"]


def test_a_finding_names_the_own_file_of_a_relation(tmp_path: Path) -> None:
    reading = _minions(tmp_path, 1).read()
    reading.findings.clear()
    (finding,) = broken_relations(reading)
    assert finding.place == minions.relative_path(minions.uid(300))


# -- limits


def test_many_findings_of_one_kind_are_counted_and_hide_no_other() -> None:
    flood = [(f"S{number}", "k", f"T{number}") for number in range(500)]
    reading = reading_of(*flood, ("A", "k", "A"), ("A", "supersedes", "B"), ("B", "supersedes", "A"))
    all_findings = list(broken_relations(reading))
    assert Counter(finding.code for finding in all_findings) == {
        "loop": 1,
        "self-relation": 1,
        "dangling": MOST - 2,
        "more-tangles": 1,
    }
    assert all_findings[-1].text == "902 more findings are not listed: 902 relations to missing memories."
    assert len(list(broken_relations(reading_of(*flood[:50])))) == 100
    selves = [(f"S{number}", "k", f"S{number}") for number in range(500)]
    shares = Counter(codes(reading_of(*flood, *selves)))
    assert shares == {"self-relation": MOST // 2, "dangling": MOST // 2, "more-tangles": 1}


def test_names_are_shortened_in_texts_and_stay_raw_in_data(tmp_path: Path) -> None:
    """Whatever prints a finding makes it safe; a name full of quotation marks takes no longer."""
    long = "“(" * 50_000 + "\x1b]52;c;x\x07\u202e"
    reading = read_graph(
        tmp_path, entity("\x1b[31mAda", "tea"), relation(long, "\u202e" * 200, "\x1b[31mAda")
    )
    assert findings(reading) == [], "the reader notes it"
    reading.findings = [Finding("dangling", "x", f"“{long}"), Finding("dangling", "x", "→ " * 50_000)]
    (finding,) = broken_relations(reading)
    assert "“\x1b[31mAda”" in finding.text
    assert len(finding.text) < 4 * LENGTH + 200
    reading.records = [Record(long, {}, long, long), Record("x", {}, "\x1b[31mAda")]
    reading.links.append(Link(long, "is", long))
    assert all(len(broken.place) <= 4 * LENGTH for broken in broken_relations(reading))
