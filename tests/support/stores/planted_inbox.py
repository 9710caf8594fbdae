"""Five stores with a thousand memories, among which sixty need the person: each is known by a mark in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from memtui.memory.inbox.items import CONTRADICTION, DUPLICATE, LEAVING, PENDING, SECRET
from tests.support.secret_texts.planted import planted
from tests.support.stores import claude_code, founder_os, mcp_memory, mem_skill, minions

NOW = 1_763_000_000.0
DAY = 86_400
_PEOPLE = ("Ana", "Bo", "Femke", "Jan", "Ines", "Tomas", "Rosa", "Noor", "Emil", "Lucia")
_VERBS = (
    "paints",
    "repairs",
    "collects",
    "photographs",
    "restores",
    "draws",
    "models",
    "maps",
    "sews",
    "carves",
)


@dataclass
class PlantedInbox:
    """The paths of the stores by name; what was planted, as marks by kind; `tokens` are the secrets."""

    paths: dict[str, Path] = field(default_factory=dict)
    marks: dict[str, set[str]] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)


class _Texts:
    """Sentences that neither repeat nor contradict each other."""

    def __init__(self, chance: Random) -> None:
        self._chance, self._number = chance, 0

    def next(self) -> str:
        self._number += 1
        name = "".join(self._chance.choices("bcdfgklmnprstvz", k=2)) + "".join(
            self._chance.choices("aeiou", k=1) + self._chance.choices("bdgklmnprst", k=5)
        )
        who, verb = self._chance.choice(_PEOPLE), self._chance.choice(_VERBS)
        return f"{who} {verb} the {name} of {name[::-1].capitalize()} in hall {self._number}"


def make(folder: Path, noise: int = 940, most: int = 12) -> PlantedInbox:
    """Make the stores with `noise` memories that need nobody, and those that are planted, at most `most` of
    a kind, of secrets half as many again."""
    made, chance = PlantedInbox(), Random(17)
    texts = _Texts(chance)
    quarter = noise // 4
    secrets = [case for case in planted(5, 1) if case.secret is not None and "\n" not in case.text]
    chance.shuffle(secrets)
    half = min(9, most - most // 4)
    made.tokens = [case.text[slice(*case.secret)] for case in secrets[: 2 * half] if case.secret is not None]
    for kind in (SECRET, PENDING, CONTRADICTION, LEAVING, DUPLICATE):
        made.marks[kind] = set()
    _founder_os(folder, made, texts, quarter, min(8, most))
    files = {f"note_{n}.md": claude_code.flat(f"note_{n}", "project", texts.next()) for n in range(quarter)}
    for n, case in enumerate(secrets[:half]):
        files[f"secret_{n}.md"] = claude_code.flat(f"secret_{n}", "project", f"Marked cc{n}. {case.text}")
        made.marks[SECRET].add(f"cc{n}")
    made.paths["notes"] = claude_code.make(folder / "notes", files).root
    facts = []
    for n in range(most):
        text = f"Marked pp{n}. {texts.next()}"
        facts.append(mem_skill.fact(f"fact-{n}", f"key_{n}", text, status="pending_confirmation"))
        made.marks[PENDING].add(f"pp{n}")
    made.paths["skill"] = mem_skill.make(folder / "skill.db", facts, archived=())
    _graph(folder, made, texts, quarter, [case.text for case in secrets[half : 2 * half]], most)
    items = [minions.item(n, f"key{n}", texts.next()) for n in range(1, quarter + 1)]
    for n in range(min(10, most)):
        text = f"{texts.next()}, marked dd{n}"
        items += [minions.item(quarter + 10 + 2 * n + side, f"twin{n}{side}", text) for side in (0, 1)]
        made.marks[DUPLICATE].add(f"dd{n}")
    made.paths["values"] = minions.make(folder / "values", *items).root
    return made


def _founder_os(folder: Path, made: PlantedInbox, texts: _Texts, count: int, leaving: int) -> None:
    rows = []
    for n in range(count):
        row = {
            "id": f"{n:032x}", "key": f"key-{n}", "category": "fact", "content": f"{texts.next()}.",
            "source_plugin": "P11", "confidence": 80, "status": "confirmed", "times_used": 0,
            "times_confirmed": 3, "created_at": int(NOW) - DAY, "updated_at": int(NOW) - DAY,
        }  # fmt: skip
        if n < leaving:
            soon = int(NOW) + (n + 2) * DAY
            row |= {"expires_at": soon, "times_used": 90, "content": f"Marked ll{n}. {texts.next()}"}
            made.marks[LEAVING].add(f"ll{n}")
        rows.append(row)
    made.paths["office"] = founder_os.make(folder / "office.db", rows, adaptations=())


def _graph(
    folder: Path, made: PlantedInbox, texts: _Texts, count: int, secrets: list[str], contradictions: int
) -> None:
    entities = [
        mcp_memory.entity(f"Thing {n}", *(texts.next() for _ in range(5)), kind="thing")
        for n in range(count // 5)
    ]
    for n in range(contradictions):
        entities.append(mcp_memory.entity(f"Bug xx{n}", "State: open", "State: fixed", kind="bug"))
        made.marks[CONTRADICTION].add(f"xx{n}")
    for n, text in enumerate(secrets):
        entities.append(mcp_memory.entity(f"Vault gg{n}", text, kind="vault"))
        made.marks[SECRET].add(f"gg{n}")
    lines = mcp_memory.lines(*entities)
    made.paths["graph"] = mcp_memory.make(folder / "graph" / "memory.jsonl", "\n".join(lines).encode()).root
