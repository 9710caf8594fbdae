"""`memtui hook` as a program: it always succeeds, whatever becomes of its helper (S-81)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks import place
from memtui.agents.hooks.requests import UNAVAILABLE, length_of, packed, unpacked
from memtui.workspace.workspace import Workspace

GIVEN = {"session_id": "s1", "cwd": "/home/me/tea"}
ROOT = Path(__file__).parents[3]
LONG = "a" * 120  # in the path of the workspace: sockets cannot have such names


class Program:
    """The hooks of one workspace, and the processes that help them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = Path(f"{path}{place.SUFFIX}")

    def start(self, event: str, given: Any, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "memtui", "hook", event, "--workspace", str(self.path), *words]
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "MEMTUI_SETTINGS": str(self.path.with_name("none.toml")),
        }
        hook = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert hook.stdin is not None
        with suppress(BrokenPipeError):
            hook.stdin.write(given if isinstance(given, bytes) else json.dumps(GIVEN | given).encode())
            hook.stdin.close()
        hook.stdin = None
        return hook

    def run(self, event: str, given: Any, *words: str) -> bytes:
        hook = self.start(event, given, *words)
        out, _ = hook.communicate(timeout=60)
        assert hook.returncode == 0
        return out

    def until(self, event: str, **given: Any) -> str:
        """Ask again until there is an answer: on a busy machine hooks step aside."""
        for _ in range(100):
            if (out := self.run(event, given, "--as", "scout")) != UNAVAILABLE:
                return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""
            time.sleep(0.1)
        raise AssertionError("no answer")

    def helpers(self) -> list[int]:
        found = []
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if (
                    each.read_bytes().rstrip(b"\0").endswith(os.fsencode(self.path))
                    and b"_helper" in each.read_bytes()
                ):
                    found.append(int(each.parent.name))
        return found

    def contents(self, count: int) -> list[str]:
        """Return what is stored, once it is so many memories."""
        work = Workspace.open(self.path, read_only=True)
        deadline = time.monotonic() + 60
        while len(work.ids_in()) < count and time.monotonic() < deadline:
            time.sleep(0.05)
        memories = work.memories(work.ids_in())
        work.close()
        return [memories[0].content, *sorted(each.content for each in memories[1:])]

    def kill(self) -> None:
        for each in self.helpers():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


def decided(number: int) -> dict[str, Any]:
    return {"last_assistant_message": f"Decision: cup {number} is blue from now on"}


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    path = tmp_path / LONG / "w.db"
    work = Workspace.open(path)
    work.add({"content": "Tea is served at four.", "category": "fact", "subject": "tea"})
    work.close()
    program = Program(path)
    yield program
    program.kill()


def test_hooks_are_answered_and_a_helper_may_die_at_any_moment(program: Program) -> None:
    both = [program.start("session-start", {}) for _ in range(2)]  # two helpers start at once
    assert [each.communicate(timeout=60) and each.returncode for each in both] == [0, 0]
    assert "Tea is served at four." in program.until("user-prompt-submit", prompt="When is tea served?")
    modes = [oct(os.lstat(each).st_mode)[-3:] for each in (program.folder, program.folder / place.SOCKET)]
    assert modes == ["700", "600"]
    program.kill()
    assert "Tea is served at four." in program.until("user-prompt-submit", prompt="When is tea served?")

    program.kill()
    hooks = [program.start("stop", decided(number)) for number in range(4)]  # they may step aside,
    assert [each.communicate(timeout=60) and each.returncode for each in hooks] == [0] * 4
    assert program.contents(5)[1:] == [
        f"cup {number} is blue from now on" for number in range(4)
    ]  # but it is kept

    for each in program.helpers():
        os.kill(each, signal.SIGSTOP)
    assert program.run("stop", decided(4)) == UNAVAILABLE
    assert program.run("stop", {**decided(5), "padding": "x" * 2_000_000}) == UNAVAILABLE, (
        "no buffer takes it"
    )
    for each in program.helpers():
        os.kill(each, signal.SIGCONT)
    assert program.contents(7)[5:] == ["cup 4 is blue from now on", "cup 5 is blue from now on"]

    for given in (b"no json", b"", b"x" * (5 << 20)):
        assert program.run("stop", given) == UNAVAILABLE
    folder = program.path.parent
    words = ("--workspace", str(folder))
    assert program.run("session-start", {}, *words) == UNAVAILABLE
    assert not folder.with_name(f"{folder.name}{place.SUFFIX}").exists(), "a folder is no workspace"
    program.path.rename(program.path.with_name("elsewhere.db"))
    assert program.run("stop", {}) == UNAVAILABLE
    deadline = time.monotonic() + 60
    while program.helpers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert program.helpers() == [], "it ends with its workspace"


def test_what_was_taken_is_kept_though_who_took_it_is_killed(program: Program) -> None:
    program.until("session-start")
    for each in program.helpers():
        os.kill(each, signal.SIGSTOP)
    assert program.run("stop", decided(0)) == UNAVAILABLE
    program.kill()
    program.run("stop", decided(1))
    program.kill()
    assert program.contents(3)[1:] == ["cup 0 is blue from now on", "cup 1 is blue from now on"]
    program.until("session-start")


def test_where_nothing_can_be_asked_the_agent_goes_on(program: Program) -> None:
    program.folder.mkdir(mode=0o755)
    assert program.run("stop", {}) == UNAVAILABLE, "others could enter its folder"
    hook = program.start("stop", {}, "--no-such-option")
    out, err = hook.communicate(timeout=60)
    assert (hook.returncode, out) == (0, UNAVAILABLE)
    assert b"--no-such-option" in err
    assert program.run("tea-time", {}) == UNAVAILABLE
    assert program.run("stop", {}, "--read-only") == UNAVAILABLE
    assert program.helpers() == []


def test_requests_are_bounded() -> None:
    data = packed("1", "stop", "scöut", "native", "/x", b"{}")
    assert unpacked(data) == (["1", "stop", "scöut", "native", "/x"], b"{}")
    assert [length_of(data[:each]) for each in (0, 20)] == [20, len(data)]
    for wrong in (data[:-1], data + b"x", b"-" * 20, b"9" * 20, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
        with pytest.raises(ValueError, match=r".*"):
            unpacked(wrong)
    with pytest.raises(ValueError, match="NUL"):
        packed("1", "stop", "a\0b", "native", "/x", b"{}")
