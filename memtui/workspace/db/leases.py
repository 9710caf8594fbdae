"""Leases: lock files that show whether the process that began a write is still alive (S-7)."""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from memtui.formats.media.files import atomic_write


class Leases:
    """The lock files next to a workspace. A lease is taken with the first write and kept until close."""

    def __init__(self, workspace: Path) -> None:
        self._folder = workspace.with_name(workspace.name + ".leases")
        self._held: int | None = None
        self._name = ""
        self._alone = 0  # how often this process is within `alone`
        self._until = ExitStack()  # what ends when none of them is left
        self._counting = threading.Lock()

    def own(self) -> str:
        """Return the name of this process's lease, taking it if needed."""
        if self._held is None:
            try:
                self._take()
            except OSError as error:
                raise atomic_write.refusal(error) from error
        return self._name

    def _take(self) -> None:
        while True:
            with suppress(FileExistsError):  # not exist_ok: the folder may vanish before it is checked
                self._folder.mkdir(mode=0o700)
            self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
            flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC
            try:
                handle = os.open(self._folder / self._name, flags, 0o600)
            except FileNotFoundError:
                continue  # another process removed the empty folder on closing
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.fstat(handle).st_nlink:
                self._held = handle
                return
            os.close(handle)  # swept before it was locked

    @contextmanager
    def alone(self, patience: float = 5.0) -> Iterator[None]:
        """Let one process at a time do what is within; raise Refused if another one does it for longer than
        `patience` seconds. May be nested."""
        self.own()  # keeps the folder
        with self._counting:  # the thread that came first may leave first, while another is within
            if not self._alone:
                self._until.enter_context(atomic_write.lock_folder(self._folder, patience))
            self._alone += 1
        try:
            yield
        finally:
            with self._counting:
                self._alone -= 1
                if not self._alone:
                    self._until.close()

    def is_held(self, name: str) -> bool:
        """Return whether the process of this lease is alive."""
        if name == self._name and self._held is not None:
            return True
        try:
            handle = os.open(self._folder / name, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(handle)
        return False

    def dead(self) -> list[str]:
        """Return the leases of processes that ended without releasing them."""
        try:
            return [name for name in os.listdir(self._folder) if not self.is_held(name)]
        except OSError:
            return []

    def sweep(self) -> None:
        """Remove the files of dead leases, each under its lock: a new owner may be about to take it."""
        try:
            files = list(self._folder.iterdir())
        except FileNotFoundError:
            return  # no lease is held
        for file in files:
            try:
                handle = os.open(file, os.O_RDWR | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.unlink(missing_ok=True)
            except OSError:
                pass  # its process is alive
            finally:
                os.close(handle)

    def close(self) -> None:
        """Release the lease. A file that cannot be removed counts as a dead process's from then on."""
        if self._held is not None:
            with suppress(OSError):
                (self._folder / self._name).unlink(missing_ok=True)
            with suppress(OSError):
                os.close(self._held)
            self._held = None
            with suppress(OSError):  # not empty: another process holds a lease
                self._folder.rmdir()
