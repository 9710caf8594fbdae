"""Base Coat's shared memories: which folders they are, how they read, what each action makes of them."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.base_coat_shared.reader import matches_place
from memtui.formats.base_coat_shared.writer import format_confidence, subject_of
from memtui.formats.contract.adapter import How, Reading
from memtui.memory.memory import RECORD_FIELDS
from tests.support.sizes import examples, share
from tests.support.stores import claude_code
from tests.support.stores.base_coat_shared import APPROVAL, FENCED, FILES, PLAIN, SQUASH, make, many, sheet
from tests.support.stores.files import NOW, carry, do, said, the, tree, undo, write

TODAY = "2027-01-15"


@pytest.fixture
def store(tmp_path: Path) -> BaseCoatShared:
    return make(tmp_path / "memories")


def changed(store: BaseCoatShared, before: Mapping[str, bytes]) -> dict[str, str]:
    """The files that are no longer as they were; "" for one that is gone."""
    now = tree(store.root)
    names = sorted(now.keys() | before.keys())
    return {name: now.get(name, b"").decode() for name in names if now.get(name) != before.get(name)}


def reading(tmp_path: Path, files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "memories", files).read()


def codes(found: Reading) -> list[tuple[str, str]]:
    return sorted((finding.code, finding.place) for finding in found.findings)


def refused(store: BaseCoatShared, action: str, record: Any = None, **fields: Any) -> Refused:
    (answer,) = store.plan([write(action, record, **fields)])
    assert isinstance(answer, Refused)
    return answer


# -- recognise


def test_a_folder_of_shared_memories_is_recognised_whatever_it_is_called(tmp_path: Path) -> None:
    store = make(tmp_path / "whatever")
    assert BaseCoatShared.recognise(store.root) == store.root
    assert [kind for kind, _ in registry.find(store.root)] == [BaseCoatShared]


def test_it_is_found_in_a_folder_that_holds_it(tmp_path: Path) -> None:
    store = make(tmp_path / "memories")
    assert registry.find(tmp_path) == [(BaseCoatShared, store.root)]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"a.md": sheet("ci:a", "Not in a domain's folder.")},
        {"ci/deep/a.md": sheet("ci:a", "Too deep.")},
        {"ci/a.md": "---\nsubject: alone\n---\n\n## Pattern\n\nNo domain.\n"},
        {"ci/a.md": "---\nsubject: ci:a\n---\n\nNo pattern.\n"},
        {"ci/a.md": sheet("ci:a", "One of three."), "ci/b.md": "# B\n", "docs/c.md": "# C\n"},
        {"README.md": "# Shared memories\n"},
    ],
)
def test_other_folders_are_not(tmp_path: Path, files: dict[str, str]) -> None:
    folder = tmp_path / "memories"
    folder.mkdir()
    make(folder, files)
    assert BaseCoatShared.recognise(folder) is None


def test_claude_code_folders_are_not_and_the_other_way_round(tmp_path: Path) -> None:
    assert BaseCoatShared.recognise(claude_code.make(tmp_path / "memory").root) is None
    store = make(tmp_path / "memories")
    assert [kind.format for kind, _ in registry.find(store.root)] == ["base-coat-shared"]
    assert BaseCoatShared.recognise(tmp_path / "gone") is None
    assert BaseCoatShared.recognise(store.root / APPROVAL) is None


def test_a_new_store_is_private_empty_and_known(tmp_path: Path) -> None:
    root = BaseCoatShared.create(tmp_path / "team" / "memories")
    assert BaseCoatShared.recognise(root) == root
    assert [kind for kind, _ in registry.find(root)] == [BaseCoatShared]
    assert {oct(file.stat().st_mode & 0o777) for file in root.iterdir()} == {"0o600"}
    store = BaseCoatShared(root)
    assert (store.read().records, store.read().findings) == ([], [])
    before = tree(root)
    plans = do(store, write("add", content="Deploys go out on Thursdays."))
    assert [record.ref for record in store.read().records] == ["general/deploys-go-out-on-thursdays.md"]
    assert BaseCoatShared.recognise(root) == root
    undo(store, plans)
    assert tree(root) == before


# -- read


def test_a_file_reads_as_a_memory(store: BaseCoatShared) -> None:
    record = store.read_refs([APPROVAL])[APPROVAL]
    assert dict(record.fields) == {
        "title": "A maintainer pushes an empty commit, or an agent's changes start no build",
        "subject": "ci:agent-approval",
        "category": "convention",
        "content": "A maintainer pushes an empty commit, or an agent's changes start no build.",
        "confidence": 0.9,
        "source_excerpt": "- Seen in two retrospectives",
        "created_at": 1768003200.0,
        "last_confirmed_at": 1772323200.0,
        "extra": {"applies_to": "all teams"},
    }
    assert (record.anchor, record.place, record.unit) == (APPROVAL, APPROVAL, APPROVAL)


def test_a_healthy_store_reads_without_a_finding(store: BaseCoatShared) -> None:
    found = store.read()
    assert [record.ref for record in found.records] == sorted((APPROVAL, SQUASH, FENCED, PLAIN))
    assert all(set(record.fields) <= RECORD_FIELDS for record in found.records)
    assert found.findings == []
    assert found.links == []
    assert found.asides == []


def test_sections_read_as_markdown_means_them(store: BaseCoatShared) -> None:
    fenced = the(store, "make test").fields
    assert fenced["content"] == "Run what is there first:\n\n```sh\n## Pattern\nmake test\n```"
    assert fenced["source_excerpt"] == "Two people lost a day.\n\n### Where\n\nIn the nightly build."
    assert the(store, "Squash").fields["extra"] == {
        "applies_to": "all teams",
        "owner": "platform",
    }
    assert the(store, "Plan on").fields["source_excerpt"] == "Asked."


@pytest.mark.parametrize(
    ("line", "tags", "extra"),
    [
        ("tags: [git, 'merge', git]", ("git", "merge"), None),
        ('tags:\n  - git\n  - "a, b"', ("git", "a, b"), None),
        ("tags: git, merge ,", ("git", "merge"), None),
        ("tags: []", None, None),
        ("tags:", None, None),
        ("tags: {a: b}", None, {"tags": "{a: b}", "tags.a": "b"}),
    ],
)
def test_tags_of_a_head_are_those_of_the_memory(
    tmp_path: Path, line: str, tags: Any, extra: dict[str, str] | None
) -> None:
    text = sheet("ci:a", "Tagged.", more=f"{line}\n").replace('applies_to: "all teams"\n', "")
    store = make(tmp_path / "memories", {"ci/a.md": text})
    (record,) = store.read().records
    assert (record.fields.get("tags"), record.fields.get("extra")) == (tags, extra)
    before = tree(store.root)
    if tags:
        assert refused(store, "edit", record, tags=("x",)).code == "no-field"
    plans = do(store, write("edit", record, content="Still tagged."))
    assert line in tree(store.root)["ci/a.md"].decode()
    undo(store, plans)
    assert tree(store.root) == before


def test_files_that_lie_too_deep_are_told(tmp_path: Path) -> None:
    deep = {"ci/deep/er/nested.md": GOOD, "ci/deep/too.md": GOOD, "ci/other/b.md": GOOD}
    found = reading(tmp_path, {"ci/a.md": GOOD, "ci/deep/note.txt": "x", "ci/.git/x/y.md": "x", **deep})
    assert [record.ref for record in found.records] == ["ci/a.md"]
    assert [(each.code, each.place, each.text) for each in found.findings] == [
        ("too-deep", "ci/deep", "2 files lie deeper than domain/subject.md, where nobody looks."),
        ("too-deep", "ci/other", "A file lies deeper than domain/subject.md, where nobody looks."),
    ]


@pytest.mark.parametrize(
    ("created", "validated", "day"),
    [
        ("2026-07-18", "", "2026-07-18"),
        ("2026-07-20", "", None),
        ("2024-01-01", "2026-07-18", "2026-07-18"),
        ("2024-01-01", "2027-01-01", None),
        ("2026-12-01", "2024-01-01", None),
        ("soon", "", None),
    ],
)
def test_what_nobody_validated_for_long_is_stale(
    tmp_path: Path, created: str, validated: str, day: str | None
) -> None:
    text = GOOD.replace("2026-01-10", created)
    text = text.replace("applies_to", f'last_validated: "{validated}"\napplies_to') if validated else text
    store = make(tmp_path / "memories", {"ci/a.md": text})
    found = list(store.aged(store.read(), NOW))
    assert [(each.code, each.place, each.text) for each in found] == (
        [("stale", "ci/a.md", f"Nobody has validated it since {day}.")] if day else []
    )
    assert "180 days" in store.meanings["stale"]


def test_reading_leaves_every_byte(store: BaseCoatShared) -> None:
    before = tree(store.root)
    with store.look() as look:
        list(look.read(look.marks.keys()))
    store.stamp()
    store.locked()
    assert tree(store.root) == before


GOOD = sheet("ci:a", "A sound pattern.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("## Pattern", "## Rule"), {"no-pattern"}),
        (GOOD.replace("A sound pattern.\n\n## E", "\n\n## E"), {"no-pattern"}),
        (sheet("ci:a", "x" * 201), {"long-pattern"}),
        (sheet("ci:a", "ü☕" * 100), set()),
        (sheet("ci:a", "Low.", confidence="0.74"), {"low-confidence"}),
        (sheet("ci:a", "High.", confidence="1.3"), {"odd-confidence"}),
        (sheet("ci:a", "Words.", confidence="high"), {"odd-confidence"}),
        (sheet("ci:a", "None.", confidence="nan"), {"odd-confidence"}),
        (sheet("ci:b", "Elsewhere."), {"odd-subject"}),
        (sheet("git:a", "Elsewhere."), {"odd-subject"}),
        (sheet("CI:A", "However spelled."), set()),
        (GOOD.replace('subject: "ci:a"\n', ""), {"no-subject"}),
        (GOOD.replace('"convention"', '"rumour"'), {"odd-category"}),
        (GOOD.replace('"2026-01-10"', "soon"), {"odd-time"}),
        (GOOD.replace("confidence:", "category: fact\nconfidence:"), {"double-key"}),
        (GOOD.replace("applies_to: ", "applies_to:\n\t- "), {"tabs"}),
        (GOOD.replace("---\n\n#", "#"), {"unclosed-head", "no-subject", "odd-category", "odd-confidence"}),
        (GOOD[:40], {"unclosed-head", "no-subject", "odd-category", "odd-confidence", "no-pattern"}),
        ("", {"no-memory"}),
        ("# Only words\n", {"no-memory"}),
        ("\ufeff" + GOOD, set()),
        (GOOD.replace("\n", "\r\n"), set()),
        (GOOD.encode().replace(b"sound", b"so\xffund"), {"read-only"}),
        (GOOD + "x" * (1 << 20), {"read-only"}),
    ],
)
def test_what_is_odd_is_told_and_the_file_is_read_as_far_as_it_goes(
    tmp_path: Path, text: str | bytes, told: set[str]
) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": text, "ci/z.md": sheet("ci:z", "Another.")})
    before = tree(store.root)
    found = store.read()
    told_of_a = {finding.code for finding in found.findings if finding.place == "ci/a.md"}
    assert told_of_a == told
    assert all(place == "ci/a.md" for _, place in codes(found))
    assert [record.ref for record in found.records][-1] == "ci/z.md"
    assert tree(store.root) == before


def test_a_doubled_subject_is_told_of_both(tmp_path: Path) -> None:
    found = reading(tmp_path, {"ci/a.md": GOOD, "ci/copy.md": GOOD, "git/x.md": sheet("git:x", "X.")})
    assert codes(found) == [
        ("doubled-subject", "ci/a.md"),
        ("doubled-subject", "ci/copy.md"),
        ("odd-subject", "ci/copy.md"),
    ]
    assert [record.ref for record in found.records] == ["ci/a.md", "ci/copy.md", "git/x.md"]


def test_a_memory_beside_the_domains_is_shown_and_told(tmp_path: Path) -> None:
    found = reading(tmp_path, {"ci/a.md": GOOD, "loose.md": sheet("ci:loose", "Loose."), "notes.md": "# N\n"})
    assert codes(found) == [("odd-subject", "loose.md")]
    assert [record.ref for record in found.records] == ["ci/a.md", "loose.md"]


def test_links_are_read_only_and_named(tmp_path: Path) -> None:
    store = make(tmp_path / "memories")
    os.symlink(store.root / APPROVAL, store.root / "ci" / "twin.md")
    (tmp_path / "outside.md").write_text(GOOD)
    os.symlink(tmp_path / "outside.md", store.root / "ci" / "outside.md")
    found = store.read()
    assert {place for code, place in codes(found) if code == "link"} == {"ci/twin.md", "ci/outside.md"}
    twin = store.read_refs(["ci/twin.md"])["ci/twin.md"]
    assert refused(store, "edit", twin, content="Through a link.").code == "link"


def test_subjects_and_places() -> None:
    assert matches_place("CI: Agent approval", "ci/agent-approval.md")
    assert matches_place("ci:über_gang", "ci/über-gang.md")
    assert not matches_place("ci", "ci/a.md")
    assert not matches_place("", "ci/a.md")
    assert subject_of({"subject": "ci:a b"}) == "ci:a b"
    assert subject_of({"subject": "testing", "key": "k"}) == "general:testing"
    assert subject_of({"key": "acme-terms"}) == "general:acme-terms"
    assert subject_of({"content": "- Always archive newsletters, and never the invoices of today"}) == (
        "general:always-archive-newsletters-and-never-the"
    )
    assert subject_of({"content": "☕"}) == "general:memory"
    assert [format_confidence(number) for number in (0.9, 1.0, 0.75, 0.825, 1 / 3)] == [
        "0.90",
        "1.00",
        "0.75",
        "0.825",
        "0.3333",
    ]


# -- write


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
def test_an_action_changes_its_bytes_and_undo_puts_them_back(
    store: BaseCoatShared, action: str, name: str, fields: dict[str, Any], old: str | None, new: str | None
) -> None:
    before = tree(store.root)
    record = store.read_refs([name])[name]
    plans = do(store, write(action, record, **fields))
    if old is not None and new is not None:
        assert before[name].decode().count(old) == 1
        assert changed(store, before) == {name: before[name].decode().replace(old, new)}
    now = store.read_refs([name])[name].fields
    assert now["content"] == fields.get("content", record.fields["content"])
    after = tree(store.root)
    back = undo(store, plans)
    assert tree(store.root) == before
    undo(store, back)
    assert tree(store.root) == after


def test_a_confirmation_says_the_day(store: BaseCoatShared) -> None:
    before = tree(store.root)
    for name, line in (
        (APPROVAL, f'last_validated: "{TODAY}"\n'),
        (PLAIN, f"created: 2026-02-02\nlast_validated: {TODAY}\n"),
    ):
        record = store.read_refs([name])[name]
        do(store, write("confirm", record, last_confirmed_at=1_800_000_000.0))
        assert line in tree(store.root)[name].decode()
    squash = store.read_refs([SQUASH])[SQUASH]
    plans = do(store, write("confirm", squash, confidence=0.95, last_confirmed_at=1_800_000_000.0))
    text = before[SQUASH].decode()
    text = text.replace(": 0.8\r\n", ": 0.95\r\n")
    text = text.replace(
        'created: "2026-01-10"\r\n', f'created: "2026-01-10"\r\nlast_validated: "{TODAY}"\r\n'
    )
    assert tree(store.root)[SQUASH].decode() == text
    assert store.read().findings == []
    undo(store, plans)
    assert tree(store.root)[SQUASH] == before[SQUASH]


def test_a_dismissed_memory_leaves_its_folder_and_comes_back_to_the_byte(store: BaseCoatShared) -> None:
    (store.root / SQUASH).chmod(0o640)
    before = tree(store.root)
    plans = do(store, write("dismiss", the(store, "Squash")))
    assert changed(store, before) == {SQUASH: ""}
    (store.root / "git").rmdir()  # as git does with a folder without files
    undo(store, plans)
    assert tree(store.root) == before
    assert (store.root / SQUASH).stat().st_mode & 0o777 == 0o640


def test_one_whose_place_was_taken_comes_back_beside_it(store: BaseCoatShared) -> None:
    whole = tree(store.root)[SQUASH]
    plans = do(store, write("dismiss", the(store, "Squash")))
    theirs = sheet("git:squash-merge", "Never squash.")
    (store.root / SQUASH).write_text(theirs)
    undo(store, plans)
    assert tree(store.root)["git/squash-merge-2.md"] == whole
    assert tree(store.root)[SQUASH] == theirs.encode()


@pytest.mark.parametrize("order", share(itertools.permutations(range(4)), 12))
def test_changes_of_one_memory_and_of_two_come_off_in_any_order(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    store = make(tmp_path / "memories")
    before = tree(store.root)

    def record(name: str) -> Any:
        return store.read_refs([name])[name]

    plans = [
        do(store, write("edit", record(SQUASH), content="Rebase instead.")),
        do(store, write("edit", record(SQUASH), category="fact")),
        do(store, write("confirm", record(SQUASH), confidence=0.95, last_confirmed_at=1_800_000_000.0)),
        do(store, write("dismiss", record(PLAIN))),
    ]
    for number in order:
        undo(store, plans[number])
    assert tree(store.root) == before


def test_a_second_confirmation_leaves_the_first_one_undoable(store: BaseCoatShared) -> None:
    record = store.read_refs([PLAIN])[PLAIN]
    before = tree(store.root)
    first = do(store, write("edit", record, category="fact", last_confirmed_at=1_800_000_000.0))
    record = store.read_refs([PLAIN])[PLAIN]
    second = do(store, write("confirm", record, last_confirmed_at=1_800_200_000.0))
    undo(store, first)
    assert store.read_refs([PLAIN])[PLAIN].fields["category"] == "convention"
    undo(store, second)
    left = changed(store, before)
    assert left == {PLAIN: FILES[PLAIN].replace("02-02\n", f"02-02\nlast_validated: {TODAY}\n")}


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        (
            {"content": "x" * 231},
            "too-long",
            "Not saved: a shared pattern has at most 200 characters, and this has 231.",
        ),
        ({"content": " \n"}, "empty", "Not saved: the content cannot be empty."),
        (
            {"category": "rumour"},
            "category",
            "Invalid category: must be one of fact, preference, decision, convention, pattern, anti-pattern",
        ),
        ({"content": "a\0b"}, "text", "Not saved: the content holds a NUL or half a character."),
        ({"key": "k"}, "no-field", "Not saved: a shared memory has no key."),
        (
            {"content": "One.\n\n## Evidence\n\nForged."},
            "shape",
            "Not saved: in the file this would be read as more than one section, or as something else.",
        ),
        (
            {"content": "One.\n\n```\nwithout an end"},
            "shape",
            "Not saved: in the file this would be read as more than one section, or as something else.",
        ),
    ],
)
def test_what_the_format_forbids_is_refused(
    store: BaseCoatShared, fields: dict[str, Any], code: str, words: str
) -> None:
    before = tree(store.root)
    refusal = refused(store, "edit", the(store, "Squash"), **fields)
    assert (refusal.code, refusal.message) == (code, words)
    assert tree(store.root) == before


@examples(30)
@given(
    st.text(st.sampled_from("ab é☕\n\r\t #`~->:|\"'\x0b\x0c\x85\u2028"), max_size=24),
    st.sampled_from((APPROVAL, SQUASH, FENCED, PLAIN)),
)
def test_any_text_reads_back_or_is_refused_and_comes_off(text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = make(Path(folder, "memories"))
        before = tree(store.root)
        record = store.read_refs([name])[name]
        (answer,) = store.plan([write("edit", record, content=text)])
        if isinstance(answer, Refused):
            assert tree(store.root) == before
            return
        plans, _ = carry(store, [answer])
        now = store.read_refs([name])[name].fields
        assert "".join(now["content"].split()) == "".join(text.split())
        assert {**now, "content": ""} == {**record.fields, "content": ""}
        assert changed(store, before).keys() <= {name}
        undo(store, plans)
        assert tree(store.root) == before


def test_a_pattern_of_just_200_characters_is_taken(store: BaseCoatShared) -> None:
    do(store, write("edit", the(store, "Squash"), content="ü" * 200))
    assert store.read().findings == []
    assert refused(store, "edit", the(store, "üü"), content="ü" * 201).hint == "Shorten it by 1."


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("confidence:", "category: fact\nconfidence:"),
        GOOD.replace("applies_to: ", "applies_to:\n\t- "),
        GOOD.replace("---\n\n#", "#"),
        GOOD.replace('"ci:a"', "*anchor"),
    ],
)
def test_an_odd_head_is_never_written(tmp_path: Path, text: str) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": text})
    before = tree(store.root)
    (record,) = store.read().records
    for fields in ({"category": "decision"}, {"confidence": 0.8}, {"last_confirmed_at": 1_800_000_000.0}):
        assert refused(store, "edit", record, **fields).code in ("head", "no-field")
    assert tree(store.root) == before


def test_the_text_below_an_odd_head_can_change(tmp_path: Path) -> None:
    text = GOOD.replace("confidence:", "category: fact\nconfidence:")
    store = make(tmp_path / "memories", {"ci/a.md": text})
    do(store, write("edit", store.read().records[0], content="Better."))
    assert tree(store.root)["ci/a.md"].decode() == text.replace("A sound pattern.\n\n## E", "Better.\n\n## E")


def test_what_a_head_lacks_is_added_where_it_belongs(tmp_path: Path) -> None:
    bare = "---\nsubject: ci:a\n---\n\n## Pattern\n\n## Evidence\n"
    store = make(tmp_path / "memories", {"ci/a.md": bare})
    (record,) = store.read().records
    fields = {"content": "New.", "category": "fact", "confidence": 0.8}
    plans = do(store, write("edit", record, **fields, last_confirmed_at=1_800_000_000.0))
    assert tree(store.root)["ci/a.md"].decode() == (
        f"---\nsubject: ci:a\ncategory: fact\nconfidence: 0.80\nlast_validated: {TODAY}\n---\n"
        "\n## Pattern\n\nNew.\n\n## Evidence\n"
    )
    assert store.read().findings == []
    undo(store, plans)
    assert tree(store.root)["ci/a.md"].decode() == bare


def test_a_file_with_a_bom_keeps_it(tmp_path: Path) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": "\ufeff" + GOOD})
    do(store, write("edit", store.read().records[0], content="Better.", confidence=0.95))
    wanted = GOOD.replace("A sound pattern.\n\n## E", "Better.\n\n## E").replace("0.90", "0.95")
    assert tree(store.root)["ci/a.md"].decode() == "\ufeff" + wanted


def test_a_changed_text_is_a_conflict(store: BaseCoatShared) -> None:
    record = the(store, "Squash")
    path = store.root / SQUASH
    path.write_bytes(path.read_bytes().replace(b"one change", b"two changes"))
    (answer,) = store.plan([write("edit", record, content="Mine.")])
    assert isinstance(answer, Conflict)
    assert answer.theirs == {"content": "Squash before a merge: two changes is one commit. ☕"}
    path.unlink()
    (answer,) = store.plan([write("edit", record, content="Mine.")])
    assert isinstance(answer, Conflict)


# -- add


def test_a_new_memory_is_a_file_as_base_coat_would_have_it(store: BaseCoatShared) -> None:
    before = tree(store.root)
    plans = do(
        store, write("add", content="Deploys go out on Thursdays, never on Fridays.", subject="ops:deploys")
    )
    assert changed(store, before) == {
        "ops/deploys.md": (
            f'---\nsubject: "ops:deploys"\ncategory: "convention"\nconfidence: 0.75\ncreated: "{TODAY}"\n'
            'applies_to: "all teams"\n---\n\n# Deploys go out on Thursdays, never\n\n## Pattern\n\n'
            "Deploys go out on Thursdays, never on Fridays.\n\n## Evidence\n\n"
            f"- Noted on {TODAY}.\n"
        )
    }
    assert store.read().findings == []
    undo(store, plans)
    assert tree(store.root) == before


def test_a_new_memory_takes_what_it_is_given(store: BaseCoatShared) -> None:
    given: dict[str, Any] = {
        "ref": "ci/own-name.md",
        "subject": "ci:own-name",
        "title": 'C# and "quotes" ☕',
        "category": "anti-pattern",
        "content": "Never do\nthis: `rm -rf`.",
        "confidence": 0.825,
        "tags": ("c#", "no"),
        "source_excerpt": "Somebody did.\n\nTwice.",
        "created_at": 1768003200.0,
        "last_confirmed_at": 1772323200.0,
        "extra": {"applies_to": ["a", 'b "c"'], "owner": "no", "deep": {"x": 1}},
    }
    assert set(given) == store.fields | store.restorable_fields
    do(store, write("add", **given))
    record = store.read_refs(["ci/own-name.md"])["ci/own-name.md"]
    assert 'tags: ["c#", "no"]\n' in tree(store.root)["ci/own-name.md"].decode()
    kept = {"extra": {"applies_to": ["a", 'b "c"'], "owner": "no"}}
    assert dict(record.fields) == {name: value for name, value in (given | kept).items() if name != "ref"}
    assert store.read().findings == []


def test_subjects_that_are_taken_or_none(store: BaseCoatShared) -> None:
    assert refused(store, "add", content="New.", subject="git:squash merge").code == "exists"
    assert refused(store, "add", content="New.", subject="testing").code == "subject"
    assert refused(store, "add", content="New.", subject="ci:" + "x" * 300).code == "subject"
    assert refused(store, "add", content="x" * 201, subject="ci:new").code == "too-long"
    adds = [write("add", content="The same words.") for _ in range(2)]
    plans = do(store, *adds)
    assert [plan.ref_after for plan in plans] == ["general/the-same-words.md", "general/the-same-words-2.md"]
    assert store.read().findings == []
    do(store, write("add", content="Taken ref.", ref=SQUASH))
    do(store, write("add", content="Strange ref.", ref="../../etc/passwd.md"))
    assert {"git/squash-merge-2.md", "general/strange-ref.md"} <= set(said(store))


def test_a_memory_of_another_store_is_fitted(store: BaseCoatShared) -> None:
    fitted = store.fit(
        {"key": "k-1", "category": "workflow", "content": "Text.", "tags": ("a",), "extra": {"sha": "x"}}
    )
    assert fitted.fields == {"category": "convention", "content": "Text.", "subject": "general:k-1"}
    assert fitted.changed == {"category": ("workflow", "convention"), "subject": (None, "general:k-1")}
    do(store, write("add", **fitted.fields))
    assert store.read().findings == []


@pytest.mark.parametrize(
    ("subject", "made"),
    [
        ("x" * 300, f"general:{'x' * 60}"),
        ("ci:" + "y" * 300, f"ci:{'y' * 60}"),
        ("ünï " * 80 + ": " + "zoo " * 80, f"{'ünï-' * 14}ünï:{'zoo-' * 14}zoo"),
        ("ci:" + "\U00020000" * 90, "ci:" + "\U00020000" * 24),
    ],
)
def test_a_long_subject_is_shortened_for_a_copy(store: BaseCoatShared, subject: str, made: str) -> None:
    fitted = store.fit({"content": "Of another store.", "subject": subject})
    said = fitted.fields["subject"]
    assert said == made
    assert fitted.changed["subject"] == (subject, said)
    do(store, write("add", **fitted.fields))
    assert the(store, "Of another").fields["subject"] == said
    assert store.read().findings == []


def test_a_subject_whose_file_would_have_too_long_a_name_is_shortened_or_refused(
    store: BaseCoatShared,
) -> None:
    subject = "ci:" + "\ufdfa" * 60  # one letter of four words
    assert "too long" in refused(store, "add", content="New.", subject=subject).message
    do(store, write("add", **store.fit({"content": "Of another store.", "subject": subject}).fields))
    assert store.read().findings == []


@pytest.mark.parametrize(
    "content", ["One.\n\n## Evidence\n\nForged.", "One.\n\n# Two", "One.\n\n```\nwithout an end"]
)
def test_a_new_text_that_would_be_more_than_one_section_is_refused(
    store: BaseCoatShared, content: str
) -> None:
    before = tree(store.root)
    refusal = refused(store, "add", content=content, subject="ci:new")
    assert (refusal.code, refusal.message) == (
        "shape",
        "Not saved: in the file this would be read as more than one section, or as something else.",
    )
    assert refusal.hint.startswith("Nothing was changed. Leave out lines that begin with #")
    assert refused(store, "edit", the(store, "Squash"), content=content).hint == refusal.hint
    assert tree(store.root) == before


def test_a_failed_write_leaves_no_folder(store: BaseCoatShared) -> None:
    (plan,) = store.plan([write("add", content="New.", subject="ops:new")])
    (store.root / "ops").write_text("a file of that name")
    with pytest.raises((Refused, OSError)):
        carry(store, [plan])
    (store.root / "ops").unlink()
    carry(store, [plan])
    assert "ops/new.md" in said(store)


# -- a large store


def test_of_a_large_store_only_what_changed_is_read(tmp_path: Path) -> None:
    store = make(tmp_path / "memories", many(300))
    with store.look() as look:
        before = dict(look.marks)
    name = "domain-3/topic-10.md"
    (store.root / name).write_text(sheet("domain-3:topic-10", "Changed by an agent."))

    class Known:
        def anchors_in(self, units: Any) -> set[str]:
            return set(units)

        def units_of(self, anchors: Any) -> set[str]:
            return set(anchors)

        def doubled(self) -> set[str]:
            return set()

        def is_target(self, names: Any, beside: Any) -> bool:
            return False

    with store.look() as look:
        moved = {unit for unit, mark in look.marks.items() if mark != before[unit] or unit == name}
        assert set(look.scope({name}, set(), Known())) == {name}
        (told,) = look.read({name})
    assert name in moved
    assert [record.fields["content"] for record in told.records] == ["Changed by an agent."]


# -- in words


@pytest.mark.parametrize(
    ("action", "name", "how", "words"),
    [
        ("dismiss", "", How.MOVED, "takes its file out of the folder and keeps it in memtui"),
        ("restore", "", How.MOVED, "puts its file back at its old place"),
        ("confirm", "", How.NATIVE, "raises its confidence in its file and sets last_validated to today"),
        ("edit", "content", How.NATIVE, "changes the pattern in its file, of at most 200 characters"),
        ("edit", "category", How.NATIVE, "changes the category in its file"),
        (
            "edit",
            "tags",
            How.WORKSPACE,
            "is kept in memtui: tags in the head of a shared memory are only read",
        ),
        ("pin", "", How.WORKSPACE, "is kept in memtui: Base Coat's shared memory has no pin"),
        ("unpin", "", How.WORKSPACE, "is kept in memtui: Base Coat's shared memory has no pin"),
        ("relate", "refines", How.WORKSPACE, "is kept in memtui: Base Coat's shared memory has no relations"),
    ],
)
def test_each_action_says_what_it_does_where(
    store: BaseCoatShared, action: str, name: str, how: How, words: str
) -> None:
    support = store.supports(action, name)
    assert (support.how, support.words) == (how, words)
