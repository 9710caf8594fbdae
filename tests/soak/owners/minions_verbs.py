"""What a person does in memtui to a minions store, chosen by a seeded generator, each with what must have
become of the minions."""

from __future__ import annotations

import random
from dataclasses import replace

from memtui.memory.memory import Memory
from memtui.memory.results import Change, TransferResult
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Step
from tests.soak.owners.minions_checks import changed, deleted, unexpected_changes, search_problem, searchable
from tests.soak.owners.minions_owner import TEXT_OF, MinionSet, Minion, is_open, shown_memories, slug_of, text_of
from tests.soak.owners.texts import Texts

Row = tuple[int, Memory]
MinionStep = Step[MinionSet]


class MinionVerbs:
    """A person at the store. `state` is what the SDK last read."""

    def __init__(self, chance: random.Random, texts: Texts, workspace: Workspace) -> None:
        self._chance, self._texts, self._workspace = chance, texts, workspace
        self.state = MinionSet()

    def choose(self) -> MinionStep:
        """A verb that can be tried now."""
        for _ in range(40):
            kinds = (
                *(
                    self._edit,
                    self._edit,
                    self._edit,
                    self._name,
                    self._name,
                    self._tag,
                    self._add,
                    self._add,
                ),
                *(self._dismiss, self._dismiss, self._restore, self._restore, self._confirm, self._relate),
                *(self._relate, self._unrelate, self._retie, self._supersede, self._move, self._pin),
            )
            step = self._chance.choice(kinds)()
            if step is not None:
                return step
        return self._add()

    def _one(self, *kinds: str, dismissed: bool = False) -> Row | None:
        mine = [
            each
            for each in shown_memories(self._workspace)
            if (each[1].status == "dismissed") == dismissed and (not kinds or each[1].kind in kinds)
        ]
        return self._chance.choice(mine) if mine else None

    def _edit(self) -> MinionStep | None:
        one = self._one()
        if one is None:
            return None
        (id, memory), text = one, self._texts.text()
        return Step(
            f"edit {_of(memory)} to say {text!r}",
            lambda: self._workspace.edit([id], {"content": text}),
            changed(memory.ref, lambda minion: {TEXT_OF[slug_of(minion)]: text}),
            beside=searchable(memory.ref),
        )

    def _name(self) -> MinionStep | None:
        one = self._one()
        if one is None:
            return None
        id, memory = one
        name = self._chance.choice(("title", "key") if memory.kind == "item" else ("title",))
        text = self._texts.text().strip()
        said = {} if name == "title" else {"key": text}
        return Step(
            f"have {_of(memory)} bear the {name} {text!r}",
            lambda: self._workspace.edit([id], {name: text}),
            changed(memory.ref, lambda _: said, {"title": text} if name == "title" else {}),
            beside=searchable(memory.ref),
        )

    def _tag(self) -> MinionStep | None:
        one = self._one()
        if one is None:
            return None
        id, memory = one
        tags = [self._texts.relation().strip(), "new"]
        if tuple(tags) == memory.tags:
            return None
        return Step(
            f"tag {_of(memory)} with {tags}",
            lambda: self._workspace.edit([id], {"tags": tuple(tags)}),
            changed(memory.ref, lambda _: {}, {"tags": tags}),
        )

    def _add(self) -> MinionStep:
        text, title, key = self._texts.text(), self._texts.name(), self._texts.name().strip()
        fields = {"content": text, "title": title, "key": key}

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            fresh = [each for id, each in after.memories().items() if id not in before.minions]
            if len(fresh) != 1 or text_of(fresh[0]) != text or fresh[0]["fields"].get("key") != key:
                return f"new are {fresh}"
            if not any(slug_of(after.minions[id]) == "memory-index" for id in after.about(fresh[0]["id"])):
                return "it has no index"
            return unexpected_changes(before, after, {fresh[0]["id"]})

        def beside(before: MinionSet, after: MinionSet, _: object) -> str:
            fresh = [each for id, each in after.memories().items() if id not in before.minions]
            return search_problem(None, fresh[0])

        return Step(
            f"add {text!r} ({fields})", lambda: self._workspace.add(fields, STORE), wrong, beside=beside
        )

    def _dismiss(self) -> MinionStep | None:
        mine = [each for each in shown_memories(self._workspace) if each[1].status != "dismissed"]
        if not mine:
            return None
        chosen = self._chance.sample(mine, min(len(mine), self._chance.choice((1, 1, 2, 3))))

        def wrong(before: MinionSet, after: MinionSet, change: Change | TransferResult) -> str:
            assert isinstance(change, Change)
            refs = {memory.ref for id, memory in chosen if id in change.ids}
            left = [ref for ref in refs if not after.minions[ref].get("deletedAt")]
            return f"not deleted: {left}" if left else unexpected_changes(before, after, refs, touched=False)

        return Step(
            "dismiss " + " and ".join(_of(memory) for _, memory in chosen),
            lambda: self._workspace.dismiss([id for id, _ in chosen]),
            wrong,
        )

    def _restore(self) -> MinionStep | None:
        one = self._one(dismissed=True)
        if one is None:
            return None
        id, memory = one
        return Step(
            f"restore {_of(memory)}",
            lambda: self._workspace.restore([id]),
            changed(memory.ref, lambda _: {}, {"deletedAt": None, "deletedBy": None}),
        )

    def _confirm(self) -> MinionStep | None:
        one = self._one("item", "lesson")
        if one is None:
            return None
        id, memory = one

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            was, now = (each.minions[memory.ref]["fields"]["confidence"] for each in (before, after))
            if not was <= now <= max(0.95, was):
                return f"the confidence went from {was} to {now}"
            fresh = [slug_of(each) for id, each in after.minions.items() if id not in before.minions]
            if "memory-reinforcement" not in fresh:
                return f"no reinforcement among {fresh}"
            return unexpected_changes(before, after, {memory.ref})

        return Step(f"confirm {_of(memory)}", lambda: self._workspace.confirm([id]), wrong)

    def _relate(self) -> MinionStep | None:
        one, other = self._one(), self._one()
        if one is None or other is None or one[0] == other[0]:
            return None
        ends, why = (one[1].ref, other[1].ref), self._chance.choice(("", "one of them is wrong"))
        refusals = ("exists",) if self._open(set(ends)) else ()

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            fresh = [each for id, each in after.minions.items() if id not in before.minions]
            said = [(each["fields"].get("memoryIdA"), each["fields"].get("memoryIdB")) for each in fresh]
            return unexpected_changes(before, after, set(ends), touched=False) if said == [ends] else f"new are {fresh}"

        return Step(
            f"relate {_of(one[1])} to {_of(other[1])}",
            lambda: self._workspace.relate(one[0], "contradicts", other[0], context=why),
            wrong,
            frozenset(refusals),
        )

    def _unrelate(self) -> MinionStep | None:
        pair = self._pair()
        if pair is None:
            return None
        (one, other), ids = pair, {pair[0][1].ref, pair[1][1].ref}

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            return unexpected_changes(before, after, ids, touched=False)

        return Step(
            f"unrelate {_of(one[1])} from {_of(other[1])}",
            lambda: self._workspace.unrelate(one[0], "contradicts", other[0]),
            wrong,
        )

    def _retie(self) -> MinionStep | None:
        pair = self._pair()
        if pair is None:
            return None
        (one, other), why = pair, " ".join(self._texts.text().split())
        ids = {one[1].ref, other[1].ref}

        def act() -> Change:
            to = replace(self._workspace.relation(one[0], "contradicts", other[0]), context=why)
            return self._workspace.update_relation(one[0], "contradicts", other[0], to, reverse=True)

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            said = [after.minions[id]["fields"] for id in after.about(one[1].ref) & after.about(other[1].ref)]
            ends = [(each["memoryIdA"], each["memoryIdB"], each["description"]) for each in said]
            if (other[1].ref, one[1].ref, why) not in ends:
                return f"the contradictions are {ends}"
            return unexpected_changes(before, after, ids, touched=False)

        return Step(f"turn the contradiction of {_of(one[1])} with {_of(other[1])}", act, wrong)

    def _pair(self) -> tuple[Row, Row] | None:
        """Two memories of which one contradicts the other."""
        by_ref = {each[1].ref: each for each in shown_memories(self._workspace)}
        pairs = [
            (by_ref[each["fields"]["memoryIdA"]], by_ref[each["fields"]["memoryIdB"]])
            for each in self.state.minions.values()
            if slug_of(each) == "memory-contradiction"
            and is_open(each)
            and {each["fields"]["memoryIdA"], each["fields"]["memoryIdB"]} <= by_ref.keys()
        ]
        pairs = [each for each in pairs if len(self._open({each[0][1].ref, each[1][1].ref})) == 1]
        return self._chance.choice(sorted(pairs, key=lambda each: each[0][1].content)) if pairs else None

    def _open(self, ends: set[str]) -> list[Minion]:
        return [
            each
            for each in self.state.minions.values()
            if slug_of(each) == "memory-contradiction"
            and is_open(each)
            and {each["fields"]["memoryIdA"], each["fields"]["memoryIdB"]} == ends
        ]

    def _supersede(self) -> MinionStep | None:
        loser, winner = self._one(), self._one()
        if loser is None or winner is None or loser[0] == winner[0]:
            return None
        return Step(
            f"have {_of(loser[1])} give way to {_of(winner[1])}",
            lambda: self._workspace.supersede([loser[0]], winner[0]),
            deleted(loser[1].ref),
        )

    def _move(self) -> MinionStep | None:
        one = self._one()
        if one is None:
            return None
        ref = one[1].ref

        def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
            return (
                "it is still there" if ref in after.minions else unexpected_changes(before, after, {ref}, touched=False)
            )

        return Step(
            f"move {_of(one[1])} to memtui's own store",
            lambda: self._workspace.move([one[0]], "native"),
            wrong,
        )

    def _pin(self) -> MinionStep | None:
        one = self._one()
        if one is None or one[1].pinned:
            return None
        return Step(
            f"pin {_of(one[1])}",
            lambda: self._workspace.pin([one[0]]),
            lambda before, after, _: "" if before == after else "a pin changed the store",
        )


def _of(memory: Memory) -> str:
    return f"{memory.content[:60]!r} ({memory.kind})"
