"""`memtui rules` with actions that refuse writes and redact secrets (S-60, S-82)."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_backup import on_terminal
from tests.support.command_line import Cli

SECRET = "AKIA" + "Q7ZK3M9WX2R5T8VB"
TEXT = f"The deploy uses {SECRET} at night."


def test_a_write_that_a_rule_refuses_exits_with_3(bare: Cli) -> None:
    bare("add", "Tea is at four.")
    bare("rules", "add", "No tea", "--when", "tea", "--do", "refuse")
    assert "refuses what agents write" in bare("rules", "test", "No tea").err
    assert "refuses what agents write" in bare("rules", "on", "No tea").out
    refused = bare("add", "Tea is at five.", "--as", "scout")
    assert (refused.code, refused.out) == (3, "")
    assert "The rule “No tea” refuses this memory of scout." in refused.err
    error = bare("--json", "add", "Tea is at six.", "--as", "scout").error
    assert (error["code"], error["policy"]) == ("rule", "No tea")
    assert bare("add", "Tea is at seven.").code == 0
    assert bare.json("rules")[0]["refused"] == 2
    assert "2 refused today" in bare("rules").out
    assert "2 refused today" in bare("rules", "show", "No tea").out
    assert bare.json("policies")["policies"] == []
    assert len(bare.json("list", "tea")) == 2


def test_a_rule_that_redacts_is_asked_for_once(bare: Cli, here: Path) -> None:
    uid = bare.json("add", TEXT)["uids"][0]
    bare("rules", "add", "Clean", "--when", "deploy", "--do", "redact")
    tried = bare.json("rules", "test", "Clean")
    assert (tried["total"], tried["secret"]) == (1, 1)
    assert tried["memories"][0]["changes"] == [{"field": "redact", "before": 1, "after": 0}]
    told = bare("rules", "test", "Clean")
    assert "1 memory has secrets that would be" in told.err
    assert "secrets: 1 → 0" in told.out
    for wrong in (("--do", "zap"), ("--when", " ")):  # what only tries a rule does not speak of saving it
        refused = bare("rules", "test", "Clean", *wrong)
        assert (refused.code, "saved" in refused.err) == (1, False)

    told = bare("rules", "on", "Clean")
    assert (told.code, told.out) == (1, "")
    assert "1 memory has one now. Backups keep theirs." in told.err
    error = bare("--json", "rules", "on", "Clean").error
    assert (error["code"], error["secret"]) == ("not-asked", 1)
    assert on_terminal("no\n", "rules", "on", "Clean")[0] == 1
    assert bare("rules", "off", "Clean").code == 1  # it is off still
    assert on_terminal("redact\n", "rules", "on", "Clean")[0] == 0
    assert bare.memory(uid)["content"] == "The deploy uses [redacted: AWS key] at night."

    assert bare("rules", "edit", "Clean", "--note", "so").code == 0  # nothing new is redacted
    assert bare("rules", "edit", "Clean", "--when", "night").code == 1
    assert bare("rules", "edit", "Clean", "--when", "night", "--yes").code == 0
    assert bare("rules", "edit", "Clean", "--do", "pin").code == 0
    assert bare("rules", "edit", "Clean", "--do", "redact").code == 1
    bare("rules", "edit", "Clean", "--do", "redact", "--yes")

    bare("rules", "export", "-o", "rules.toml")
    bare("rules", "remove", "Clean")
    bare("add", TEXT)
    assert "permanently redacts secrets: importing it" in bare("rules", "import", "rules.toml").err
    assert bare("rules", "import", "rules.toml", "--yes").code == 0
    assert not [each for each in bare.json("list", "deploy") if SECRET in each["content"]]
    assert SECRET not in str(bare.json("journal"))
