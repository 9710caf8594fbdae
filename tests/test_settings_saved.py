"""Saving a setting from the screen keeps the rest of the user's file (S-82)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.settings import Settings, load, save


def test_a_new_file_has_all_settings_and_the_saved_ones(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    saved = save(path, {"half_lives": {"fact": 50.0}, "founder_os_decay": "daily"})
    assert (saved.half_lives, saved.founder_os_decay) == ({"fact": 50.0}, "daily")
    assert load(path).problems == ()
    assert path.stat().st_mode & 0o777 == 0o600


def test_comments_order_line_endings_and_bom_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    before = '\ufeff# mine\r\ntheme = "light" # yes\r\n\r\n[half_lives] # days\r\nfact = 50 # long\r\n'
    path.write_bytes(before.encode())
    os.chmod(path, 0o640)
    save(path, {"half_lives": {"fact": 40.0}})
    assert path.read_bytes().decode() == before.replace("fact = 50", "fact = 40.0")
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["settings.toml"]


def test_a_key_in_another_case_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[half_lives]\nFact = 20\n")
    assert save(path, {"half_lives": {"fact": 10.0}}).half_lives == {"fact": 10.0}


def test_the_target_of_a_symlink_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "dotfiles.toml", tmp_path / "settings.toml"
    target.write_text('theme = "light"\n')
    link.symlink_to(target)
    save(link, {"founder_os_decay": "daily"})
    assert link.is_symlink()
    assert "daily" in target.read_text()


@pytest.mark.parametrize("text", ["half_lives = 5\n", "[[half_lives]]\nfact = 5\n", "no = = toml\n"])
def test_a_file_that_cannot_be_changed_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(Refused, match="Could not write"):
        save(path, {"half_lives": {"fact": 10.0}})
    assert path.read_text() == text


def test_invalid_half_lives_are_reported_and_ignored(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('founder_os_decay = "hourly"\n[half_lives]\nfact = -1\nidea = 5\nnote = "long"\n')
    loaded = load(path)
    assert loaded.settings == Settings(half_lives={"idea": 5.0})
    assert len(loaded.problems) == 3
