"""Files and stores that are read as a whole or not at all, and never written (S-74)."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.importing import sources, text_file
from memtui.memory.imported import Imported
from tests.support.demo_workspace import CLAUDE, contents, create_foreign_stores


def texts(path: Path) -> list[str]:
    return [each.fields["content"] for each in sources.read(path) if isinstance(each, Imported)]


def test_files_are_utf_8_with_or_without_a_mark_or_utf_16_with_one(tmp_path: Path) -> None:
    for data in (b"- h\xc3\xa9\r\n", b"\xef\xbb\xbf- h\xc3\xa9\n", "- hé\n".encode("utf-16")):
        (tmp_path / "a.md").write_bytes(data)
        assert texts(tmp_path / "a.md") == ["hé"]


@pytest.mark.parametrize("what", ["missing", "loop", "folder", "device", "pipe", "bytes", "big", "changing"])
def test_what_cannot_be_read_as_a_whole_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = tmp_path / "a.md"
    code = "unreadable"
    if what == "loop":
        path.symlink_to(path)
    elif what == "folder":
        path.mkdir()
        code = "no-store"
    elif what in ("device", "pipe"):
        path.symlink_to("/dev/zero") if what == "device" else os.mkfifo(path)
        code = "not-a-file"
    elif what == "bytes":
        path.write_bytes(b"- fine\n- b\xffd\n")
        code = "not-utf8"
    elif what == "big":
        path.write_text("- x\n" * 100)
        monkeypatch.setattr(text_file, "MOST_BYTES", 100)
        code = "too-big"
    elif what == "changing":
        path.write_text("- x\n")
        code, fstat = "changed", os.fstat

        def then_written(handle: int) -> os.stat_result:
            found = fstat(handle)
            with path.open("a") as file:
                file.write("- y\n")
            return found

        monkeypatch.setattr("memtui.importing.text_file.os.fstat", then_written)
    with pytest.raises(Refused, match=r"a\.md") as refused:
        list(sources.read(path))
    assert refused.value.code == code
    assert refused.value.detail.get("line", 2) == 2


def test_a_store_is_read_by_its_format_and_stays_as_it_is(tmp_path: Path) -> None:
    paths = create_foreign_stores(tmp_path)
    before = {name: contents(path) for name, path in paths.items()}
    found = {name: list(sources.read(path)) for name, path in paths.items()}
    assert all(len(each) > 1 for each in found.values())
    assert any("mocked migration" in each for each in texts(paths[CLAUDE]))
    for each in chain.from_iterable(found.values()):
        assert isinstance(each, Imported)
        assert each.line == 0
        assert each.source
        assert "superseded_by" not in each.fields
    assert {name: contents(path) for name, path in paths.items()} == before
