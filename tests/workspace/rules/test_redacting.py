"""Rules that redact: where there is a secret, and not over and over where that is refused (S-60, S-62)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies.policy import Policy
from memtui.memory.rules.rule import Rule, parse_action
from memtui.workspace.rules import redacting
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import sample_cases
from tests.support.stores.files import read_tree

AWS = "AKIA" + "IOSFODNN7EXAMQQE"
REDACTED = "The key is [redacted: AWS key] here"
SUBJECTS = {"mcp-memory": "E1", "base-coat-shared": "team:topic-9"}
KILLS = sample_cases([("step", at) for at in range(8)] + [("sql", at) for at in range(0, 200, 5)], 5)


def holding(folder: Path, *formats: str) -> ContradictionStores:
    """Make stores, each with one memory more, which has a secret."""
    stores = ContradictionStores(folder, formats).create()
    with stores.opened() as work:
        for format in formats:
            subject = {"subject": SUBJECTS[format]} if format in SUBJECTS else {}
            work.add({"content": f"The key is {AWS} here", **subject}, format)
        work.sweep_secrets()
    return stores


def switched_on(work: Workspace, when: str = "key", *actions: str) -> None:
    work.add_rule("Clean", when, actions or ["redact"])
    work.turn_rule("Clean", on=True)
    work.apply_rules()


def texts(work: Workspace) -> set[str]:
    return {each.content for each in work.memories(list(work.search("key is:live").ids))}


def lines(work: Workspace) -> list[tuple[str, str]]:
    return [(each.kind, each.summary) for each in work.journal() if each.actor == "rule:Clean"]


def has_value(work: Workspace) -> bool:
    """Return whether the workspace's own files have the secret."""
    work._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    files = (work.path, work.path.with_name(work.path.name + "-wal"))
    return any(AWS.encode() in path.read_bytes() for path in files if path.exists())


def test_in_every_format_secrets_go_and_all_else_stays(tmp_path: Path) -> None:
    stores = holding(tmp_path, *FORMATS)
    with stores.opened() as work:
        work.add_rule("Tags", "key", ["tag=keys", "pin"])
        work.turn_rule("Tags", on=True)
        work.apply_rules()
        rest = {each.uid: each for each in work.memories(list(work.search("meets").ids))}
        trial = work.try_rule(Rule(0, "", "is:live", (parse_action("redact"),)))
        assert (trial.total, trial.secret, len(trial.by_store)) == (len(FORMATS),) * 3
        assert [list(each.changes) for each in trial.touched] == [[("redact", 1, 0)]] * len(FORMATS)
        stores.clock.now += 86_400  # a backup is made of each store first
        switched_on(work)
        assert REDACTED in texts(work)
        assert not any(AWS in text for text in texts(work))
        assert {each.tags[-1] for each in work.memories(list(work.search("redacted").ids))} == {"keys"}
        assert not has_value(work)
        assert rest == {each.uid: each for each in work.memories(list(work.search("meets").ids))}
        (told, (kind, summary)) = lines(work)
        assert (kind, summary.split(" in ")[0]) == ("redacted", f"Redacted {len(FORMATS)} memories")
        assert told[1].startswith(f"{len(FORMATS)} backups still have what “Clean” redacted: ")
        assert "Change this key now" in told[1]
        assert all(not each.undoable for each in work.journal() if each.actor == "rule:Clean")
        held = work.rule_counts()
        assert [each.held for each in held.values()] == [len(texts_tagged(work)), 0]

        before = stores.snapshot()
        stores.clock.now += 3_601
        work.apply_rules()
        assert (stores.snapshot(), len(lines(work))) == (before, 2)
        work.turn_rule("Tags", on=False)
        work.apply_rules()
        assert texts_tagged(work) == set()  # what it was before has no secret, so it still fits
        left = [json.loads(columns) for (columns,) in work._ctx.db.rows("SELECT columns FROM rule_bases")]
        assert all(list(columns) == ["updated_at"] for columns in left)  # some stores' undo moves it
        assert REDACTED in texts(work)


def texts_tagged(work: Workspace) -> set[int]:
    return set(work.search("tag:keys").ids)


def test_a_new_secret_is_redacted_and_other_actions_follow(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as work:
        switched_on(work, "key", "redact", "tag=keys")
        work.add({"content": f"The key is {AWS} here"})
        work.add({"content": "A key without a secret"})
        work.add({"content": f"Of no interest: {AWS}"})
        found = {each.content: each.tags for each in work.memories(list(work.search("is:live").ids))}
        assert (found[REDACTED], found["A key without a secret"]) == (("keys",), ("keys",))
        assert found[f"Of no interest: {AWS}"] == ()


def test_a_secret_that_is_none_stays(tmp_path: Path) -> None:
    stores = holding(tmp_path, "native")
    with stores.opened() as work:
        (id,) = work.search("is:secret").ids
        work.mark_no_secret([id])
        switched_on(work)
        assert texts(work) == {f"The key is {AWS} here"}
        assert lines(work) == []


def test_what_is_refused_is_tried_again_only_when_the_memory_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = holding(tmp_path, "claude-code", "native")
    tried: list[int] = []
    redact = redacting._redact

    def noted(ctx: Any, rule: Any, ids: Any, *rest: Any) -> Any:
        tried.append(len(ids))
        return redact(ctx, rule, ids, *rest)

    monkeypatch.setattr(redacting, "_redact", noted)
    with stores.opened() as work:
        note = next(stores.store_paths["claude-code"].glob("*akia*.md"))
        good = note.read_text()
        note.write_bytes(good.encode().replace(b"here", b"here \xff"))
        work.pull()
        switched_on(work)
        assert REDACTED in texts(work)  # the other one
        assert tried == [2]
        stores.clock.now += 3_601
        work.apply_rules()
        assert tried == [2]
        assert AWS.encode() in note.read_bytes()
        note.write_text(good.replace("here", "there"))
        work.pull()
        work.apply_rules()
        assert tried == [2, 1]
        assert not any(AWS.encode() in data for data in read_tree(note.parent).values())
        assert not work._ctx.db.one("SELECT count(*) FROM rule_exceptions")


def test_a_locked_store_is_redacted_once_it_is_not(tmp_path: Path) -> None:
    stores = holding(tmp_path, "founder-os", "native")
    with stores.opened() as work:
        work.lock_store("founder-os", True)
        before = stores.snapshot()["founder-os"]
        switched_on(work)
        assert stores.snapshot()["founder-os"] == before
        assert REDACTED in texts(work)
        assert work.try_rule(work.rules()[0]).total == 0
        work.lock_store("founder-os", False)
        stores.clock.now += 3_601
        work.apply_rules()
        assert not any(AWS in text for text in texts(work))


def test_a_store_that_is_gone_keeps_no_other_from_it(tmp_path: Path) -> None:
    stores = holding(tmp_path, "founder-os", "native")
    root = stores.store_paths["founder-os"]
    with stores.opened() as work:
        root.rename(root.with_name("away"))
        switched_on(work)
        assert REDACTED in texts(work)
        root.with_name("away").rename(root)
        stores.clock.now += 3_601
        work.apply_rules()
        assert not any(AWS in text for text in texts(work))


def test_a_rule_that_asks_for_the_value_is_switched_off_with_it(tmp_path: Path) -> None:
    stores = holding(tmp_path, "native")
    with stores.opened() as work:
        work.add_rule("Exact", f"{AWS} -tag:x", ["inbox"], f"because of {AWS}")
        work.turn_rule("Exact", on=True)
        work.apply_rules()
        switched_on(work)
        exact, _ = work.rules()
        assert (exact.on, exact.note) == (False, "because of [redacted: AWS key]")
        assert "Exact" in next(text for _, text in lines(work) if "off now" in text)
        assert not work._ctx.db.one("SELECT count(*) FROM rule_settings")
        assert not has_value(work)


def test_a_value_in_policies_and_in_names_goes_with_it(tmp_path: Path) -> None:
    stores = holding(tmp_path, "native")
    with stores.opened() as work:
        with pytest.raises(Refused):
            work.add_rule(f"No {AWS}", "key", ["refuse"])  # the journal, which stays, would name it
        work.set_policy("ada", sensitive=[f"{AWS}*"], categories=[f"not {AWS}", "fact"])
        path = "/home/me/app/.memtui/rules.toml"
        work.trust_rules(path, "digest", [], [Policy("bob", sensitive=(AWS,))])
        with pytest.raises(PolicyRefused):
            work.remember("ada", {"content": "tea", "category": AWS})
        switched_on(work)
        ada, bob = work.policies()
        assert (ada.agent, ada.sensitive, bob.sensitive) == (
            "ada", ("[redacted: AWS key]*",), ("[redacted: AWS key]",),
        )  # fmt: skip
        assert not has_value(work)
        work.undo(next(each.id for each in work.journal() if each.kind == "policy-set"))
        assert [each.agent for each in work.policies()] == ["bob"]


@pytest.mark.parametrize("kill", KILLS)
def test_a_kill_leaves_no_value_behind(
    kill_harness: KillHarness, tmp_path: Path, kill: tuple[str, int]
) -> None:
    stores = holding(tmp_path, "claude-code", "native")
    with stores.opened() as work:
        work.add_rule("Clean", "key", ["redact", "tag=keys"])
        work._ctx.db.run("UPDATE rules SET is_on = 1")  # as another memtui does, that does not apply it
        work._ctx.db.run("INSERT OR IGNORE INTO rule_queue (memory_id) SELECT id FROM memories")
    kind, at = kill
    kill_harness.run(stores.path, ["apply_rules"], {"kind": kind, "at": at, "after": True, "early": False})
    with stores.opened() as work:
        work.apply_rules()
        assert not any(AWS in text for text in texts(work))
        assert {each.tags for each in work.memories(list(work.search("redacted").ids))} == {("keys",)}
        assert not has_value(work)
        assert not work._ctx.db.one("SELECT count(*) FROM rule_queue")
    tree = read_tree(stores.store_paths["claude-code"])
    assert not any(AWS.encode() in data for data in tree.values())
