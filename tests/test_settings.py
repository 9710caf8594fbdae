"""The settings file: problems in it are reported and never stop memtui."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.settings import Loaded, Settings, defaults_text, load, settings_path
from memtui.settings_file import write_defaults


def read(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_without_a_file_the_defaults_apply_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "none" / "settings.toml"
    assert load(path).settings == Settings()
    assert not path.parent.exists()


def test_settings_are_read_from_the_file(tmp_path: Path) -> None:
    text = 'theme = "contrast"\n'
    text += 'editor = "nano -w"\nmouse = false\n[keys]\n"memory.pin" = "P"\nmemory.edit = ["f4", "E"]'
    loaded = read(tmp_path, text)
    assert not loaded.problems
    keys = {"memory.pin": ("P",), "memory.edit": ("f4", "E")}
    assert loaded.settings == Settings("contrast", "nano -w", False, keys=keys)


def test_an_invalid_value_keeps_its_default_and_is_reported_with_its_line(tmp_path: Path) -> None:
    text = 'mouse = "yes"\ntheme = "pink"\n\ncolour = 3\n'
    text += 'editor = 1\n[keys]\n"memory.pin" = 7\n"memory.edit" = "E"\n'
    loaded = read(tmp_path, text)
    assert loaded.settings == Settings(keys={"memory.edit": ("E",)})
    assert [each.partition(":")[0] for each in loaded.problems] == [
        f"settings.toml, line {n}" for n in (1, 2, 4, 5, 7)
    ]
    assert "dark, light, contrast, ansi" in loaded.problems[1]


@pytest.mark.parametrize("text", ["theme = \n", "[[[\n", "keys = 3", "theme = 'dark'\ntheme = 'light'\n"])
def test_a_malformed_file_is_reported(tmp_path: Path, text: str) -> None:
    loaded = read(tmp_path, text)
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1
    assert "line" in loaded.problems[0]


def test_invalid_utf8_and_a_folder_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"theme = '\xff'")
    assert "not valid UTF-8" in load(tmp_path / "a.toml").problems[0]
    assert load(tmp_path).problems


def test_what_cannot_be_read_at_all_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = read(tmp_path, f"top_k = {'9' * 5_000}\n")
    assert number.settings == Settings()
    assert "a number that is too long" in number.problems[0]
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in load(tmp_path / "pipe").problems[0]
    monkeypatch.setenv("MEMTUI_SETTINGS", "~nosuchuser/x.toml")
    nobody = load()
    assert nobody.settings == Settings()
    assert nobody.problems == ("Could not read x.toml: no such user",)


def test_the_path_comes_from_the_environment_or_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_SETTINGS", str(tmp_path / "mine.toml"))
    assert settings_path() == tmp_path / "mine.toml"
    monkeypatch.delenv("MEMTUI_SETTINGS")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert settings_path().is_relative_to(tmp_path)


def test_written_defaults_are_private_and_never_overwritten(tmp_path: Path) -> None:
    path = write_defaults(tmp_path / "deep" / "settings.toml")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    loaded = load(path)
    assert loaded.settings == Settings()
    assert not loaded.problems
    path.write_text("mouse = false\n")
    with pytest.raises(Refused, match="not changed"):
        write_defaults(path)
    assert path.read_text() == "mouse = false\n"


def test_the_default_file_explains_every_setting() -> None:
    text = defaults_text()
    for name in ("theme", "editor", "mouse", "keys"):
        assert name in text
    assert text.count("# ") >= 5


def test_search_settings(tmp_path: Path) -> None:
    loaded = read(tmp_path, 'model = "off"\nranking = "seed"\ntop_k = 20\nrecall_recency = 1')
    assert not loaded.problems
    settings = loaded.settings
    assert (settings.model, settings.ranking, settings.top_k, settings.recall_recency) == (
        "off",
        "seed",
        20,
        1,
    )
    invalid = read(tmp_path, 'ranking = "luck"\ntop_k = 0\nmodel = 3\nrecall_confidence = 1.5')
    assert invalid.settings == Settings()
    assert [problem.partition(": ")[2] for problem in invalid.problems] == [
        "ranking must be one of memtui, seed.",
        "top_k must be a whole number from 1 to 1000.",
        "model must be a string.",
        "recall_confidence must be a number from 0 to 1.",
    ]
