"""Verbs on the command line: --dry-run tells what would change where and changes nothing; progress goes to
standard error, only on a terminal; nothing asks (S-82)."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from memtui.workspace.changes import parts
from tests.cli.test_changes import mcp_text
from tests.support.command_line import MCP, Cli

FOUNDER = "net 30"
VERBS = {
    "confirm": (),
    "pin": ("--why", "law"),
    "dismiss": (),
    "forget": (),
    "snooze": ("--until", "30d"),
    "edit": ("--tag", "+x", "--note", "n"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_dry_run_tells_each_store_and_changes_nothing(cli: Cli, demo_database: Path, verb: str) -> None:
    uids = [cli.uid(query) for query in ("nuts", FOUNDER)]
    before, listed = mcp_text(demo_database), cli.json("list")
    result = cli(verb, *uids, *VERBS[verb], "--dry-run")
    assert result.code == 0
    assert result.err.strip() == "Nothing was changed."
    lines = result.out.splitlines()
    assert [line.startswith(f"Would {verb} 1 memory in ") for line in lines] == [True, True]
    found = cli.json(verb, *uids, *VERBS[verb], "--dry-run")
    assert found["dry_run"] is True
    assert [(each["count"], each["blocked"]) for each in found["stores"]] == [(1, []), (1, [])]
    assert {each["store"] for each in found["stores"]} >= {MCP}
    assert (mcp_text(demo_database), cli.json("list")) == (before, listed)


def test_a_dry_run_tells_what_would_be_skipped_and_why(cli: Cli) -> None:
    uid = cli.uid("nuts")
    cli("pin", uid)
    result = cli("pin", uid, "--dry-run")
    assert result.out == f"Would skip 1 memory in {MCP}: already pinned.\n"
    assert "Would change the pin reason for 1 memory" in cli("pin", uid, "--why", "law", "--dry-run").out
    assert "Would unpin 1 memory" in cli("unpin", uid, "--dry-run").out
    assert "Would skip 1 memory" in cli("restore", uid, "--dry-run").out
    refused = cli("edit", cli.uid(FOUNDER), "--category", "nonsense", "--dry-run")
    assert "Would skip 1 memory" in refused.out
    late = cli("snooze", uid, "--until", "2001-01-01", "--dry-run")
    assert (
        late.out == f"Would skip 1 memory in {MCP}: 2001-01-01 is in the past: snooze until a later date.\n"
    )


def test_a_second_reason_replaces_the_first_and_is_undone_alone(cli: Cli) -> None:
    uid = cli.uid("nuts")
    cli("pin", uid, "--why", "law")
    assert cli("pin", uid, "--why", "habit").out.startswith("Changed the pin reason for 1 memory")
    assert cli.json("show", uid)["pinned_why"] == "habit"
    cli("undo")
    assert cli.json("show", uid)["pinned_why"] == "law"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_standard_input_may_be_closed(cli: Cli) -> None:
    uid = cli.uid("nuts")
    assert cli("dismiss", uid, stdin=None).out.startswith("Dismissed 1 memory")
    refused = cli("purge", uid, stdin=None)
    assert (refused.code, "--yes" in refused.err) == (1, True)
    assert cli("purge", uid, "--yes", stdin=None).code == 0


def test_progress_is_shown_on_a_terminal_only(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FIRST", 1)
    uids = [cli.uid(query) for query in ("nuts", FOUNDER)]
    assert cli("confirm", *uids).err == ""
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        from memtui.cli.commands.change.bulk import control
        from memtui.cli.runtime.output import Output

        with control(Output(json=True), "dismiss") as job:
            assert job is not None
            job.report(1, 1)
    assert "dismissing ▰▰▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱ 50%" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[K")
