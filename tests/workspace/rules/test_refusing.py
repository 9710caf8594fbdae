"""Rules that refuse what agents write, judged as the memory that it would be (S-60, S-85)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.memory.inbox.items import BREACH
from memtui.workspace.changes import verbs
from memtui.workspace.remember import guards
from memtui.workspace.rules import refusing
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty
from tests.support.sizes import shard

# An entity that there is not yet, and a subject in the form that its format asks for.
SUBJECTS = {"mcp-memory": "New", "base-coat-shared": "team:new"}
# Read from its table by the query, not by Python: what no write may leave anything in.
TABLES = ("memories", "sqlite_sequence", "embedding_queue", "secret_queue", "secrets", "rule_queue", "units")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=lambda: NOW)
    yield workspace
    workspace.close()


def rule(work: Workspace, name: str, when: str, *actions: str) -> None:
    work.add_rule(name, when, actions or ["refuse"])
    work.turn_rule(name, on=True)


def refused_by(work: Workspace, **fields: Any) -> str:
    """Return the rule that refuses a write."""
    with pytest.raises(PolicyRefused) as caught:
        work.remember("scout", {"content": "The kettle is new.", **fields})
    assert caught.value.code == "rule"
    return caught.value.policy


def written(work: Workspace, **fields: Any) -> str:
    return work.remember("scout", {"content": "The kettle is new.", **fields}).outcome


def kept(work: Workspace, *tables: str) -> list[Any]:
    # The journal's numbers go on: it has a line about each refusal.
    sql = {"sqlite_sequence": "SELECT * FROM sqlite_sequence WHERE name = 'memories'"}
    return [work._ctx.db.rows(sql.get(each, f"SELECT * FROM {each}")) for each in tables or TABLES]


@pytest.mark.parametrize(
    ("when", "fields"),
    [
        ("kettle", {}),
        ('"kettle is" category:chat', {"category": "chat"}),
        ("tag:daily", {"tags": ("daily",)}),
        ("owner:scout scope:private", {"scope": "private"}),
        ("key:door*", {"key": "door-code"}),
        ("-tag:ok kettle", {"tags": ("no",)}),
        ("created:<1d is:live store:native", {}),
        ("conf:>0.4 conf:<0.6", {}),
        ("used:0 -is:pinned -is:secret kettle", {}),
        ("has:expiry", {"expires_at": NOW + 9}),
    ],
)
def test_what_a_query_finds_of_memories_it_refuses_of_writes(
    work: Workspace, when: str, fields: dict[str, Any]
) -> None:
    rule(work, "No", when)
    before = kept(work)
    assert refused_by(work, **fields) == "No"
    assert kept(work) == before
    work.turn_rule("No", on=False)
    assert written(work, **fields) == "added"
    assert work.search(when).ids  # as it is stored, it matches


def test_the_journal_the_inbox_and_the_counts_tell_of_it_and_not_of_the_text(work: Workspace) -> None:
    rule(work, "No tea", "tea")
    for text in ("Tea at four", "More tea", "Yet more tea"):
        with pytest.raises(PolicyRefused) as caught:
            work.remember("scout", {"content": text, "key": "zebra"})
        assert "“No tea”" in caught.value.message
    event = work.journal()[0]
    assert (event.actor, event.kind) == ("agent:scout", "refused")
    assert event.summary == "Refused a write of scout by the rule “No tea”"
    (item,) = [each for each in work.inbox().items if each.kind == BREACH]
    assert item.label == "scout was refused 3 times today by the rule “No tea”"
    (breach,) = work.refused_today()
    assert (breach.policy, breach.count, breach.by_rule) == ("No tea", 3, True)
    (counts,) = work.rule_counts().values()
    assert (counts.held, counts.today, counts.refused) == (0, 0, 3)
    assert "zebra" not in str(work._ctx.db.rows("SELECT * FROM journal JOIN breaches"))
    work._ctx.clock = lambda: NOW + 86_400
    assert next(iter(work.rule_counts().values())).refused == 0


def test_only_what_agents_write_from_now_on_is_refused(work: Workspace) -> None:
    assert written(work) == "added"
    before = kept(work, "memories")
    rule(work, "No", "kettle")
    work.apply_rules()
    assert kept(work, "memories", "rule_settings", "rule_exceptions") == [*before, [], []]
    trial = work.try_rule(work.rules()[0])
    assert (trial.total, trial.only_refuses, [each.changes for each in trial.touched]) == (1, True, [[]])
    work.add({"content": "A kettle by a person"})
    assert refused_by(work) == "No"  # it would only have confirmed what is there
    assert written(work, content="The lamp is new.") == "added"


def test_what_other_rules_set_does_not_matter(work: Workspace) -> None:
    rule(work, "Tags", "kettle", "tag=daily", "pin")
    assert written(work) == "added"
    work.apply_rules()
    assert work.search("tag:daily is:pinned").ids
    rule(work, "No", "tag:daily")
    rule(work, "Nor", "is:pinned")
    assert written(work) == "known"
    assert refused_by(work, content="A lamp", tags=("daily",)) == "No"


def test_the_first_rule_that_matches_is_named_and_one_that_is_off_or_broken_is_none(work: Workspace) -> None:
    for name, when in (("Off", "kettle"), ("Broken", "kettle"), ("Second", "is:live"), ("Third", "kettle")):
        rule(work, name, when)
    work.turn_rule("Off", on=False)
    work._ctx.db.run("UPDATE rules SET query = 'later:>3' WHERE name = 'Broken'")
    assert refused_by(work) == "Second"
    work.move_rule("Third", -1)
    assert refused_by(work) == "Third"


def test_policies_and_secrets_come_first(work: Workspace) -> None:
    rule(work, "No", "is:live")
    work.set_policy("scout", categories=["fact"])
    for fields in ({}, {"category": "fact", "note": "AKIA" + "IOSFODNN7EXAMQQE"}):
        with pytest.raises(PolicyRefused) as caught:
            written(work, **fields)
        assert caught.value.code in ("category", "secret")
    assert refused_by(work, category="fact") == "No"


def test_without_such_a_rule_nothing_is_planned_twice(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[object] = []
    monkeypatch.setattr(guards, "as_inserted", lambda *args: planned.append(args))
    rule(work, "Pins", "kettle", "pin")
    assert written(work) == "added"
    assert not planned


def test_nothing_of_it_reaches_another_memtui(work: Workspace) -> None:
    rule(work, "No", "kettle")
    with pytest.raises(PolicyRefused):
        written(work)
    other = Workspace.open(work.path, clock=lambda: NOW)
    try:
        version = other._ctx.db.one("PRAGMA data_version")
        item, *_ = verbs.planned_add(work._ctx, {"content": "A kettle"}, "native", "")
        assert refusing.first_on(work._ctx, refusing.listed(work._ctx), item) is not None
        assert other._ctx.db.one("PRAGMA data_version") == version
    finally:
        other.close()


@pytest.mark.parametrize("format", shard(FORMATS, 1, 2))
def test_every_format_is_asked_what_it_would_store(
    tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    fields: dict[str, Any] = {"content": "Meets never.", "tags": ("odd",)}
    if format in SUBJECTS:
        fields["subject"] = SUBJECTS[format]
    judged: list[Any] = []
    record_of = refusing._record_of

    def noted(*args: Any) -> Any:
        judged.append(record_of(*args))
        return judged[-1]

    monkeypatch.setattr(refusing, "_record_of", noted)
    with stores.opened() as work:
        rule(work, "No", f"meets owner:scout tag:odd store:{format}")
        before = stores.snapshot(), kept(work)
        with pytest.raises(PolicyRefused):
            work.remember("scout", fields, format)
        assert (stores.snapshot(), kept(work)) == before
        work.edit_rule("No", when="unheard")
        done = work.remember("scout", fields, format)
        (memory,) = work.memories([done.id])
        wanted = judged[-1].fields
        times = {name for name in wanted if name.endswith("_at")} | {"valid_from"}
        assert {name: getattr(memory, name) for name in wanted if name not in times} == {
            name: value for name, value in wanted.items() if name not in times
        }
        assert (memory.owner, memory.tags) == ("scout", ("odd",))


def test_what_no_store_takes_is_refused_as_before(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("mcp-memory",)).create()
    with stores.opened() as work:
        rule(work, "No", "meets")
        with pytest.raises(Refused) as caught:
            work.remember("scout", {"content": "Meets never."}, "mcp-memory")
        assert caught.value.code == "no-subject"
