"""Leases: which process an intent belongs to, told by an OS lock that dies with it (S-7)."""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

from memtui.formats.media.files import atomic_write


class Leases:
    """The lock files beside a workspace. A lease is taken at the first write and held until close."""

    def __init__(self, workspace: Path) -> None:
        self._folder = workspace.with_name(workspace.name + ".leases")
        self._held: int | None = None
        self._name = ""

    def mine(self) -> str:
        """The name of this process's lease, taken if need be."""
        if self._held is None:
            try:
                self._take()
            except OSError as trouble:
                raise atomic_write.refusal(trouble) from trouble
        return self._name

    def _take(self) -> None:
        while True:
            with suppress(FileExistsError):  # it may also go between being there and being looked at
                self._folder.mkdir(mode=0o700)
            self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
            flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC
            try:
                handle = os.open(self._folder / self._name, flags, 0o600)
            except FileNotFoundError:
                continue  # another process just left and took the empty folder along
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.fstat(handle).st_nlink:
                self._held = handle
                return
            os.close(handle)  # swept before it was locked

    def is_held(self, name: str) -> bool:
        """Whether the process of this lease still lives."""
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
        """The leases of processes that ended without giving them back."""
        try:
            return [name for name in os.listdir(self._folder) if not self.is_held(name)]
        except OSError:
            return []

    def sweep(self) -> None:
        """Remove the files of dead leases, each while its lock is held: its owner may be just taking it."""
        try:
            files = list(self._folder.iterdir())
        except FileNotFoundError:
            return  # nobody holds one, or the last that did has just left
        for file in files:
            try:
                handle = os.open(file, os.O_RDWR | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.unlink(missing_ok=True)
            except OSError:
                pass  # its process lives
            finally:
                os.close(handle)

    def close(self) -> None:
        """Give the lease back. A file that cannot be removed is that of a dead process to the next one."""
        if self._held is not None:
            with suppress(OSError):
                (self._folder / self._name).unlink(missing_ok=True)
            with suppress(OSError):
                os.close(self._held)
            self._held = None
            with suppress(OSError):  # another process may hold one
                self._folder.rmdir()
