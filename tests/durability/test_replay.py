"""What the soak's power cuts and disk faults rest on: the record is whole, and a cut keeps what was synced
and nothing else."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.soak import preload
from tests.soak.preload import record
from tests.soak.preload.record import Call
from tests.soak.preload.replay import BLOCK, Disk, everything, some

FILE, FOLDER = 1_000_001, 1_000_002  # inodes of what is made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "old").write_bytes(b"old")
    return folder


def left(root: Path, calls: Iterable[Call], share: float = 0.0, seed: int = 0) -> dict[str, bytes]:
    """The files after these calls and a cut."""
    disk = Disk(root)
    for call in calls:
        disk.do(call)
    chance = random.Random(seed)
    return disk.after_a_cut(some(chance, share)).bytes_by_name()


def made(root: Path, name: str = "new", node: int = FILE, data: bytes = b"new") -> list[Call]:
    return [
        Call(record.CREATE, node, one=str(root / name), mode=0o600),
        Call(record.WRITE, node, at=0, data=data),
    ]


def synced(*nodes: int | Path) -> list[Call]:
    found = (node.stat().st_ino if isinstance(node, Path) else node for node in nodes)
    return [Call(record.SYNC, node) for node in found]


def test_a_new_file_needs_both_syncs(root: Path) -> None:
    assert left(root, made(root)) == {"old": b"old"}
    assert left(root, made(root) + synced(FILE)) == {"old": b"old"}
    assert left(root, made(root) + synced(root)) == {"old": b"old", "new": b""}
    assert left(root, made(root) + synced(FILE, root)) == {"old": b"old", "new": b"new"}


def test_a_file_in_a_new_folder_needs_the_folder_above_too(root: Path) -> None:
    folder = [Call(record.MKDIR, FOLDER, one=str(root / "sub"), mode=0o700)]
    calls = [*folder, *made(root, "sub/new"), *synced(FILE, FOLDER)]
    assert left(root, calls) == {"old": b"old"}
    assert left(root, calls + synced(root)) == {"old": b"old", "sub/new": b"new"}


def test_an_exchange_is_one_step(root: Path) -> None:
    names = {"one": str(root / "new"), "two": str(root / "old")}
    calls = [*made(root), *synced(FILE, root), Call(record.EXCHANGE, **names)]  # type: ignore[arg-type]
    assert left(root, calls) == {"old": b"old", "new": b"new"}
    assert left(root, calls + synced(root)) == {"old": b"new", "new": b"old"}
    for seed in range(8):
        assert set(left(root, calls, 0.5, seed).values()) == {b"old", b"new"}


def test_what_was_done_to_one_name_keeps_its_order(root: Path) -> None:
    names = {"one": str(root / "new"), "two": str(root / "old")}
    calls = [*made(root), *synced(FILE), Call(record.RENAME, **names)]  # type: ignore[arg-type]
    found = [left(root, calls, 0.5, seed) for seed in range(40)]
    assert {tuple(sorted(each.items())) for each in found} == {
        (("old", b"old"),),
        (("new", b"new"), ("old", b"old")),
        (("old", b"new"),),
    }


def test_a_large_write_may_be_torn_between_blocks(root: Path) -> None:
    inode = (root / "old").stat().st_ino
    calls = [Call(record.WRITE, inode, at=0, data=b"x" * 3 * BLOCK)]
    found = {left(root, calls, 0.5, seed)["old"] for seed in range(60)}
    assert b"\0" * BLOCK in {each[BLOCK : 2 * BLOCK] for each in found}
    assert all(each[at : at + BLOCK].strip(b"x\0") in (b"", b"old") for each in found for at in (0, BLOCK))


def test_a_truncated_file_is_as_long_as_before_until_it_is_synced(root: Path) -> None:
    inode = (root / "old").stat().st_ino
    calls = [Call(record.TRUNCATE, inode, at=1)]
    assert left(root, calls) == {"old": b"old"}
    assert left(root, calls + synced(inode)) == {"old": b"o"}


# -- the library itself

_CHILD = """
import os, sys
from tests.soak.preload import Fault, Watch
root, log = sys.argv[1:3]
watch = Watch()
watch.arm(Fault(*map(int, sys.argv[3:])), os.open(log, os.O_WRONLY | os.O_CREAT, 0o600))
try:
    os.mkdir(f"{root}/sub", 0o750)
    with open(f"{root}/sub/a", "wb", buffering=0) as file:
        print(file.write(b"0123456789"), file.write(b"abc"))
        os.pwrite(file.fileno(), b"XY", 1)
        os.fchmod(file.fileno(), 0o640)
        os.fsync(file.fileno())
        os.truncate(file.fileno(), 8)
    os.chdir(root)
    os.link("sub/a", "b")
    os.rename("b", "c")
    os.open(f"{root}/old", os.O_WRONLY | os.O_TRUNC)
    os.unlink("sub/a")
    watch.note("all done")
    with open(f"{log}.outside", "w") as file:
        file.write("not counted")
except OSError as trouble:
    print(trouble.errno)
print(watch.disarm())
"""

watched = pytest.mark.skipif(not all(need.present() for need in preload.NEEDS), reason="needs Linux and cc")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return preload.build(tmp_path_factory.mktemp("library"))


def child(library: Path, root: Path, *fault: int) -> tuple[list[str], int]:
    """What a watched process printed, and how it ended."""
    command = [sys.executable, "-c", _CHILD, str(root), str(root.with_name("log")), *map(str, fault)]
    environment = {**os.environ, **preload.environment(library, root)}
    above = Path(__file__).parents[2]
    ran = subprocess.run(command, env=environment, cwd=above, capture_output=True, text=True, timeout=30)
    assert not ran.stderr, ran.stderr
    return ran.stdout.split(), ran.returncode


@watched
def test_the_record_makes_the_same_files_again(library: Path, root: Path) -> None:
    disk = Disk(root)
    said, _ = child(library, root)
    calls = record.read(root.with_name("log"))
    for call in calls:
        disk.do(call)
    assert disk.after_a_cut(everything).bytes_by_name() == {"old": b"", "c": b"0XY34567"}
    assert said == ["10", "3", "12"]
    assert len(calls) == 12 + 1
    assert calls[-1].data == b"all done"
    assert (root / "c").stat().st_mode & 0o777 == 0o640


@watched
@pytest.mark.parametrize(
    ("fault", "said", "data"),
    [
        ((preload.FAIL, preload.WRITES, errno.ENOSPC, 2), [str(errno.ENOSPC), "2"], b"0123456789"),
        ((preload.FAIL, preload.SYNCS, errno.EIO, 1), ["10", "3", str(errno.EIO), "1"], b"0XY3456789abc"),
        ((preload.SHORT, preload.WRITES, errno.ENOSPC, 1, 1), [str(errno.ENOSPC), "2"], b"01234"),
        ((preload.KILL_WITHIN, preload.WRITES, 0, 1), [], b"01234"),
        ((preload.KILL_BEFORE, preload.WRITES, 0, 2), [], b"0123456789"),
    ],
)
def test_the_nth_call_meets_its_fault(
    library: Path, root: Path, fault: tuple[int, ...], said: list[str], data: bytes
) -> None:
    assert child(library, root, *fault) == (said, 0 if said else -9)
    assert (root / "sub" / "a").read_bytes() == data
