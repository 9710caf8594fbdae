"""Base Coat shared memories: what each action writes."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.base_coat_shared import BaseCoatShared
from tests.formats.base_coat_shared.support import GOOD, TODAY, changed_files, refusal_of
from tests.support.sizes import examples, sample_cases
from tests.support.stores.base_coat_shared import APPROVAL, FENCED, FILES, PLAIN, SQUASH, document, make
from tests.support.stores.files import (
    apply,
    apply_plans,
    read_tree,
    record_with,
    undo,
    write,
)

ACTIONS: list[Any] = [
    pytest.param(
        "edit",
        APPROVAL,
        {"content": "Push an empty commit."},
        "A maintainer pushes an empty commit, or an agent's changes start no build.\n\n## E",
        "Push an empty commit.\n\n## E",
        id="text",
    ),
    pytest.param(
        "edit",
        SQUASH,
        {"content": "Two\nlines ☕ “quoted”."},
        "Squash before a merge: one change is one commit. ☕\r\n\r\n## E",
        "Two\r\nlines ☕ “quoted”.\r\n\r\n## E",
        id="lines in a file with CRLF",
    ),
    pytest.param(
        "edit", PLAIN, {"content": "Plan."}, "Plan on Mondays.", "Plan.", id="text without blank lines"
    ),
    pytest.param(
        "edit",
        APPROVAL,
        {"category": "fact"},
        '"convention"    ',
        '"fact"    ',
        id="category before a comment",
    ),
    pytest.param("edit", PLAIN, {"category": "decision"}, ": convention", ": decision", id="plain category"),
    pytest.param("edit", APPROVAL, {"confidence": 0.8}, ": 0.90", ": 0.80", id="confidence"),
    pytest.param("edit", PLAIN, {"confidence": 7.0 / 8}, ": 1\n", ": 0.875\n", id="a whole number"),
    pytest.param(
        "confirm",
        APPROVAL,
        {"confidence": 1.0, "last_confirmed_at": 1_800_000_000.0},
        None,
        None,
        id="confirm",
    ),
]


@pytest.mark.parametrize(("action", "name", "fields", "old", "new"), ACTIONS)
def test_an_action_changes_its_bytes_and_undo_restores_them(
    store: BaseCoatShared, action: str, name: str, fields: dict[str, Any], old: str | None, new: str | None
) -> None:
    before = read_tree(store.root)
    record = store.read_refs([name])[name]
    plans = apply(store, write(action, record, **fields))
    if old is not None and new is not None:
        assert before[name].decode().count(old) == 1
        assert changed_files(store, before) == {name: before[name].decode().replace(old, new)}
    changed = store.read_refs([name])[name].fields
    assert changed["content"] == fields.get("content", record.fields["content"])
    after = read_tree(store.root)
    undos = undo(store, plans)
    assert read_tree(store.root) == before
    undo(store, undos)
    assert read_tree(store.root) == after


def test_confirming_writes_the_day(store: BaseCoatShared) -> None:
    before = read_tree(store.root)
    for name, line in (
        (APPROVAL, f'last_validated: "{TODAY}"\n'),
        (PLAIN, f"created: 2026-02-02\nlast_validated: {TODAY}\n"),
    ):
        record = store.read_refs([name])[name]
        apply(store, write("confirm", record, last_confirmed_at=1_800_000_000.0))
        assert line in read_tree(store.root)[name].decode()
    squash = store.read_refs([SQUASH])[SQUASH]
    plans = apply(store, write("confirm", squash, confidence=0.95, last_confirmed_at=1_800_000_000.0))
    text = before[SQUASH].decode()
    text = text.replace(": 0.8\r\n", ": 0.95\r\n")
    text = text.replace(
        'created: "2026-01-10"\r\n', f'created: "2026-01-10"\r\nlast_validated: "{TODAY}"\r\n'
    )
    assert read_tree(store.root)[SQUASH].decode() == text
    assert store.read().findings == []
    undo(store, plans)
    assert read_tree(store.root)[SQUASH] == before[SQUASH]


def test_a_dismissed_memory_is_removed_and_restored_to_the_byte(store: BaseCoatShared) -> None:
    (store.root / SQUASH).chmod(0o640)
    before = read_tree(store.root)
    plans = apply(store, write("dismiss", record_with(store, "Squash")))
    assert changed_files(store, before) == {SQUASH: ""}
    (store.root / "git").rmdir()  # as git does with a folder without files
    undo(store, plans)
    assert read_tree(store.root) == before
    assert (store.root / SQUASH).stat().st_mode & 0o777 == 0o640


def test_a_memory_whose_path_is_taken_is_restored_under_another_name(store: BaseCoatShared) -> None:
    original = read_tree(store.root)[SQUASH]
    plans = apply(store, write("dismiss", record_with(store, "Squash")))
    replacement = document("git:squash-merge", "Never squash.")
    (store.root / SQUASH).write_text(replacement)
    undo(store, plans)
    assert read_tree(store.root)["git/squash-merge-2.md"] == original
    assert read_tree(store.root)[SQUASH] == replacement.encode()


@pytest.mark.parametrize("order", sample_cases(itertools.permutations(range(4)), 12))
def test_changes_of_one_memory_and_of_two_are_undone_in_any_order(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    store = make(tmp_path / "memories")
    before = read_tree(store.root)

    def record(name: str) -> Any:
        return store.read_refs([name])[name]

    plans = [
        apply(store, write("edit", record(SQUASH), content="Rebase instead.")),
        apply(store, write("edit", record(SQUASH), category="fact")),
        apply(store, write("confirm", record(SQUASH), confidence=0.95, last_confirmed_at=1_800_000_000.0)),
        apply(store, write("dismiss", record(PLAIN))),
    ]
    for number in order:
        undo(store, plans[number])
    assert read_tree(store.root) == before


def test_the_first_of_two_confirmations_can_be_undone(store: BaseCoatShared) -> None:
    record = store.read_refs([PLAIN])[PLAIN]
    before = read_tree(store.root)
    first = apply(store, write("edit", record, category="fact", last_confirmed_at=1_800_000_000.0))
    record = store.read_refs([PLAIN])[PLAIN]
    second = apply(store, write("confirm", record, last_confirmed_at=1_800_200_000.0))
    undo(store, first)
    assert store.read_refs([PLAIN])[PLAIN].fields["category"] == "convention"
    undo(store, second)
    remaining = changed_files(store, before)
    assert remaining == {PLAIN: FILES[PLAIN].replace("02-02\n", f"02-02\nlast_validated: {TODAY}\n")}


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"content": "x" * 231},
            "too-long",
            "Not saved: a shared pattern can have at most 200 characters; this one has 231.",
        ),
        ({"content": " \n"}, "empty", "Not saved: the content can't be empty."),
        (
            {"category": "rumour"},
            "category",
            "Invalid category “rumour”: Base Coat shared memory has only "
            "fact, preference, decision, convention, pattern, anti-pattern.",
        ),
        (
            {"content": "a\0b"},
            "text",
            "Not saved: the content contains an invalid character (NUL or lone surrogate).",
        ),
        ({"key": "k"}, "no-field", "Not saved: shared memories have no key."),
        (
            {"content": "One.\n\n## Evidence\n\nForged."},
            "shape",
            "Not saved: this text would not read back as a single pattern.",
        ),
        (
            {"content": "One.\n\n```\nwithout an end"},
            "shape",
            "Not saved: this text would not read back as a single pattern.",
        ),
    ],
)
def test_values_that_the_format_forbids_are_refused(
    store: BaseCoatShared, fields: dict[str, Any], code: str, message: str
) -> None:
    before = read_tree(store.root)
    refusal = refusal_of(store, "edit", record_with(store, "Squash"), **fields)
    assert (refusal.code, refusal.message) == (code, message)
    assert read_tree(store.root) == before


@examples(30)
@given(
    st.text(st.sampled_from("ab é☕\n\r\t #`~->:|\"'\x0b\x0c\x85\u2028"), max_size=24),
    st.sampled_from((APPROVAL, SQUASH, FENCED, PLAIN)),
)
def test_any_text_reads_back_and_is_undone_or_is_refused(text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = make(Path(folder, "memories"))
        before = read_tree(store.root)
        record = store.read_refs([name])[name]
        (planned,) = store.plan([write("edit", record, content=text)])
        if isinstance(planned, Refused):
            assert read_tree(store.root) == before
            return
        plans, _ = apply_plans(store, [planned])
        after = store.read_refs([name])[name].fields
        assert "".join(after["content"].split()) == "".join(text.split())
        assert {**after, "content": ""} == {**record.fields, "content": ""}
        assert changed_files(store, before).keys() <= {name}
        undo(store, plans)
        assert read_tree(store.root) == before


def test_a_pattern_of_exactly_200_characters_is_accepted(store: BaseCoatShared) -> None:
    apply(store, write("edit", record_with(store, "Squash"), content="ü" * 200))
    assert store.read().findings == []
    assert (
        refusal_of(store, "edit", record_with(store, "üü"), content="ü" * 201).hint
        == "Shorten it by 1 character."
    )


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("confidence:", "category: fact\nconfidence:"),
        GOOD.replace("applies_to: ", "applies_to:\n\t- "),
        GOOD.replace("---\n\n#", "#"),
        GOOD.replace('"ci:a"', "*anchor"),
    ],
)
def test_invalid_front_matter_is_never_written(tmp_path: Path, text: str) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": text})
    before = read_tree(store.root)
    (record,) = store.read().records
    for fields in ({"category": "decision"}, {"confidence": 0.8}, {"last_confirmed_at": 1_800_000_000.0}):
        assert refusal_of(store, "edit", record, **fields).code in ("head", "no-field")
    assert read_tree(store.root) == before


def test_the_text_below_invalid_front_matter_can_be_edited(tmp_path: Path) -> None:
    text = GOOD.replace("confidence:", "category: fact\nconfidence:")
    store = make(tmp_path / "memories", {"ci/a.md": text})
    apply(store, write("edit", store.read().records[0], content="Better."))
    assert read_tree(store.root)["ci/a.md"].decode() == text.replace(
        "A sound pattern.\n\n## E", "Better.\n\n## E"
    )


def test_missing_front_matter_keys_are_added_in_order(tmp_path: Path) -> None:
    bare = "---\nsubject: ci:a\n---\n\n## Pattern\n\n## Evidence\n"
    store = make(tmp_path / "memories", {"ci/a.md": bare})
    (record,) = store.read().records
    fields = {"content": "New.", "category": "fact", "confidence": 0.8}
    plans = apply(store, write("edit", record, **fields, last_confirmed_at=1_800_000_000.0))
    assert read_tree(store.root)["ci/a.md"].decode() == (
        f"---\nsubject: ci:a\ncategory: fact\nconfidence: 0.80\nlast_validated: {TODAY}\n---\n"
        "\n## Pattern\n\nNew.\n\n## Evidence\n"
    )
    assert store.read().findings == []
    undo(store, plans)
    assert read_tree(store.root)["ci/a.md"].decode() == bare


def test_a_file_with_a_bom_keeps_it(tmp_path: Path) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": "\ufeff" + GOOD})
    apply(store, write("edit", store.read().records[0], content="Better.", confidence=0.95))
    wanted = GOOD.replace("A sound pattern.\n\n## E", "Better.\n\n## E").replace("0.90", "0.95")
    assert read_tree(store.root)["ci/a.md"].decode() == "\ufeff" + wanted


def test_a_text_changed_by_an_agent_is_a_conflict(store: BaseCoatShared) -> None:
    record = record_with(store, "Squash")
    path = store.root / SQUASH
    path.write_bytes(path.read_bytes().replace(b"one change", b"two changes"))
    (conflict,) = store.plan([write("edit", record, content="Mine.")])
    assert isinstance(conflict, Conflict)
    assert conflict.stored == {"content": "Squash before a merge: two changes is one commit. ☕"}
    path.unlink()
    (conflict,) = store.plan([write("edit", record, content="Mine.")])
    assert isinstance(conflict, Conflict)
