"""Base Coat shared memories: adding, large stores, and what the store supports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.contract.adapter import SupportKind
from tests.formats.base_coat_shared.support import TODAY, changed_files, refusal_of
from tests.support.stores.base_coat_shared import SQUASH, document, make, many
from tests.support.stores.files import (
    apply,
    apply_plans,
    fields_by_ref,
    read_tree,
    record_with,
    undo,
    write,
)

# -- add


def test_a_new_memory_is_a_file_as_base_coat_expects_it(store: BaseCoatShared) -> None:
    before = read_tree(store.root)
    plans = apply(
        store, write("add", content="Deploys go out on Thursdays, never on Fridays.", subject="ops:deploys")
    )
    assert changed_files(store, before) == {
        "ops/deploys.md": (
            f'---\nsubject: "ops:deploys"\ncategory: "convention"\nconfidence: 0.75\ncreated: "{TODAY}"\n'
            'applies_to: "all teams"\n---\n\n# Deploys go out on Thursdays, never\n\n## Pattern\n\n'
            "Deploys go out on Thursdays, never on Fridays.\n\n## Evidence\n\n"
            f"- Noted on {TODAY}.\n"
        )
    }
    assert store.read().findings == []
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_new_memory_takes_the_given_fields(store: BaseCoatShared) -> None:
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
    apply(store, write("add", **given))
    record = store.read_refs(["ci/own-name.md"])["ci/own-name.md"]
    assert 'tags: ["c#", "no"]\n' in read_tree(store.root)["ci/own-name.md"].decode()
    extra = {"extra": {"applies_to": ["a", 'b "c"'], "owner": "no"}}
    assert dict(record.fields) == {name: value for name, value in (given | extra).items() if name != "ref"}
    assert store.read().findings == []


def test_taken_and_invalid_subjects_are_refused_and_missing_ones_get_a_free_path(
    store: BaseCoatShared,
) -> None:
    assert refusal_of(store, "add", content="New.", subject="git:squash merge").code == "exists"
    assert refusal_of(store, "add", content="New.", subject="testing").code == "subject"
    assert refusal_of(store, "add", content="New.", subject="ci:" + "x" * 300).code == "subject"
    assert refusal_of(store, "add", content="x" * 201, subject="ci:new").code == "too-long"
    adds = [write("add", content="The same words.") for _ in range(2)]
    plans = apply(store, *adds)
    assert [plan.ref_after for plan in plans] == ["general/the-same-words.md", "general/the-same-words-2.md"]
    assert store.read().findings == []
    apply(store, write("add", content="Taken ref.", ref=SQUASH))
    apply(store, write("add", content="Strange ref.", ref="../../etc/passwd.md"))
    assert {"git/squash-merge-2.md", "general/strange-ref.md"} <= set(fields_by_ref(store))


def test_fit_adapts_a_memory_of_another_store(store: BaseCoatShared) -> None:
    fitted = store.fit(
        {"key": "k-1", "category": "workflow", "content": "Text.", "tags": ("a",), "extra": {"sha": "x"}}
    )
    assert fitted.fields == {"category": "convention", "content": "Text.", "subject": "general:k-1"}
    assert fitted.changed == {"category": ("workflow", "convention"), "subject": (None, "general:k-1")}
    apply(store, write("add", **fitted.fields))
    assert store.read().findings == []


@pytest.mark.parametrize(
    ("subject", "shortened"),
    [
        ("x" * 300, f"general:{'x' * 60}"),
        ("ci:" + "y" * 300, f"ci:{'y' * 60}"),
        ("ünï " * 80 + ": " + "zoo " * 80, f"{'ünï-' * 14}ünï:{'zoo-' * 14}zoo"),
        ("ci:" + "\U00020000" * 90, "ci:" + "\U00020000" * 24),
    ],
)
def test_fit_shortens_a_long_subject(store: BaseCoatShared, subject: str, shortened: str) -> None:
    fitted = store.fit({"content": "Of another store.", "subject": subject})
    assert fitted.fields["subject"] == shortened
    assert fitted.changed["subject"] == (subject, shortened)
    apply(store, write("add", **fitted.fields))
    assert record_with(store, "Of another").fields["subject"] == shortened
    assert store.read().findings == []


def test_a_subject_with_a_too_long_file_name_is_shortened_or_refused(
    store: BaseCoatShared,
) -> None:
    subject = "ci:" + "\ufdfa" * 60  # one character that normalises to four words
    assert "too long" in refusal_of(store, "add", content="New.", subject=subject).message
    apply(store, write("add", **store.fit({"content": "Of another store.", "subject": subject}).fields))
    assert store.read().findings == []


@pytest.mark.parametrize(
    "content", ["One.\n\n## Evidence\n\nForged.", "One.\n\n# Two", "One.\n\n```\nwithout an end"]
)
def test_a_new_text_of_more_than_one_section_is_refused(store: BaseCoatShared, content: str) -> None:
    before = read_tree(store.root)
    refusal = refusal_of(store, "add", content=content, subject="ci:new")
    assert (refusal.code, refusal.message) == (
        "shape",
        "Not saved: this text would not read back as a single pattern.",
    )
    assert refusal.hint.startswith("Nothing was changed. Remove lines that start with #")
    assert refusal_of(store, "edit", record_with(store, "Squash"), content=content).hint == refusal.hint
    assert read_tree(store.root) == before


def test_a_failed_write_leaves_no_folder(store: BaseCoatShared) -> None:
    (plan,) = store.plan([write("add", content="New.", subject="ops:new")])
    (store.root / "ops").write_text("a file of that name")
    with pytest.raises((Refused, OSError)):
        apply_plans(store, [plan])
    (store.root / "ops").unlink()
    apply_plans(store, [plan])
    assert "ops/new.md" in fields_by_ref(store)


# -- a large store


def test_only_the_changed_files_of_a_large_store_are_read(tmp_path: Path) -> None:
    store = make(tmp_path / "memories", many(300))
    with store.snapshot() as snapshot:
        before = dict(snapshot.fingerprints)
    name = "domain-3/topic-10.md"
    (store.root / name).write_text(document("domain-3:topic-10", "Changed by an agent."))

    class Known:
        def anchors_in(self, units: Any) -> set[str]:
            return set(units)

        def units_of(self, anchors: Any) -> set[str]:
            return set(anchors)

        def duplicate_anchors(self) -> set[str]:
            return set()

        def is_target(self, names: Any, except_units: Any) -> bool:
            return False

    with store.snapshot() as snapshot:
        changed = {
            unit
            for unit, fingerprint in snapshot.fingerprints.items()
            if fingerprint != before[unit] or unit == name
        }
        assert set(snapshot.units_to_read({name}, set(), Known())) == {name}
        (result,) = snapshot.read({name})
    assert name in changed
    assert [record.fields["content"] for record in result.records] == ["Changed by an agent."]


# -- support


@pytest.mark.parametrize(
    ("action", "name", "kind", "text"),
    [
        ("dismiss", "", SupportKind.MOVED, "removes its file from the folder and keeps it in memtui"),
        ("restore", "", SupportKind.MOVED, "restores its file to its original place"),
        (
            "confirm",
            "",
            SupportKind.NATIVE,
            "raises its confidence and sets last_validated to today in its file",
        ),
        ("edit", "content", SupportKind.NATIVE, "changes the pattern in its file (at most 200 characters)"),
        ("edit", "category", SupportKind.NATIVE, "changes the category in its file"),
        (
            "edit",
            "tags",
            SupportKind.WORKSPACE,
            "is kept in memtui: tags in the front matter of a shared memory are read-only",
        ),
        ("pin", "", SupportKind.WORKSPACE, "is kept in memtui: Base Coat's shared memories have no pins"),
        ("unpin", "", SupportKind.WORKSPACE, "is kept in memtui: Base Coat's shared memories have no pins"),
        (
            "relate",
            "refines",
            SupportKind.WORKSPACE,
            "is kept in memtui: Base Coat's shared memories have no relations",
        ),
    ],
)
def test_each_action_describes_its_effect_on_each_field(
    store: BaseCoatShared, action: str, name: str, kind: SupportKind, text: str
) -> None:
    support = store.support_for(action, name)
    assert (support.kind, support.text) == (kind, text)
