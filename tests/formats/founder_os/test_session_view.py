"""The block of memories that Founder OS puts before a task (S-72)."""

from __future__ import annotations

from typing import Any

from memtui.formats.contract.records import Reading, Record
from memtui.formats.contract.session_view import NO_TASK, SessionView, Task
from memtui.formats.founder_os import FounderOs

NOW = 1_800_000_000.0


def record(ref: str, confidence: float, status: str = "confirmed", **fields: Any) -> Record:
    return Record(
        ref,
        {"category": "fact", "content": f"Text {ref}", "confidence": confidence, "status": status, **fields},
    )


def view(store: FounderOs, *records: Record, task: Task = NO_TASK) -> SessionView:
    return store.session_view(Reading(records=list(records)), NOW, task)


def refs(found: SessionView) -> list[str]:
    return [each.ref for each in found.passages]


def test_the_five_surest_are_given_word_for_word(store: FounderOs) -> None:
    found = view(store, *(record(f"m{n}", n / 10) for n in range(1, 7)), record("m9", 0.07, "applied"))
    assert refs(found) == ["m6", "m5", "m4", "m3", "m2"]
    assert found.text.splitlines()[:2] == ["## Relevant Memories", "- [fact] Text m6 (confidence: 60)"]
    assert [found.text[each.start : each.end] for each in found.passages] == found.text.splitlines()[1:]
    assert [(each.code, each.refs) for each in found.cut] == [("not-asked", ("m1", "m9"))]


def test_what_is_not_confirmed_dismissed_expired_or_deleted_is_not_given(store: FounderOs) -> None:
    found = view(
        store,
        record("candidate", 0.9, "candidate"),
        record("dismissed", 0.9, "dismissed"),
        record("old", 0.9, expires_at=NOW - 1),
        record("oldest", 0.9, expires_at=0.0),
        Record("deleted", record("deleted", 0.9).fields, removed_at=NOW),
    )
    assert found.text == ""
    assert [(each.code, each.refs) for each in found.cut] == [
        ("unconfirmed", ("candidate",)),
        ("expired", ("old", "oldest")),
    ]


def test_a_task_asks_by_meaning_company_and_plugin_and_what_is_found_twice_comes_first(
    store: FounderOs,
) -> None:
    records = [
        *(record(f"fit{n}", 0.5 + n / 100) for n in range(6)),
        *(record(f"acme{n}", 0.3 + n / 100, company_id="acme") for n in range(4)),
        *(record(f"p{n}", 0.2 + n / 100, source_ref="P05") for n in range(3)),
        record("other", 0.99),
    ]
    task = Task("write to ACME for p05", ("acme3", "fit0", "fit1", "fit2", "fit3", "fit4"))
    found = view(store, *records, task=task)
    assert refs(found) == ["acme3", "fit3", "fit2", "fit1", "fit0"]
    cut = {each.code: each.refs for each in found.cut}
    assert cut["over-items"] == ("acme2", "acme1", "p2", "p1")  # of its company 3, of its plugin 2
    assert cut["not-asked"] == ("other", "fit5", "fit4", "acme0", "p0")
