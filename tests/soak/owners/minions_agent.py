"""What an agent states in memtui on a minions store, as the SDK finds it: a new value, the same one again,
another one for its key."""

from __future__ import annotations

import random

from memtui.memory.memory import Memory
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Step
from tests.soak.owners.minions_checks import unexpected_changes
from tests.soak.owners.minions_owner import MinionSet, shown_memories, slug_of, text_of
from tests.soak.owners.texts import Texts

AGENT = "scout"


def statement(chance: random.Random, texts: Texts, workspace: Workspace) -> Step[MinionSet]:
    """Return a statement of the agent that is possible now."""
    own = [memory for _, memory in shown_memories(workspace) if _is_own(memory)]
    memory = chance.choice(own) if own and chance.random() < 0.8 else None
    if memory is not None and chance.random() < 0.5:
        return _again(workspace, memory)
    return _other(workspace, texts, memory)


def _is_own(memory: Memory) -> bool:
    return (
        memory.kind == "item" and memory.owner == AGENT and bool(memory.key) and memory.status == "confirmed"
    )


def _again(workspace: Workspace, memory: Memory) -> Step[MinionSet]:
    def act() -> Change:
        fields = {"content": memory.content, "key": memory.key, "scope": memory.scope or "private"}
        return workspace.remember(AGENT, fields, STORE).change

    def check(before: MinionSet, after: MinionSet, _: object) -> str:
        new = [each for id, each in after.minions.items() if id not in before.minions]
        slugs = sorted(map(slug_of, new))
        if "memory-reinforcement" not in slugs or any(slug_of(each) == "memory-item" for each in new):
            return f"new are {new}"
        # Of several that say it under keys of the same words, one becomes surer.
        about = {each["fields"]["memoryId"] for each in new}
        return unexpected_changes(before, after, about)

    return Step(f"state {memory.content[:60]!r} again", act, check)


def _other(workspace: Workspace, texts: Texts, memory: Memory | None) -> Step[MinionSet]:
    text, key = texts.text(), memory.key if memory is not None else texts.name().strip()

    def act() -> Change:
        return workspace.remember(AGENT, {"content": text, "key": key}, STORE).change

    def check(before: MinionSet, after: MinionSet, _: object) -> str:
        new = {id: each for id, each in after.minions.items() if id not in before.minions}
        items = [each for each in new.values() if slug_of(each) == "memory-item"]
        if len(items) != 1 or text_of(items[0]) != text or items[0]["fields"]["agentId"] != AGENT:
            return f"new are {new}"
        ends = [each["fields"] for each in new.values() if slug_of(each) == "memory-contradiction"]
        if any(each["memoryIdB"] != items[0]["id"] for each in ends):
            return f"the contradictions are {ends}"
        if memory is not None and memory.ref not in {each["memoryIdA"] for each in ends}:
            return f"the contradictions are {ends}, and none is with {memory.ref}"
        return unexpected_changes(before, after, {items[0]["id"]})

    return Step(f"state {text!r} under the key {key!r}", act, check)
