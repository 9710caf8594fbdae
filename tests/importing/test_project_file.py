"""The rules file of a project: where it is found, and what is none (S-63)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.importing import project_file
from memtui.importing.project_file import FileState
from memtui.memory.query.language import parse
from memtui.memory.rules.file.reading import MOST_BYTES

RULE = '[[rule]]\nname = "Keep"\nwhen = "final"\ndo = "pin"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project below the home folder, with the working directory in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "work" / "app"
    (folder / ".memtui").mkdir(parents=True)
    (folder / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(folder / "src" / "deep")
    return folder


def write(folder: Path, data: bytes = RULE.encode()) -> Path:
    file = folder / ".memtui" / "rules.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    return file


def test_it_is_found_in_the_folder_or_above_but_not_at_home(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = project.parents[1]
    write(home)
    assert project_file.find() is None
    file = write(project)
    assert project_file.find() == str(file)
    nearer = write(project / "src")
    assert project_file.find() == str(nearer)
    nearer.unlink()
    assert project_file.find([str(nearer)]) == str(nearer)  # it is trusted, and gone
    link = home / "link"
    link.symlink_to(project)
    monkeypatch.chdir(link)
    assert project_file.find() == str(file)
    assert project_file.path_of(link / ".memtui" / "rules.toml") == str(file)
    assert project_file.path_of(Path(".memtui/rules.toml")) == str(file)
    with pytest.raises(Refused, match="isn't a project's file"):
        project_file.path_of(Path("rules.toml"))
    gone = project / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert project_file.find() is None


def test_its_content_has_a_digest_and_line_ends_and_a_mark_do_not_matter(project: Path) -> None:
    file = write(project)
    plain = project_file.content(str(file), parse)
    assert [rule.name for rule in plain.file.rules] == ["Keep"]
    write(project, b"\xef\xbb\xbf" + RULE.replace("\n", "\r\n").encode())
    other = project_file.content(str(file), parse)
    assert other.file == plain.file
    assert other.digest != plain.digest


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def _out(file: Path) -> None:
    file.rename(file.parents[2] / "rules.toml")
    file.symlink_to(file.parents[2] / "rules.toml")


def _folder_out(file: Path) -> None:
    file.parent.rename(file.parents[2] / "elsewhere")
    file.parent.symlink_to(file.parents[2] / "elsewhere")


def _dangling(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parent / "nothing")


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (_folder, "isn't a file"),
    "a pipe": (_pipe, "isn't a file"),
    "a link to itself": (_loop, "can't be read"),
    "a link to nothing": (_dangling, "can't be read"),
    "a link out": (_out, "link out of its project"),
    "a folder that is a link out": (_folder_out, "link out of its project"),
    "too large": (lambda file: file.write_bytes(b"#" * (MOST_BYTES + 1)), "larger than"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_is_no_file_of_the_project_is_not_used(project: Path, kind: str) -> None:
    file = write(project)
    spoil, reason = UNUSABLE[kind]
    spoil(file)
    handles = len(os.listdir("/proc/self/fd"))
    with pytest.raises(Refused, match=reason):
        project_file.content(str(file), parse)
    (state,) = project_file.states([])
    assert (state.state, state.path) == (FileState.UNUSABLE, str(file))
    assert reason in project_file.told(state, state.path, "t", "t")
    assert len(os.listdir("/proc/self/fd")) == handles


def test_a_file_or_folder_of_another_user_is_not_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(project)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(Refused, match="another user"):
        project_file.content(str(file), parse)
    assert project_file.states([])[0].state is FileState.UNUSABLE


def test_a_link_within_the_project_is_followed(project: Path) -> None:
    file = write(project)
    (project / "rules").mkdir()
    file.rename(project / "rules" / "ours.toml")
    file.symlink_to(project / "rules" / "ours.toml")
    assert project_file.content(str(file), parse).path == str(file)


@pytest.mark.parametrize("data", [b"\xff\xfe\xff", b"a = " + b"[" * 200_000])
def test_a_hostile_file_is_refused_in_one_line(project: Path, data: bytes) -> None:
    file = write(project, data)
    with pytest.raises(Refused) as refused:
        project_file.content(str(file), parse)
    assert "\n" not in refused.value.message


def test_what_is_no_toml_is_one_problem_with_its_place(project: Path) -> None:
    file = write(project, b"\0")
    (problem,) = project_file.content(str(file), parse).file.problems
    assert (problem.line, problem.column) == (1, 1)
