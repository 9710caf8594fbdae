"""`memtui contradictions`, `duplicates` and `eval contradictions` (S-36, S-40 to S-43, S-82, S-92)."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.contradictions.pairs import VERDICTS
from memtui.workspace.contradictions import scan
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import insert_memories
from tests.support.command_line import FOUNDER, Cli
from tests.support.contradiction_stores import add_pair
from tests.support.hostile.texts import TEXTS
from tests.support.sizes import sample_cases

PAYS = "Brightwater pays invoices net 30; reminders go to Ines in accounts."
NEVER_PAYS = "Brightwater never pays invoices net 30; reminders go to Ines in accounts."
PAIR_KEYS = {
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
SIDE_KEYS = {"uid", "store", "label", "words"}
LABELLED_PAIRS: list[dict[str, Any]] = [
    {"a": "Ana likes tea.", "b": "Ana does not like tea.", "label": "contradiction", "category": "not"},
    {"a": "The kiln is lit.", "b": "The kiln is never lit.", "label": "contradiction", "category": "not"},
    {"a": "Bo runs the warehouse.", "b": "Bo runs the warehouse.", "label": "entailment", "category": "same"},
    {"a": "Bo has a dog.", "b": "The ferry leaves at nine.", "label": "neutral", "category": "other"},
    {"a": "solarized", "b": "gruvbox", "label": "contradiction", "key": "editor.theme"},
]


def test_a_scan_lists_contradictions_and_how_to_settle_them(cli: Cli) -> None:
    added = cli("add", NEVER_PAYS)
    assert "1 contradiction with “Brightwater pays invoices net 30;" in added.err
    assert "memtui contradictions show 1" in added.err
    report = cli.json("contradictions", "scan")
    assert set(report) == {"memories", "judged", "found", "gone", "left", "how", "read", "stopped"}
    assert report["left"] == report["read"] == 0
    assert report["memories"] > 30
    assert "by text only" in report["how"]
    again = cli("contradictions", "scan")
    assert again.code == 0
    assert "No new or changed memories to compare." in again.out
    assert "Open pairs: " in again.out
    found = cli.json("contradictions")
    (pair,) = [pair for pair in found if pair["id"] == 1]
    assert set(pair) == PAIR_KEYS
    assert set(pair["a"]) == set(pair["b"]) == SIDE_KEYS
    assert (pair["a"]["label"], pair["b"]["label"]) == (PAYS, NEVER_PAYS)
    assert (pair["a"]["store"], pair["b"]["store"]) == (FOUNDER, "native")
    assert (pair["state"], pair["said"], pair["family"]) == ("open", None, "contradiction")
    assert cli.json("contradictions", "list", "--store", "larkfield", "--kind", pair["kind"])[0]["id"] == 1
    assert cli("contradictions", "list", "--store", "elsewhere").code == 1
    lines = cli("contradictions", "list").out.splitlines()
    assert lines[0].startswith(f"1\t{pair['kind']}\t")
    assert pair["reason"] in lines[1]


def test_one_pair_is_counted_in_the_singular(bare: Cli, tmp_path: Path) -> None:
    observations = ["Lives in Oslo", "Lives in Rome"]
    file = tmp_path / "memory.jsonl"
    file.write_text(
        json.dumps({"type": "entity", "name": "Ida", "entityType": "x", "observations": observations})
    )
    bare("stores", "attach", str(file))
    assert bare("contradictions", "scan").out.startswith("Compared 2 memories (1 pair): 1 new to review.\n")
    bare("contradictions", "resolve", "1", "both-true")
    assert "(1 pair): 0 new to review, 1 no longer applies.\n" in bare("contradictions", "scan").out


def test_with_a_model_the_scan_embeds_first(cli: Cli, hashes: None) -> None:
    report = cli.json("contradictions", "scan")
    assert report["read"] > 30
    assert (report["how"], report["left"]) == ("", 0)


def test_an_edit_that_causes_a_contradiction_is_reported(cli: Cli) -> None:
    uid = cli.uid("staging host")
    result = cli("edit", uid, "--content", NEVER_PAYS)
    assert "1 contradiction with “Brightwater pays" in result.err
    result = cli("--json", "edit", uid, "--content", f"{NEVER_PAYS} Never.")
    assert set(result.json) == {"kind", "summary", "journal", "uids", "skipped"}
    result = cli("edit", uid, "--content", "Zebras are striped.")
    assert "contradiction" not in result.err


def test_show_has_both_sides_and_the_outcome_of_each_verdict(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    report = cli.json("contradictions", "show", "1")
    assert set(report) == PAIR_KEYS | {"memories", "relies", "suggestion", "outcome", "blocked", "merged"}
    assert report["memories"]["a"]["content"] == PAYS
    assert set(report["outcome"]) | set(report["blocked"]) == set(VERDICTS)
    shown = cli("contradictions", "show", "1")
    assert shown.code == 0
    for words in (PAYS, NEVER_PAYS, "keep-a", "not-a-contradiction", FOUNDER):
        assert words in shown.out
    missing = cli("--json", "contradictions", "show", "99")
    assert (missing.code, missing.error["code"]) == (1, "no-pair")


@pytest.mark.parametrize("word", ["not-so", "not-a-contradiction", "not-a-duplicate"])
def test_a_verdict_can_be_undone(cli: Cli, word: str) -> None:
    cli("add", NEVER_PAYS)
    result = cli("--json", "contradictions", "resolve", "1", word, "--note", "Two years.")
    assert result.code == 0, result.out + result.err
    assert set(result.json) == {"kind", "summary", "journal", "uids", "skipped"}
    assert cli.json("contradictions") == []
    (settled,) = cli.json("contradictions", "list", "--all")
    assert settled["state"] == "settled"
    assert settled["said"]["verdict"] == "not-so"
    assert settled["said"]["note"] == "Two years."
    assert cli("undo").code == 0
    assert [pair["state"] for pair in cli.json("contradictions")] == ["open"]


def test_the_former_name_of_a_verdict_is_not_offered(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    for words in (["show", "1"], ["resolve", "--help"], ["resolve", "1", "x"]):
        result = cli("contradictions", *words)
        assert "not-a-contradiction" in result.out + result.err
        assert "not-so" not in result.out + result.err


def test_duplicates_are_shown_like_contradictions(cli: Cli) -> None:
    for _ in range(2):
        cli("add", "Zebras are striped.")
    (pair,) = cli.json("duplicates", "list", "--kind", "exact")
    id = str(pair["id"])
    shown = cli("duplicates", "show", id)
    assert "Zebras are striped." in shown.out
    assert "not-a-duplicate" in shown.out
    assert cli.json("duplicates", "show", id) == cli.json("contradictions", "show", id)


def test_an_unknown_pair_is_reported_alike(cli: Cli) -> None:
    commands = (["contradictions", "show", "99"], ["contradictions", "resolve", "99", "keep-a"])
    errors = [cli(*words).err for words in (*commands, ["duplicates", "merge", "99"])]
    assert set(errors) == {
        "memtui: No pair with ID 99.\n"
        "To list pairs: memtui contradictions list --all, memtui duplicates list --all\n"
    }


def test_a_pair_whose_memory_changed_is_outdated(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    cli("edit", cli.uid("never pays"), "--content", "Zebras are striped.")
    assert "outdated" in cli("contradictions", "list", "--all").out
    assert cli.json("contradictions", "list", "--all")[0]["state"] == "over"
    refused = cli("contradictions", "resolve", "1", "keep-a").err
    message = "this pair is no longer open: one of the memories was changed or removed."
    assert refused.startswith(f"memtui: T{message[1:]}\n")
    assert message in cli("contradictions", "show", "1").out


def test_later_takes_a_date(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    assert cli("contradictions", "resolve", "1", "later", "--until", "2099-12-01").code == 0
    (later,) = cli.json("contradictions", "list", "--all")
    assert later["state"] == "later"
    assert later["said"]["until"].startswith("2099-12-01T00:00:00")
    wrong = cli("contradictions", "resolve", "1", "later", "--until", "soon")
    assert wrong.code == 2
    assert "invalid --until 'soon'" in wrong.err


def test_exact_duplicates_are_listed_and_merged_together(cli: Cli) -> None:
    for tag in ("one", "two", "three", "four"):
        notice = cli("add", "The kiln stands in the yard.", "--tag", tag).err
        assert ("duplicate" in notice) == (tag != "one")
    found = cli.json("duplicates")
    assert {pair["kind"] for pair in found} == {"exact"}
    preview = cli("duplicates", "merge", "--all-exact")
    assert preview.code == 0
    assert "Nothing was changed; add --yes to merge" in preview.err
    assert len(cli.json("list", "kiln", "is:live")) == 4
    done = cli.json("duplicates", "merge", "--all-exact", "--yes")
    assert len(done["merged"]) == 3
    assert done["skipped"] == []
    (left,) = cli.json("list", "kiln", "is:live")
    assert set(left["tags"]) == {"one", "two", "three", "four"}
    assert cli.json("duplicates") == []
    assert cli.json("duplicates", "merge", "--all-exact", "--yes")["merged"] == []


def test_a_pair_is_merged_into_a_given_text(cli: Cli) -> None:
    cli("add", "The kiln stands in the yard.")
    cli("add", "the kiln stands in the yard")
    (pair,) = cli.json("duplicates")
    result = cli("duplicates", "merge", str(pair["id"]), "--text", "The kiln stands behind the yard.")
    assert result.code == 0, result.err
    (left,) = cli.json("list", "kiln", "is:live")
    assert left["content"] == "The kiln stands behind the yard."


def test_a_near_pair_without_text_is_merged_from_both(cli: Cli, opened: Workspace) -> None:
    first, second = (
        opened.add({"content": text}).ids[0]
        for text in ("The kiln stands in the yard. It is old.", "The kiln stands in the yard. It is blue.")
    )
    id = add_pair(opened, first, second, "duplicate", "near")
    result = cli("duplicates", "merge", str(id))
    assert result.code == 0, result.err
    assert "No --text was given, so A got both texts combined" in result.err
    (left,) = cli.json("list", "kiln", "is:live")
    assert left["content"] == "The kiln stands in the yard. It is old. It is blue."


def test_a_contradiction_is_not_merged_as_a_duplicate(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    for words in (("1",), ("1", "--text", "It pays.")):
        result = cli("--json", "duplicates", "merge", *words)
        assert (result.code, result.error["code"]) == (1, "contradiction")
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
def test_usage_errors(cli: Cli, words: tuple[str, ...]) -> None:
    result = cli(*words)
    assert result.code == 2
    assert result.err
    assert cli("--json", *words).error["code"] == "usage"


def test_read_only_cannot_scan(cli: Cli) -> None:
    result = cli("--read-only", "--json", "contradictions", "scan")
    assert (result.code, result.error["code"]) == (1, "read-only")
    assert cli("--read-only", "contradictions").code == 0


def test_hostile_texts_are_printed_safely(cli: Cli, opened: Workspace) -> None:
    for text in TEXTS.values():
        shown = text.encode("utf-8", "replace").decode().replace("\0", "")
        for content in (f"{shown} is lit.", f"{shown} is never lit."):
            opened.add({"content": content, "subject": shown[:60]})
    cli("contradictions", "scan")
    found = [*cli.json("contradictions"), *cli.json("duplicates")]
    assert len(found) > 5
    outs = [cli("contradictions").out, cli("duplicates").out]
    outs += [cli("contradictions", "show", str(pair["id"])).out for pair in sample_cases(found, 6)]
    outs += [cli("add", "\x1b[2J is never lit.", "--subject", "\x1b[2J").err]
    for out in outs:
        assert not set(out) & set("\x1b\x07\x9b\u202e\u200b\0\r")


def test_an_interrupted_scan_keeps_its_progress(
    cli: Cli, demo_database: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 3 * scan.BATCH
    insert_memories(
        demo_database, [f"The kiln {n} of the yard is lit at {n % 24}:00 by somebody." for n in range(count)]
    )
    before = opened.queue_counts().unscanned
    compare = scan._Scan._run_batch

    def interrupted(self: Any, *more: Any) -> None:
        compare(self, *more)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(scan._Scan, "_run_batch", interrupted)
    result = cli("contradictions", "scan", "--json")
    assert (result.code, result.err, result.json["stopped"]) == (130, "", True)
    assert result.json["left"] == opened.queue_counts().unscanned > 0
    assert 0 < result.json["memories"] == before - result.json["left"] <= scan.BATCH


# -- evaluation


@pytest.fixture
def pairs_file(here: Path) -> Path:
    file = here / "pairs.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, LABELLED_PAIRS)).encode() + b"\r\n\r\n")
    return file


def test_labelled_pairs_are_evaluated(bare: Cli, pairs_file: Path, here: Path) -> None:
    report = bare.json("eval", "contradictions", str(pairs_file))
    assert list(report) == [
        "n", "precision", "recall", "f1", "by_category", "contradictions_offered_as_duplicates",
    ]  # fmt: skip
    assert (report["n"], report["precision"], report["recall"], report["f1"]) == (5, 1.0, 1.0, 1.0)
    assert report["contradictions_offered_as_duplicates"] == 0.0
    assert set(report["by_category"]) == {"not", "same", "other"}
    assert report["by_category"]["not"] == {
        "n": 2,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
        "accuracy": 1.0,
    }
    assert report["by_category"]["same"]["accuracy"] == 1.0
    lines = bare("eval", "contradictions", str(pairs_file)).out.splitlines()
    assert lines[0].split("\t") == ["category", "n", "precision", "recall", "f1", "accuracy"]
    assert lines[1].split("\t")[:2] == ["all", "5"]
    assert lines[-1] == "Contradictions mistaken for duplicates: 0.00%"
    assert sorted(path.name for path in here.iterdir()) == ["pairs.jsonl"]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense", "[]", '{"a": "x", "b": "y"}', '{"a": "x", "b": 1, "label": "neutral"}',
        '{"a": "x", "b": "y", "label": "perhaps"}', '{"a": "x", "b": "y", "label": ["neutral"]}',
    ],
)  # fmt: skip
def test_a_malformed_line_is_reported_with_its_number(bare: Cli, pairs_file: Path, line: str) -> None:
    pairs_file.write_text(f"{json.dumps(LABELLED_PAIRS[0])}\n{line}\n", "utf-8")
    result = bare("--json", "eval", "contradictions", str(pairs_file))
    assert (result.code, result.error["code"]) == (1, "bad-line")
    assert "line 2" in result.error["message"]


def test_empty_and_missing_files(bare: Cli, pairs_file: Path) -> None:
    pairs_file.write_text("\n", "utf-8")
    assert bare("--json", "eval", "contradictions", str(pairs_file)).error["code"] == "empty"
    assert bare("--json", "eval", "contradictions", "nothing.jsonl").error["code"] == "unreadable"


def test_an_option_that_a_verdict_does_not_take_is_refused(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    (pair,) = cli.json("contradictions", "list")
    result = cli("contradictions", "resolve", str(pair["id"]), "keep-a", "--text", "hello")
    assert (result.code, "--text works only with the verdict merge" in result.err) == (2, True)
    result = cli("contradictions", "resolve", str(pair["id"]), "keep-a", "--until", "2030-01-01")
    assert (result.code, "--until works only with the verdict later" in result.err) == (2, True)
    assert len(cli.json("contradictions", "list")) == 1


def test_a_settled_pair_names_the_undo(cli: Cli) -> None:
    cli("add", NEVER_PAYS)
    (pair,) = cli.json("contradictions", "list")
    assert cli("contradictions", "resolve", str(pair["id"]), "both-true").code == 0
    result = cli("contradictions", "resolve", str(pair["id"]), "keep-a")
    assert result.code == 1
    assert "already resolved: both-true. Undo it with: memtui undo " in result.err


def test_unknown_kinds_and_stores_are_refused(cli: Cli) -> None:
    assert cli("contradictions", "list", "--kind", "nonsense").code == 2
    result = cli("contradictions", "list", "--store", "nope")
    assert (result.code, "No store named nope." in result.err) == (1, True)
