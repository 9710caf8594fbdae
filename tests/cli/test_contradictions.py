"""`memtui contradictions`, `duplicates` and `eval contradictions`: found, told, settled, measured (S-36,
S-40 to S-43, S-82, S-92)."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from memtui.cli.parser import completion
from memtui.memory.contradictions.pairs import VERDICTS
from memtui.workspace.contradictions import scan
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import fill
from tests.support.command_line import FOUNDER, Cli
from tests.support.contradiction_stores import pair as found_pair
from tests.support.hostile.texts import TEXTS
from tests.support.sizes import share

PAYS = "Brightwater pays invoices net 30; reminders go to Ines in accounts."
NEVER = "Brightwater never pays invoices net 30; reminders go to Ines in accounts."
PAIR = {
    *(
        "id",
        "family",
        "kind",
        "score",
        "reason",
        "words",
        "clauses",
        "topic",
        "state",
        "escalated",
        "found_at",
        "a",
        "b",
        "said",
    ),
}
SIDE = {"uid", "store", "label", "words"}
PAIRS: list[dict[str, Any]] = [
    {"a": "Ana likes tea.", "b": "Ana does not like tea.", "label": "contradiction", "category": "not"},
    {"a": "The kiln is lit.", "b": "The kiln is never lit.", "label": "contradiction", "category": "not"},
    {"a": "Bo runs the warehouse.", "b": "Bo runs the warehouse.", "label": "entailment", "category": "same"},
    {"a": "Bo has a dog.", "b": "The ferry leaves at nine.", "label": "neutral", "category": "other"},
    {"a": "solarized", "b": "gruvbox", "label": "contradiction", "key": "editor.theme"},
]


def test_a_scan_finds_what_clashes_and_says_how_to_settle_it(cli: Cli) -> None:
    added = cli("add", NEVER)
    assert "1 contradiction with “Brightwater pays invoices net 30;" in added.err
    assert "memtui contradictions show 1" in added.err
    told = cli.json("contradictions", "scan")
    assert set(told) == {"memories", "judged", "found", "gone", "left", "how", "read", "stopped"}
    assert told["left"] == told["read"] == 0
    assert told["memories"] > 30
    assert "by words only" in told["how"]
    again = cli("contradictions", "scan")
    assert again.code == 0
    assert "Nothing waits to be compared." in again.out
    assert "Open: " in again.out
    found = cli.json("contradictions")
    (mine,) = [pair for pair in found if pair["id"] == 1]
    assert set(mine) == PAIR
    assert set(mine["a"]) == set(mine["b"]) == SIDE
    assert (mine["a"]["label"], mine["b"]["label"]) == (PAYS, NEVER)
    assert (mine["a"]["store"], mine["b"]["store"]) == (FOUNDER, "native")
    assert (mine["state"], mine["said"], mine["family"]) == ("open", None, "contradiction")
    assert cli.json("contradictions", "list", "--store", "larkfield", "--kind", mine["kind"])[0]["id"] == 1
    assert cli("contradictions", "list", "--store", "elsewhere").code == 1
    lines = cli("contradictions", "list").out.splitlines()
    assert lines[0].startswith(f"1\t{mine['kind']}\t")
    assert mine["reason"] in lines[1]


def test_one_pair_is_told_as_one(bare: Cli, tmp_path: Path) -> None:
    seen = ["Lives in Oslo", "Lives in Rome"]
    file = tmp_path / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", "name": "Ida", "entityType": "x", "observations": seen}))
    bare("stores", "attach", str(file))
    assert bare("contradictions", "scan").out.startswith("2 memories compared in 1 pair: 1 new.\n")
    bare("contradictions", "resolve", "1", "both-true")
    assert "in 1 pair: 0 new, 1 no longer stands.\n" in bare("contradictions", "scan").out


def test_with_a_model_it_reads_by_meaning_first(cli: Cli, hashes: None) -> None:
    told = cli.json("contradictions", "scan")
    assert told["read"] > 30
    assert (told["how"], told["left"]) == ("", 0)


def test_an_edit_that_makes_a_clash_is_told(cli: Cli) -> None:
    uid = cli.uid("staging host")
    ran = cli("edit", uid, "--content", NEVER)
    assert "1 contradiction with “Brightwater pays" in ran.err
    ran = cli("--json", "edit", uid, "--content", f"{NEVER} Never.")
    assert set(ran.json) == {"kind", "summary", "journal", "uids", "skipped"}
    ran = cli("edit", uid, "--content", "Zebras are striped.")
    assert "contradiction" not in ran.err


def test_both_sides_are_shown_with_what_each_verdict_does(cli: Cli) -> None:
    cli("add", NEVER)
    told = cli.json("contradictions", "show", "1")
    assert set(told) == PAIR | {"memories", "relies", "suggestion", "outcome", "blocked", "merged"}
    assert told["memories"]["a"]["content"] == PAYS
    assert set(told["outcome"]) | set(told["blocked"]) == set(VERDICTS)
    shown = cli("contradictions", "show", "1")
    assert shown.code == 0
    for words in (PAYS, NEVER, "keep-a", "not-so", FOUNDER):
        assert words in shown.out
    missing = cli("--json", "contradictions", "show", "99")
    assert (missing.code, missing.error["code"]) == (1, "no-pair")


@pytest.mark.parametrize("word", ["not-so", "not-a-contradiction"])
def test_a_verdict_is_given_and_taken_back(cli: Cli, word: str) -> None:
    cli("add", NEVER)
    ran = cli("--json", "contradictions", "resolve", "1", word, "--note", "Two years.")
    assert ran.code == 0, ran.out + ran.err
    assert set(ran.json) == {"kind", "summary", "journal", "uids", "skipped"}
    assert cli.json("contradictions") == []
    (settled,) = cli.json("contradictions", "list", "--all")
    assert settled["state"] == "settled"
    assert settled["said"]["verdict"] == "not-so"
    assert settled["said"]["note"] == "Two years."
    assert cli("undo").code == 0
    assert [pair["state"] for pair in cli.json("contradictions")] == ["open"]


def test_later_has_an_end(cli: Cli) -> None:
    cli("add", NEVER)
    assert cli("contradictions", "resolve", "1", "later", "--until", "2099-12-01").code == 0
    (later,) = cli.json("contradictions", "list", "--all")
    assert later["state"] == "later"
    assert later["said"]["until"].startswith("2099-12-01T00:00:00")
    wrong = cli("contradictions", "resolve", "1", "later", "--until", "soon")
    assert wrong.code == 2
    assert "--until soon is no ISO time" in wrong.err


def test_exact_duplicates_are_told_and_then_merged_in_one_go(cli: Cli) -> None:
    for tag in ("one", "two", "three", "four"):
        said = cli("add", "The kiln stands in the yard.", "--tag", tag).err
        assert ("duplicate" in said) == (tag != "one")
    found = cli.json("duplicates")
    assert {pair["kind"] for pair in found} == {"exact"}
    dry = cli("duplicates", "merge", "--all-exact")
    assert dry.code == 0
    assert "Nothing was changed; --yes does it" in dry.err
    assert len(cli.json("list", "kiln", "is:live")) == 4
    done = cli.json("duplicates", "merge", "--all-exact", "--yes")
    assert len(done["merged"]) == 3
    assert done["skipped"] == []
    (left,) = cli.json("list", "kiln", "is:live")
    assert set(left["tags"]) == {"one", "two", "three", "four"}
    assert cli.json("duplicates") == []
    assert cli.json("duplicates", "merge", "--all-exact", "--yes")["merged"] == []


def test_one_pair_is_merged_into_a_text(cli: Cli) -> None:
    cli("add", "The kiln stands in the yard.")
    cli("add", "the kiln stands in the yard")
    (pair,) = cli.json("duplicates")
    ran = cli("duplicates", "merge", str(pair["id"]), "--text", "The kiln stands behind the yard.")
    assert ran.code == 0, ran.err
    (left,) = cli.json("list", "kiln", "is:live")
    assert left["content"] == "The kiln stands behind the yard."


def test_a_near_pair_is_put_together_where_no_text_is_given(cli: Cli, opened: Workspace) -> None:
    one, two = (
        opened.add({"content": text}).ids[0]
        for text in ("The kiln stands in the yard. It is old.", "The kiln stands in the yard. It is blue.")
    )
    id = found_pair(opened, one, two, "duplicate", "near")
    ran = cli("duplicates", "merge", str(id))
    assert ran.code == 0, ran.err
    assert "A says what both said, put together, as no --text was given" in ran.err
    (left,) = cli.json("list", "kiln", "is:live")
    assert left["content"] == "The kiln stands in the yard. It is old. It is blue."


def test_a_contradiction_is_not_merged_as_a_duplicate(cli: Cli) -> None:
    cli("add", NEVER)
    for words in (("1",), ("1", "--text", "It pays.")):
        ran = cli("--json", "duplicates", "merge", *words)
        assert (ran.code, ran.error["code"]) == (1, "contradiction")
    assert cli("--json", "duplicates", "merge", "99").error["code"] == "no-pair"


@pytest.mark.parametrize(
    "words",
    [
        ("contradictions", "resolve", "1", "maybe"),
        ("contradictions", "resolve", "one", "keep-a"),
        ("contradictions", "show"),
        ("contradictions", "x"),
        ("duplicates", "merge"),
        ("duplicates", "merge", "1", "--all-exact"),
        ("eval", "contradictions"),
    ],
)
def test_wrong_use_is_told(cli: Cli, words: tuple[str, ...]) -> None:
    ran = cli(*words)
    assert ran.code == 2
    assert ran.err
    assert cli("--json", *words).error["code"] == "usage"


def test_what_is_only_read_is_not_compared(cli: Cli) -> None:
    ran = cli("--read-only", "--json", "contradictions", "scan")
    assert (ran.code, ran.error["code"]) == (1, "read-only")
    assert cli("--read-only", "contradictions").code == 0


def test_hostile_texts_are_told_as_text(cli: Cli, opened: Workspace) -> None:
    for text in TEXTS.values():
        shown = text.encode("utf-8", "replace").decode().replace("\0", "")
        for content in (f"{shown} is lit.", f"{shown} is never lit."):
            opened.add({"content": content, "subject": shown[:60]})
    cli("contradictions", "scan")
    found = [*cli.json("contradictions"), *cli.json("duplicates")]
    assert len(found) > 5
    outs = [cli("contradictions").out, cli("duplicates").out]
    outs += [cli("contradictions", "show", str(pair["id"])).out for pair in share(found, 6)]
    outs += [cli("add", "\x1b[2J is never lit.", "--subject", "\x1b[2J").err]
    for out in outs:
        assert not set(out) & set("\x1b\x07\x9b\u202e\u200b\0\r")


def test_ctrl_c_keeps_what_was_compared(
    cli: Cli, demo_database: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 3 * scan.BATCH
    fill(
        demo_database, [f"The kiln {n} of the yard is lit at {n % 24}:00 by somebody." for n in range(count)]
    )
    before = opened.review().unscanned
    compare = scan._Sweep._batch

    def pressed(self: Any, *more: Any) -> None:
        compare(self, *more)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(scan._Sweep, "_batch", pressed)
    ran = cli("contradictions", "scan", "--json")
    assert (ran.code, ran.err, ran.json["stopped"]) == (130, "", True)
    assert ran.json["left"] == opened.review().unscanned > 0
    assert 0 < ran.json["memories"] == before - ran.json["left"] <= scan.BATCH


# -- how well it is done


@pytest.fixture
def labelled(here: Path) -> Path:
    file = here / "pairs.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, PAIRS)).encode() + b"\r\n\r\n")
    return file


def test_labelled_pairs_are_measured(bare: Cli, labelled: Path, here: Path) -> None:
    told = bare.json("eval", "contradictions", str(labelled))
    assert list(told) == [
        "n", "precision", "recall", "f1", "by_category", "contradictions_offered_as_duplicates",
    ]  # fmt: skip
    assert (told["n"], told["precision"], told["recall"], told["f1"]) == (5, 1.0, 1.0, 1.0)
    assert told["contradictions_offered_as_duplicates"] == 0.0
    assert set(told["by_category"]) == {"not", "same", "other"}
    assert told["by_category"]["not"] == {"n": 2, "precision": 1.0, "recall": 1.0, "f1": 1.0, "accuracy": 1.0}
    assert told["by_category"]["same"]["accuracy"] == 1.0
    lines = bare("eval", "contradictions", str(labelled)).out.splitlines()
    assert lines[0].split("\t") == ["category", "n", "precision", "recall", "f1", "accuracy"]
    assert lines[1].split("\t")[:2] == ["all", "5"]
    assert lines[-1] == "Contradictions that would be offered for merging: 0.00%"
    assert sorted(path.name for path in here.iterdir()) == ["pairs.jsonl"]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense", "[]", '{"a": "x", "b": "y"}', '{"a": "x", "b": 1, "label": "neutral"}',
        '{"a": "x", "b": "y", "label": "perhaps"}', '{"a": "x", "b": "y", "label": ["neutral"]}',
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(bare: Cli, labelled: Path, line: str) -> None:
    labelled.write_text(f"{json.dumps(PAIRS[0])}\n{line}\n", "utf-8")
    ran = bare("--json", "eval", "contradictions", str(labelled))
    assert (ran.code, ran.error["code"]) == (1, "bad-line")
    assert "line 2" in ran.error["message"]


def test_no_pair_and_no_file(bare: Cli, labelled: Path) -> None:
    labelled.write_text("\n", "utf-8")
    assert bare("--json", "eval", "contradictions", str(labelled)).error["code"] == "empty"
    assert bare("--json", "eval", "contradictions", "nothing.jsonl").error["code"] == "unreadable"


def test_a_shell_knows_the_verdicts(bare: Cli) -> None:
    known = {each.name: each for each in completion.known()}
    assert set(VERDICTS) < set(known["contradictions resolve"].operands)
    assert known["eval contradictions"].paths


def test_an_option_that_a_verdict_does_not_take_is_refused(cli: Cli) -> None:
    cli("add", NEVER)
    (mine,) = cli.json("contradictions", "list")
    ran = cli("contradictions", "resolve", str(mine["id"]), "keep-a", "--text", "hello")
    assert (ran.code, "--text is for merge alone" in ran.err) == (2, True)
    ran = cli("contradictions", "resolve", str(mine["id"]), "keep-a", "--until", "2030-01-01")
    assert (ran.code, "--until is for later alone" in ran.err) == (2, True)
    assert len(cli.json("contradictions", "list")) == 1


def test_a_settled_pair_says_how_to_take_the_verdict_back(cli: Cli) -> None:
    cli("add", NEVER)
    (mine,) = cli.json("contradictions", "list")
    assert cli("contradictions", "resolve", str(mine["id"]), "both-true").code == 0
    ran = cli("contradictions", "resolve", str(mine["id"]), "keep-a")
    assert ran.code == 1
    assert "It is settled already: both-true. memtui undo " in ran.err


def test_a_kind_or_a_store_that_there_is_not_is_told(cli: Cli) -> None:
    assert cli("contradictions", "list", "--kind", "nonsense").code == 2
    ran = cli("contradictions", "list", "--store", "nope")
    assert (ran.code, "No store is named nope." in ran.err) == (1, True)
