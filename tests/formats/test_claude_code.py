"""Claude Code's memory folders: which they are, how they read, and what each action makes of them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.backup_copy import copy_store
from memtui.formats.claude_code import ClaudeCode, document, writer
from memtui.formats.claude_code import memory_index as index
from memtui.formats.contract.adapter import How, Link, Planned, Reading, Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter
from tests.support.sizes import examples, share, turn
from tests.support.stores.claude_code import (
    ALL_NESTED,
    CRLF,
    FILES,
    FREE_TEXT,
    RULE,
    STORES,
    flat,
    make,
    nested,
)
from tests.support.stores.files import carry, do, kept, said, the, tree, undo, write

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> ClaudeCode:
    return make(tmp_path / "memory")


def files(store: ClaudeCode) -> dict[str, str]:
    return {name: data.decode() for name, data in tree(store.root).items()}


def changed(store: ClaudeCode, before: Mapping[str, str] = FILES) -> dict[str, str]:
    """The files that are no longer as they were; "" for one that is gone."""
    now = files(store)
    return {
        name: now.get(name, "") for name in now.keys() | before.keys() if now.get(name) != before.get(name)
    }


def reading(tmp_path: Path, given_files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "memory", given_files).read()


def codes(found: Reading) -> set[tuple[str, str]]:
    return {(finding.code, finding.place) for finding in found.findings}


# -- recognise


@pytest.mark.parametrize("kind", STORES)
def test_a_folder_is_recognised_by_its_content(tmp_path: Path, kind: str) -> None:
    folder = make(tmp_path / "memory", STORES[kind]).root
    assert ClaudeCode.recognise(folder) == folder


def test_its_index_stands_for_the_folder(store: ClaudeCode) -> None:
    assert ClaudeCode.recognise(store.root / "MEMORY.md") == store.root


def test_the_name_of_the_folder_matters_only_for_free_text(tmp_path: Path) -> None:
    assert ClaudeCode.recognise(make(tmp_path / "x", FILES).root)
    assert ClaudeCode.recognise(make(tmp_path / "y", FREE_TEXT).root) is None
    assert ClaudeCode.recognise(make(tmp_path / ".claude" / "agent-memory" / "reviewer", FREE_TEXT).root)


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"README.md": "# Project\n- [Guide](guide.md) — how\n", "guide.md": "# Guide\n"},
        {"note.md": "---\ntitle: A\npermalink: a\ntype: note\n---\n- [fact] x #t\n"},
        {"agent.md": "---\nname: reviewer\ndescription: reviews\ntools: Read\n---\nYou review.\n"},
        {"MEMORY.md": "The user likes tea.\n§\nRuns Debian.\n§\n- [x](y.md)\n"},
        {"MEMORY.md": "# Task Group: build\nscope: x\n- [x](y.md)\n"},
        {"memory_summary.md": "v1\n\n## User", "MEMORY.md": "- bullet\n"},
        {"a.md": b"\xff\xfe\x00", "b.md": "---\n- list\n---\n"},
    ],
)
def test_other_folders_are_none(tmp_path: Path, other: dict[str, str | bytes]) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    assert ClaudeCode.recognise(make(folder, other).root) is None


def test_what_is_no_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(FILES["user_role.md"])
    os.mkfifo(tmp_path / "MEMORY.md")
    assert ClaudeCode.recognise(tmp_path / "a.md") is None
    assert ClaudeCode.recognise(tmp_path / "nowhere") is None
    assert ClaudeCode.recognise(tmp_path / "MEMORY.md") is None


# -- read


def test_a_file_is_one_memory(store: ClaudeCode) -> None:
    record = the(store, "Run the tests")
    assert (record.ref, record.place, record.anchor) == (*["feedback_testing.md"] * 2, "feedback_testing")
    assert record.fields == {
        "title": "Testing first",
        "key": "feedback_testing",
        "category": "feedback",
        "content": RULE,
        "session_id": "0f1e2d3c-4b5a",
        "source_ref": "0f1e2d3c-4b5a",
        "source_type": "claude-code",
        "updated_at": None,
        "extra": {"description": "what it is about"},
    }


def test_the_nested_dialect_reads_alike(store: ClaudeCode) -> None:
    record = the(store, "No merges")
    assert (record.anchor, record.fields["key"]) == ("release-freeze", "release-freeze")
    assert (record.fields["title"], record.fields["category"]) == ("Release freeze", "project")
    assert record.fields["updated_at"] == 1772600767.123
    assert record.fields["extra"] == {"description": 'quoted: "so"'}


def test_free_text_in_the_index_is_one_memory_a_bullet_or_paragraph(store: ClaudeCode) -> None:
    told = [(r.fields["content"], r.place) for r in store.read().records if r.ref.startswith("MEMORY.md#")]
    assert told == [
        ("Deploys go out on Thursdays,\nnever on Fridays", "MEMORY.md, line 11"),
        ("Ünïcode ☕ café", "MEMORY.md, line 13"),
        ("Deploys go out on Thursdays,\nnever on Fridays", "MEMORY.md, line 14"),
        ("The staging database is rebuilt\nevery night.", "MEMORY.md, line 17"),
        ("```sh\n- [not an index line](x.md)\n\nmake deploy\n```", "MEMORY.md, line 20"),
    ]


def test_an_open_fence_goes_on_to_the_end_and_a_bare_bullet_says_nothing(tmp_path: Path) -> None:
    found = reading(tmp_path, {"MEMORY.md": "- \n\n- One.\n\n```sh\n- make\n\n- deploy\n"})
    assert [record.fields["content"] for record in found.records] == ["One.", "```sh\n- make\n\n- deploy"]


@pytest.mark.parametrize("kind", ["CRLF", "BOM", "no last newline"])
def test_line_ends_and_marks_change_nothing_in_what_is_said(tmp_path: Path, kind: str) -> None:
    plain, other = make(tmp_path / "a"), make(tmp_path / "b", STORES[kind])
    assert said(plain) == said(other)
    assert codes(plain.read()) == codes(other.read())


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("- [A title](a.md) — hook", "A title"),
        ("- [A title](a.md) – hook", "A title"),
        ("- [A title](a.md) - hook", "A title"),
        ("- [A title](a.md): hook", "A title"),
        ("* [A title](./a.md)", "A title"),
        ("  - **[A title](a.md)** — hook", "A title"),
        ("- [A [nested] title](a.md#part) — hook", "A [nested] title"),
        (r"- [A \] title](<a.md>)", "A ] title"),
        ("- [A title](a.md) hook", "Name"),
        ("- see [A title](a.md)", "Name"),
        ("- [A title](https://x.org/a.md)", "Name"),
        ("- [A title](../a.md)", "Name"),
    ],
)
def test_an_index_line_gives_its_file_a_title(tmp_path: Path, line: str, title: str) -> None:
    found = reading(tmp_path, {"MEMORY.md": line + "\n", "a.md": flat("Name", "user", "x")})
    assert found.records[0].fields["title"] == title
    assert len(found.records) == (1 if title != "Name" else 2)


@pytest.mark.parametrize(
    "value", ["no", "00123", "1:30", "2026-01-01", "~", "1e5", '"quoted"', "'it''s'", "a: b"]
)
def test_values_keep_their_text(tmp_path: Path, value: str) -> None:
    found = reading(tmp_path, {"a.md": f"---\nname: x\nother: {value}\nmetadata:\n  deep: {value}\n---\nb\n"})
    text = {'"quoted"': "quoted", "'it''s'": "it's"}.get(value, value)
    assert found.records[0].fields["extra"] == {"other": text, "metadata.deep": text}


def test_links_are_resolved_by_name_and_by_file_and_may_dangle(store: ClaudeCode) -> None:
    found = store.read()
    assert found.links == [
        Link("release-freeze", "links_to", "feedback_testing"),
        Link("user_role", "links_to", "release-freeze"),
        Link("user_role", "links_to", "nobody"),
    ]


def test_code_holds_no_links(tmp_path: Path) -> None:
    body = "`[[a]]` if [[ -f x ]]\n```\n[[b]]\n```\n[[other|shown]] [[Other#part]]"
    found = reading(tmp_path, {"one.md": flat("one", "user", body), "other.md": flat("other", "user", "x")})
    assert found.links == [Link("one", "links_to", "other")]


def test_what_is_odd_is_told(store: ClaudeCode) -> None:
    assert codes(store.read()) == {
        ("dangling", "user_role.md"),
        ("dangling-line", "MEMORY.md, line 7"),
        ("no-line", "reference_board.md"),
    }


@pytest.mark.parametrize(
    ("code", "head"),
    [
        ("double-key", "name: a\nname: b\ntype: user\n"),
        ("list-head", "- a\n- b\n"),
        ("tabs", "name: a\nmetadata:\n\ttype: user\n"),
        ("alias", "name: &a x\ntype: *a\n"),
        ("odd-head", 'name: "a\ntype: user\n'),
        ("odd-head", "just words\n"),
        ("big-head", "name: a\n" + "# comment\n" * 7000),
        ("no-type", "name: a\ndescription: b\n"),
        ("odd-type", "name: a\ntype: secret\n"),
    ],
)
def test_an_odd_head_is_told_and_the_text_still_read_and_edited(tmp_path: Path, code: str, head: str) -> None:
    store = make(tmp_path / "memory", {"a.md": f"---\n{head}---\nThe text.\n"})
    assert (code, "a.md") in codes(store.read())
    do(store, write("edit", the(store, "The text."), content="Another."))
    assert files(store) == {"a.md": f"---\n{head}---\nAnother.\n"}
    (answer,) = store.plan([write("edit", the(store, "Another."), category="project")])
    if code not in ("no-type", "odd-type"):
        assert isinstance(answer, Refused)
        assert answer.code in ("head", "no-field")


def test_a_head_without_end_makes_a_file_read_only(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": "---\nname: a\n\nThe text.\n"})
    assert ("unclosed-head", "a.md") in codes(store.read())
    (refusal,) = store.plan([write("edit", the(store, "The text."), content="Another.")])
    assert isinstance(refusal, Refused)


def test_a_file_that_is_no_utf8_is_shown_and_never_written(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": FILES["user_role.md"].encode().replace(b"data", b"d\xffta")})
    before = tree(store.root)
    record = the(store, "d\ufffdta")
    answers = store.plan([write("edit", record, content="x"), write("dismiss", record)])
    assert [answer.code for answer in answers if isinstance(answer, Refused)] == ["read-only"] * 2
    assert tree(store.root) == before


def test_a_huge_file_is_noted_and_left_alone(tmp_path: Path) -> None:
    found = reading(tmp_path, {**FILES, "dump.md": "x" * (1 << 20) + "x"})
    assert ("read-only", "dump.md") in codes(found)
    assert "dump.md" not in {record.ref for record in found.records}


def test_an_index_that_agents_read_only_in_part_is_noted(tmp_path: Path) -> None:
    assert ("long-index", "MEMORY.md") in codes(reading(tmp_path, {"MEMORY.md": "- line\n" * 201}))
    # It is counted in UTF-16 code units: an emoji is two of them, and four bytes.
    for text, long in (("x", 25_001), ("☕", 25_001), ("🐦", 12_501)):
        for count in (long - 1, long):
            found = codes(reading(tmp_path, {"MEMORY.md": text * count}))
            assert (("long-index", "MEMORY.md") in found) == (count == long)


def test_two_files_of_one_name_are_noted(tmp_path: Path) -> None:
    found = reading(tmp_path, {"a.md": flat("Same", "user", "1"), "b.md": flat("Same", "user", "2")})
    assert {("double-name", "a.md"), ("double-name", "b.md")} <= codes(found)


def test_links_in_the_folder_are_read_only_and_never_lead_out(store: ClaudeCode, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("outside")
    (store.root / "out.md").symlink_to(tmp_path / "secret.md")
    (store.root / "alias.md").symlink_to(store.root / "user_role.md")
    (store.root / "folder").symlink_to(tmp_path)
    (store.root / "nowhere.md").symlink_to(tmp_path / "missing.md")
    found = store.read()
    assert {place for code, place in codes(found) if code == "link"} == {
        "out.md",
        "alias.md",
        "folder",
        "nowhere.md",
    }
    refs = {record.ref for record in found.records}
    assert "alias.md" in refs
    assert not refs & {"out.md", "folder/secret.md", "nowhere.md"}
    (alias,) = [record for record in found.records if record.ref == "alias.md"]
    (refusal,) = store.plan([write("edit", alias, content="x")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "link"
    copy = tmp_path / "copy.tar"
    copy.touch()
    copy_store(store, copy)  # without what is another's: a link
    with tarfile.open(copy) as tar:
        assert {member.name for member in tar if member.isreg()} == set(FILES)


def test_hidden_folders_and_other_files_are_no_memories(tmp_path: Path) -> None:
    more = {".git/a.md": flat("a", "user", "x"), "sub/b.md": flat("b", "user", "in a folder"), "c.txt": "x"}
    refs = {record.ref for record in reading(tmp_path, more).records}
    assert refs == {"sub/b.md"}


_PIECES = st.sampled_from(
    "---\n|name: |metadata: \n|  type: user\n|- |[x](y.md)|```\n|<!--|-->|\n|\r\n|\t|[[|]]|\"|'|>|é".split(
        "|"
    )
    + "# h\n|==\n|&a|*a|{|}|: |\\|> \n|]\n".split("|")
)


@examples(120)
@given(st.lists(_PIECES.map(str.encode) | st.binary(max_size=6), max_size=40).map(b"".join))
def test_reading_never_fails(data: bytes) -> None:
    store = ClaudeCode(Path("/none"))
    found = store.parse({"MEMORY.md": data, "a.md": data, "b.md": b"---\n" + data + b"\n---\n" + data})
    assert len({record.ref for record in found.records}) == len(found.records)


@examples(40)
@given(st.binary(max_size=60))
def test_recognising_never_fails(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = make(tmp_path_factory.mktemp("x"), {"MEMORY.md": data, "a.md": b"---\n" + data}).root
    ClaudeCode.recognise(folder)


# -- what each action makes of the bytes


@pytest.mark.parametrize("kind", STORES)
def test_reading_and_planning_touch_nothing(tmp_path: Path, kind: str) -> None:
    store = make(tmp_path / "memory", STORES[kind])
    before = tree(store.root)
    store.plan([write("dismiss", record) for record in store.read().records])
    store.plan([write("edit", record, content=record.fields["content"]) for record in store.read().records])
    do(store, *(write("edit", r, content=r.fields["content"]) for r in store.read().records if "#" in r.ref))
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (action, kind)
        for number, kind in enumerate(STORES)
        for action in ("title", *turn(["edit", "dismiss", "category", "add"], number, 2))
    ],
)
def test_every_action_on_every_memory_is_taken_back_to_the_byte(
    tmp_path: Path, kind: str, action: str
) -> None:
    store = make(tmp_path / "memory", STORES[kind])
    before, told = tree(store.root), said(store)
    for record in share(store.read().records, 3):
        asked = {
            "edit": write("edit", record, content=f"{record.fields['content']}\nand ☕ more"),
            "dismiss": write("dismiss", record),
            "title": write("edit", record, title='A "new": [title]'),
            "category": write("edit", record, category="reference"),
            "add": write(
                "add", content=f"copy of {record.fields['content']}", title=record.fields.get("title")
            ),
        }[action]
        (plan,) = store.plan([asked])
        if isinstance(plan, Refused):
            assert plan.code in ("no-field", "no-line", "shape")
            continue
        done = carry(store, [plan])[0]
        if record.fields.get("category") != "reference" or action != "category":
            assert said(store) != told
        undo(store, done)
        assert tree(store.root) == before
        assert said(store) == told


def test_an_edit_changes_only_the_lines_that_differ(store: ClaudeCode) -> None:
    done = do(store, write("edit", the(store, "Run the tests"), content=RULE.replace("twice", "thrice")))
    assert changed(store) == {"feedback_testing.md": FILES["feedback_testing.md"].replace("twice", "thrice")}
    (hunk,) = done[0].edits[0].hunks
    assert hunk.old == b"**Why:** it was wrong twice."


def test_an_edit_sets_the_time_of_change_where_the_file_has_one(store: ClaudeCode) -> None:
    do(store, write("edit", the(store, "No merges"), content="Merges again."))
    expected = nested("release-freeze", "project", "Merges again.", "2027-01-15T08:00:00.000Z")
    assert changed(store) == {"release-freeze.md": expected}


def test_an_edit_keeps_the_line_ends_of_the_file(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", CRLF)
    do(store, write("edit", the(store, "Run the tests"), content="One.\n\nTwo.\nThree."))
    expected = CRLF["feedback_testing.md"].replace(RULE.replace("\n", "\r\n"), "One.\r\n\r\nTwo.\r\nThree.")
    assert changed(store, CRLF) == {"feedback_testing.md": expected}


def test_a_bullet_is_edited_in_place(store: ClaudeCode) -> None:
    (_, second) = [r for r in store.read().records if "Thursdays" in r.fields["content"]]
    do(store, write("edit", second, content="Deploys go out on Mondays,\nnever on Fridays\nnor at night"))
    old = "- Deploys go out on Thursdays,\n  never on Fridays\n"
    start, end = FILES["MEMORY.md"].split("- Ünïcode")
    new = "- Deploys go out on Mondays,\n  never on Fridays\n  nor at night\n"
    assert changed(store) == {"MEMORY.md": start + "- Ünïcode" + end.replace(old, new)}


@pytest.mark.parametrize("text", ["one\n\ntwo", "one\n```\ncode", "a\n- [x](user_role.md)", "<!-- a"])
def test_a_bullet_cannot_become_something_else(store: ClaudeCode, text: str) -> None:
    (refusal,) = store.plan([write("edit", the(store, "staging"), content=text)])
    assert isinstance(refusal, Refused)
    assert refusal.code == "shape"


def test_a_title_goes_into_the_name_and_the_index_line(store: ClaudeCode) -> None:
    do(store, write("edit", the(store, "Run the tests"), title="It's [first]: tests"))
    assert changed(store) == {
        "feedback_testing.md": FILES["feedback_testing.md"].replace(
            "'Testing first'", "'It''s [first]: tests'"
        ),
        "MEMORY.md": FILES["MEMORY.md"].replace("[Testing first]", r"[It's \[first\]: tests]"),
    }
    assert the(store, "Run the tests").fields["title"] == "It's [first]: tests"


def test_a_name_that_links_use_is_never_changed(store: ClaudeCode) -> None:
    do(store, write("edit", the(store, "No merges"), title="Freeze"))
    assert changed(store) == {"MEMORY.md": FILES["MEMORY.md"].replace("[Release freeze]", "[Freeze]")}


def test_without_an_index_line_such_a_name_cannot_have_a_title(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": nested("some-rule", "user", "x")})
    (refusal,) = store.plan([write("edit", the(store, "x"), title="Some rule")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "no-line"


def test_a_category_is_the_type_in_the_dialect_of_the_file(store: ClaudeCode) -> None:
    do(store, write("edit", the(store, "scientist"), category="reference"))
    do(store, write("edit", the(store, "No merges"), category="user"))
    freeze = FILES["release-freeze.md"].replace("type: project", "type: user")
    assert changed(store) == {
        "user_role.md": FILES["user_role.md"].replace("type: user", "type: reference"),
        "release-freeze.md": freeze.replace("2026-03-04T05:06:07.123Z", "2027-01-15T08:00:00.000Z"),
    }


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("name: a\ndescription: b\nother: c", "name: a\ndescription: b\ntype: user\nother: c"),
        (
            "metadata: \n    node_type: memory\n    x: y\nname: a",
            "metadata: \n    node_type: memory\n    type: user\n    x: y\nname: a",
        ),
        ("name: a\ntype:", "name: a\ntype: user"),
        ("name: a\ntype: 'project' # why", "name: a\ntype: 'user' # why"),
    ],
)
def test_a_missing_type_is_added_where_the_dialect_has_it(tmp_path: Path, head: str, expected: str) -> None:
    store = make(tmp_path / "memory", {"a.md": f"---\n{head}\n---\ntext\n"})
    do(store, write("edit", the(store, "text"), category="user"))
    assert files(store) == {"a.md": f"---\n{expected}\n---\ntext\n"}


def test_only_its_four_types_are_allowed(store: ClaudeCode) -> None:
    answers = store.plan(
        [write("edit", the(store, "scientist"), category="fact"), write("add", content="x", category="")]
    )
    assert isinstance(answers[0], Refused)
    assert answers[0].message == "Invalid category: must be one of user, feedback, project, reference"


@pytest.mark.parametrize("fields", [{"content": " \n"}, {"title": ""}, {"tags": ("a",)}, {"content": "a\0"}])
def test_what_the_format_cannot_hold_is_refused(store: ClaudeCode, fields: dict[str, Any]) -> None:
    (refusal,) = store.plan([write("edit", the(store, "scientist"), **fields)])
    assert isinstance(refusal, Refused)
    assert changed(store) == {}


def test_a_dismissed_memory_takes_its_line_along(store: ClaudeCode) -> None:
    do(store, write("dismiss", the(store, "scientist")))
    line = "- [User's role [in short]](user_role.md) - data scientist\n"
    assert changed(store) == {"user_role.md": "", "MEMORY.md": FILES["MEMORY.md"].replace(line, "")}


def test_a_dismissed_bullet_is_cut_out_with_its_lines(store: ClaudeCode) -> None:
    do(store, write("dismiss", the(store, "staging")))
    expected = FILES["MEMORY.md"].replace("The staging database is rebuilt\nevery night.\n", "")
    assert changed(store) == {"MEMORY.md": expected}


def test_texts_do_not_grow_together_where_a_line_goes(tmp_path: Path) -> None:
    given_files = {"MEMORY.md": "One.\n- [A](a.md)\nTwo.\n", "a.md": flat("A", "user", "text")}
    store = make(tmp_path / "memory", given_files)
    done = do(store, write("dismiss", the(store, "text")))
    assert files(store) == {"MEMORY.md": "One.\n\nTwo.\n"}
    undo(store, done)
    assert files(store) == given_files


def test_an_addition_is_a_new_file_and_a_line(store: ClaudeCode) -> None:
    (plan,) = do(
        store, write("add", content="Coffee: black.\n\nNo sugar.", title="Coffee: how?", category="user")
    )
    assert plan.ref_after == "user_coffee_how.md"
    index = FILES["MEMORY.md"].replace(
        "its file is missing\n",
        "its file is missing\n- [Coffee: how?](user_coffee_how.md) — Coffee: black.\n",
    )
    assert changed(store) == {
        "MEMORY.md": index,
        "user_coffee_how.md": (
            '---\nname: "Coffee: how?"\ndescription: "Coffee: black."\ntype: user\n---\n'
            "\nCoffee: black.\n\nNo sugar.\n"
        ),
    }


def test_an_addition_is_called_by_its_first_line_with_words(store: ClaudeCode) -> None:
    (plan,) = do(store, write("add", content="---\n\n# Coffee, black\n\nNo sugar.", category="user"))
    assert plan.ref_after == "user_coffee_black.md"
    assert "- [Coffee, black](user_coffee_black.md) — Coffee, black\n" in changed(store)["MEMORY.md"]


def test_an_addition_speaks_the_dialect_of_the_folder(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", ALL_NESTED)
    do(store, write("add", content="Ünïcode first line\nand more"))
    assert changed(store, ALL_NESTED)["project_unicode_first_line.md"] == (
        "---\nname: project-unicode-first-line\ndescription: Ünïcode first line\n"
        "metadata:\n  node_type: memory\n  type: project\n---\n\nÜnïcode first line\nand more\n"
    )
    record = the(store, "and more")
    assert (record.fields["title"], record.anchor) == ("Ünïcode first line", "project-unicode-first-line")


@pytest.mark.parametrize(
    ("files", "line"), [(FILES, "originSessionId: s-12"), (ALL_NESTED, "  originSessionId: s-12")]
)
def test_an_addition_says_which_session_it_is_from(
    tmp_path: Path, files: Mapping[str, str | bytes], line: str
) -> None:
    store = make(tmp_path / "memory", files)
    do(store, write("add", content="Of a session.", session_id="s-12"))
    record = the(store, "Of a session")
    assert (record.fields["session_id"], record.fields["source_ref"]) == ("s-12", "s-12")
    assert line in (store.root / record.ref).read_text().splitlines()


def test_an_addition_never_takes_a_name_that_is_taken(store: ClaudeCode) -> None:
    for _ in range(3):
        do(store, write("add", content="日本語", title="日本語"))
    new = sorted(name for name in changed(store) if name != "MEMORY.md")
    assert len(new) == 3
    assert new[1].endswith("_2.md")
    assert files(store)["MEMORY.md"].count("[日本語]") == 3


def test_an_addition_to_a_folder_without_an_index_makes_it(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", STORES["files only"])
    done = do(store, write("add", content="New."))
    assert files(store)["MEMORY.md"] == "- [New.](project_new.md) — New.\n"
    undo(store, done)
    assert changed(store, STORES["files only"]) == {}


def test_new_files_are_as_private_as_the_others(store: ClaudeCode) -> None:
    for path in store.root.iterdir():
        path.chmod(0o640)
    do(store, write("add", content="New."))
    done = do(store, write("dismiss", the(store, "scientist")))
    undo(store, done)
    assert {path.stat().st_mode & 0o777 for path in store.root.iterdir()} == {0o640}


def test_it_says_in_words_what_will_happen(store: ClaudeCode) -> None:
    assert (
        store.supports("dismiss").words
        == "removes its file and its line in MEMORY.md, and keeps both in memtui"
    )
    assert store.supports("dismiss").how is How.MOVED
    assert {store.supports("edit", name).how for name in ("content", "title", "category")} == {How.NATIVE}
    assert store.supports("edit", "tags").how is How.WORKSPACE
    assert store.supports("pin").words == "is kept in memtui: Claude Code's memory has no pin"


@pytest.mark.parametrize(
    ("locked", "told"),
    [
        (".", "memory may not be written by this user."),
        ("MEMORY.md", "MEMORY.md may not be written by this user."),
        ("user_role.md", "Not saved: user_role.md may not be written by this user."),
    ],
)
def test_what_may_not_be_written_says_so(locked: str, told: str) -> None:
    script = (
        "import os, sys; from pathlib import Path; from memtui.formats.claude_code import ClaudeCode\n"
        "from tests.support.stores.files import the, write\n"
        "store = ClaudeCode(Path(sys.argv[1]))\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"  # root may write everything
        "print(store.locked() or store.plan([write('dismiss', the(store, 'scientist'))])[0])"
    )
    with tempfile.TemporaryDirectory() as base:
        store = make(Path(base) / "memory")
        for path in (Path(base), store.root, *store.root.iterdir()):
            path.chmod(0o777)
        (store.root / locked).chmod(0o555)
        answer = subprocess.run(
            [sys.executable, "-c", script, str(store.root)], cwd=REPOSITORY, capture_output=True, text=True
        )
        assert (answer.stdout, answer.stderr) == (f"{told}\n", "")


# -- beside an agent


def test_a_memory_that_changed_meanwhile_is_a_conflict(store: ClaudeCode) -> None:
    record = the(store, "scientist")
    path = store.root / "user_role.md"
    path.write_text(path.read_text().replace("A data", "A rocket"))
    (conflict,) = store.plan([write("edit", record, content="mine")])
    assert isinstance(conflict, Conflict)
    assert conflict.yours == {"content": "mine"}
    assert "rocket" in conflict.theirs["content"]


def test_what_an_agent_wrote_elsewhere_survives_a_change_and_its_undo(store: ClaudeCode) -> None:
    record = the(store, "scientist")
    index, file = store.root / "MEMORY.md", store.root / "user_role.md"
    file.write_text(file.read_text().replace("what it is about", "theirs"))
    done = do(store, write("edit", record, content="mine"))
    dismissed = do(store, write("dismiss", the(store, "Run the tests")))
    index.write_text(index.read_text().replace("# Memory Index", "# Index") + "- theirs\n")
    file.write_text(file.read_text() + "\nTheirs too.\n")
    undo(store, done)
    undo(store, dismissed)
    assert changed(store) == {
        "MEMORY.md": FILES["MEMORY.md"].replace("# Memory Index", "# Index") + "- theirs\n",
        "user_role.md": FILES["user_role.md"].replace("what it is about", "theirs") + "\nTheirs too.\n",
    }


def test_a_line_whose_neighbours_are_gone_comes_back_behind_the_others(store: ClaudeCode) -> None:
    done = do(store, write("dismiss", the(store, "scientist")))
    (store.root / "MEMORY.md").write_text("- [Other](release-freeze.md)\n\nText.\n")
    undo(store, done)
    assert files(store)["MEMORY.md"] == (
        "- [Other](release-freeze.md)\n- [User's role [in short]](user_role.md) - data scientist\n\nText.\n"
    )


@pytest.mark.parametrize("left", ["# All new", "All new.\n", "All new.\n\n", None])
def test_a_bullet_whose_neighbours_are_gone_comes_back_at_the_end(
    store: ClaudeCode, left: str | None
) -> None:
    done = do(store, write("dismiss", the(store, "Ünïcode")))
    (store.root / "MEMORY.md").write_text(left or "")
    if left is None:
        (store.root / "MEMORY.md").unlink()
    (back,) = undo(store, done)
    assert back.ref_after == the(store, "Ünïcode").ref
    assert files(store)["MEMORY.md"] == (f"{left.strip()}\n\n" if left else "") + "- Ünïcode ☕ café\n"


def test_an_index_that_is_gone_is_made_again_for_the_line(store: ClaudeCode) -> None:
    done = do(store, write("dismiss", the(store, "scientist")))
    (store.root / "MEMORY.md").unlink()
    undo(store, done)
    assert files(store)["MEMORY.md"] == "- [User's role [in short]](user_role.md) - data scientist\n"


def test_a_memory_whose_name_was_taken_comes_back_beside_it(store: ClaudeCode) -> None:
    done = do(store, write("dismiss", the(store, "scientist")))
    (store.root / "user_role.md").write_text(flat("User role", "user", "Another."))
    (back,) = undo(store, done)
    assert back.ref_after == "user_role_2.md"
    assert files(store)["user_role_2.md"] == FILES["user_role.md"]
    assert "- [User's role [in short]](user_role_2.md) - data scientist\n" in files(store)["MEMORY.md"]
    undo(store, [back])
    assert "user_role_2" not in " ".join([*files(store), files(store)["MEMORY.md"]])


def test_a_memory_that_an_agent_put_back_itself_is_not_doubled(store: ClaudeCode) -> None:
    done = do(store, write("dismiss", the(store, "scientist")))
    (store.root / "user_role.md").write_text(FILES["user_role.md"])
    (refusal,) = store.reverse(done)
    assert isinstance(refusal, Refused)
    assert refusal.code == "exists"


def test_an_addition_whose_line_was_reworded_is_taken_back_with_it(store: ClaudeCode) -> None:
    done = do(store, write("add", content="New.", title="New"))
    index = store.root / "MEMORY.md"
    index.write_text(
        index.read_text().replace("[New](project_new.md) — New.", "[Newer](project_new.md) - other")
    )
    undo(store, done)
    assert changed(store) == {}


def test_an_addition_that_was_edited_since_is_not_taken_away(store: ClaudeCode) -> None:
    done = do(store, write("add", content="New."))
    (store.root / "project_new.md").write_text("theirs")
    (refusal,) = store.reverse(done)
    assert isinstance(refusal, Refused)
    assert "project_new.md" in files(store)


def test_two_edits_of_one_file_are_undone_in_either_order(store: ClaudeCode) -> None:
    first = do(
        store,
        write(
            "edit",
            the(store, "No merges"),
            content="Merges again.",
        ),
    )
    second = do(store, write("edit", the(store, "Merges"), category="user"))
    undo(store, first)
    undo(store, second)
    record = the(store, "No merges")
    assert (record.fields["category"], record.fields["content"][:9]) == ("project", "No merges")
    body = FILES["release-freeze.md"].split("modified:")
    assert files(store)["release-freeze.md"].startswith(body[0])


def test_names_of_undecodable_bytes_stay_apart(tmp_path: Path) -> None:
    store = make(tmp_path / "memory")
    for raw in (b"\xff.md", b"\xfe.md"):
        (Path(os.fsdecode(os.fsencode(store.root) + b"/" + raw))).write_text(flat("N", "user", "Text."))
    refs = [record.ref for record in store.read().records]
    assert len(set(refs)) == len(refs)


def test_undo_undone_is_the_change_again(store: ClaudeCode) -> None:
    for asked in (
        write("dismiss", the(store, "scientist")),
        write("edit", the(store, "Run the tests"), title="T", content="C"),
        write("add", content="New."),
    ):
        done = do(store, asked)
        after = tree(store.root)
        again = undo(store, undo(store, done))
        assert tree(store.root) == after
        undo(store, again)
        assert changed(store) == {}


def test_all_at_once_and_back(store: ClaudeCode) -> None:
    done = do(store, *(write("dismiss", record) for record in store.read().records))
    assert list(files(store)) == ["MEMORY.md"]
    assert not store.read().records
    undo(store, done)
    assert changed(store) == {}


# -- any sequence


_ACTS = st.lists(
    st.tuples(st.sampled_from(["edit", "dismiss", "add", "title", "category"]), st.integers(0, 99)),
    max_size=8,
)
_TEXTS = ("one", "two\nlines", "three\n\nparts", "☕ [[release-freeze]]")


def _apply(store: ClaudeCode, acts: list[tuple[str, int]]) -> list[list[Planned]]:
    done = []
    for action, pick in acts:
        records = store.read().records
        record = records[pick % len(records)] if records else None
        if action == "add" or record is None:
            asked = write("add", content=_TEXTS[pick % 4], category="user")
        elif action == "dismiss":
            asked = write("dismiss", record)
        elif action == "edit":
            asked = write("edit", record, content=_TEXTS[pick % 4])
        elif action == "title":
            asked = write("edit", record, title=f"T {pick % 3}")
        else:
            asked = write("edit", record, category=store.categories[pick % 4])
        (plan,) = store.plan([asked])
        if isinstance(plan, Planned):
            done.append(carry(store, [plan])[0])
    return done


@examples(12)
@given(acts=_ACTS, kind=st.sampled_from(sorted(STORES)))
def test_all_undone_last_first_is_every_file_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]], kind: str
) -> None:
    store = make(tmp_path_factory.mktemp("claude") / "memory", STORES[kind])
    before = tree(store.root)
    for plans in reversed(_apply(store, acts)):
        undo(store, plans)
    assert tree(store.root) == before


@examples(12)
@given(acts=_ACTS, order=st.randoms(use_true_random=False))
def test_undone_in_any_order_the_other_memories_stay(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]], order: random.Random
) -> None:
    store = make(tmp_path_factory.mktemp("claude") / "memory")
    done = _apply(store, acts)
    order.shuffle(done)
    for plans in done:
        (answer,) = store.reverse(plans)
        if isinstance(answer, Planned):
            before = {r.ref: r.digest for r in store.read().records}
            receipt = carry(store, [kept(store, answer)])[1]
            touched = {answer.ref, answer.ref_after, *receipt.renamed, *receipt.renamed.values()}
            after = {r.ref: r.digest for r in store.read().records}
            assert {k: v for k, v in before.items() if k not in touched} == {
                k: v for k, v in after.items() if k not in touched
            }


# -- heads


_HEAD = """\
---
name: no
title: "a \\"b\\" \\u00e9"   # why
single: 'it''s'
metadata:\x20
  node_type: memory
  type: user

# a comment
id: 00123
empty:
block: |
  one
   two

  three
folded: >-
  a
  b

  c
tags:
- x
- 'y z'
flow: [a, "b, c", d]
long: hello
  world
map: {type: user, k: 'v'}
---
body
"""


@pytest.mark.parametrize("text", [_HEAD, _HEAD.replace("\n", "\r\n"), "\ufeff" + _HEAD])
def test_a_head_reads_as_text(text: str) -> None:
    head = frontmatter.read(text.encode())
    assert head is not None
    assert not head.odd
    told = {key: value.text for key, value in head.values.items() if value.style not in ("list", "map")}
    assert told == {
        "name": "no",
        "title": 'a "b" é',
        "single": "it's",
        "metadata.node_type": "memory",
        "metadata.type": "user",
        "id": "00123",
        "empty": "",
        "block": "one\n two\n\nthree",
        "folded": "a b\nc",
        "long": "hello world",
        "map.type": "user",
        "map.k": "v",
    }
    assert head.values["tags"].items == ("x", "y z")
    assert head.values["flow"].items == ("a", "b, c", "d")
    assert text.encode()[head.body :].strip() == b"body"


@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\x1c", "\u3000 "])
def test_a_value_of_nothing_but_blanks_is_empty_and_can_be_set(blank: str) -> None:
    data = f"---\nname: {blank}\ntype: user\n---\n".encode()
    head = frontmatter.read(data)
    assert head is not None
    assert head.values["name"].style == "empty"
    start, end, new = head.put("name", "Tea")
    assert (data[:start] + new + data[end:]).startswith(b"---\nname: Tea")


_VALUES = (
    "x",
    "no",
    "12",
    "it's",
    'say "hi"',
    "a: b",
    "a #b",
    "- a",
    "ü\n☕",
    " lead",
    "\u2028",
    "[",
    "",
    "yes: &no",
)


@pytest.mark.parametrize(
    "key", ["name", "title", "single", "metadata.type", "id", "empty", "block", "folded", "long"]
)
@pytest.mark.parametrize("value", _VALUES)
def test_one_value_changes_and_every_other_byte_stays(key: str, value: str) -> None:
    data = _HEAD.replace("\n", "\r\n").encode()
    before = frontmatter.read(data)
    assert before is not None
    start, end, new = before.put(key, value)
    after = frontmatter.read(data[:start] + new + data[end:])
    assert after is not None
    assert not after.odd
    others = {k: v.text for k, v in before.values.items() if k != key and not key.startswith(f"{k}.")}
    assert {k: v.text for k, v in after.values.items() if k in others} == others
    assert after.text(key) == value
    assert (start, end) in {(v.start, v.end) for k, v in before.values.items() if k == key}


@pytest.mark.parametrize("word", ["no", "12", "1:30", "2026-01-01", "~", "true", "0x1f", "-.5", "1e5"])
def test_what_would_be_typed_is_quoted_unless_it_stands_for_such_a_value(word: str) -> None:
    assert frontmatter.spell(word) == f'"{word}"'
    head = frontmatter.read(b"---\nat: 2026-03-04\n---\n")
    assert head is not None
    assert frontmatter.spell(word, head.values["at"]) == word if word[0] not in "~-" else True


# -- many at once


_HEADS = ["", "# Memory\n", "Some text that goes\non.\n", "- a bullet\n", "---\nname: x\n---\n", "Title\n"]
_BETWEEN = ["", "\n", "  more of it\n", "Free text.\n", "- a bullet\n", "## Part\n", "===\n", "```\nx\n```\n"]


@given(st.data())
@examples(60)
def test_lines_that_are_cut_out_in_one_batch_leave_what_one_by_one_leaves(data: st.DataObject) -> None:
    names = [f"n{number}.md" for number in range(6)]
    parts = [f"- [N]({name}) — hook\n{data.draw(st.sampled_from(_BETWEEN))}" for name in names]
    text = data.draw(st.sampled_from(_HEADS)) + "".join(parts)
    text = text.removesuffix("\n") if data.draw(st.booleans()) else text
    order = data.draw(st.permutations(names))[: data.draw(st.integers(1, 6))]
    whole = Draft({"MEMORY.md": text.encode()} | dict.fromkeys(names, b"x"))
    single = text.encode()
    for name in order:
        lines = writer.lines_of(whole)
        for entry in reversed(lines.to(name)):
            writer.cut_line(whole, lines, entry)
        alone = Draft({"MEMORY.md": single})
        for entry in reversed(index.read(single).to(name)):
            writer.cut(alone, entry.start, entry.end)
        single = alone.files["MEMORY.md"]
        assert whole.files["MEMORY.md"] == single


def test_one_change_reads_each_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make(tmp_path / "memory", {f"n{n}.md": flat(f"N{n}", "user", f"Says {n}.") for n in range(40)})
    heads: list[bytes] = []
    whole: list[int] = []
    read, parse = document.read, ClaudeCode.parse

    def counted(data: bytes) -> document.Note:
        heads.append(data)
        return read(data)

    def parsed(self: ClaudeCode, files: Mapping[str, bytes]) -> Reading:
        whole.append(len(files))
        return parse(self, files)

    monkeypatch.setattr(document, "read", counted)
    monkeypatch.setattr(ClaudeCode, "parse", parsed)
    assert "n3.md" in store.read_refs(["n3.md"])
    (plan,) = store.plan([Write("edit", "n3.md", {"content": "Other words."}, {}, 0.0)])
    assert isinstance(plan, Planned)
    store.carry_out([plan], "token")
    assert whole == [40]  # links and oddities of what stands after it; of what stood before, the records do
    assert len(heads) <= 40 + 5
