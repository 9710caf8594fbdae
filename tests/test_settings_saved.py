"""Keeping a setting from the screen: the person's file stays theirs (S-82)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.settings import Settings, load, save


def test_a_new_file_holds_all_settings_and_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    kept = save(path, {"half_lives": {"fact": 50.0}, "founder_os_decay": "daily"})
    assert (kept.half_lives, kept.founder_os_decay) == ({"fact": 50.0}, "daily")
    assert load(path).troubles == ()
    assert path.stat().st_mode & 0o777 == 0o600


def test_comments_order_line_ends_and_mark_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    before = '\ufeff# mine\r\ntheme = "light" # yes\r\n\r\n[half_lives] # days\r\nfact = 50 # long\r\n'
    path.write_bytes(before.encode())
    os.chmod(path, 0o640)
    save(path, {"half_lives": {"fact": 40.0}})
    assert path.read_bytes().decode() == before.replace("fact = 50", "fact = 40.0")
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["settings.toml"]


def test_a_key_of_another_case_gives_way(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[half_lives]\nFact = 20\n")
    assert save(path, {"half_lives": {"fact": 10.0}}).half_lives == {"fact": 10.0}


def test_what_a_link_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "dotfiles.toml", tmp_path / "settings.toml"
    target.write_text('theme = "light"\n')
    link.symlink_to(target)
    save(link, {"founder_os_decay": "daily"})
    assert link.is_symlink()
    assert "daily" in target.read_text()


@pytest.mark.parametrize("text", ["half_lives = 5\n", "[[half_lives]]\nfact = 5\n", "no = = toml\n"])
def test_a_file_that_cannot_be_changed_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(Refused, match="could not be written"):
        save(path, {"half_lives": {"fact": 10.0}})
    assert path.read_text() == text


def test_wrong_half_lives_are_told_and_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('founder_os_decay = "hourly"\n[half_lives]\nfact = -1\nidea = 5\nnote = "long"\n')
    loaded = load(path)
    assert loaded.settings == Settings(half_lives={"idea": 5.0})
    assert len(loaded.troubles) == 3
