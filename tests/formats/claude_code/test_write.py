"""Claude Code: what each action writes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode, document, writer
from memtui.formats.claude_code import memory_index as index
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Reading
from memtui.formats.media.files.draft import Draft
from tests.formats.claude_code.support import changed_files, files
from tests.support.sizes import examples, sample_cases, shard
from tests.support.stores.claude_code import (
    ALL_NESTED,
    CRLF,
    FILES,
    RULE,
    STORES,
    flat,
    make,
    nested,
)
from tests.support.stores.files import (
    apply,
    apply_plans,
    fields_by_ref,
    read_tree,
    record_with,
    undo,
    write,
)

REPOSITORY = Path(__file__).parents[3]


# -- write


@pytest.mark.parametrize("kind", STORES)
def test_reading_and_planning_write_nothing(tmp_path: Path, kind: str) -> None:
    store = make(tmp_path / "memory", STORES[kind])
    before = read_tree(store.root)
    store.plan([write("dismiss", record) for record in store.read().records])
    store.plan([write("edit", record, content=record.fields["content"]) for record in store.read().records])
    apply(
        store, *(write("edit", r, content=r.fields["content"]) for r in store.read().records if "#" in r.ref)
    )
    assert read_tree(store.root) == before


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (action, kind)
        for number, kind in enumerate(STORES)
        for action in ("title", *shard(["edit", "dismiss", "category", "add"], number, 2))
    ],
)
def test_every_action_on_every_memory_is_undone_to_the_byte(tmp_path: Path, kind: str, action: str) -> None:
    store = make(tmp_path / "memory", STORES[kind])
    before, fields_before = read_tree(store.root), fields_by_ref(store)
    for record in sample_cases(store.read().records, 3):
        change = {
            "edit": write("edit", record, content=f"{record.fields['content']}\nand ☕ more"),
            "dismiss": write("dismiss", record),
            "title": write("edit", record, title='A "new": [title]'),
            "category": write("edit", record, category="reference"),
            "add": write(
                "add", content=f"copy of {record.fields['content']}", title=record.fields.get("title")
            ),
        }[action]
        (plan,) = store.plan([change])
        if isinstance(plan, Refused):
            assert plan.code in ("no-field", "no-line", "shape")
            continue
        plans = apply_plans(store, [plan])[0]
        if record.fields.get("category") != "reference" or action != "category":
            assert fields_by_ref(store) != fields_before
        undo(store, plans)
        assert read_tree(store.root) == before
        assert fields_by_ref(store) == fields_before


def test_an_edit_changes_only_the_lines_that_differ(store: ClaudeCode) -> None:
    plans = apply(
        store, write("edit", record_with(store, "Run the tests"), content=RULE.replace("twice", "thrice"))
    )
    assert changed_files(store) == {
        "feedback_testing.md": FILES["feedback_testing.md"].replace("twice", "thrice")
    }
    (hunk,) = plans[0].edits[0].hunks
    assert hunk.old == b"**Why:** it was wrong twice."


def test_an_edit_sets_the_modification_time_if_the_file_has_one(store: ClaudeCode) -> None:
    apply(store, write("edit", record_with(store, "No merges"), content="Merges again."))
    expected = nested("release-freeze", "project", "Merges again.", "2027-01-15T08:00:00.000Z")
    assert changed_files(store) == {"release-freeze.md": expected}


def test_an_edit_keeps_the_line_endings_of_the_file(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", CRLF)
    apply(store, write("edit", record_with(store, "Run the tests"), content="One.\n\nTwo.\nThree."))
    expected = CRLF["feedback_testing.md"].replace(RULE.replace("\n", "\r\n"), "One.\r\n\r\nTwo.\r\nThree.")
    assert changed_files(store, CRLF) == {"feedback_testing.md": expected}


def test_a_bullet_is_edited_in_place(store: ClaudeCode) -> None:
    (_, second) = [r for r in store.read().records if "Thursdays" in r.fields["content"]]
    apply(store, write("edit", second, content="Deploys go out on Mondays,\nnever on Fridays\nnor at night"))
    old = "- Deploys go out on Thursdays,\n  never on Fridays\n"
    start, end = FILES["MEMORY.md"].split("- Ünïcode")
    new = "- Deploys go out on Mondays,\n  never on Fridays\n  nor at night\n"
    assert changed_files(store) == {"MEMORY.md": start + "- Ünïcode" + end.replace(old, new)}


@pytest.mark.parametrize("text", ["one\n\ntwo", "one\n```\ncode", "a\n- [x](user_role.md)", "<!-- a"])
def test_a_bullet_cannot_become_something_else(store: ClaudeCode, text: str) -> None:
    (refusal,) = store.plan([write("edit", record_with(store, "staging"), content=text)])
    assert isinstance(refusal, Refused)
    assert refusal.code == "shape"


def test_a_new_title_changes_the_name_and_the_index_line(store: ClaudeCode) -> None:
    apply(store, write("edit", record_with(store, "Run the tests"), title="It's [first]: tests"))
    assert changed_files(store) == {
        "feedback_testing.md": FILES["feedback_testing.md"].replace(
            "'Testing first'", "'It''s [first]: tests'"
        ),
        "MEMORY.md": FILES["MEMORY.md"].replace("[Testing first]", r"[It's \[first\]: tests]"),
    }
    assert record_with(store, "Run the tests").fields["title"] == "It's [first]: tests"


def test_a_name_used_by_links_is_never_changed(store: ClaudeCode) -> None:
    apply(store, write("edit", record_with(store, "No merges"), title="Freeze"))
    assert changed_files(store) == {"MEMORY.md": FILES["MEMORY.md"].replace("[Release freeze]", "[Freeze]")}


def test_a_file_with_a_linked_name_and_no_index_line_refuses_a_title(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": nested("some-rule", "user", "x")})
    (refusal,) = store.plan([write("edit", record_with(store, "x"), title="Some rule")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "no-line"


def test_a_category_is_written_as_type_in_the_dialect_of_the_file(store: ClaudeCode) -> None:
    apply(store, write("edit", record_with(store, "scientist"), category="reference"))
    apply(store, write("edit", record_with(store, "No merges"), category="user"))
    freeze = FILES["release-freeze.md"].replace("type: project", "type: user")
    assert changed_files(store) == {
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
def test_a_missing_type_is_added_where_the_dialect_puts_it(tmp_path: Path, head: str, expected: str) -> None:
    store = make(tmp_path / "memory", {"a.md": f"---\n{head}\n---\ntext\n"})
    apply(store, write("edit", record_with(store, "text"), category="user"))
    assert files(store) == {"a.md": f"---\n{expected}\n---\ntext\n"}


def test_only_the_four_types_are_allowed(store: ClaudeCode) -> None:
    planned = store.plan(
        [
            write("edit", record_with(store, "scientist"), category="fact"),
            write("add", content="x", category=""),
        ]
    )
    assert isinstance(planned[0], Refused)
    assert (
        planned[0].message
        == "Invalid category “fact”: Claude Code memory has only user, feedback, project, reference."
    )


@pytest.mark.parametrize("fields", [{"content": " \n"}, {"title": ""}, {"tags": ("a",)}, {"content": "a\0"}])
def test_what_the_format_cannot_hold_is_refused(store: ClaudeCode, fields: dict[str, Any]) -> None:
    (refusal,) = store.plan([write("edit", record_with(store, "scientist"), **fields)])
    assert isinstance(refusal, Refused)
    assert changed_files(store) == {}


def test_dismissing_a_memory_removes_its_index_line(store: ClaudeCode) -> None:
    apply(store, write("dismiss", record_with(store, "scientist")))
    line = "- [User's role [in short]](user_role.md) - data scientist\n"
    assert changed_files(store) == {"user_role.md": "", "MEMORY.md": FILES["MEMORY.md"].replace(line, "")}


def test_dismissing_a_bullet_removes_all_its_lines(store: ClaudeCode) -> None:
    apply(store, write("dismiss", record_with(store, "staging")))
    expected = FILES["MEMORY.md"].replace("The staging database is rebuilt\nevery night.\n", "")
    assert changed_files(store) == {"MEMORY.md": expected}


def test_paragraphs_stay_apart_where_a_line_is_removed(tmp_path: Path) -> None:
    given_files = {"MEMORY.md": "One.\n- [A](a.md)\nTwo.\n", "a.md": flat("A", "user", "text")}
    store = make(tmp_path / "memory", given_files)
    plans = apply(store, write("dismiss", record_with(store, "text")))
    assert files(store) == {"MEMORY.md": "One.\n\nTwo.\n"}
    undo(store, plans)
    assert files(store) == given_files


def test_an_added_memory_is_a_new_file_and_an_index_line(store: ClaudeCode) -> None:
    (plan,) = apply(
        store, write("add", content="Coffee: black.\n\nNo sugar.", title="Coffee: how?", category="user")
    )
    assert plan.ref_after == "user_coffee_how.md"
    index = FILES["MEMORY.md"].replace(
        "its file is missing\n",
        "its file is missing\n- [Coffee: how?](user_coffee_how.md) — Coffee: black.\n",
    )
    assert changed_files(store) == {
        "MEMORY.md": index,
        "user_coffee_how.md": (
            '---\nname: "Coffee: how?"\ndescription: "Coffee: black."\ntype: user\n---\n'
            "\nCoffee: black.\n\nNo sugar.\n"
        ),
    }


def test_an_added_memory_is_named_after_its_first_line_with_words(store: ClaudeCode) -> None:
    (plan,) = apply(store, write("add", content="---\n\n# Coffee, black\n\nNo sugar.", category="user"))
    assert plan.ref_after == "user_coffee_black.md"
    assert "- [Coffee, black](user_coffee_black.md) — Coffee, black\n" in changed_files(store)["MEMORY.md"]


def test_an_added_memory_uses_the_dialect_of_the_folder(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", ALL_NESTED)
    apply(store, write("add", content="Ünïcode first line\nand more"))
    assert changed_files(store, ALL_NESTED)["project_unicode_first_line.md"] == (
        "---\nname: project-unicode-first-line\ndescription: Ünïcode first line\n"
        "metadata:\n  node_type: memory\n  type: project\n---\n\nÜnïcode first line\nand more\n"
    )
    record = record_with(store, "and more")
    assert (record.fields["title"], record.anchor) == ("Ünïcode first line", "project-unicode-first-line")


@pytest.mark.parametrize(
    ("files", "line"), [(FILES, "originSessionId: s-12"), (ALL_NESTED, "  originSessionId: s-12")]
)
def test_an_added_memory_names_its_session(
    tmp_path: Path, files: Mapping[str, str | bytes], line: str
) -> None:
    store = make(tmp_path / "memory", files)
    apply(store, write("add", content="Of a session.", session_id="s-12"))
    record = record_with(store, "Of a session")
    assert (record.fields["session_id"], record.fields["source_ref"]) == ("s-12", "s-12")
    assert line in (store.root / record.ref).read_text().splitlines()


def test_an_added_memory_gets_a_free_name(store: ClaudeCode) -> None:
    for _ in range(3):
        apply(store, write("add", content="日本語", title="日本語"))
    new = sorted(name for name in changed_files(store) if name != "MEMORY.md")
    assert len(new) == 3
    assert new[1].endswith("_2.md")
    assert files(store)["MEMORY.md"].count("[日本語]") == 3


def test_adding_a_memory_creates_a_missing_index(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", STORES["files only"])
    plans = apply(store, write("add", content="New."))
    assert files(store)["MEMORY.md"] == "- [New.](project_new.md) — New.\n"
    undo(store, plans)
    assert changed_files(store, STORES["files only"]) == {}


def test_new_files_have_the_mode_of_the_others(store: ClaudeCode) -> None:
    for path in store.root.iterdir():
        path.chmod(0o640)
    apply(store, write("add", content="New."))
    plans = apply(store, write("dismiss", record_with(store, "scientist")))
    undo(store, plans)
    assert {path.stat().st_mode & 0o777 for path in store.root.iterdir()} == {0o640}


def test_support_describes_each_action(store: ClaudeCode) -> None:
    assert (
        store.support_for("dismiss").text
        == "removes its file and its line in MEMORY.md, and keeps both in memtui"
    )
    assert store.support_for("dismiss").kind is SupportKind.MOVED
    assert {store.support_for("edit", name).kind for name in ("content", "title", "category")} == {
        SupportKind.NATIVE
    }
    assert store.support_for("edit", "tags").kind is SupportKind.WORKSPACE
    assert store.support_for("pin").text == "is kept in memtui: Claude Code memories have no pins"


@pytest.mark.parametrize(
    ("locked", "message"),
    [
        (".", "No write permission for memory."),
        ("MEMORY.md", "No write permission for MEMORY.md."),
        ("user_role.md", "Not saved: no write permission for user_role.md."),
    ],
)
def test_a_path_that_cannot_be_written_is_refused_by_name(locked: str, message: str) -> None:
    script = (
        "import os, sys; from pathlib import Path; from memtui.formats.claude_code import ClaudeCode\n"
        "from tests.support.stores.files import record_with, write\n"
        "store = ClaudeCode(Path(sys.argv[1]))\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"  # root may write everything
        "print(store.locked_reason() or store.plan([write('dismiss', record_with(store, 'scientist'))])[0])"
    )
    with tempfile.TemporaryDirectory() as base:
        store = make(Path(base) / "memory")
        for path in (Path(base), store.root, *store.root.iterdir()):
            path.chmod(0o777)
        (store.root / locked).chmod(0o555)
        ran = subprocess.run(
            [sys.executable, "-c", script, str(store.root)], cwd=REPOSITORY, capture_output=True, text=True
        )
        assert (ran.stdout, ran.stderr) == (f"{message}\n", "")


# -- batches

_HEADS = ["", "# Memory\n", "Some text that goes\non.\n", "- a bullet\n", "---\nname: x\n---\n", "Title\n"]


_BETWEEN = ["", "\n", "  more of it\n", "Free text.\n", "- a bullet\n", "## Part\n", "===\n", "```\nx\n```\n"]


@given(st.data())
@examples(60)
def test_removing_index_lines_in_a_batch_equals_removing_them_one_by_one(data: st.DataObject) -> None:
    names = [f"n{number}.md" for number in range(6)]
    parts = [f"- [N]({name}) — hook\n{data.draw(st.sampled_from(_BETWEEN))}" for name in names]
    text = data.draw(st.sampled_from(_HEADS)) + "".join(parts)
    text = text.removesuffix("\n") if data.draw(st.booleans()) else text
    order = data.draw(st.permutations(names))[: data.draw(st.integers(1, 6))]
    batch = Draft({"MEMORY.md": text.encode()} | dict.fromkeys(names, b"x"))
    single = text.encode()
    for name in order:
        lines = writer.shrinking_index(batch)
        for entry in reversed(lines.entries_for(name)):
            writer.remove_entry(batch, lines, entry)
        alone = Draft({"MEMORY.md": single})
        for entry in reversed(index.read(single).entries_for(name)):
            writer.remove_lines(alone, entry.start, entry.end)
        single = alone.files["MEMORY.md"]
        assert batch.files["MEMORY.md"] == single


def test_one_change_reads_each_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make(tmp_path / "memory", {f"n{n}.md": flat(f"N{n}", "user", f"Says {n}.") for n in range(40)})
    heads: list[bytes] = []
    parsed_sizes: list[int] = []
    read, parse = document.read, ClaudeCode.parse

    def count_note(data: bytes) -> document.Note:
        heads.append(data)
        return read(data)

    def count_files(self: ClaudeCode, files: Mapping[str, bytes]) -> Reading:
        parsed_sizes.append(len(files))
        return parse(self, files)

    monkeypatch.setattr(document, "read", count_note)
    monkeypatch.setattr(ClaudeCode, "parse", count_files)
    assert "n3.md" in store.read_refs(["n3.md"])
    (plan,) = store.plan([Write("edit", "n3.md", {"content": "Other words."}, {}, 0.0)])
    assert isinstance(plan, Plan)
    store.apply([plan], "token")
    assert parsed_sizes == [
        40
    ]  # the result is parsed for its links and findings; of the state before, the records suffice
    assert len(heads) <= 40 + 5
