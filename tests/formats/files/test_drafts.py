"""File stores: drafts and their edits, undone in a file that changed since."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.hunks import Hunk
from memtui.formats.media.files.position_map import PositionMap
from tests.formats.files.support import LINES, draft_of

# -- drafts


def test_a_draft_returns_the_edits_since_the_last_call() -> None:
    draft = Draft({"a": b"one", "b": b"two"}, {"b": 0o640})
    draft.splice("a", 0, 3, b"ONE")
    draft.create("c", b"three")
    draft.remove("b")
    edits = {edit.name: edit for edit in draft.take_edits()}
    assert edits["a"].hunks == (Hunk(0, b"one", b"ONE"),)
    assert (edits["b"].after, edits["b"].content, edits["b"].mode) == (None, b"two", 0o640)
    assert (edits["c"].before, edits["c"].content) == (None, b"three")
    assert draft.take_edits() == ()


def test_a_discarded_change_leaves_no_edit() -> None:
    draft = Draft({"a": b"one"})
    draft.splice("a", 0, 1, b"x")
    draft.remove("a")
    draft.create("b", b"")
    draft.drop_edits()
    assert (draft.files, draft.take_edits()) == ({"a": b"one"}, ())


def test_a_file_removed_and_created_again_is_replaced() -> None:
    def change(draft: Draft) -> None:
        draft.splice("f", 0, 1, b"x")
        draft.remove("f")
        draft.create("f", b"new content")
        draft.splice("f", 0, 3, b"NEW")

    draft = draft_of(b"old", change)
    assert draft.files == {"f": b"NEW content"}
    undo_edit(draft, draft.edits[0])
    assert draft.files == {"f": b"old"}


def test_an_existing_file_cannot_be_created() -> None:
    with pytest.raises(Refused):
        Draft({"a": b""}).create("a", b"x")


_SPLICES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), st.binary(max_size=4)), max_size=6)


@given(st.binary(max_size=30), _SPLICES)
def test_any_change_is_undone_to_the_byte(data: bytes, splices: list[tuple[int, int, bytes]]) -> None:
    draft = Draft({"f": data})
    for start, length, new in splices:
        begin = min(start, len(draft.files["f"]))
        draft.splice("f", begin, min(begin + length, len(draft.files["f"])), new)
        if start % 2:
            draft.take_edits()
    draft.take_edits()
    for edit in reversed(list(draft.edits)):
        undo_edit(draft, edit)
    assert draft.files == {"f": data}


_FAR = st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 20_000), st.binary(max_size=4)), max_size=6)


@given(st.integers(0, 60_000), _FAR)
def test_an_edit_has_the_digests_of_a_long_file(size: int, splices: list[tuple[int, int, bytes]]) -> None:
    draft = Draft({"f": bytes(number % 251 for number in range(size))})
    digests = [hashlib.sha256(draft.files["f"]).hexdigest()]
    for start, length, new in splices:
        begin = min(start, len(draft.files["f"]))
        draft.splice("f", begin, min(begin + length, len(draft.files["f"])), new)
        if start % 3 == 0:
            draft.drop_edits()
        elif draft.take_edits():
            digests.append(hashlib.sha256(draft.files["f"]).hexdigest())
    assert [edit.before for edit in draft.edits] == digests[:-1]
    assert [edit.after for edit in draft.edits] == digests[1:]


@given(st.integers(1, 30), _SPLICES)
def test_a_position_map_finds_every_byte(size: int, splices: list[tuple[int, int, bytes]]) -> None:
    """All bytes differ, so each shows its position; new ones are marked by their high bit."""
    data = bytes(range(size))
    draft = Draft({"f": data})
    replaced: set[int] = set()
    for start, length, new in splices:
        content = draft.files["f"]
        begin = min(start, len(content))
        end = min(begin + length, len(content))
        if new and end > begin:
            replaced |= {content[begin]}
        draft.splice("f", begin, end, bytes(byte | 0x80 for byte in new))
        draft.take_edits()
    positions = PositionMap(draft.edits)
    for at in range(size):
        position = positions.locate(("f", at))
        actual = draft.files["f"].find(bytes([at]))
        assert position == ("f", actual) if actual >= 0 else position is None or at in replaced
    assert positions.locate(("f", -1)) == ("f", -1)
    assert positions.locate(("other", 3)) == ("other", 3)
    for at, byte in enumerate(draft.files["f"]):
        assert (positions.edit_at(("f", at)) is not None) == (byte >= 0x80)


# -- undo in a file that changed since


def undo_after(
    before: bytes, change: Callable[[Draft], None], meanwhile: Callable[[bytes], bytes]
) -> bytes | None:
    """Change a file, apply `meanwhile`, undo the change; return the file, or None if the undo is refused."""
    draft = draft_of(before, change)
    later = Draft({"f": meanwhile(draft.files["f"])})
    try:
        undo_edit(later, draft.edits[0])
    except Refused:
        return None if later.files == {"f": meanwhile(draft.files["f"])} else b"half"
    return later.files["f"]


def cut(number: int) -> Callable[[Draft], None]:
    line = b"line number %d of this file\n" % number
    return lambda draft: draft.splice("f", LINES.index(line), LINES.index(line) + len(line), b"")


@pytest.mark.parametrize("number", range(9))
@pytest.mark.parametrize("prefix", [b"first\n", b""])
def test_a_line_is_restored_between_its_neighbours(number: int, prefix: bytes) -> None:
    restored = undo_after(LINES, cut(number), lambda data: prefix + data + b"last\n")
    assert restored == prefix + LINES + b"last\n"


@pytest.mark.parametrize("removed", [3, 5])
def test_one_neighbour_is_enough_to_restore_a_line(removed: int) -> None:
    line = b"line number %d of this file\n" % removed
    restored = undo_after(LINES, cut(4), lambda data: data.replace(line, b"theirs\n"))
    assert restored == LINES.replace(line, b"theirs\n")


def test_a_line_without_neighbours_is_not_restored() -> None:
    assert undo_after(LINES, cut(4), lambda data: b"all new\n" * 20) is None


def test_an_ambiguous_position_is_not_guessed() -> None:
    assert undo_after(LINES, cut(4), lambda data: data + data) is None


def test_a_short_text_is_not_searched_in_the_whole_file() -> None:
    assert undo_after(b"x", lambda draft: draft.splice("f", 0, 1, b"y"), lambda data: b"z and y") is None
    assert undo_after(b"ab", lambda draft: draft.splice("f", 0, 1, b"1"), lambda data: b"no 1") is None


def test_a_text_changed_again_is_not_undone() -> None:
    assert (
        undo_after(
            LINES, lambda d: d.splice("f", 5, 11, b"NUMBER"), lambda data: data.replace(b"NUMBER", b"x")
        )
        is None
    )


def test_a_timestamp_changed_since_does_not_prevent_the_undo() -> None:
    def change(draft: Draft) -> None:
        draft.splice("f", 0, 4, b"LINE")
        draft.splice("f", len(LINES) - 5, len(LINES) - 1, b"time", best_effort=True)

    restored = undo_after(LINES, change, lambda data: data.replace(b"time", b"later"))
    assert restored == LINES[:-5] + b"later\n"


@given(st.randoms(use_true_random=False), st.integers(2, 8))
def test_changes_of_different_lines_are_undone_in_any_order(order: random.Random, count: int) -> None:
    draft = Draft({"f": LINES})
    for number in range(0, count):
        at = draft.files["f"].index(b"number %d" % number)
        draft.splice("f", at, at + 8, b"CHANGED %d" % number)
        draft.take_edits()
    edits = list(draft.edits)
    order.shuffle(edits)
    for edit in edits:
        undo_edit(draft, edit)
    assert draft.files == {"f": LINES}
