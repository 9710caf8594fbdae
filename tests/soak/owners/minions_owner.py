"""The minions SDK as the owner of a folder: reading through it, and writing as agents ask it to."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, RoundFailed
from tests.soak.owners.json_lines import Child, ChildFailed
from tests.soak.owners.minions_types import types
from tests.soak.owners.texts import Texts, as_stored, marks_of

Minion = dict[str, Any]
TEXT_OF = {"memory-item": "value", "memory-lesson": "lesson", "memory-summary": "summary"}
AT = "2026-01-02T03:04:05.000Z"
_MAX_SHOWN = 300  # characters of a command that are logged
_DRIVER = Path(__file__).with_name("minions_driver.py")


@dataclass(frozen=True, slots=True)
class MinionSet:
    """All minions that the SDK reads, by id."""

    minions: Mapping[str, Minion] = field(default_factory=dict)

    def memories(self) -> dict[str, Minion]:
        """Return items, lessons and summaries."""
        return {id: each for id, each in self.minions.items() if slug_of(each) in TEXT_OF}

    def about(self, id: str) -> set[str]:
        """Return the ids of the minions that belong to a memory."""
        ends = ("memoryId", "memoryIdA", "memoryIdB")
        return {
            other for other, each in self.minions.items() if id in (each["fields"].get(end) for end in ends)
        }


def slug_of(minion: Minion) -> str:
    """Return the slug of a minion's type."""
    return str(minion["minionTypeId"]).removeprefix("memory-")


def text_of(minion: Minion) -> str:
    """Return the text of a memory."""
    return str(minion["fields"][TEXT_OF[slug_of(minion)]])


def searched(minion: Minion) -> str:
    """Return the text that the SDK searches."""
    return str(minion.get("searchableText") or minion["title"]).lower()


def shown_memories(workspace: Workspace) -> list[tuple[int, Memory]]:
    """Return the memories of the store that memtui shows, in an order that does not depend on ids."""
    ids = list(workspace.search(f"store:{STORE}", live=False).ids)
    both = zip(ids, workspace.memories(ids), strict=True)
    present = [(id, memory) for id, memory in both if not workspace.rows([id])[0].removed]
    return sorted(present, key=lambda each: (each[1].content, each[1].title or ""))


class MinionsOwner:
    """The SDK in a child process. An error as an answer is a loss."""

    format = "minions"

    def __init__(self, python: Path, folder: Path) -> None:
        self.path = folder / "fleet" / ".minions"
        self._python, self._log = python, folder / "sdk.log"
        self._chance = random.Random(0)
        self._texts = Texts(self._chance)
        self._child: Child | None = None
        self.written_marks: Counter[str] = Counter()

    def begin(self, chance: random.Random, texts: Texts) -> None:
        """Start a round, without a store."""
        self._chance, self._texts, self.written_marks = chance, texts, Counter()
        shutil.rmtree(self.path.parent, ignore_errors=True)
        if self._child is None:
            self.restart()

    def restart(self) -> None:
        """Restart the process."""
        self.close()
        self._child = Child([str(self._python), "-I", str(_DRIVER)], self._log, os.environ)
        self._ask("types", types=types())

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.close()
        self._child = None

    # -- reading

    def read(self) -> MinionSet:
        """Return the minions as the SDK reads them. It skips unreadable files silently, so there must be
        none."""
        loaded = self._on_store("read")
        minions = MinionSet({each["minion"]["id"]: each["minion"] for each in loaded})
        files = {path.relative_to(self.path).as_posix() for path in self.path.rglob("*") if path.is_file()}
        if difference := files ^ set(map(_file_of, minions.minions)):
            raise RoundFailed(f"the SDK reads other files than there are: {sorted(difference)}")
        if invalid := [each for each in loaded if each["errors"]]:
            raise RoundFailed(f"against the SDK's schemas: {invalid}")
        return minions

    def data(self) -> Mapping[str, bytes]:
        """Return the bytes of all files, and the folders, by name."""
        return {
            path.relative_to(self.path).as_posix(): b"" if path.is_dir() else path.read_bytes()
            for path in self.path.rglob("*")
        }

    def marks(self, state: MinionSet) -> Counter[str]:
        """Return the marks of the texts of all memories."""
        return Counter(mark for each in state.memories().values() for mark in marks_of(text_of(each)))

    def differences(self, state: MinionSet, workspace: Workspace) -> str:
        """Return how the memories differ from memtui's, "" if they do not."""
        sdk = {id: _owner_view(each) for id, each in state.memories().items()}
        memtui = {memory.ref: _memtui_view(memory) for _, memory in shown_memories(workspace)}
        ids = sorted(id for id in sdk.keys() | memtui.keys() if sdk.get(id) != memtui.get(id))
        differences = [f"{id}: SDK {sdk.get(id)}, memtui {memtui.get(id)}" for id in ids]
        open_ = Counter(
            (each["fields"]["memoryIdA"], each["fields"]["memoryIdB"])
            for each in state.minions.values()
            if slug_of(each) == "memory-contradiction" and is_open(each)
        )
        sql = (
            "SELECT r.source, r.target FROM relations r JOIN stores s ON s.id = r.store_id "
            "WHERE s.name = ? AND r.kind = 'contradicts'"
        )
        related = Counter(workspace._ctx.db.rows(sql, (STORE,)))
        return "; ".join(
            differences + ([f"contradictions: SDK {open_}, memtui {related}"] if open_ != related else [])
        )

    def probe(self, state: MinionSet) -> None:
        """Check that its search finds a memory by a word of the searched text."""
        live = [each for each in state.memories().values() if not each.get("deletedAt")]
        if not live:
            return
        minion = self._chance.choice(sorted(live, key=text_of))
        word = self._chance.choice(searched(minion).split() or [""])
        if minion["id"] not in self._on_store("search", query=word):
            raise RoundFailed(f"the SDK's search for {word!r} does not find {minion}")

    # -- writing

    def write(self) -> str:
        """Write something that an agent may ask for; return a description."""
        memories = self.read().memories() if self.path.exists() else {}
        what = self._chance.choice(("create", "create", "update", "contradiction", "mark", "mark"))
        if what == "create" or len(memories) < 2:
            return self._create()
        id, other = self._chance.sample(sorted(memories, key=lambda id: text_of(memories[id])), 2)
        if what == "contradiction":
            ends = {"memoryIdA": id, "memoryIdB": other, "description": self._texts.text()}
            more = {"detectedAt": AT, "detectedBy": "scout", "resolution": "unresolved"}
            return self._do(
                "create", slug="memory-contradiction", given={"title": "Clash", "fields": ends | more}
            )
        if what == "update":
            fields = {TEXT_OF[slug_of(memories[id])]: self._text()}
            more = {"title": self._texts.text()} if self._chance.random() < 0.3 else {}
            return self._do("update", id=id, given={"fields": fields, **more})
        deleted = memories[id].get("deletedAt")
        verbs = ("restore", "restore", "remove") if deleted else ("soft_delete", "soft_delete", "remove")
        return self._do("mark", id=id, how=self._chance.choice(verbs))

    def _create(self) -> str:
        slug = self._chance.choice(
            ("memory-item", "memory-item", "memory-item", "memory-lesson", "memory-summary")
        )
        text = self._text()
        times = {"createdAt": AT, "lastReinforcedAt": AT}
        kinds: dict[str, dict[str, Any]] = {
            "memory-item": {
                "agentId": "scout",
                "scope": "private",
                "key": self._texts.name(),
                "lastAccessedAt": AT,
            }
            | {
                "confidence": round(self._chance.random(), 2),
                "sourceRefType": "agent-run",
                "sourceRefId": "run-7",
            }
            | times,
            "memory-lesson": {"sourceType": "task-outcome", "sourceId": "t", "domain": self._texts.kind()}
            | {"confidence": 0.6, "reinforcedCount": 2}
            | times,
            "memory-summary": {
                "agentId": "scout",
                "sessionId": "run-7",
                "keyFacts": "- one\n- two",
                "createdAt": AT,
            }
            | {"tokenCount": 412},
        }
        fields = kinds[slug] | {TEXT_OF[slug]: text}
        title = text if self._chance.random() < 0.2 else self._texts.name()  # a title often equals the text
        given: dict[str, Any] = {"title": title, "fields": fields}
        if self._chance.random() < 0.4:
            given["tags"] = [self._texts.relation(), "x"]
        if self._chance.random() < 0.3:
            given |= {"priority": "high", "description": self._texts.text(), "created_by": "scout"}
        id = self._on_store("create", slug=slug, given=given)
        if self._chance.random() < 0.7:
            index = {"memoryId": id, "memoryType": slug, "keywords": " ".join(text.split()[:4])}
            index |= {"embedding": "[0.25, -0.5]", "indexedAt": AT}
            self._on_store("create", slug="memory-index", given={"title": "Index", "fields": index})
        return f"create {slug} {str(given)[:_MAX_SHOWN]}"

    def _text(self) -> str:
        text = self._texts.text(holdable=False)
        self.written_marks.update(marks_of(text))
        return text

    def _do(self, what: str, **arguments: Any) -> str:
        self._on_store(what, **arguments)
        return f"{what} {str(arguments)[:_MAX_SHOWN]}"

    def _on_store(self, what: str, **arguments: Any) -> Any:
        return self._ask(what, root=str(self.path), **arguments)

    def _ask(self, what: str, **arguments: Any) -> Any:
        assert self._child is not None
        try:
            self._child.send({"do": what, **arguments})
            answer = self._child.receive()
        except ChildFailed as error:
            self.close()
            raise RoundFailed(f"the SDK broke: {error}") from error
        if "error" in answer:
            raise RoundFailed(f"the SDK answers {what} with an error: {answer['error']}")
        return answer["ok"]


def is_open(minion: Minion) -> bool:
    """Return whether a contradiction is neither resolved nor deleted."""
    return not minion.get("deletedAt") and minion["fields"].get("resolution") == "unresolved"


def _file_of(id: str) -> str:
    plain = id.replace("-", "")
    return f"{plain[:2]}/{plain[2:4]}/{id}.json"


def _owner_view(minion: Minion) -> tuple[Any, ...]:
    fields = minion["fields"]
    return (
        slug_of(minion).removeprefix("memory-"),
        as_stored(text_of(minion)),
        as_stored(minion["title"]) or None,
        as_stored(fields.get("key") or "") or None,
        as_stored(fields.get("domain") or "") or None,
        fields.get("confidence"),
        tuple(map(as_stored, minion.get("tags") or ())),
        fields.get("agentId"),
        bool(minion.get("deletedAt")),
    )


def _memtui_view(memory: Memory) -> tuple[Any, ...]:
    fields = (memory.kind, memory.content, memory.title, memory.key, memory.category, memory.confidence)
    return (*fields, memory.tags, memory.owner, memory.status == "dismissed")
