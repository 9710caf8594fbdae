"""Functions that plant problems in files and databases, and problems that every format can have."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

Plant = Callable[[Path], object]

# In parts, so that secret scanners do not report this file.
SECRET = "The deploy token is " + "ghp_" + "a1B2c3D4e5" * 4


def run_sql(sql: str, *values: Any) -> Plant:
    """Run a statement on a database."""

    def plant(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute(sql, values)
        assert connection.changes() or not sql.startswith("UPDATE"), f"nothing was planted: {sql}"
        connection.close()

    return plant


def replace(old: bytes | str, new: bytes | str, name: str = "") -> Plant:
    """Replace the first occurrence of `old` in a file of the store; without `name` the store is the file."""

    def plant(root: Path) -> None:
        path = root / name if name else root
        data, present = path.read_bytes(), _bytes(old)
        assert present in data, f"nothing was planted: {present!r} is not in {path.name}"
        path.write_bytes(data.replace(present, _bytes(new), 1))

    return plant


def write(name: str, text: bytes | str, mode: str = "wb") -> Plant:
    """Write a file of the store, or append to it with mode "ab"."""

    def plant(root: Path) -> None:
        path = root / name if name else root
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode) as file:
            file.write(_bytes(text))
        path.chmod(0o600)

    return plant


def set_members(name: Path | str, **members: Any) -> Plant:
    """Set members of a JSON file; `outer__inner` sets a member of a member."""

    def plant(root: Path) -> None:
        path = root / name
        document = json.loads(path.read_text())
        for key, value in members.items():
            outer, _, inner = key.rpartition("__")
            (document[outer] if outer else document)[inner] = value
        path.write_text(json.dumps(document, indent=2))

    return plant


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _first_file(root: Path) -> Path:
    """Return the first file of the store that holds a memory."""
    if root.is_file():
        return root
    files = sorted(file for file in root.rglob("*.*") if file.suffix in (".md", ".json"))
    memories = (file for file in files if file.name[0] != "_" and not file.name[:3].isupper())
    return next(file for file in memories if "episodes" not in file.parts and "edges" not in file.parts)


def _on_first(plant: Plant) -> Plant:
    return lambda root: plant(_first_file(root))


def _chmod(mode: int) -> Plant:
    return _on_first(lambda file: file.chmod(mode))


def _hard_link(file: Path) -> None:
    os.link(file, file.with_name(f"twin{file.suffix}"))


def _track_in_git(root: Path) -> None:
    folder = root if root.is_dir() else root.parent
    for arguments in (("init", "-q"), ("add", "-f", ".")):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


ANY_STORE: dict[tuple[str, str], Plant] = {
    ("readable by everyone", "world-readable"): _chmod(0o604),
    ("writable by everyone", "world-writable"): _chmod(0o602),
    ("tracked by git", "git"): _track_in_git,
    ("a hard link", "hard-link"): _on_first(_hard_link),
}

FILE_STORES: dict[tuple[str, str], Plant] = {
    ("a NUL byte", "nul"): _on_first(write("", b"and \0 so\n", "ab")),
    ("bytes that are not UTF-8", "read-only"): _on_first(write("", b"caf\xe9\n", "ab")),
    ("a byte order mark", "bom"): _on_first(
        lambda file: file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    ),
    ("mixed line endings", "mixed-newlines"): _on_first(write("", b"one\r\ntwo\n", "ab")),
    ("a very long line", "long-line"): _on_first(write("", "word " * 5_000, "ab")),
    ("a file over the size limit", "too-large"): _on_first(write("", "words\n" * 200_000, "ab")),
    ("a secret", "secret"): _on_first(write("", f"\n{SECRET}\n", "ab")),
    ("a YAML tag", "tag"): _on_first(replace("---\n", "---\nx_made: !!python/object:os.system\n")),
    ("a YAML anchor", "alias"): _on_first(replace("---\n", "---\nx_made: &here word\n")),
    ("a YAML alias in a list", "alias"): _on_first(replace("---\n", "---\nx_made: [&here word, *here]\n")),
    ("front matter nested too deeply", "deep-head"): _on_first(
        replace("---\n", "---\nx_made: " + "[" * 40 + "]" * 40 + "\n")
    ),
    ("a duplicate key in the front matter", "double-key"): _on_first(
        replace("---\n", "---\nx_a: 1\nx_a: 2\n")
    ),
    ("unclosed front matter", "unclosed-head"): _on_first(
        lambda file: file.write_bytes(file.read_bytes().replace(b"\n---\n", b"\n", 1))
    ),
    ("front matter indented with tabs", "tabs"): _on_first(replace("---\n", "---\nx_a:\n\tb: 1\n")),
    ("front matter without keys", "odd-head"): _on_first(replace("---\n", "---\nno key at all\n")),
}
