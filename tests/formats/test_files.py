"""Stores made of files: whole or not at all, back to the byte, beside other writers, after a crash."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.contract.adapter import Planned, Record, Standing, Write
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft, Hunk, PositionMap, stood, undo_edit
from tests.support.stores import claude_code, mcp_memory
from tests.support.stores.files import carry, do, kept, the, tree, undo, write
from tests.support.stores.mcp_memory import entity, lines

ADDED = {"subject": "Bo", "content": "has a boat"}
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> ClaudeCode:
    return claude_code.make(tmp_path / "memory")


@pytest.fixture
def file(tmp_path: Path) -> McpMemory:
    return mcp_memory.make(tmp_path / "graph" / "memory.jsonl")


def drafted(before: bytes, change: Callable[[Draft], None]) -> Draft:
    draft = Draft({"f": before})
    change(draft)
    draft.take_edits()
    return draft


# -- working changes out


def test_a_draft_hands_over_what_changed_since_the_last_time() -> None:
    draft = Draft({"a": b"one", "b": b"two"}, {"b": 0o640})
    draft.splice("a", 0, 3, b"ONE")
    draft.create("c", b"three")
    draft.remove("b")
    edits = {edit.name: edit for edit in draft.take_edits()}
    assert edits["a"].hunks == (Hunk(0, b"one", b"ONE"),)
    assert (edits["b"].after, edits["b"].whole, edits["b"].mode) == (None, b"two", 0o640)
    assert (edits["c"].before, edits["c"].whole) == (None, b"three")
    assert draft.take_edits() == ()


def test_what_is_dropped_never_was() -> None:
    draft = Draft({"a": b"one"})
    draft.splice("a", 0, 1, b"x")
    draft.remove("a")
    draft.create("b", b"")
    draft.drop_edits()
    assert (draft.files, draft.take_edits()) == ({"a": b"one"}, ())


def test_a_file_taken_away_and_made_again_was_replaced() -> None:
    def change(draft: Draft) -> None:
        draft.splice("f", 0, 1, b"x")
        draft.remove("f")
        draft.create("f", b"new content")
        draft.splice("f", 0, 3, b"NEW")

    draft = drafted(b"old", change)
    assert draft.files == {"f": b"NEW content"}
    undo_edit(draft, draft.done[0])
    assert draft.files == {"f": b"old"}


def test_a_file_that_is_there_cannot_be_made() -> None:
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
    for edit in reversed(list(draft.done)):
        undo_edit(draft, edit)
    assert draft.files == {"f": data}


_FAR = st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 20_000), st.binary(max_size=4)), max_size=6)


@given(st.integers(0, 60_000), _FAR)
def test_an_edit_tells_the_digests_of_a_long_file(size: int, splices: list[tuple[int, int, bytes]]) -> None:
    draft = Draft({"f": bytes(number % 251 for number in range(size))})
    stood = [hashlib.sha256(draft.files["f"]).hexdigest()]
    for start, length, new in splices:
        begin = min(start, len(draft.files["f"]))
        draft.splice("f", begin, min(begin + length, len(draft.files["f"])), new)
        if start % 3 == 0:
            draft.drop_edits()
        elif draft.take_edits():
            stood.append(hashlib.sha256(draft.files["f"]).hexdigest())
    assert [edit.before for edit in draft.done] == stood[:-1]
    assert [edit.after for edit in draft.done] == stood[1:]


@given(st.integers(1, 30), _SPLICES)
def test_every_byte_is_found_where_it_went(size: int, splices: list[tuple[int, int, bytes]]) -> None:
    """Bytes that are all different tell where they are; new ones are marked by their high bit."""
    data = bytes(range(size))
    draft = Draft({"f": data})
    replaced: set[int] = set()
    for start, length, new in splices:
        now = draft.files["f"]
        begin = min(start, len(now))
        end = min(begin + length, len(now))
        if new and end > begin:
            replaced |= {now[begin]}
        draft.splice("f", begin, end, bytes(byte | 0x80 for byte in new))
        draft.take_edits()
    shifts = PositionMap(draft.done)
    for at in range(size):
        place = shifts.where(("f", at))
        stands = draft.files["f"].find(bytes([at]))
        assert place == ("f", stands) if stands >= 0 else place is None or at in replaced
    assert shifts.where(("f", -1)) == ("f", -1)
    assert shifts.where(("other", 3)) == ("other", 3)
    for at, byte in enumerate(draft.files["f"]):
        assert (shifts.maker(("f", at)) is not None) == (byte >= 0x80)


# -- taking back where the file changed since


def undone(before: bytes, change: Callable[[Draft], None], theirs: Callable[[bytes], bytes]) -> bytes | None:
    """A file that was changed, then by others, then taken back; None where that is refused."""
    draft = drafted(before, change)
    later = Draft({"f": theirs(draft.files["f"])})
    try:
        undo_edit(later, draft.done[0])
    except Refused:
        return None if later.files == {"f": theirs(draft.files["f"])} else b"half"
    return later.files["f"]


LINES = b"".join(b"line number %d of this file\n" % n for n in range(9))


def cut(number: int) -> Callable[[Draft], None]:
    line = b"line number %d of this file\n" % number
    return lambda draft: draft.splice("f", LINES.index(line), LINES.index(line) + len(line), b"")


@pytest.mark.parametrize("number", range(9))
@pytest.mark.parametrize("theirs", [b"first\n", b""])
def test_a_line_comes_back_between_its_neighbours(number: int, theirs: bytes) -> None:
    back = undone(LINES, cut(number), lambda data: theirs + data + b"last\n")
    assert back == theirs + LINES + b"last\n"


@pytest.mark.parametrize("gone", [3, 5])
def test_one_neighbour_is_enough(gone: int) -> None:
    line = b"line number %d of this file\n" % gone
    back = undone(LINES, cut(4), lambda data: data.replace(line, b"theirs\n"))
    assert back == LINES.replace(line, b"theirs\n")


def test_without_neighbours_nothing_is_guessed() -> None:
    assert undone(LINES, cut(4), lambda data: b"all new\n" * 20) is None


def test_a_place_that_could_be_two_is_not_guessed() -> None:
    assert undone(LINES, cut(4), lambda data: data + data) is None


def test_a_short_text_is_not_looked_for_all_over_the_file() -> None:
    assert undone(b"x", lambda draft: draft.splice("f", 0, 1, b"y"), lambda data: b"z and y") is None
    assert undone(b"ab", lambda draft: draft.splice("f", 0, 1, b"1"), lambda data: b"no 1") is None


def test_a_text_that_was_changed_again_is_left_alone() -> None:
    assert (
        undone(LINES, lambda d: d.splice("f", 5, 11, b"NUMBER"), lambda data: data.replace(b"NUMBER", b"x"))
        is None
    )


def test_a_stamp_that_moved_on_does_not_hinder() -> None:
    def change(draft: Draft) -> None:
        draft.splice("f", 0, 4, b"LINE")
        draft.splice("f", len(LINES) - 5, len(LINES) - 1, b"time", soft=True)

    back = undone(LINES, change, lambda data: data.replace(b"time", b"later"))
    assert back == LINES[:-5] + b"later\n"


@given(st.randoms(use_true_random=False), st.integers(2, 8))
def test_changes_of_different_lines_are_undone_in_any_order(order: random.Random, count: int) -> None:
    draft = Draft({"f": LINES})
    for number in range(0, count):
        at = draft.files["f"].index(b"number %d" % number)
        draft.splice("f", at, at + 8, b"CHANGED %d" % number)
        draft.take_edits()
    edits = list(draft.done)
    order.shuffle(edits)
    for edit in edits:
        undo_edit(draft, edit)
    assert draft.files == {"f": LINES}


# -- carrying out


def test_plans_are_kept_as_json_and_stay_the_same(folder: ClaudeCode) -> None:
    for plan in folder.plan([write("dismiss", record) for record in folder.read().records]):
        assert isinstance(plan, Planned)
        assert kept(folder, plan) == plan


def test_bytes_that_are_no_text_are_kept_too(tmp_path: Path) -> None:
    store = mcp_memory.make(tmp_path / "m.jsonl", mcp_memory.DIALECTS["a line that is no UTF-8"])
    before = tree(tmp_path)
    (near,) = [record for record in store.read().records if record.bare]
    undo(store, do(store, write("edit", near, content="next to it")))
    assert tree(tmp_path) == before


def test_nothing_is_written_if_a_file_changed_after_the_plan(folder: ClaudeCode) -> None:
    plans = [kept(folder, plan) for plan in folder.plan([write("dismiss", the(folder, "scientist"))])]
    index = folder.root / "MEMORY.md"
    index.write_text(index.read_text() + "- theirs\n")
    before = tree(folder.root)
    with pytest.raises(Refused, match="changed while"):
        folder.carry_out(plans, "token")
    assert tree(folder.root) == before


@pytest.fixture(params=["exchange", "link"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system that can exchange files, and one that cannot."""
    if request.param == "link":
        monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    return str(request.param)


# Without an exchange, a replacement at the very last moment is not seen: there is no test of it.
LATE = [("exchange", "writes"), ("exchange", "replaces"), ("exchange", "writes later"), ("link", "writes")]


@pytest.mark.parametrize(("way", "how"), [*LATE, ("link", "writes later")], indirect=["way"])
def test_whoever_comes_between_at_the_last_moment_wins(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch, way: str, how: str
) -> None:
    (plan,) = file.plan([write("edit", the(file, "London"), content="lives in Paris")])
    name = "_exchange" if way == "exchange" else "samefile"
    real = getattr(atomic_write, name) if way == "exchange" else os.path.samefile
    happened = False

    def late(one: Path, other: Path) -> bool:
        nonlocal happened
        first, happened = not happened, True
        answer = bool(real(one, other)) if how == "writes later" or not first or way == "link" else True
        if first and how == "replaces":
            (file.folder / "t").write_bytes(b"theirs")
            os.rename(file.folder / "t", file.root)
        elif first:
            (file.root if how == "writes" or way == "link" else one).write_bytes(b"theirs")
        return answer if how == "writes later" or not first or way == "link" else bool(real(one, other))

    monkeypatch.setattr(*((atomic_write, name) if way == "exchange" else (os.path, name)), late)
    with pytest.raises(Refused, match="changed while"):
        file.carry_out([kept(file, plan)], "token")
    assert tree(file.folder) == {"memory.jsonl": b"theirs"}


def test_a_system_that_can_neither_exchange_nor_link_says_so(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*rest: object, **more: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    monkeypatch.setattr(os, "link", link)
    (plan,) = file.plan([write("edit", the(file, "London"), content="lives in Paris")])
    before = tree(file.folder)
    with pytest.raises(Refused, match="neither exchange nor link"):
        file.carry_out([kept(file, plan)], "token")
    assert tree(file.folder) == before


def test_a_name_as_long_as_may_be_is_written(tmp_path: Path, way: str) -> None:
    store = mcp_memory.make(tmp_path / ("é" * 124 + ".jsonl"))
    done = do(store, write("edit", the(store, "London"), content="lives in Paris"))
    undo(store, done)
    assert tree(tmp_path) == {store.root.name: mcp_memory.PLAIN}


def test_nothing_is_written_if_a_file_changes_after_it_was_linked(
    folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    plans = [kept(folder, plan) for plan in folder.plan([write("dismiss", the(folder, "scientist"))])]
    index, real = folder.root / "MEMORY.md", os.link
    theirs = {**tree(folder.root), "MEMORY.md": b"theirs"}

    def late(source: str, target: str, **more: bool) -> None:
        """Someone else writes into the file after we looked and before we put ours in its place."""
        real(source, target, **more)
        if str(target).endswith(".old"):
            index.write_bytes(b"theirs")

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(Refused, match="changed while"):
        folder.carry_out(plans, "token")
    assert tree(folder.root) == theirs


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_nothing_is_half_written_when_the_disk_fails(
    folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    before, real = tree(folder.root), os.fsync
    asked = [write("dismiss", the(folder, "scientist")), write("edit", the(folder, "Run"), content="x")]
    asked.append(write("add", content="New."))
    failed = 0
    for fatal in range(1, 20):
        calls = 0

        def fsync(fd: int) -> None:
            nonlocal calls
            calls += 1
            if calls == fatal:  # noqa: B023
                raise OSError(code, os.strerror(code))
            real(fd)

        monkeypatch.setattr(os, "fsync", fsync)
        plans = [kept(folder, plan) for plan in folder.plan(asked)]
        try:
            folder.carry_out(plans, "token")
        except Refused:
            failed += 1
        else:
            monkeypatch.setattr(os, "fsync", real)
            undo(folder, plans)
        assert tree(folder.root) == before
    assert failed >= 6


def test_a_file_that_cannot_be_put_back_is_named(folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [kept(folder, plan) for plan in folder.plan([write("dismiss", the(folder, "scientist"))])]
    real, calls = atomic_write.change, []

    def change(root: Path, name: str, *rest: object, **more: object) -> None:
        calls.append(name)
        if len(calls) > 1:
            raise OSError(errno.EIO, "Input/output error")
        real(root, name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_write, "change", change)
    with pytest.raises(Refused, match=r"user_role\.md could not be put back"):
        folder.carry_out(plans, "token")
    monkeypatch.undo()
    assert folder.standing(plans, "token") is Standing.PARTLY


def test_a_file_keeps_its_mode(file: McpMemory) -> None:
    file.root.chmod(0o644)
    undo(file, do(file, write("edit", the(file, "London"), content="x")))
    assert file.root.stat().st_mode & 0o777 == 0o644


def test_a_file_with_two_names_is_refused(file: McpMemory, tmp_path: Path) -> None:
    os.link(file.root, tmp_path / "other")
    (plan,) = file.plan([write("edit", the(file, "London"), content="x")])
    with pytest.raises(Refused, match="second name"):
        file.carry_out([kept(file, plan)], "token")
    assert file.root.read_bytes() == mcp_memory.PLAIN


def test_of_a_file_with_two_names_none_is_taken_away(folder: ClaudeCode, tmp_path: Path) -> None:
    before = tree(folder.root)
    os.link(folder.root / "user_role.md", tmp_path / "other")
    (plan,) = folder.plan([Write("dismiss", "user_role.md", {"status": "dismissed"}, {}, 0.0)])
    with pytest.raises(Refused, match="second name"):
        folder.carry_out([kept(folder, plan)], "token")
    assert tree(folder.root) == before


@pytest.mark.parametrize("name", ["../x.md", "/tmp/x.md", "sub/../../x.md"])
def test_no_plan_leads_out_of_the_store(folder: ClaudeCode, name: str) -> None:
    (plan,) = folder.plan([write("add", content="New.")])
    assert isinstance(plan, Planned)
    told = folder.dump(plan)
    told["edits"][0]["name"] = name
    with pytest.raises(Refused, match="leads out"):
        folder.carry_out([folder.load_plan(told)], "token")


def test_no_change_goes_through_a_link(folder: ClaudeCode, tmp_path: Path) -> None:
    done = do(folder, write("dismiss", the(folder, "scientist")))
    (folder.root / "user_role.md").symlink_to(tmp_path / "elsewhere.md")
    answers = folder.reverse(done)
    for answer in answers:
        carry(folder, [answer])
    assert the(folder, "scientist").ref == "user_role_2.md"
    assert not (tmp_path / "elsewhere.md").exists()
    assert (folder.root / "user_role.md").is_symlink()


def test_one_write_that_would_hit_another_memory_is_left_out_of_a_batch(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format with a fault is caught before it writes: what it drafted is read back first."""
    real = McpMemory.revise

    def faulty(self: McpMemory, draft: Draft, record: Record | None, asked: Write) -> None:
        real(self, draft, record, asked)
        if asked.fields["content"] == "likes cats":
            at = draft.files["memory.jsonl"].index(b"has a mill")
            draft.splice("memory.jsonl", at, at + 3, b"had")

    monkeypatch.setattr(McpMemory, "revise", faulty)
    records = file.read().records
    texts = ["drinks tea", "writes", "likes cats", "runs"]
    answers = file.plan([write("edit", r, content=t) for r, t in zip(records[:4], texts, strict=True)])
    assert [isinstance(answer, Refused) for answer in answers] == [False, False, True, False]
    assert isinstance(answers[2], Refused)
    assert answers[2].message == "Not saved: it would also have changed memory.jsonl, Analytical Engine."


_ADDS = """
import sys
from pathlib import Path
from memtui.errors import Refused
from memtui.formats.mcp_memory import McpMemory
from tests.support.stores.files import write

store, me = McpMemory(Path(sys.argv[1])), sys.argv[2]
sys.stdin.readline()
for number in range(15):
    while True:
        try:
            store.carry_out(store.plan([write("add", subject="Bo", content=f"{me} {number}")]), me)
            break
        except Refused as refusal:
            assert refusal.code in ("changed", "busy"), refusal.message
"""


def test_two_that_write_at_once_lose_nothing(file: McpMemory) -> None:
    command = [sys.executable, "-c", _ADDS, str(file.root)]
    children = [
        subprocess.Popen([*command, me], cwd=REPOSITORY, stdin=subprocess.PIPE, text=True) for me in "abc"
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.close()
    assert [child.wait() for child in children] == [0, 0, 0]
    texts = [r.fields["content"] for r in file.read().records if r.fields["subject"] == "Bo"]
    assert sorted(texts) == sorted(f"{me} {number}" for me in "abc" for number in range(15))
    assert list(tree(file.folder)) == ["memory.jsonl"]


def test_a_folder_that_another_memtui_writes_in_is_busy(file: McpMemory) -> None:
    with (
        atomic_write.alone(file.folder),
        pytest.raises(Refused, match="another memtui"),
        atomic_write.alone(file.folder, patience=0),
    ):
        pass


# -- after a crash


_CUTS = """
import json, os, sys
from pathlib import Path
from memtui.formats.media.files import atomic_write
from tests.support.stores import claude_code
from tests.support.stores.files import kept, the, write

for last in range(1, 100):
    base = Path(sys.argv[1]) / str(last)
    store = claude_code.make(base / "memory")
    asked = [write("dismiss", the(store, "scientist")), write("add", content="New.")]
    asked.append(write("edit", the(store, "Run the"), title="T", content="C"))
    plans = [kept(store, plan) for plan in store.plan(asked)]
    (base / "plans.json").write_text(json.dumps([store.dump(plan) for plan in plans]))
    child = os.fork()
    if child == 0:
        calls = 0
        def dying(real):
            def call(*rest, **more):
                global calls
                calls += 1
                if calls == last:
                    os._exit(9)
                return real(*rest, **more)
            return call
        for name in ("link", "rename", "replace", "unlink", "fsync"):
            setattr(os, name, dying(getattr(os, name)))
        dead = dying(atomic_write._rename) if sys.argv[2] == "exchange" else lambda *rest: False
        atomic_write._rename = dead
        store.carry_out(plans, "token")
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
"""


def test_a_write_cut_off_anywhere_is_judged_and_finished(tmp_path: Path, way: str) -> None:
    """A process dies at every single step of a change of four files."""
    subprocess.run([sys.executable, "-c", _CUTS, str(tmp_path), way], cwd=REPOSITORY, check=True)
    cuts = sorted(tmp_path.iterdir(), key=lambda path: int(path.name))
    before = {name: text.encode() for name, text in claude_code.FILES.items()}
    after = tree(cuts[-1] / "memory")
    assert len(cuts) > 15
    assert not any(name.startswith(".") for name in after)
    met = set()
    for cut_off in cuts:
        store = ClaudeCode(cut_off / "memory")
        plans = [store.load_plan(each) for each in json.loads((cut_off / "plans.json").read_text())]
        standing = store.standing(plans, "token")
        met.add(standing)
        if standing is Standing.BEFORE:
            assert tree(store.root) == before
            continue
        receipt = store.finish(plans, "token")
        assert tree(store.root) == after
        assert receipt.gone == ["user_role.md"]
        assert {record.ref for record in receipt.records} == {"feedback_testing.md", "project_new.md"}
        undo(store, plans)
        assert tree(store.root) == before
    assert met == {Standing.BEFORE, Standing.PARTLY, Standing.AFTER}


def test_what_someone_else_wrote_after_a_crash_is_no_ones_to_finish(folder: ClaudeCode) -> None:
    plans = do(folder, write("dismiss", the(folder, "scientist")))
    (folder.root / "MEMORY.md").write_text("theirs")
    assert folder.standing(plans, "token") is Standing.OTHER
    with pytest.raises(Refused):
        folder.finish(plans, "token")
    assert (folder.root / "MEMORY.md").read_text() == "theirs"


def test_an_original_that_was_written_into_while_it_lay_aside_comes_back(file: McpMemory) -> None:
    plans = do(file, write("edit", the(file, "London"), content="lives in Paris"))
    aside = file.folder / ".memory.jsonl.memtui-token.old"
    aside.write_bytes(mcp_memory.PLAIN + b"\n\n")
    assert file.standing(plans, "token") is Standing.BEFORE
    assert tree(file.folder) == {"memory.jsonl": mcp_memory.PLAIN + b"\n\n"}


def test_an_original_that_lay_aside_never_goes_over_newer_work(file: McpMemory) -> None:
    plans = do(file, write("edit", the(file, "London"), content="lives in Paris"))
    (file.folder / ".memory.jsonl.memtui-token.old").write_bytes(mcp_memory.PLAIN + b"\n\n")
    newer = file.root.read_bytes() + b"\n" + lines(entity("Cid", "three days of work"))[0].encode()
    file.root.write_bytes(newer)
    assert file.standing(plans, "token") is Standing.OTHER
    assert tree(file.folder) == {
        "memory.jsonl": newer,
        "memory.jsonl.memtui-recovered-1": mcp_memory.PLAIN + b"\n\n",
    }


def test_a_write_cut_off_behind_the_link_leaves_one_name(file: McpMemory) -> None:
    (plan,) = file.plan([write("edit", the(file, "London"), content="lives in Paris")])
    os.link(file.root, file.folder / ".memory.jsonl.memtui-token.old")
    file.root.write_bytes(mcp_memory.PLAIN + b"\n\n")
    assert file.standing([kept(file, plan)], "token") is Standing.BEFORE
    assert tree(file.folder) == {"memory.jsonl": mcp_memory.PLAIN + b"\n\n"}
    assert file.root.stat().st_nlink == 1


def test_a_write_in_a_file_that_an_agent_wrote_on_in_is_known(file: McpMemory) -> None:
    for action, more in (("edit", {"content": "lives in Paris"}), ("dismiss", {}), ("add", ADDED)):
        file.root.write_bytes(mcp_memory.PLAIN)
        record = None if action == "add" else the(file, "London")
        (answer,) = file.plan([write(action, record, **more)])
        plan = kept(file, answer)
        theirs = b"\n" + lines(entity("Cid", "new"))[0].encode()
        file.root.write_bytes(mcp_memory.PLAIN + theirs)
        assert file.standing([plan], "token") is Standing.BEFORE
        file.root.write_bytes(mcp_memory.PLAIN)
        file.carry_out([plan], "token")
        file.root.write_bytes(file.root.read_bytes() + theirs)
        assert file.standing([plan], "token") is Standing.AFTER
        receipt = file.finish([plan], "token")
        assert not plan.ref_after or plan.ref_after in [r.ref for r in receipt.records]
        assert action != "dismiss" or receipt.gone == [plan.ref]
        undo(file, [plan])
        assert file.root.read_bytes() == mcp_memory.PLAIN + theirs


@given(
    st.integers(0, 8),
    st.sampled_from([b"", b"another text\n", b"line number 4 of that file\n"]),
    st.booleans(),
    st.sampled_from([b"", b"theirs\n"]),
    st.integers(-1, 8),
)
def test_a_change_is_never_judged_wrongly(
    line: int, new: bytes, insert: bool, theirs: bytes, gone: int
) -> None:
    """Whatever others add around a change or take from beside it, it is known or not, never mistaken."""
    start = LINES.index(b"line number %d" % line)
    end = start if insert else LINES.index(b"\n", start) + 1
    draft = drafted(LINES, lambda draft: draft.splice("f", start, end, new))
    lost = b"line number %d of this file\n" % gone
    for data, wrong in ((LINES, True), (draft.files["f"], False)):
        if draft.done and (gone != line or insert):
            found = stood(theirs + data.replace(lost, b"") + b"last\n", draft.done)
            assert found is not wrong
            # Behind the last line stood nothing that could tell where it was.
            assert found is not None or gone >= 0 or theirs + new or line == 8


def test_half_a_dismissal_is_finished_beside_what_an_agent_wrote(tmp_path: Path) -> None:
    note = "---\nname: Tea\ndescription: tea\ntype: user\n---\n\nLikes tea.\n"
    line = "- [Tea](user_tea.md) — tea\n"
    store = claude_code.make(tmp_path / "memory", {"MEMORY.md": line, "user_tea.md": note})
    (answer,) = store.plan([write("dismiss", the(store, "tea"))])
    plan = kept(store, answer)
    (store.root / "user_tea.md").unlink()
    (store.root / "MEMORY.md").write_text(line + "- agent note\n")
    assert store.standing([plan], "token") is Standing.PARTLY
    receipt = store.finish([plan], "token")
    assert (receipt.gone, receipt.records) == (["user_tea.md"], [])
    assert tree(store.root) == {"MEMORY.md": b"- agent note\n"}
    undo(store, [plan])
    assert the(store, "Likes tea").fields["title"] == "Tea"
    assert (store.root / "MEMORY.md").read_text().splitlines().count("- agent note") == 1


def test_a_link_where_a_file_was_is_something_else(folder: ClaudeCode, tmp_path: Path) -> None:
    plans = do(folder, write("dismiss", the(folder, "scientist")))
    (folder.root / "MEMORY.md").unlink()
    (folder.root / "MEMORY.md").symlink_to(tmp_path)
    assert folder.standing(plans, "token") is Standing.OTHER
