"""backup list and restore, and purge, the only command that asks (S-6, S-50)."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import CLAUDE, FOUNDER, MCP, ROOT, Cli

DAY = 86_400


@pytest.fixture
def edited(cli: Cli) -> str:
    """A memory that was edited today; its uid."""
    uid = cli.uid("allergic")
    assert cli("edit", uid, "--content", "Is allergic to zebras").code == 0
    return cli.uid("zebras")


def on_terminal(typed: str, *words: str) -> tuple[int, str]:
    """memtui as a program on a terminal, where something is typed: its exit code and what it showed."""
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    child = subprocess.Popen(
        [sys.executable, "-m", "memtui", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return child.wait(), shown.decode()


def test_backups_are_listed_newest_first(cli: Cli, edited: str) -> None:
    assert cli("backup", "list", CLAUDE).out == ""
    assert "no backups yet" in cli("backup", "list", CLAUDE).err
    (line,) = cli("backup", "list", MCP).out.splitlines()
    id, store, _, size = line.split("\t")
    assert store == MCP
    assert size.endswith("kB")
    (told,) = cli.json("backup", "list", MCP)
    assert told.keys() == {"id", "store", "made_at", "path", "size"}
    assert told["id"] == id
    assert told["made_at"].endswith("Z")
    assert Path(told["path"]).stat().st_size == told["size"]
    assert cli("backup").out == cli("backup", "list").out
    assert cli("backup", "list", "nowhere").code == 1


def test_a_store_goes_back_to_a_backup_and_forward_again(cli: Cli, edited: str) -> None:
    (told,) = cli.json("backup", "list", MCP)
    ran = cli("backup", "restore", told["id"])
    assert ran.code == 0, ran.err
    assert cli.json("list", "zebras store:" + MCP + " -is:removed") == []
    (there,) = cli.json("list", "allergic -is:removed")
    assert there["content"] == "Is allergic to nuts"
    forward = ran.out.split()[-1]
    assert cli.json("backup", "restore", forward)["kind"] == "restored-backup"
    assert cli.memory(cli.uid("zebras"))["content"] == "Is allergic to zebras"
    refused = cli("--json", "backup", "restore", "19990101-000000-none")
    assert refused.code == 1
    assert refused.error["code"] == "no-backup"


def test_a_purge_asks_or_is_refused(cli: Cli, edited: str) -> None:
    ran = cli("purge", edited)
    assert ran.code == 1
    assert "--yes" in ran.err
    assert cli("--json", "purge", edited).error["code"] == "not-asked"
    assert cli.memory(edited)["content"] == "Is allergic to zebras"


def test_a_purge_erases_and_names_the_backups(cli: Cli, demo_database: Path, edited: str) -> None:
    ran = cli("purge", edited, "--yes")
    assert ran.code == 0, ran.err
    (told,) = cli.json("backup", "list", MCP)
    assert f"Purged 1 memory of {MCP}" in ran.out
    assert told["id"] in ran.out
    assert told["path"] in ran.out
    assert cli("show", edited).code == 1
    Path(told["path"]).unlink()
    found = subprocess.run(
        ["grep", "-rla", "zebras", str(demo_database.parent)], capture_output=True, text=True
    )
    assert found.stdout == ""


def test_a_purge_takes_the_backups_along(cli: Cli) -> None:
    uid = cli.uid("Swiss clients")
    assert cli("edit", uid, "--content", "Offers are in francs.").code == 0
    before = [each["store"] for each in cli.json("backup", "list")]
    told = cli.json("purge", uid, "--yes", "--backups")
    assert told["count"] == 1
    assert told["uids"] == [uid]
    assert told["backups"] == []
    assert told["backups_deleted"] == len(before)
    assert cli.json("backup", "list", FOUNDER) == []


@pytest.mark.parametrize(("typed", "code"), [("purge\n", 0), ("yes\n", 1), ("\n", 1)])
def test_on_a_terminal_the_word_is_typed(cli: Cli, edited: str, typed: str, code: int) -> None:
    got, shown = on_terminal(typed, "purge", edited)
    assert got == code, shown
    assert "Is allergic to zebras" in shown
    assert "cannot be undone" in shown
    (told,) = cli.json("backup", "list", MCP)
    assert told["id"] in shown
    assert (cli("show", edited).code == 1) == (code == 0)


def test_a_purge_after_a_conflict_is_of_what_stands_there_now(cli: Cli, demo_database: Path) -> None:
    uid = cli.uid("Ana founder")
    file = demo_database.parents[1] / "order-service" / "memory" / "user_ana.md"
    text = file.read_text("utf-8")
    file.write_text(text.replace("over a coffee", "over a tea"), "utf-8")
    refused = cli("--json", "purge", uid, "--yes")
    assert (refused.code, refused.error["code"]) == (1, "conflict")
    assert file.exists()
    assert cli("purge", uid, "--yes").code == 0
    assert not file.exists()
