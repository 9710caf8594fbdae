"""replace: find and correct a text, shown first, written with --yes (S-54)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from memtui.cli.parser.argv import parse
from memtui.cli.parser.table import COMMANDS
from memtui.memory.replacement import FIELDS
from tests.support.command_line import FOUNDER, Cli
from tests.support.demo_workspace import all_contents
from tests.support.planted.plants import SECRET

TOKEN = SECRET.split()[-1]


def test_a_dry_run_shows_each_hit_in_its_line_and_counts_by_store(cli: Cli, demo_database: Path) -> None:
    folder = demo_database.parents[1]
    before, uid = all_contents(folder), cli.uid("Swiss francs")
    result = cli("replace", "francs", "euros")
    assert result.code == 0
    line = next(line for line in result.out.splitlines() if line.startswith(uid))
    assert line.split("\t")[:3] == [uid, FOUNDER, "content"]
    assert "written in [francs → euros], all others" in line
    assert f"{FOUNDER}: 1 match in 1 memory" in result.err
    assert "Nothing was changed; add --yes" in result.err
    looked = cli("--read-only", "replace", "francs", "euros")
    assert (looked.code, looked.out, looked.err) == (0, result.out, result.err)
    assert cli("--read-only", "replace", "francs", "euros", "--yes").code == 1
    assert all_contents(folder) == before


def test_yes_replaces_as_one_change_with_one_undo(cli: Cli, demo_database: Path) -> None:
    folder = demo_database.parents[1]
    before, uid = all_contents(folder), cli.uid("Swiss francs")
    result = cli("replace", "the", "this", "--yes")
    assert result.code == 0
    assert result.out.startswith("Replaced ")
    assert "To undo: memtui undo" in result.out
    assert "this others" not in cli.memory(uid)["content"]
    assert cli.json("journal")[0]["kind"] == "edited"
    assert cli.json("journal")[0]["summary"].startswith("Replaced text in ")
    assert cli("undo").out.startswith("Undone: Replaced text in ")
    assert all_contents(folder) == before


def test_the_query_and_the_fields_narrow_the_search(cli: Cli) -> None:
    every = cli.json("replace", "the", "THE")
    assert len(every["stores"]) > 2
    narrowed = cli.json(
        "replace", "the", "THE", f"store:{FOUNDER}", "-francs", "--in", "content", "--in=title"
    )
    assert narrowed["stores"].keys() == {FOUNDER}
    assert {hit["field"] for hit in narrowed["hits"]} <= {"content", "title"}
    assert cli.uid("Swiss francs") not in {hit["uid"] for hit in narrowed["hits"]}


def test_json_has_each_hit_and_the_counts(cli: Cli) -> None:
    uid = cli.uid("Swiss francs")
    found = cli.json("replace", "FRANCS", "euros", "--ignore-case", "--keep-case")
    assert found.keys() == {"hits", "stores", "skipped"}
    (hit,) = [hit for hit in found["hits"] if hit["uid"] == uid]
    assert (hit["store"], hit["field"], hit["kept"], hit["part"]) == (FOUNDER, "content", False, 0)
    assert (hit["before"], hit["after"]) == ("francs", "euros")
    assert cli.memory(uid)["content"][hit["start"] : hit["end"]] == "francs"
    assert found["stores"][FOUNDER] == {"memories": 1, "hits": 1}
    done = cli.json("replace", "FRANCS", "euros", "--ignore-case", "--yes")
    assert (done["kind"], done["skipped"]) == ("edited", [])
    assert uid in done["uids"]
    assert "euros, all others" in cli.memory(uid)["content"]
    assert len(done["hits"]) == len(found["hits"])


def test_a_pattern_uses_its_groups(cli: Cli) -> None:
    uid = cli.uid("Swiss francs")
    words = ("replace", r"in (?P<one>francs), (\w+)", r"in \2 \g<one>,", "--regex", "--yes")
    assert cli(*words).code == 0
    assert "in all francs, others" in cli.memory(uid)["content"]


@pytest.mark.parametrize("more", [[], ["--yes"]])
def test_no_match_changes_nothing(cli: Cli, more: list[str]) -> None:
    result = cli("replace", "no such words", "x", *more)
    assert (result.code, result.out) == (0, "")
    assert "No match" in result.err
    found = cli.json("replace", "no such words", "x", *more)
    assert (found["hits"], found["stores"]) == ([], {})


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["", "x"], "empty"),
        (["a*", "x", "--regex"], "no-width"),
        (["(", "x", "--regex"], "pattern"),
        (["(a)", r"\2", "--regex"], "replacement"),
        (["francs", TOKEN], "secret"),
        (["a", "x", "color:red"], "query"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--yes"]])
def test_a_refusal_has_its_code_and_shows_no_secret(
    cli: Cli, words: list[str], code: str, more: list[str]
) -> None:
    result = cli("--json", "replace", *words, *more)
    assert (result.code, result.error["code"]) == (1, code)
    plain = cli("replace", *words, *more)
    assert TOKEN not in result.out + plain.out + plain.err


def test_skipped_memories_are_named(cli: Cli) -> None:
    uid = cli.uid("Swiss francs")
    assert cli("stores", "read-only", FOUNDER).code == 0
    result = cli("replace", "the", "THE")
    assert f"Skipped: {uid}" in result.err
    done = cli.json("replace", "the", "THE", "--yes")
    assert uid in {each["uid"] for each in done["skipped"]}
    only = cli("replace", "francs", "euros", f"store:{FOUNDER}", "--yes")
    assert only.code == 1
    assert "read-only" in only.err


def test_an_unknown_field_is_wrong_usage(cli: Cli) -> None:
    result = cli("replace", "a", "b", "--in", "note")
    assert result.code == 2
    assert all(name in result.err for name in FIELDS)


def test_a_text_may_begin_with_a_dash(cli: Cli) -> None:
    cli("add", "a -x b")
    assert len(cli.json("replace", "-x", "-y")["hits"]) == 1
    assert cli.json("replace", "--", "--x", "--y")["hits"] == []


def test_the_example_of_the_help_parses() -> None:
    args = parse(shlex.split(COMMANDS["replace"].example))
    assert args.command == "commands.change.replace:replace"
    assert (args.find, args.replacement, args.query) == ("Acme Ltd", "Acme GmbH", "tag:clients")
    assert args.fields == ["content"]
