"""What agents write and recall under policies: nothing crosses them (S-61, S-85)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies.policy import Policy
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty
from tests.support.stores import mcp_memory, mem_skill, minions
from tests.support.stores.files import read_tree

DAY = 86_400.0
SCOPES = ("private", "fleet", "session")
# What each agent may read and write; "free" has no policy.
READ = {"ada": ("private", "fleet"), "bob": ("fleet",), "cy": ("none",), "free": SCOPES}
WRITE = {"ada": ("private",), "bob": ("none",), "cy": ("fleet", "session"), "free": SCOPES}
AWS = "AKIA" + "IOSFODNN7" + "EXAMQQE"


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=lambda: NOW)
    yield workspace
    workspace.close()


def refusal(work: Workspace, agent: str, store: str = "native", **fields: Any) -> tuple[str, str]:
    """Return the code and the policy by which a write is refused, of which the journal has a line."""
    with pytest.raises(PolicyRefused) as caught:
        work.remember(agent, {"content": "The kettle is new.", **fields}, store)
    event = work.journal()[0]
    assert (event.actor, event.kind, event.undoable) == (f"agent:{agent}", "refused", False)
    assert caught.value.policy in event.summary
    return caught.value.code, caught.value.policy


def texts(work: Workspace, query: str = "") -> set[str]:
    return {each.content for each in work.memories(list(work.search(query).ids))}


def test_nothing_crosses_scopes(work: Workspace) -> None:
    for agent in ("ada", "bob", "cy"):
        work.set_policy(agent, read=READ[agent], write=WRITE[agent])
    for agent, scope in product(READ, SCOPES):
        fields = {"content": f"tea of {agent}, {scope}", "scope": scope}
        if scope in WRITE[agent]:
            assert work.remember(agent, fields).outcome == "added"
        else:
            assert refusal(work, agent, scope=scope) == ("scope", agent)
        work.add({"content": f"tea by a person for {agent}, {scope}", "scope": scope, "owner": agent})
    for agent in READ:
        if READ[agent] == ("none",):
            with pytest.raises(PolicyRefused) as caught:
                work.recall("tea", Caller(agent))
            assert (caught.value.code, caught.value.policy) == ("read", agent)
            with pytest.raises(PolicyRefused):
                work.recall_by("key", "tea", Caller(agent))
            continue
        found = work.recall("tea", Caller(agent), limit=100).memories
        expected = {
            each.content
            for each in work.memories(list(work.search("tea").ids))
            if each.scope in READ[agent] and (each.owner == agent or each.scope == "fleet")
        }
        assert expected
        assert {each.content for each in found} == expected
    refused = {(each.agent, each.policy): each.count for each in work.refused_today()}
    assert refused == {("ada", "ada"): 2, ("bob", "bob"): 3, ("cy", "cy"): 3}


def test_policies_without_a_scope_in_common_let_an_agent_read_nothing(work: Workspace) -> None:
    work.set_policy("*", read=["private", "session"])
    work.set_policy("ada", read=["fleet"])
    with pytest.raises(PolicyRefused) as caught:
        work.recall("tea", Caller("ada"))
    assert (caught.value.code, caught.value.policy) == ("read", "*")
    assert "“*” and “ada”" in str(caught.value)
    assert [(each.agent, each.count) for each in work.refused_today()] == [("ada", 1)]
    work.set_policy("ada", read=["fleet", "session"])
    assert work.recall("tea", Caller("ada")).memories == ()


def test_a_memory_without_a_scope_is_private_to_its_owner(work: Workspace) -> None:
    work.add({"content": "tea for anybody"})
    work.remember("ada", {"content": "tea of ada"})
    work.set_policy("ada", read=["fleet"], write=["fleet"])
    assert refusal(work, "ada") == ("scope", "ada")
    assert [each.content for each in work.recall("tea", Caller("ada")).memories] == ["tea for anybody"]


def test_an_agent_writes_as_itself(work: Workspace) -> None:
    assert refusal(work, "ada", owner="bob") == ("owner", "own memories")
    for name in ("", "*", "\u200b"):
        with pytest.raises(Refused):
            work.remember(name, {"content": "tea"})
    assert texts(work) == set()
    done = work.remember(" ada ", {"content": "tea"})
    (memory,) = work.memories([done.id])
    assert (memory.owner, memory.source_type, work.journal()[0].actor) == ("ada", "agent", "agent:ada")


@pytest.mark.parametrize("name", ["key", "title", "subject"])
def test_sensitive_keys_and_categories(work: Workspace, name: str) -> None:
    work.set_policy("ada", sensitive=["password:*"], categories=["fact"])
    fields = {"category": "fact", name: "PassWord:db"}
    assert refusal(work, "ada", **fields) == ("sensitive-key", "ada")
    assert refusal(work, "ada") == refusal(work, "ada", category="gossip") == ("category", "ada")
    assert work.remember("ada", {"content": "tea", "category": "Fact", name: "db"}).outcome == "added"


@pytest.mark.parametrize("fields", [{"content": f"use {AWS}"}, {"tags": (AWS,)}, {"note": AWS}, {"key": AWS}])
def test_a_secret_is_refused_and_nowhere_kept(work: Workspace, fields: dict[str, Any]) -> None:
    assert refusal(work, "ada", **fields) == ("secret", "no secrets")
    assert texts(work) == set()
    work._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    assert AWS.encode() not in b"".join(read_tree(work.path.parent).values())


def test_a_secret_that_is_asked_for_is_not_kept(work: Workspace) -> None:
    work.recall(f"what is {AWS}", Caller("ada"))
    work._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = b"".join(read_tree(work.path.parent).values())
    assert AWS.encode() not in kept
    assert b"what is " in kept


def test_a_value_of_a_password_is_a_secret_by_its_key(work: Workspace) -> None:
    keys = [("key", "password"), ("key", "password:db"), ("title", "Password"), ("subject", "a/password")]
    for name, value in keys:
        assert refusal(work, "ada", **{name: value}, content="hX7!pq-Lw29z")[0] == "secret"
    assert refusal(work, "ada", content=f"{AWS[:4]}\u200b{AWS[4:]}")[0] == "secret"
    fields = {"key": "password:policy", "content": "Passwords have 12 letters"}
    assert work.remember("ada", fields).outcome == "added"


def test_of_equal_limits_the_one_that_refuses_holds(work: Workspace) -> None:
    work.set_policy("ada", most=["private=1:weakest"])
    work.set_policy("*", most=["private=1"])
    work.remember("ada", {"content": "tea"})
    assert refusal(work, "ada", content="rain") == ("limit", "*")
    assert texts(work) == {"tea"}


@pytest.mark.parametrize("format", ["minions", "mem-skill", "founder-os"])
def test_a_key_that_a_store_makes_of_the_text_is_no_way_round(
    work: Workspace, tmp_path: Path, format: str
) -> None:
    work.create_store(format, tmp_path / "new", "new")
    work.set_policy("ada", sensitive=["door*code*"])
    assert refusal(work, "ada", "new", content="Door code of the office")[0] == "sensitive-key"
    assert work.remember("ada", {"content": "Office door"}, "new").outcome == "added"


def test_beyond_a_limit_a_write_is_refused(work: Workspace) -> None:
    work.set_policy("ada", most=["private=2"])
    for text, name in (("tea", "ada"), ("coffee", "ADA")):  # another spelling is no other agent
        work.remember(name, {"content": f"likes {text}"})
    assert refusal(work, "ada", content="likes cocoa") == ("limit", "ada")
    assert work.remember("ada", {"content": "likes tea"}).outcome == "known"
    assert work.remember("ada", {"content": "likes rain", "scope": "fleet"}).outcome == "added"
    assert work.remember("bob", {"content": "likes cocoa"}).outcome == "added"
    work.set_policy("*", most=["private=1"])
    assert refusal(work, "bob", content="likes tea") == ("limit", "*")


def test_beyond_a_limit_the_weakest_leaves_and_comes_back(work: Workspace) -> None:
    work.set_policy("ada", most=["private=2:weakest"])
    for confidence, text in ((0.9, "sure"), (0.2, "unsure"), (0.1, "pinned")):
        done = work.remember("ada", {"content": f"is {text}", "confidence": confidence})
        if text == "unsure":
            unsure = done.id
    assert done.left == (unsure,)
    work.pin([done.id])
    done = work.remember("ada", {"content": "is new", "confidence": 0.05})
    assert texts(work) == {"is pinned", "is new"}  # what is new is not weighed against what is there
    event = next(each for each in work.journal() if each.kind == "dismissed")
    assert (event.actor, event.undoable) == ("policy:ada", True)
    work.undo(event.id)
    assert texts(work) == {"is pinned", "is new", "is sure"}
    work.pin(list(work.search("is").ids))
    assert refusal(work, "ada", content="is no more") == ("limit", "ada")
    assert len(texts(work)) == 3


def test_what_cannot_leave_makes_no_room(work: Workspace, tmp_path: Path) -> None:
    store = mcp_memory.make(tmp_path / "memory.jsonl", b"").root
    work.attach(store, "graph")
    work.set_policy("ada", most=["private=1:weakest"])
    work.remember("ada", {"content": "likes tea", "subject": "Ada"}, "graph")
    work.lock_store("graph", locked=True)
    assert refusal(work, "ada", content="likes rain") == ("limit", "ada")
    assert texts(work) == {"likes tea"}
    work.set_policy("ada", most=["private=2:weakest"])
    work.remember("ada", {"content": "likes snow", "confidence": 0.9})  # surer than what has to stay
    work.remember("ada", {"content": "likes rain"})
    assert texts(work) == {"likes tea", "likes rain"}


def test_an_addition_is_taken_back_where_what_has_to_leave_cannot(work: Workspace, tmp_path: Path) -> None:
    store = mcp_memory.make(tmp_path / "memory.jsonl", b"").root
    work.attach(store, "graph")
    work.set_policy("ada", most=["private=1:weakest"])
    work.remember("ada", {"content": "likes tea", "subject": "Ada"}, "graph")
    store.rename(tmp_path / "away")
    assert refusal(work, "ada", content="likes rain") == ("limit", "ada")
    assert texts(work) == {"likes tea"}


def test_where_one_cannot_leave_none_does(work: Workspace, tmp_path: Path) -> None:
    store = mcp_memory.make(tmp_path / "memory.jsonl", b"").root
    work.attach(store, "graph")
    work.remember("ada", {"content": "likes tea", "confidence": 0.1})
    work.remember("ada", {"content": "rides a bike", "subject": "Ada"}, "graph")
    work.set_policy("ada", most=["private=1:weakest"])
    store.write_bytes(store.read_bytes().replace(b"rides", b"sells"))  # not read again yet
    assert refusal(work, "ada", content="hums at noon", confidence=0.9) == ("limit", "ada")
    work.pull()
    assert texts(work) == {"likes tea", "sells a bike"}


def test_a_scope_that_a_rule_sets_is_no_way_round_a_limit(work: Workspace) -> None:
    work.set_policy("ada", most=["private=1", "fleet=1"])
    work.add_rule("Share", "owner:ada", ["scope=fleet"])
    work.turn_rule("Share", on=True)
    for _ in range(2):
        done = work.remember("ada", {"content": "likes tea", "scope": "private"})
    assert (done.outcome, work.memories([done.id])[0].scope) == ("known", "fleet")
    for scope in ("private", "fleet"):
        assert refusal(work, "ada", content="rides a bike", scope=scope) == ("limit", "ada")
    work.remove_rule("Share")
    assert work.remember("ada", {"content": "rides a bike", "scope": "fleet"}).outcome == "added"


def test_what_leaves_under_one_policy_makes_no_room_under_another(work: Workspace, tmp_path: Path) -> None:
    here = minions.item(2, "tone", "Be brief.", confidence=0.9)
    store = minions.make(tmp_path / "team", scope_policy(maxItemsPerScope=1), here)
    work.attach(store.root, "team")
    work.remember("scout", {"content": "Be slow.", "confidence": 0.1})
    work.set_policy("scout", most=["private=2:weakest"])
    assert refusal(work, "scout", "team", key="pace") == ("limit", "scout@team")
    assert texts(work) == {"Be brief.", "Be slow."}


def test_what_an_agent_writes_expires_no_later_than_its_policy_says(work: Workspace) -> None:
    now = work.now()
    work.set_policy("ada", expiry="30d")
    for asked, expected in ((None, 30), (10, 10), (99, 30)):
        fields = {"content": f"tea {asked}", "expires_at": None if asked is None else now + asked * DAY}
        (memory,) = work.memories([work.remember("ada", fields).id])
        assert memory.expires_at == pytest.approx(now + expected * DAY, abs=DAY / 2)
    work.set_policy("ada", expiry="never")
    (memory,) = work.memories([work.remember("ada", {"content": "tea for good"}).id])
    assert memory.expires_at is None


def test_a_policy_is_set_part_by_part_and_undone(work: Workspace) -> None:
    work.set_policy("Ada", read=["fleet"], expiry="30d")
    work.set_policy("ada", write=["none"], most=["fleet=3"])
    (kept,) = work.policies()
    assert (kept.agent, kept.read, kept.write, kept.expiry) == ("Ada", ("fleet",), (), 30.0)
    with pytest.raises(Refused):
        work.set_policy("ada", write=["none"])
    with pytest.raises(Refused):
        work.set_policy("ada", read=["fleet"], expiry="soon")
    assert work.policies() == [kept]
    work.remove_policy("ADA")
    assert work.policies() == []
    with pytest.raises(Refused):
        work.remove_policy("ada")
    work.undo()
    assert work.policies() == [kept]
    work.undo()
    assert work.policies() == [replace(kept, write=None, limits=())]
    work.undo()
    assert work.policies() == []
    work.redo()
    assert work.policies() == [replace(kept, write=None, limits=())]


def test_the_same_key_and_value_is_confirmed_and_another_value_kept_beside_it(work: Workspace) -> None:
    first = work.remember("ada", {"content": "The port is 8080.", "key": "port"})
    again = work.remember("ada", {"content": "The port is 8080.", "key": "port"})
    assert (again.outcome, again.id) == ("known", first.id)
    assert work.memories([first.id])[0].times_confirmed == 1
    other = work.remember("ada", {"content": "The port is 9090.", "key": "port"})
    uid = work.memories([first.id])[0].uid
    assert (other.outcome, other.other, other.family) == ("added", uid, "contradiction")
    assert texts(work) == {"The port is 8080.", "The port is 9090."}
    work.create_store("mem-skill", work.path.with_name("mem.db"), "mem")
    assert work.remember("ada", {"content": "The port is 8080.", "key": "port"}, "mem").outcome == "added"


def test_an_agent_is_not_told_of_what_it_may_not_read(work: Workspace) -> None:
    work.remember("bob", {"content": "The port is 8080.", "key": "port", "scope": "private"})
    assert work.remember("ada", {"content": "The port is 8080.", "key": "port"}).other == ""
    everybodys = work.add({"content": "The port is 7070.", "key": "port"}).ids
    work.set_policy("cy", read=["private"])
    assert work.remember("cy", {"content": "The port is 9090.", "key": "port"}).other == ""
    told = work.remember("dan", {"content": "The port is 9090.", "key": "port"}).other
    assert told == work.memories(list(everybodys))[0].uid


def scope_policy(**fields: Any) -> dict[str, Any]:
    return minions.minion(1, "scope-policy", {"agentId": "scout", **fields})


def test_of_a_policy_of_a_store_and_one_of_the_workspace_the_stricter_holds(
    work: Workspace, tmp_path: Path
) -> None:
    policy = scope_policy(
        allowedScopes='["private", "fleet"]', maxItemsPerScope=2.0, defaultExpiry="30d",
        sensitiveKeyPatterns=["password:*"],
    )  # fmt: skip
    store = minions.make(tmp_path / "team", policy, minions.item(2, "tone", "Be brief."))
    work.attach(store.root, "team")
    work.set_policy("scout", write=["private", "session"], expiry="90d")
    assert [each.name for each in work.policies()] == ["scout", "scout@team"]
    assert refusal(work, "scout", "team", scope="fleet") == ("scope", "scout")
    assert refusal(work, "scout", "team", scope="session") == ("scope", "scout@team")
    assert refusal(work, "scout", "team", key="password:db") == ("sensitive-key", "scout@team")
    work.remember("scout", {"content": "Be early."})  # elsewhere, so none of the store's most
    done = work.remember("scout", {"content": "Be kind.", "key": "manner"}, "team")
    (memory,) = work.memories([done.id])
    assert memory.expires_at == pytest.approx(work.now() + 30 * DAY, abs=DAY / 2)
    assert refusal(work, "scout", "team", key="third") == ("limit", "scout@team")
    elsewhere = work.remember("scout", {"content": "Be quick.", "scope": "session"})  # only the workspace's
    assert elsewhere.outcome == "added"
    # What the store states about reading holds for its own memories.
    minions.put(store.root, scope_policy(allowedScopes=[]))
    work.pull()
    found = work.recall("be kind brief quick", Caller("scout"), limit=50).memories
    assert {each.store for each in found} == {"native"}
    minions.put(store.root, scope_policy(allowedScopes="x", maxItemsPerScope="many", defaultExpiry=[1]))
    work.pull()
    (unread,) = [each for each in work.check_policies() if each.code == "unread"]
    assert (unread.policy, unread.detail) == ("scout@team", "most, expiry")
    work.detach("team")
    assert [each.name for each in work.policies()] == ["scout"]


def test_a_policy_becomes_another_agents_and_goes_back_with_one_undo(work: Workspace) -> None:
    work.set_policy("scuot", read=["fleet"], most=["fleet=3"])
    before = work.policies()
    change = work.set_policy("scout", instead_of="scuot", read=["private"])
    assert [(each.agent, each.read) for each in work.policies()] == [("scout", ("private",))]
    work.undo(change.journal_id)
    assert work.policies() == before


def test_a_policy_can_be_checked_before_it_is_kept(work: Workspace) -> None:
    work.add({"content": "The kettle is new.", "owner": "ada", "scope": "fleet"})
    work.set_policy("ada", write=["fleet"])
    (found,) = work.check_policies([Policy("ada", write=("private",))])
    assert (found.policy, found.code, found.count) == ("ada", "scope", 1)
    assert work.check_policies() == []


def test_what_leaves_a_minions_store_has_its_expiry_record(work: Workspace, tmp_path: Path) -> None:
    weak = minions.item(2, "tone", "Be brief.", confidence=0.1)
    store = minions.make(tmp_path / "team", weak, minions.item(3, "manner", "Be kind."))
    work.attach(store.root, "team")
    work.set_policy("scout", most=["private=2:weakest"])
    before = read_tree(store.root)
    refusal(work, "scout", "team", owner="bob")
    assert read_tree(store.root) == before
    done = work.remember("scout", {"content": "Be quick.", "key": "pace"}, "team")
    assert len(done.left) == 1
    (expiry,) = minions.of_type(store.root, "expiry")
    told = {name: expiry["fields"][name] for name in ("memoryId", "reason", "expiredBy")}
    assert told == {"memoryId": minions.uid(2), "reason": "policy-violation", "expiredBy": "policy:scout"}
    assert "deletedAt" in minions.read_minion(store.root, 2)
    for event in [each for each in work.journal() if each.kind in ("dismissed", "added")]:
        work.undo(event.id)
    assert read_tree(store.root) == before


def test_high_risk_facts_of_mem_skill_wait_for_a_person(work: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "mem.db"
    mem_skill.make(path)
    work.attach(path, "mem")
    for key, confidence, outcome in (
        ("bank_name", 0.89, "pending"),
        ("bank_city", 0.9, "added"),
        ("tea", 0.3, "added"),
        ("homeAddress", None, "pending"),
        (None, 0.5, "pending"),  # its key is made of its text
    ):
        fields = {"content": f"Bank {key}", "key": key, "confidence": confidence}
        done = work.remember("mira", fields, "mem")
        assert (key, done.outcome) == (key, outcome)
        status = work.memories([done.id])[0].status
        assert status == ("pending" if outcome == "pending" else "confirmed")
        assert work.remember("mira", fields, "mem").id == done.id
        assert work.memories([done.id])[0].status == status  # its repetition confirms nothing pending


def test_checking_counts_what_is_stored_already(work: Workspace) -> None:
    for number in range(3):
        work.remember("ada", {"content": f"tea {number}", "key": f"password:{number}", "scope": "fleet"})
    assert work.check_policies() == []
    work.set_policy("ada", write=["private"], most=["fleet=1"], sensitive=["password:*"], categories=["fact"])
    found = {each.code: each.count for each in work.check_policies()}
    assert found == {"scope": 3, "limit": 2, "sensitive-key": 3, "category": 3}
    work.set_policy("bob", most=["private=1"])
    for name in ("bob", "BOB"):  # of which no limit holds alone
        work.add({"content": f"rain for {name}", "owner": name})
    assert [each.count for each in work.check_policies() if each.policy == "bob"] == [1]
    work.set_policy("*", write=["session"])
    by_agent = [(each.agent.lower(), each.count) for each in work.check_policies() if each.policy == "*"]
    assert sorted(by_agent) == [("ada", 3), ("bob", 2)]


def test_a_read_only_workspace_refuses_by_policy_too(work: Workspace) -> None:
    work.set_policy("ada", read=["none"])
    reader = Workspace.open(work.path, read_only=True)
    with pytest.raises(PolicyRefused):
        reader.recall("tea", Caller("ada"))
    with pytest.raises(Refused):
        reader.remember("ada", {"content": "tea"})
    reader.close()
