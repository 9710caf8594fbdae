"""All fields of a memory from the command line: numbers, dates and ages, what clears them, what is wrong."""

from __future__ import annotations

import pytest

from tests.support.command_line import MCP, Cli
from tests.support.sizes import shard

FIELDS = ("note", "scope", "importance", "confidence", "expires_at", "valid_from", "valid_to")


def values(cli: Cli, uid: str) -> dict[str, object]:
    memory = cli.memory(uid)
    return {name: memory[name] for name in FIELDS}


@pytest.mark.parametrize("query", shard(["nuts", "net 30", "db-2", "mocked migration"], 3, 2))
def test_edit_of_every_field_and_undo_in_every_kind_of_store(cli: Cli, query: str) -> None:
    uid = cli.uid(query)
    before = values(cli, uid)
    cli.json(
        *("edit", uid, "--note", "Ask Ana", "--scope=fleet", "--importance", "80%", "--confidence", "0.7"),
        *("--expires", "2031-01-02", "--valid-from=2027-01-01T08:00", "--valid-to", "2030-01-01T00:00:00Z"),
    )
    assert values(cli, uid) == {
        "note": "Ask Ana",
        "scope": "fleet",
        "importance": 0.8,
        "confidence": 0.7,
        "expires_at": "2031-01-02T00:00:00Z",
        "valid_from": "2027-01-01T08:00:00Z",
        "valid_to": "2030-01-01T00:00:00Z",
    }
    assert cli("undo").code == 0
    assert values(cli, uid) == before


def test_an_empty_value_clears_a_field(cli: Cli) -> None:
    uid = cli.uid("db-2")
    cli.json("edit", uid, "--note", "x", "--scope", "fleet", "--importance", "1", "--expires", "30d")
    cli.json("edit", uid, "--note", "", "--scope=", "--importance", "", "--confidence", "", "--expires=")
    assert set(values(cli, uid).values()) == {None}


def test_zero_is_a_number(cli: Cli) -> None:
    uid = cli.uid("db-2")
    cli.json("edit", uid, "--confidence", "0", "--importance=0%")
    assert (cli.memory(uid)["confidence"], cli.memory(uid)["importance"]) == (0, 0)


def test_an_age_is_a_time_from_now(cli: Cli) -> None:
    near, far = (cli.json("add", "x", "--expires", age)["uids"][0] for age in ("12h", "30d"))
    listed = {memory["uid"] for memory in cli.json("list", "expires:<2d")}
    assert near in listed
    assert far not in listed


def test_add_with_every_field(cli: Cli) -> None:
    added = cli(
        "add", "Likes tea", "--kind", "lesson", "--owner", "ana", "--source", "a call", "--scope=fleet"
    )
    memory = cli.memory(added.out.splitlines()[1].removeprefix("uid "))
    assert {name: memory[name] for name in ("kind", "owner", "source_ref", "source_type", "scope")} == {
        "kind": "lesson",
        "owner": "ana",
        "source_ref": "a call",
        "source_type": "user",
        "scope": "fleet",
    }


def test_what_a_store_cannot_hold_is_kept_in_memtui(cli: Cli) -> None:
    words = ("--subject", "Ana Larkin", "--confidence", "0.9", "--owner", "scout")
    added = cli("add", "Likes tea", "--store", MCP, *words)
    assert "; kept only in memtui: confidence, owner." in added.out
    refused = cli("add", "Likes tea", "--store", MCP, "--kind", "summary", "--json")
    assert (refused.code, refused.error["code"]) == (1, "kind")


@pytest.mark.parametrize(
    ("option", "value", "example"),
    [
        ("--confidence", "high", "0.8 or 80%"),
        ("--confidence", "1.5", "0.8 or 80%"),
        ("--importance", "101%", "0.8 or 80%"),
        ("--expires", "someday", "2026-12-01"),
        ("--expires", "-3d", "30d"),
        ("--valid-from", "2026-13-01", "2026-12-01"),
        ("--valid-to", "999999y", "30d"),
        ("--scope", "everybody", "fleet"),
    ],
)
def test_a_wrong_value_is_named_with_an_example(cli: Cli, option: str, value: str, example: str) -> None:
    for command in (("edit", cli.uid("db-2")), ("add", "x")):
        result = cli(*command, f"{option}={value}")
        assert result.code == 2
        assert option in result.err
        assert value in result.err
        assert example in result.err


def test_a_memory_that_ends_before_it_begins_is_refused(cli: Cli) -> None:
    uid = cli.uid("db-2")
    result = cli("edit", uid, "--valid-from", "2027-01-01", "--valid-to", "2026-01-01")
    assert result.code == 1
    assert result.err.startswith(
        "memtui: Not saved: valid to (2026-01-01T00:00:00Z) is before valid from (2027-01-01T00:00:00Z)."
    )
    assert cli("edit", uid, "--expires", "1999-01-01").code == 1
    assert cli.memory(uid)["expires_at"] is None


def test_snooze_until_a_date_and_undo(cli: Cli) -> None:
    uid = cli.uid("db-2")
    result = cli("snooze", uid, "--until", "2099-01-01")
    assert result.out.startswith("Hidden from Inbox and Review until 2099-01-01: Snoozed 1 memory in native.")
    assert cli.memory(uid)["snoozed_until"] == "2099-01-01T00:00:00Z"
    assert [memory["uid"] for memory in cli.json("list", "is:snoozed")] == [uid]
    assert cli("undo").code == 0
    assert cli.json("list", "is:snoozed") == []


@pytest.mark.parametrize("never", ["", "none"])
def test_end_of_a_snooze(cli: Cli, never: str) -> None:
    uid = cli.uid("net 30")
    cli.json("snooze", uid, "--until", "30d")
    assert cli.json("snooze", uid, f"--until={never}")["kind"] == "woken"
    assert cli.memory(uid)["snoozed_until"] is None
    assert cli("snooze", uid, "--until", never).err.startswith("memtui: Not snoozed.")


def test_snooze_needs_a_date_that_is_to_come(cli: Cli) -> None:
    uid = cli.uid("db-2")
    assert cli("snooze", uid).code == 2
    wrong = cli("snooze", uid, "--until", "soon")
    assert (wrong.code, "30d" in wrong.err) == (2, True)
    assert cli("snooze", uid, "--until", "2001-01-01").code == 1
