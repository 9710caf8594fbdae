"""`memtui rules`: from nothing to a rule that holds, and back; rules as a file (S-60, S-63)."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from memtui.workspace.context import Context
from memtui.workspace.rules import sweep
from memtui.workspace.rules.base import Duplicates
from tests.cli.conftest import insert_memories
from tests.support.command_line import Cli

FACTS = "category:fact"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def names(cli: Cli) -> list[str]:
    return [each["name"] for each in cli.json("rules")]


def pinned(cli: Cli) -> set[str]:
    return {each["uid"] for each in cli.json("list", "is:pinned")}


def test_a_rule_is_tried_switched_on_and_taken_back(cli: Cli) -> None:
    assert "memtui rules add" in cli("rules").err
    before = pinned(cli)
    wanted = ["--when", f"{FACTS} -hiring", "--do", "pin", "--do", "tag=kept"]
    tried = cli.json("rules", "test", *wanted)
    matching = {each["uid"] for each in cli.json("list", f"{FACTS} -hiring is:live")}
    assert {each["uid"] for each in tried["memories"]} == matching
    assert tried["total"] == sum(tried["stores"].values()) == len(matching)
    assert {"field": "tags", "before": ["offers"], "after": ["offers", "kept"]} in [
        change for each in tried["memories"] for change in each["changes"]
    ]
    assert len(tried["near"]) == 10
    assert {each["part"] for each in tried["near"]} <= {FACTS, "-hiring"}
    printed = cli("rules", "test", *wanted, "--limit", "2")
    assert "tags: offers → offers, kept" in cli("rules", "test", *wanted).out
    assert f"Showing 2 of {len(matching)}" in printed.err
    assert pinned(cli) == before

    added = cli("rules", "add", "Keep facts", *wanted, "--note", "They are ours.")
    assert "memtui rules on 'Keep facts'" in added.err
    assert pinned(cli) == before
    on = cli("rules", "on", "keep FACTS")
    assert f"It holds {len(matching)} memories" in on.out
    assert pinned(cli) == before | matching
    shown = cli.json("rules", "show", "Keep facts")
    assert shown == cli.json("rules")[0]
    assert (shown["on"], shown["held"], shown["place"]) == (True, len(matching), 1)
    assert (shown["do"], shown["note"]) == (["pin", "tag=kept"], "They are ours.")
    assert "pin it, with the rule as reason" in cli("rules", "show", "Keep facts").out

    renamed = ["--name", "Pins", "--when", "tag:offers", "--do", "pin"]
    narrowed = cli.json("rules", "edit", "Keep facts", *renamed)
    assert (narrowed["kind"], narrowed["rule"]["name"]) == ("rule-edited", "Pins")
    fewer = {each["uid"] for each in cli.json("list", "tag:offers is:live")}
    assert narrowed["rule"]["held"] == len(fewer) > 0
    assert pinned(cli) == before | fewer
    assert cli.json("list", "tag:kept") == []
    off = cli("rules", "off", "Pins")
    assert "It let go of" in off.out
    assert pinned(cli) == before
    assert cli("undo").code == 0
    assert cli.json("rules")[0]["on"]
    assert cli.json("rules", "remove", "Pins")["rule"] is None
    assert (names(cli), pinned(cli)) == ([], before)


def test_rules_that_meet_are_told_and_moved(cli: Cli) -> None:
    for name, tag in (("One", "a"), ("Two", "b"), ("Three", "c")):
        cli("rules", "add", name, "--when", FACTS, "--do", f"category={tag}")
    cli("rules", "on", "One")
    told = cli("rules", "test", "two").err
    assert "Overlap: “One” sets another category" in told
    assert "it comes first and wins" in told
    assert "“One” comes first" in cli("rules", "test", "Two").out
    assert cli("rules", "move", "Three", "1").code == 0
    assert cli("rules", "move", "one", "down").code == 0
    assert names(cli) == ["Three", "Two", "One"]
    assert cli("rules", "move", "Three", "up").code == 1
    assert "place 2 already" in cli("rules", "move", "Two", "2").err
    assert cli("rules", "move", "Two", "sideways").code == 2


def test_what_cannot_be_a_rule_is_refused_with_what_can(cli: Cli) -> None:
    def refused(*words: str) -> str:
        result = cli("rules", *words)
        assert result.code in (1, 2)
        return result.err

    assert "Actions: pin, tag" in refused("add", "A", "--when", "x", "--do", "pinn")
    assert "confirmed" in refused("add", "A", "--when", "status:foo", "--do", "pin")
    assert "every memory" in refused("add", "A", "--when", " ", "--do", "pin")
    assert "can't be" in refused("add", "A", "--when", "x", "--do", "tag=a, b")
    assert "--do" in refused("add", "A", "--when", "x")
    assert "--when" in refused("edit", "A")
    assert "--when" in refused("test")
    assert "no rules yet" in refused("on", "A")
    assert names(cli) == []


def test_a_token_in_a_rule_is_masked_wherever_it_is_shown(cli: Cli, here: Path) -> None:
    cli("rules", "add", "Token", "--when", TOKEN, "--do", "dismiss")
    shown = [
        cli("rules", "list"),
        cli("rules", "show", "Token"),
        cli("rules", "export"),
        cli("rules", "--json"),
    ]
    for each in shown:
        assert TOKEN not in each.out + each.err
        assert "••••" in each.out or "\\u2022" in each.out
    assert "--reveal" in cli("rules", "export", "-o", "masked.toml").err
    assert "--reveal" in cli("rules", "check", "masked.toml").err
    assert cli("rules", "export", "-o", "whole.toml", "--reveal").code == 0
    assert TOKEN in (here / "whole.toml").read_text()
    assert cli("rules", "check", "whole.toml").code == 0


def test_rules_leave_and_come_back_as_a_file(cli: Cli, here: Path) -> None:
    before = pinned(cli)
    cli("rules", "add", "Keep", "--when", FACTS, "--do", "pin")
    cli("rules", "on", "Keep")
    cli("rules", "add", "Chat", "--when", '"small talk" lunch', "--do", "expire=30d", "--note", "Noise.")
    kept, held = cli.json("rules"), pinned(cli)
    assert cli.json("rules", "export", "-o", "rules.toml") == {
        **{"file": "rules.toml", "rules": 2, "policies": 0}
    }
    file = here / "rules.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    assert cli("rules", "export").out == cli("rules", "export", "-o", "-").out == file.read_text()
    assert "Nothing to import" in cli("rules", "import", "rules.toml", "--yes").err
    file.write_text("# Ours.\n" + file.read_text().replace("[[rule]]", "# One of two.\n[[rule]]"))
    assert cli("rules", "export", "-o", "rules.toml").code == 1
    commented = file.read_bytes()
    assert cli("rules", "export", "-o", "rules.toml", "--force").code == 0
    assert file.read_bytes() == commented

    cli("rules", "remove", "Keep")
    cli("rules", "edit", "Chat", "--do", "dismiss")
    cli("rules", "add", "Third", "--when", "x", "--do", "inbox")
    assert pinned(cli) == before
    preview = cli("rules", "import", "rules.toml")
    assert "1 new, 1 changed, 0 the same; 1 rule that isn't in the file stays." in preview.err
    assert "do: dismiss → expire=30d" in preview.out
    assert names(cli) == ["Chat", "Third"]
    told = cli.json("rules", "import", "rules.toml", "--yes")
    assert [each["verdict"] for each in told["items"]] == ["new", "changed"]
    assert (told["kind"], told["staying"]) == ("rules-imported", 1)
    assert [rule | {"today": 0} for rule in cli.json("rules")[:2]] == [rule | {"today": 0} for rule in kept]
    assert pinned(cli) == held
    assert cli("undo").code == 0
    assert (names(cli), pinned(cli)) == (["Chat", "Third"], before)
    assert cli("redo").code == 0
    assert names(cli) == ["Keep", "Chat", "Third"]
    assert cli("rules", "import", "-", "--yes", stdin=commented).code == 0


def test_a_file_that_is_no_good_changes_nothing(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = '[[rule]]\nname = "Good"\nwhen = "x"\ndo = "pin"\n'
    bad = here / "bad.toml"
    bad.write_text(good + '[[rule]]\nname = "Bad"\nwhen = "x status:foo"\ndo = "pin"\n')
    checked = cli("rules", "check", "bad.toml")
    assert checked.code == 1
    assert checked.err.startswith("bad.toml:7:18: ")
    assert cli("--json", "rules", "check", "bad.toml").json["problems"][0]["line"] == 7
    refused = cli("--json", "rules", "import", "bad.toml", "--yes").error
    assert (refused["code"], refused["problems"][0]["column"]) == ("rules-file", 18)
    before = bad.read_bytes()
    assert "bad.toml:7:18" in cli("rules", "export", "-o", "bad.toml", "--force").err
    assert bad.read_bytes() == before

    os.mkfifo("pipe")
    (here / "binary").write_bytes(b"\xff\xfe\xff")
    (here / "latin").write_bytes(b"# caf\xe9\n")
    (here / "huge").write_bytes(b"#" * (1 << 21))
    for name in ("pipe", "binary", "latin", "huge", "missing", "."):
        result = cli("rules", "import", name, "--yes")
        assert (result.code, result.err.count("\n")) == (1, 2), name
    (here / "theirs.toml").write_text(good)
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert "another user" in cli("rules", "import", "theirs.toml", "--yes").err
    assert names(cli) == []


def test_ctrl_c_stops_and_the_rest_is_applied_later(
    cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert_memories(demo_database, [f"Filler {number}" for number in range(sweep.BATCH)])
    cli("rules", "add", "All", "--when", "filler", "--do", "tag=filler")
    apply = sweep.apply

    def interrupted(ctx: Context, ids: Mapping[int, int], *more: Duplicates | None) -> None:
        apply(ctx, ids, *more)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(sweep, "apply", interrupted)
    stopped = cli("rules", "on", "All")
    assert stopped.code == 130
    assert "Stopped with" in stopped.err
    assert "To undo" in stopped.out
    monkeypatch.setattr(sweep, "apply", apply)
    assert len(cli.json("list", "tag:filler")) < sweep.BATCH
    assert cli.json("rules")[0]["held"] == sweep.BATCH
