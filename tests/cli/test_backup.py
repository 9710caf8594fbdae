"""backup list and restore, and purge, the only command that asks for confirmation (S-6, S-50)."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import CLAUDE, FOUNDER, MCP, ROOT, Cli
from tests.support.sizes import sample_cases

DAY = 86_400


@pytest.fixture
def edited(cli: Cli) -> str:
    """The uid of a memory that was edited today."""
    uid = cli.uid("allergic")
    assert cli("edit", uid, "--content", "Is allergic to zebras").code == 0
    return cli.uid("zebras")


def on_terminal(typed: str, *words: str) -> tuple[int, str]:
    """Run memtui on a pseudo-terminal with some input; return its exit code and output."""
    terminal_fd, program_fd = pty.openpty()
    os.write(terminal_fd, typed.encode())
    child = subprocess.Popen(
        [sys.executable, "-m", "memtui", *words],
        stdin=program_fd,
        stdout=program_fd,
        stderr=program_fd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    os.close(program_fd)
    output = b""
    while True:
        try:
            chunk = os.read(terminal_fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        output += chunk
    os.close(terminal_fd)
    return child.wait(), output.decode()


def test_backups_are_listed_newest_first(cli: Cli, edited: str) -> None:
    assert cli("backup", "list", CLAUDE).out == ""
    assert "No backups yet" in cli("backup", "list", CLAUDE).err
    (line,) = cli("backup", "list", MCP).out.splitlines()
    id, store, _, size = line.split("\t")
    assert store == MCP
    assert size.endswith("kB")
    (backup,) = cli.json("backup", "list", MCP)
    assert backup.keys() == {"id", "store", "made_at", "path", "size"}
    assert backup["id"] == id
    assert backup["made_at"].endswith("Z")
    assert Path(backup["path"]).stat().st_size == backup["size"]
    assert cli("backup").out == cli("backup", "list").out
    assert cli("backup", "list", "nowhere").code == 1


def test_a_restored_backup_can_be_restored_back(cli: Cli, edited: str) -> None:
    (backup,) = cli.json("backup", "list", MCP)
    result = cli("backup", "restore", backup["id"])
    assert result.code == 0, result.err
    assert cli.json("list", "zebras store:" + MCP + " -is:removed") == []
    (memory,) = cli.json("list", "allergic -is:removed")
    assert memory["content"] == "Is allergic to nuts"
    forward = result.out.split()[-1]
    assert cli.json("backup", "restore", forward)["kind"] == "restored-backup"
    assert cli.memory(cli.uid("zebras"))["content"] == "Is allergic to zebras"
    refused = cli("--json", "backup", "restore", "19990101-000000-none")
    assert refused.code == 1
    assert refused.error["code"] == "no-backup"


def test_a_purge_without_confirmation_is_refused(cli: Cli, edited: str) -> None:
    result = cli("purge", edited)
    assert result.code == 1
    assert "--yes" in result.err
    assert cli("--json", "purge", edited).error["code"] == "not-asked"
    assert cli.memory(edited)["content"] == "Is allergic to zebras"


def test_a_purge_erases_and_names_the_backups(cli: Cli, demo_database: Path, edited: str) -> None:
    result = cli("purge", edited, "--yes")
    assert result.code == 0, result.err
    (backup,) = cli.json("backup", "list", MCP)
    assert f"Purged 1 memory from {MCP}" in result.out
    assert backup["id"] in result.out
    assert backup["path"] in result.out
    assert cli("show", edited).code == 1
    Path(backup["path"]).unlink()
    found = subprocess.run(
        ["grep", "-rla", "zebras", str(demo_database.parent)], capture_output=True, text=True
    )
    assert found.stdout == ""


def test_a_purge_can_delete_the_backups(cli: Cli) -> None:
    uid = cli.uid("Swiss clients")
    assert cli("edit", uid, "--content", "Offers are in francs.").code == 0
    before = [each["store"] for each in cli.json("backup", "list")]
    purge = cli.json("purge", uid, "--yes", "--backups")
    assert purge["count"] == 1
    assert purge["uids"] == [uid]
    assert purge["backups"] == []
    assert purge["backups_deleted"] == len(before)
    assert cli.json("backup", "list", FOUNDER) == []


@pytest.mark.parametrize(("typed", "code"), sample_cases([("purge\n", 0), ("\n", 1), ("yes\n", 1)], 2))
def test_on_a_terminal_a_purge_is_confirmed_by_a_word(cli: Cli, edited: str, typed: str, code: int) -> None:
    exit_code, output = on_terminal(typed, "purge", edited)
    assert exit_code == code, output
    assert "Is allergic to zebras" in output
    assert "can't be undone" in output
    (backup,) = cli.json("backup", "list", MCP)
    assert backup["id"] in output
    assert (cli("show", edited).code == 1) == (code == 0)


def test_a_purge_after_a_conflict_erases_the_current_text(cli: Cli, demo_database: Path) -> None:
    uid = cli.uid("Ana founder")
    file = demo_database.parents[1] / "order-service" / "memory" / "user_ana.md"
    text = file.read_text("utf-8")
    file.write_text(text.replace("over a coffee", "over a tea"), "utf-8")
    refused = cli("--json", "purge", uid, "--yes")
    assert (refused.code, refused.error["code"]) == (1, "conflict")
    assert file.exists()
    assert cli("purge", uid, "--yes").code == 0
    assert not file.exists()
