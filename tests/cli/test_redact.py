"""memtui redact asks before it replaces a secret for good; in a script it tells (S-62)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.test_backup import on_terminal
from tests.support.command_line import Cli
from tests.support.sizes import sample_cases
from tests.support.stores import minions

SECRET = "AKIA" + "Q7ZK3M9WX2R5T8VB"


@pytest.fixture
def holding(cli: Cli) -> str:
    """The uid of a memory with a secret."""
    assert cli("add", f"The deploy uses {SECRET} at night.", "--store", "native").code == 0
    return cli.uid("deploy uses")


def test_without_yes_a_script_is_only_told(cli: Cli, holding: str) -> None:
    told = cli("redact", holding)
    assert told.code == 1
    assert "content: [redacted: AWS key]" in told.err
    assert SECRET not in told.err + told.out
    error = cli("--json", "redact", holding).error
    assert error["code"] == "not-asked"
    assert error["memories"][0]["backup"] is False  # today's was made before it was added
    assert error["memories"][0]["secrets"] == [{"field": "content", "becomes": "[redacted: AWS key]"}]


def test_the_backup_that_is_made_first_is_told_before(cli: Cli, tmp_path: Path) -> None:
    root = minions.make(tmp_path, minions.item(1, "deploy", f"The deploy has {SECRET} at night.")).root
    assert cli("stores", "attach", str(root), "--name", "fleet").code == 0
    told = "Today's backup of fleet, made first, will have the secrets, and will be "
    assert f"{told}kept: --backups deletes it, too." in cli("redact", uid := cli.uid("deploy has")).err
    assert f"{told}deleted, too." in cli("redact", uid, "--backups").err


def test_with_yes_the_value_is_replaced_and_backups_are_deleted(
    cli: Cli, demo_database: Path, holding: str
) -> None:
    redacted = cli.json("redact", holding, "--yes", "--backups")
    assert (redacted["kind"], redacted["count"], redacted["uids"]) == ("redacted", 1, [holding])
    assert "Change this key now" in redacted["notes"][-1]
    assert cli.memory(holding)["content"] == "The deploy uses [redacted: AWS key] at night."
    found = subprocess.run(
        ["grep", "-rla", SECRET, str(demo_database.parent)], capture_output=True, text=True
    )
    assert found.stdout == ""
    assert cli("redact", holding, "--yes").code == 1


@pytest.mark.parametrize(("typed", "code"), sample_cases([("redact\n", 0), ("y\n", 1)], 1))
def test_a_terminal_asks_for_a_word(cli: Cli, holding: str, typed: str, code: int) -> None:
    exit_code, output = on_terminal(typed, "redact", holding)
    assert exit_code == code, output
    assert "can't be undone" in output
    assert ("[redacted" in cli.memory(holding)["content"]) == (code == 0)


def test_the_list_of_secrets_shows_where_in_a_text_one_is(cli: Cli) -> None:
    text = f"First line.\n{'x ' * 100}login at {SECRET} {'y ' * 100}"
    assert cli("add", text, "--store", "native", "--title", "Deploys").code == 0
    (line,) = [each for each in cli("secrets", "list").out.splitlines() if "Deploys" in each]
    shown = line.rpartition("\t")[2]
    assert shown.startswith("Deploys: x x ")
    assert f"login at {'•' * len(SECRET)} y y" in shown
    assert len(shown) < 200
    assert SECRET not in line
