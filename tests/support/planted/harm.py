"""What harms files and databases in a few words, and what harms stores of every format alike."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

Plant = Callable[[Path], object]

# Taken apart here, so that this file holds no secret itself.
SECRET = "The deploy token is " + "ghp_" + "a1B2c3D4e5" * 4


def run(sql: str, *values: Any) -> Plant:
    """A statement that is run on a database."""

    def plant(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute(sql, values)
        assert connection.changes() or not sql.startswith("UPDATE"), f"nothing was planted: {sql}"
        connection.close()

    return plant


def put(old: bytes | str, new: bytes | str, name: str = "") -> Plant:
    """A text in a file of the store (the store itself, if it is one) that becomes another, once."""

    def plant(root: Path) -> None:
        path = root / name if name else root
        data, was, now = path.read_bytes(), _bytes(old), _bytes(new)
        assert was in data, f"nothing was planted: {was!r} is not in {path.name}"
        path.write_bytes(data.replace(was, now, 1))

    return plant


def add(name: str, text: bytes | str, mode: str = "wb") -> Plant:
    """A file of the store that is written, or goes on with "ab"."""

    def plant(root: Path) -> None:
        path = root / name if name else root
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode) as file:
            file.write(_bytes(text))
        path.chmod(0o600)

    return plant


def members(name: Path | str, **said: Any) -> Plant:
    """Members of a JSON file that say something else; None takes one out."""

    def plant(root: Path) -> None:
        path = root / name
        whole = json.loads(path.read_text())
        for key, value in said.items():
            outer, _, inner = key.rpartition("__")
            part = whole[outer] if outer else whole
            part[inner] = value
        path.write_text(json.dumps(whole, indent=2))

    return plant


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def first_file(root: Path) -> Path:
    """A file of the store that holds a memory."""
    if root.is_file():
        return root
    files = sorted(each for each in root.rglob("*.*") if each.suffix in (".md", ".json"))
    plain = (each for each in files if each.name[0] != "_" and not each.name[:3].isupper())
    return next(each for each in plain if "episodes" not in each.parts and "edges" not in each.parts)


def _on_first(harm: Plant) -> Plant:
    return lambda root: harm(first_file(root))


def _opened_to_all(root: Path, mode: int) -> None:
    file = first_file(root)
    file.chmod(mode)


def _linked(file: Path) -> None:
    os.link(file, file.with_name(f"twin{file.suffix}"))


def _tracked(root: Path) -> None:
    folder = root if root.is_dir() else root.parent
    for words in (("init", "-q"), ("add", "-f", ".")):
        subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


ANYWHERE: dict[tuple[str, str], Plant] = {
    ("everybody may read it", "world-readable"): lambda root: _opened_to_all(root, 0o604),
    ("everybody may write it", "world-writable"): lambda root: _opened_to_all(root, 0o602),
    ("git tracks it", "git"): _tracked,
    ("it has a second name", "hard-link"): _on_first(_linked),
}

FILES: dict[tuple[str, str], Plant] = {
    ("a NUL byte", "nul"): _on_first(add("", b"and \0 so\n", "ab")),
    ("bytes that are no UTF-8", "read-only"): _on_first(add("", b"caf\xe9\n", "ab")),
    ("a byte order mark", "bom"): _on_first(
        lambda file: file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    ),
    ("two kinds of line ends", "mixed-newlines"): _on_first(add("", b"one\r\ntwo\n", "ab")),
    ("a line without an end", "long-line"): _on_first(add("", "word " * 5_000, "ab")),
    ("a file beyond all size", "read-only"): _on_first(add("", "words\n" * 200_000, "ab")),
    ("a secret", "secret"): _on_first(add("", f"\n{SECRET}\n", "ab")),
    ("a YAML tag", "tag"): _on_first(put("---\n", "---\nx_made: !!python/object:os.system\n")),
    ("a YAML anchor", "alias"): _on_first(put("---\n", "---\nx_made: &here word\n")),
    ("a YAML anchor in a list", "alias"): _on_first(put("---\n", "---\nx_made: [&here word, *here]\n")),
    ("a head nested too deep", "deep-head"): _on_first(
        put("---\n", "---\nx_made: " + "[" * 40 + "]" * 40 + "\n")
    ),
    ("a key that stands twice in the head", "double-key"): _on_first(put("---\n", "---\nx_a: 1\nx_a: 2\n")),
    ("a head without an end", "unclosed-head"): _on_first(
        lambda file: file.write_bytes(file.read_bytes().replace(b"\n---\n", b"\n", 1))
    ),
    ("a head indented with tabs", "tabs"): _on_first(put("---\n", "---\nx_a:\n\tb: 1\n")),
    ("a head of another kind", "odd-head"): _on_first(put("---\n", "---\nno key at all\n")),
}
