"""Base Coat shared memories: how folders are recognised and read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.base_coat_shared.reader import matches_place
from memtui.formats.base_coat_shared.writer import format_confidence, subject_of
from memtui.formats.contract.records import Reading
from memtui.memory.memory import RECORD_FIELDS
from tests.formats.base_coat_shared.support import GOOD, refusal_of
from tests.support.stores import claude_code
from tests.support.stores.base_coat_shared import APPROVAL, FENCED, PLAIN, SQUASH, document, make
from tests.support.stores.files import (
    NOW,
    apply,
    read_tree,
    record_with,
    undo,
    write,
)


def read_files(tmp_path: Path, files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "memories", files).read()


def codes(reading: Reading) -> list[tuple[str, str]]:
    return sorted((finding.code, finding.place) for finding in reading.findings)


# -- recognise


def test_a_folder_of_shared_memories_is_recognised_under_any_name(tmp_path: Path) -> None:
    store = make(tmp_path / "whatever")
    assert BaseCoatShared.recognise(store.root) == store.root
    assert [kind for kind, _ in registry.find(store.root)] == [BaseCoatShared]


def test_a_store_is_found_in_its_parent_folder(tmp_path: Path) -> None:
    store = make(tmp_path / "memories")
    assert registry.find(tmp_path) == [(BaseCoatShared, store.root)]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"a.md": document("ci:a", "Not in a domain's folder.")},
        {"ci/deep/a.md": document("ci:a", "Too deep.")},
        {"ci/a.md": "---\nsubject: alone\n---\n\n## Pattern\n\nNo domain.\n"},
        {"ci/a.md": "---\nsubject: ci:a\n---\n\nNo pattern.\n"},
        {"ci/a.md": document("ci:a", "One of three."), "ci/b.md": "# B\n", "docs/c.md": "# C\n"},
        {"README.md": "# Shared memories\n"},
    ],
)
def test_other_folders_are_not_recognised(tmp_path: Path, files: dict[str, str]) -> None:
    folder = tmp_path / "memories"
    folder.mkdir()
    make(folder, files)
    assert BaseCoatShared.recognise(folder) is None


def test_shared_memories_and_claude_code_folders_are_not_confused(tmp_path: Path) -> None:
    assert BaseCoatShared.recognise(claude_code.make(tmp_path / "memory").root) is None
    store = make(tmp_path / "memories")
    assert [kind.format for kind, _ in registry.find(store.root)] == ["base-coat-shared"]
    assert BaseCoatShared.recognise(tmp_path / "gone") is None
    assert BaseCoatShared.recognise(store.root / APPROVAL) is None


def test_a_new_store_is_private_empty_and_recognised(tmp_path: Path) -> None:
    root = BaseCoatShared.create(tmp_path / "team" / "memories")
    assert BaseCoatShared.recognise(root) == root
    assert [kind for kind, _ in registry.find(root)] == [BaseCoatShared]
    assert {oct(file.stat().st_mode & 0o777) for file in root.iterdir()} == {"0o600"}
    store = BaseCoatShared(root)
    assert (store.read().records, store.read().findings) == ([], [])
    before = read_tree(root)
    plans = apply(store, write("add", content="Deploys go out on Thursdays."))
    assert [record.ref for record in store.read().records] == ["general/deploys-go-out-on-thursdays.md"]
    assert BaseCoatShared.recognise(root) == root
    undo(store, plans)
    assert read_tree(root) == before


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
    result = store.read()
    assert [record.ref for record in result.records] == sorted((APPROVAL, SQUASH, FENCED, PLAIN))
    assert all(set(record.fields) <= RECORD_FIELDS for record in result.records)
    assert result.findings == []
    assert result.links == []
    assert result.side_records == []


def test_sections_are_read_by_the_rules_of_markdown(store: BaseCoatShared) -> None:
    fenced = record_with(store, "make test").fields
    assert fenced["content"] == "Run what is there first:\n\n```sh\n## Pattern\nmake test\n```"
    assert fenced["source_excerpt"] == "Two people lost a day.\n\n### Where\n\nIn the nightly build."
    assert record_with(store, "Squash").fields["extra"] == {
        "applies_to": "all teams",
        "owner": "platform",
    }
    assert record_with(store, "Plan on").fields["source_excerpt"] == "Asked."


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
def test_tags_are_read_from_the_front_matter(
    tmp_path: Path, line: str, tags: Any, extra: dict[str, str] | None
) -> None:
    text = document("ci:a", "Tagged.", front_matter=f"{line}\n").replace('applies_to: "all teams"\n', "")
    store = make(tmp_path / "memories", {"ci/a.md": text})
    (record,) = store.read().records
    assert (record.fields.get("tags"), record.fields.get("extra")) == (tags, extra)
    before = read_tree(store.root)
    if tags:
        assert refusal_of(store, "edit", record, tags=("x",)).code == "no-field"
    plans = apply(store, write("edit", record, content="Still tagged."))
    assert line in read_tree(store.root)["ci/a.md"].decode()
    undo(store, plans)
    assert read_tree(store.root) == before


def test_files_too_many_folders_down_are_findings(tmp_path: Path) -> None:
    deep = {"ci/deep/er/nested.md": GOOD, "ci/deep/too.md": GOOD, "ci/other/b.md": GOOD}
    result = read_files(tmp_path, {"ci/a.md": GOOD, "ci/deep/note.txt": "x", "ci/.git/x/y.md": "x", **deep})
    assert [record.ref for record in result.records] == ["ci/a.md"]
    assert [(finding.code, finding.place, finding.text) for finding in result.findings] == [
        ("too-deep", "ci/deep", "2 files are nested deeper than domain/subject.md and not read."),
        ("too-deep", "ci/other", "1 file is nested deeper than domain/subject.md and not read."),
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
def test_memories_not_validated_for_long_are_stale(
    tmp_path: Path, created: str, validated: str, day: str | None
) -> None:
    text = GOOD.replace("2026-01-10", created)
    text = text.replace("applies_to", f'last_validated: "{validated}"\napplies_to') if validated else text
    store = make(tmp_path / "memories", {"ci/a.md": text})
    findings = list(store.age_findings(store.read(), NOW))
    assert [(finding.code, finding.place, finding.text) for finding in findings] == (
        [("stale", "ci/a.md", f"Not validated since {day}.")] if day else []
    )
    assert "180 days" in store.finding_help["stale"]


def test_reading_changes_no_byte(store: BaseCoatShared) -> None:
    before = read_tree(store.root)
    with store.snapshot() as snapshot:
        list(snapshot.read(snapshot.fingerprints.keys()))
    store.fingerprint()
    store.locked_reason()
    assert read_tree(store.root) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD.replace("## Pattern", "## Rule"), {"no-pattern"}),
        (GOOD.replace("A sound pattern.\n\n## E", "\n\n## E"), {"no-pattern"}),
        (document("ci:a", "x" * 201), {"long-pattern"}),
        (document("ci:a", "ü☕" * 100), set()),
        (document("ci:a", "Low.", confidence="0.74"), {"low-confidence"}),
        (document("ci:a", "High.", confidence="1.3"), {"odd-confidence"}),
        (document("ci:a", "Words.", confidence="high"), {"odd-confidence"}),
        (document("ci:a", "None.", confidence="nan"), {"odd-confidence"}),
        (document("ci:b", "Elsewhere."), {"odd-subject"}),
        (document("git:a", "Elsewhere."), {"odd-subject"}),
        (document("CI:A", "However spelled."), set()),
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
        (GOOD + "x" * (1 << 20), {"too-large"}),
    ],
)
def test_invalid_files_are_findings_and_are_read_as_far_as_possible(
    tmp_path: Path, text: str | bytes, expected: set[str]
) -> None:
    store = make(tmp_path / "memories", {"ci/a.md": text, "ci/z.md": document("ci:z", "Another.")})
    before = read_tree(store.root)
    result = store.read()
    found_in_a = {finding.code for finding in result.findings if finding.place == "ci/a.md"}
    assert found_in_a == expected
    assert all(place == "ci/a.md" for _, place in codes(result))
    assert [record.ref for record in result.records][-1] == "ci/z.md"
    assert read_tree(store.root) == before


def test_a_subject_used_twice_is_a_finding_on_both_files(tmp_path: Path) -> None:
    result = read_files(tmp_path, {"ci/a.md": GOOD, "ci/copy.md": GOOD, "git/x.md": document("git:x", "X.")})
    assert codes(result) == [
        ("doubled-subject", "ci/a.md"),
        ("doubled-subject", "ci/copy.md"),
        ("odd-subject", "ci/copy.md"),
    ]
    assert [record.ref for record in result.records] == ["ci/a.md", "ci/copy.md", "git/x.md"]


def test_a_memory_outside_of_the_domain_folders_is_read_with_a_finding(tmp_path: Path) -> None:
    result = read_files(
        tmp_path, {"ci/a.md": GOOD, "loose.md": document("ci:loose", "Loose."), "notes.md": "# N\n"}
    )
    assert codes(result) == [("odd-subject", "loose.md")]
    assert [record.ref for record in result.records] == ["ci/a.md", "loose.md"]


def test_symlinks_are_read_only_with_a_finding(tmp_path: Path) -> None:
    store = make(tmp_path / "memories")
    os.symlink(store.root / APPROVAL, store.root / "ci" / "twin.md")
    (tmp_path / "outside.md").write_text(GOOD)
    os.symlink(tmp_path / "outside.md", store.root / "ci" / "outside.md")
    result = store.read()
    assert {place for code, place in codes(result) if code == "link"} == {"ci/twin.md", "ci/outside.md"}
    linked = store.read_refs(["ci/twin.md"])["ci/twin.md"]
    assert refusal_of(store, "edit", linked, content="Through a link.").code == "link"


def test_a_subject_gives_the_path_of_a_file() -> None:
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
