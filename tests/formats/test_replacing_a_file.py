"""A file that changed before ours takes its place is never replaced, not even for a moment (S-6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write


def test_ours_never_stands_in_place_of_newer_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_bytes(b"theirs")
    exchanged: list[Path] = []
    monkeypatch.setattr(atomic_write, "_exchange", lambda one, other: exchanged.append(other))
    with pytest.raises(Refused, match="changed while"):
        atomic_write.change(tmp_path, "memory.jsonl", b"old", b"new", "token")
    assert not exchanged
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs"]
