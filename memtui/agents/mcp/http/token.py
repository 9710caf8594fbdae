"""The token of a workspace's HTTP server: a file that only its user can read, beside the workspace."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from memtui.agents.mcp import wording_http
from memtui.formats.media.files import atomic_write

_BYTES = 32  # of randomness
_FORM = re.compile(rb"[A-Za-z0-9_-]{43}\n?")
_LONGEST = 100  # bytes of the file
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def file_of(workspace: Path) -> Path:
    """Return the file that has the token of a workspace."""
    return workspace.with_name(workspace.name + ".token")


def read(file: Path) -> str | None:
    """Return the token, None if there is none yet. Raise Refused for a file that is a link, another user's,
    readable by others, or no token."""
    try:
        handle = os.open(file, _READ)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise wording_http.token_not_read(file, error.strerror) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise wording_http.token_not_a_file(file)
        if status.st_uid != os.geteuid():
            raise wording_http.token_of_another(file)
        if status.st_mode & 0o077:
            raise wording_http.token_readable(file)
        content = os.read(handle, _LONGEST)
    finally:
        os.close(handle)
    if not _FORM.fullmatch(content):
        raise wording_http.no_token_in(file)
    return content.decode().strip()


def existing_or_new(file: Path) -> str:
    """Return the token, making it on first use; raise Refused as `read` does, or if it cannot be written."""
    if found := read(file):
        return found
    with suppress(FileExistsError):  # another memtui was first
        _write(file, replaces=False)
    made = read(file)
    assert made is not None
    return made


def renew(file: Path) -> str:
    """Put a new token in place of the one that is there, which is refused from then on; raise Refused for a
    file that is not a token of this user's."""
    read(file)
    _write(file, replaces=True)
    made = read(file)
    assert made is not None
    return made


def _write(file: Path, *, replaces: bool) -> None:
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        atomic_write.make_folders(file.parent)
        with os.fdopen(os.open(fresh, _CREATE, 0o600), "wb") as written:
            os.fchmod(written.fileno(), 0o600)
            written.write(secrets.token_urlsafe(_BYTES).encode() + b"\n")
            written.flush()
            os.fsync(written.fileno())
        if replaces:
            os.replace(fresh, file)
        else:
            os.link(fresh, file)  # unlike a rename, never over what another memtui has made
            os.unlink(fresh)
        atomic_write.sync_folder(file.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise wording_http.token_not_written(file, error.strerror) from error
    finally:
        with suppress(OSError):
            os.unlink(fresh)
