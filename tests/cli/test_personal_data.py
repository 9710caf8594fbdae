"""The setting that has personal data treated as secrets are (S-62, S-82)."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Cli

ADDRESS = "ana.lopes@brightwater.pt"


def test_personal_data_is_flagged_only_where_the_settings_say_so(cli: Cli, here: Path) -> None:
    cli("add", f"Ask {ADDRESS} about the contract")
    assert cli.json("secrets", "list") == []
    assert ADDRESS in cli("list").out
    settings = here.parent / "settings.toml"
    settings.write_text('personal_data = "flag"\n', "utf-8")
    (found,) = cli.json("secrets", "list")
    assert ADDRESS not in cli("list").out
    (item,) = [each for each in cli.json("inbox") if each["kind"] == "secret"]
    assert item["reason"] == "contains an e-mail address"
    assert cli("redact", found["uid"], "--yes", "--backups").code == 0
    settings.write_text('personal_data = "keep"\n', "utf-8")
    assert "Ask [redacted: e-mail address] about the contract" in cli("list").out
