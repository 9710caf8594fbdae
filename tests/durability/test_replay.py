"""The recorder and replayer behind the soak's power cuts and disk faults: a power cut keeps what was synced
and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.soak.preload import record
from tests.soak.preload.record import Call
from tests.soak.preload.replay import BLOCK, Disk, keep_share

FILE, FOLDER = 1_000_001, 1_000_002  # inodes of what is created


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "old").write_bytes(b"old")
    return folder


def after_cut(root: Path, calls: Iterable[Call], share: float = 0.0, seed: int = 0) -> dict[str, bytes]:
    """Return the files after some calls and a power cut."""
    disk = Disk(root)
    for call in calls:
        disk.apply(call)
    chance = random.Random(seed)
    return disk.after_power_cut(keep_share(chance, share)).bytes_by_name()


def creation(root: Path, name: str = "new", node: int = FILE, data: bytes = b"new") -> list[Call]:
    return [
        Call(record.CREATE, node, path=str(root / name), mode=0o600),
        Call(record.WRITE, node, at=0, data=data),
    ]


def synced(*nodes: int | Path) -> list[Call]:
    found = (node.stat().st_ino if isinstance(node, Path) else node for node in nodes)
    return [Call(record.SYNC, node) for node in found]


def test_a_new_file_needs_both_syncs(root: Path) -> None:
    assert after_cut(root, creation(root)) == {"old": b"old"}
    assert after_cut(root, creation(root) + synced(FILE)) == {"old": b"old"}
    assert after_cut(root, creation(root) + synced(root)) == {"old": b"old", "new": b""}
    assert after_cut(root, creation(root) + synced(FILE, root)) == {"old": b"old", "new": b"new"}


def test_a_file_in_a_new_folder_needs_a_sync_of_the_parent_too(root: Path) -> None:
    folder = [Call(record.MKDIR, FOLDER, path=str(root / "sub"), mode=0o700)]
    calls = [*folder, *creation(root, "sub/new"), *synced(FILE, FOLDER)]
    assert after_cut(root, calls) == {"old": b"old"}
    assert after_cut(root, calls + synced(root)) == {"old": b"old", "sub/new": b"new"}


def test_an_exchange_is_atomic(root: Path) -> None:
    names = {"path": str(root / "new"), "target": str(root / "old")}
    calls = [*creation(root), *synced(FILE, root), Call(record.EXCHANGE, **names)]  # type: ignore[arg-type]
    assert after_cut(root, calls) == {"old": b"old", "new": b"new"}
    assert after_cut(root, calls + synced(root)) == {"old": b"new", "new": b"old"}
    for seed in range(8):
        assert set(after_cut(root, calls, 0.5, seed).values()) == {b"old", b"new"}


def test_operations_on_one_name_keep_their_order(root: Path) -> None:
    names = {"path": str(root / "new"), "target": str(root / "old")}
    calls = [*creation(root), *synced(FILE), Call(record.RENAME, **names)]  # type: ignore[arg-type]
    found = [after_cut(root, calls, 0.5, seed) for seed in range(40)]
    assert {tuple(sorted(files.items())) for files in found} == {
        (("old", b"old"),),
        (("new", b"new"), ("old", b"old")),
        (("old", b"new"),),
    }


def test_a_large_write_can_be_torn_between_blocks(root: Path) -> None:
    inode = (root / "old").stat().st_ino
    calls = [Call(record.WRITE, inode, at=0, data=b"x" * 3 * BLOCK)]
    found = {after_cut(root, calls, 0.5, seed)["old"] for seed in range(60)}
    assert b"\0" * BLOCK in {files[BLOCK : 2 * BLOCK] for files in found}
    assert all(files[at : at + BLOCK].strip(b"x\0") in (b"", b"old") for files in found for at in (0, BLOCK))


def test_a_truncation_needs_a_sync(root: Path) -> None:
    inode = (root / "old").stat().st_ino
    calls = [Call(record.TRUNCATE, inode, at=1)]
    assert after_cut(root, calls) == {"old": b"old"}
    assert after_cut(root, calls + synced(inode)) == {"old": b"o"}
