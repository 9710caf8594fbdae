"""What `memtui hook` does: it hands what an agent's program gives to the helper of the workspace, and prints
its answer, within 300 ms.

A helper that is not there is started, and answers this request first. It goes on with it when this process
has stepped aside, and what was not handed over until then still is. Only the standard library is loaded here,
and little of it: the rest takes half a second.
"""

from __future__ import annotations

import os
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from memtui.agents.hooks import place
from memtui.agents.hooks.names import SILENT
from memtui.agents.hooks.requests import ANSWERED, MOST_BYTES, UNAVAILABLE, packed

PATIENCE = 0.27  # seconds from the start of the process; it needs some to end
_STARTING, _LONGEST_START = 0.05, 0.2  # seconds that Python takes to start where that cannot be told; at most
_LONGEST_CHILD = 30.0  # seconds that handing over may take
_PAUSE = 0.1  # seconds before another helper is started, where two were killed; twice as many each time
_LONGEST_NAME = 100  # bytes of the path of a socket, of which systems allow 104 and more


class Hook:
    """One hook. Within, its process steps aside in time, wherever it is: it says that there is no answer, and
    ends, as a success, since another code could stop the agent. A child of it hands over the request if that
    is left to do."""

    def __init__(self) -> None:
        self._is_handed = self._is_child = self._is_silent = False

    def __enter__(self) -> Hook:
        signal.signal(signal.SIGALRM, lambda *_: self._step_aside())
        signal.setitimer(signal.ITIMER_REAL, PATIENCE - _age())
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        if self._is_child:
            os._exit(0)

    def ask(
        self, event: str, agent: str, store: str, project: str, version: str, workspace: str, helper: str
    ) -> bytes:
        """Return what the helper of a workspace answers to what is on standard input; `helper` is the module
        that is started where none is. Raise OSError or ValueError where there is no answer.

        Where nothing can be told, it returns once the request is accepted; a child of this process waits
        until what it was given is kept, and hands it to another helper if that one is killed before."""
        self._is_silent = event in SILENT
        given = _given()
        if not stat.S_ISREG(os.stat(workspace).st_mode):
            raise FileNotFoundError(workspace)
        folder = place.folder_of(workspace)
        request = packed(version, event, agent, store, project, given)
        answer = self._of_running(folder, request) or self._of_new(folder, workspace, request, helper)
        pause = _PAUSE
        while answer in (b"", ANSWERED) and self._is_child:  # until it has taken too long
            time.sleep(pause)
            pause *= 2
            answer = self._of_running(folder, request) or self._of_new(folder, workspace, request, helper)
        if answer[:1] != ANSWERED:
            raise ConnectionError(helper)
        return answer[1:]

    def _step_aside(self) -> None:
        is_done = self._is_handed and not self._is_silent
        if is_done or not self._is_in_child():
            with suppress(OSError):  # nobody may read it
                os.write(1, UNAVAILABLE)
            os._exit(0)

    def _is_in_child(self) -> bool:
        """Go on in a child, which nobody waits for; return whether this is it. The other process must wait
        no longer: two would hand over twice."""
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        with suppress(OSError):
            self._is_child = os.fork() == 0
        if self._is_child:
            self._go_on_alone()
        return self._is_child

    def _go_on_alone(self) -> None:
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, _LONGEST_CHILD)
        os.setsid()  # the program that waits may end all of its group
        nothing = os.open(os.devnull, os.O_WRONLY)
        for handle in (1, 2):  # so that it need not wait for these
            os.dup2(nothing, handle)

    def _note_handed(self) -> None:
        self._is_handed = True
        if self._is_child and not self._is_silent:
            os._exit(0)  # nobody waits for the answer, which the helper should know

    def _all_of(self, read: Callable[[], bytes]) -> bytes:
        """Return an answer: where nothing can be told, that a request is accepted, and in the child then that
        it is kept."""
        answer = b""
        while part := read():
            answer += part
            if answer == ANSWERED and self._is_silent and not self._is_child and not self._is_in_child():
                break
        return answer

    def _of_running(self, folder: str, request: bytes) -> bytes:
        """Return the answer of the helper that runs, b"" if none does."""
        path = os.path.join(folder, place.SOCKET)
        if len(os.fsencode(path)) > _LONGEST_NAME:
            os.chdir(folder)
            path = place.SOCKET
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            try:
                connection.connect(path)
                connection.sendall(request)
                self._note_handed()
                return self._all_of(lambda: connection.recv(1 << 16))
            except OSError:
                self._is_handed = False
                return b""

    def _of_new(self, folder: str, workspace: str, request: bytes, helper: str) -> bytes:
        """Start a helper with the request as its standard input; return its answer."""
        name = os.path.join(folder, f"request-{os.getpid()}")
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(name)
        rest = memoryview(request)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.lseek(file, 0, os.SEEK_SET)
        answers, its_end = os.pipe()
        words = [
            sys.executable,
            "-P",
            "-m",
            helper,
            folder,
            workspace,
        ]  # -P: nothing of the project is loaded
        actions = [
            (os.POSIX_SPAWN_DUP2, file, 0),
            (os.POSIX_SPAWN_DUP2, its_end, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            os.posix_spawn(words[0], words, os.environ, file_actions=actions, setsid=True)
        except NotImplementedError:  # the system has no such call
            os.posix_spawn(words[0], words, os.environ, file_actions=actions, setpgroup=0)
        self._note_handed()
        os.close(its_end)
        os.close(file)
        return self._all_of(lambda: os.read(answers, 1 << 16))


def _age() -> float:
    """Return the seconds since this process was started, as Linux knows it."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return _STARTING
    return min(max(age, 0.0), _LONGEST_START)  # a container may have another clock


def _given() -> bytes:
    parts, size = [], 0
    while part := os.read(0, 1 << 16):
        size += len(part)
        if size <= MOST_BYTES:  # the rest is read, too, for a program that waits until all is taken
            parts.append(part)
    if size > MOST_BYTES:
        raise ValueError("too long")
    return b"".join(parts)
