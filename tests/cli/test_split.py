"""memtui split: where to cut, parts from standard input, what would happen, wrong use (SPEC 7, S-82)."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import CLAUDE, Cli

CHANGE = {"kind", "summary", "journal", "uids", "skipped"}


def memory_files(demo_database: Path) -> dict[str, bytes]:
    folder = demo_database.parents[1] / "order-service" / "memory"
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_memory_is_cut_before_texts_and_one_undo_brings_it_back(cli: Cli, demo_database: Path) -> None:
    before = memory_files(demo_database)
    uid = cli.uid("mocked")
    whole = cli.memory(uid)["content"]
    planned = cli("split", uid, "--at", "**Why:**", "--at", "**How", "--dry-run")
    assert planned.code == 0
    assert f"3 parts: 1 stays, 2 new in {CLAUDE}" in planned.out
    assert planned.err == "Nothing was changed.\n"
    data = cli.json("split", uid, "--at", "**Why:**", "--at", "**How", "--dry-run")
    assert set(data) == {"parts", "where", "keys", "relations", "reworded"}
    assert [part["uid"] for part in data["parts"]] == [uid, None, None]
    assert data["reworded"] is False
    assert memory_files(demo_database) == before

    change = cli.json("split", uid, "--at", "**Why:**", "--at", "**How")

    assert set(change) == {*CHANGE, "parts", "agents"}
    assert (change["kind"], change["uids"][0]) == ("split", uid)
    assert [part["text"] for part in change["parts"]] == [part["text"] for part in data["parts"]]
    assert [cli.memory(each)["content"] for each in change["uids"]] == whole.split("\n\n")
    assert len(memory_files(demo_database)) == len(before) + 2
    assert cli("undo").code == 0
    assert memory_files(demo_database) == before
    again = cli("split", uid, "--at", "**Why:**", "--at", "**How")
    assert f"Split into 3 memories in {CLAUDE}" in again.out
    assert f"1  {uid}  Tests of the order service" in again.out
    assert "word for word" not in again.err


def test_parts_may_be_given_on_standard_input_and_reworded(cli: Cli) -> None:
    uid = cli.uid("mocked")
    result = cli("split", uid, "-", stdin=b"Tests are real.\n\nThey broke\nin March.\n")
    assert result.code == 0
    assert "Split into 2 memories" in result.out
    assert "The parts don't match the memory's text word for word." in result.err
    assert cli.memory(uid)["content"] == "Tests are real."
    assert cli.memory(cli.uid("broke"))["content"] == "They broke\nin March."


def test_wrong_use_exits_with_2_and_a_refused_split_with_1(cli: Cli, demo_database: Path) -> None:
    before = memory_files(demo_database)
    uid = cli.uid("mocked")
    for words in ([], ["-", "--at", "x"], ["--at", "x", "--relations", "some"], ["elsewhere"]):
        assert cli("split", uid, *words).code == 2, words
    for words, said in (
        (["--at", "Nowhere"], "“Nowhere” isn't in the text."),
        (["--at", "Tests of"], "“Tests of” is at the start"),
        (["--at", ":**"], "“:**” occurs 2 times."),
    ):
        refused = cli("--json", "split", uid, *words)
        assert (refused.code, refused.error["code"]) == (1, "at")
        assert said in refused.error["message"]
    for text, said in ((b"", "there is only one part"), (b"a\n\na", "parts 1 and 2 are the same")):
        assert said in cli("split", uid, "-", stdin=text).err
    assert cli("--read-only", "split", uid, "--at", "**Why:**").code == 1
    assert cli("split", "zzzz", "--at", "x").code == 1
    assert memory_files(demo_database) == before
