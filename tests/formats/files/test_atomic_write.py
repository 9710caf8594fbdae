"""A file that changed since the plan is never replaced, not even for a moment (S-6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write


def test_a_newer_version_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_bytes(b"theirs")
    exchanged: list[Path] = []
    monkeypatch.setattr(atomic_write, "_exchange", lambda source, target: exchanged.append(target))
    with pytest.raises(Refused, match="changed during"):
        atomic_write.change(tmp_path, "memory.jsonl", b"old", b"new", "token")
    assert not exchanged
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"theirs"]
