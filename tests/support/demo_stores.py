"""Three small sample stores and a workspace on them, the same for the same clock (S-2).

They belong to Larkfield, an invented company whose people work with three agents; `memtui demo` has more of
it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path

DAY = 86_400.0

# key, category, content, source, confidence, status, confirmed, used, tags, age in days
FOUNDER_ROWS = [
    ("invoice-terms-brightwater", "fact", "Brightwater pays invoices net 30; reminders go to Ines in accounts.",
     "P11", 86, "applied", 4, 21, ["invoices", "brightwater"], 2),
    ("newsletter-archive", "preference", "Archive newsletters without asking; keep the ones from suppliers.",
     "User", 92, "applied", 6, 48, ["email"], 1),
    ("friday-follow-ups", "pattern", "Follow-ups to open offers go out on Friday afternoon.",
     "pattern-detection", 55, "candidate", 1, 3, ["sales"], 6),
    ("ines-channel", "contact", "Ines at Brightwater answers on Signal within the hour, on mail within days.",
     "P02", 71, "confirmed", 2, 9, ["brightwater"], 12),
    ("weekly-review-order", "workflow", "The weekly review starts with the inbox, then cash, then hiring.",
     "User", 80, "applied", 3, 17, ["review"], 4),
    ("offer-currency", "fact", "Offers to Swiss clients are written in francs, all others in euros.",
     "P11", 64, "confirmed", 1, 5, ["offers"], 20),
    ("tomas-lead", "contact", "Tomas leads hiring; he wants two references before a second interview.",
     "P07", 62, "confirmed", 1, 4, ["hiring"], 33),
    ("no-calls-before-ten", "preference", "No calls before ten in the morning.", "User", 95, "applied", 7, 60, [], 3),
    ("old-warehouse", "fact", "Parcels are picked up at the Dock Street warehouse.",
     "P19", 35, "candidate", 0, 1, ["shipping"], 71),
    ("expense-limit", "workflow", "Expenses above 500 euros need a second signature.",
     "P11", 68, "confirmed", 2, 8, ["finance"], 15),
    ("rejected-tagline", "fact", "The tagline is “Birds of a feather”.", "P05", 40, "dismissed", 0, 0, ["brand"], 50),
]  # fmt: skip

# file, name, description, type, body, age in days
CLAUDE_FILES = [
    ("user_ana.md", "Ana, founder", "who Ana is and how she works", "user",
     "Ana founded Larkfield and reviews every pull request herself.\n\n"
     "**How to apply:** keep changes small enough to read over a coffee."),
    ("feedback_tests.md", "Real database in tests", "integration tests must not mock the database", "feedback",
     "Tests of the order service run against a real PostgreSQL.\n\n"
     "**Why:** a mocked migration passed and broke production in March.\n\n"
     "**How to apply:** start the database with `make db`, see [[project_orders]]."),
    ("feedback_commits.md", "Commits say why", "commit messages give the reason, not the list of files", "feedback",
     "A commit message says why in one sentence; the diff says what.\n\n**Why:** Ana reads the log as a diary."),
    ("project_orders.md", "Order service", "state of the order service rewrite", "project",
     "The order service moves from Flask to FastAPI until the end of the year.\n\n"
     "**Why:** the old one blocks under load. See [[user_ana]] for who decides."),
    ("reference_dashboards.md", "Dashboards", "where the numbers are", "reference",
     "Grafana holds the service numbers, Metabase the business ones."),
]  # fmt: skip
_NESTED_FILE = (
    "project-python.md",
    "---\nname: project-python\ndescription: which Python the services run on\nmetadata: \n"
    "  node_type: memory\n  type: project\n  originSessionId: 7f3a52c1-larkfield\n---\n\n"
    "All services run on Python 3.12; 3.11 was dropped in November.\n",
)
_INDEX_NOTES = """\

## Notes

- Staging is reset every night at two.
- The linter is ruff; the formatter is ruff too.
"""

_ENTITIES = [
    (
        "Ana Larkin",
        "person",
        ["Prefers tea to coffee", "Lives in Utrecht", "Speaks Dutch, English and some Frisian"],
    ),
    ("Bo Janssen", "person", ["Runs the warehouse", "Is allergic to nuts", "Works four days a week"]),
    (
        "Larkfield",
        "company",
        ["Sells bird feeders made of larch", "Has eleven employees", "Ships to nine countries"],
    ),
    ("Brightwater", "company", ["Buys 400 feeders a year", "Wants invoices as PDF, never as a link"]),
    (
        "Warehouse move",
        "project",
        ["The warehouse moves to Harbour Road in January", "Bo decides on the shelves"],
    ),
    ("Utrecht market stall", "event", []),
]
_RELATIONS = [
    ("Ana Larkin", "founded", "Larkfield"),
    ("Bo Janssen", "works_at", "Larkfield"),
    ("Brightwater", "buys_from", "Larkfield"),
    ("Bo Janssen", "leads", "Warehouse move"),
    ("Larkfield", "sells_at", "Utrecht market stall"),
]

NATIVE_MEMORIES = [
    ("The demo's own store: everything here is memtui's, and goes when you quit.", "note", ("memtui",)),
    ("Ana wants a review flow that works by keyboard alone.", "preference", ("ux",)),
    ("Deploys happen on Tuesday and Thursday, never on Friday.", "rule", ("deploy",)),
    ("The staging host is db-2; db-1 was switched off.", "fact", ("staging",)),
    (
        "Planning call with Bo on the second of November: shelves first, then the move.",
        "episode",
        ("planning",),
    ),
]


# Memories of agents that contradict or repeat memories of the stores.
_CONTRADICTIONS = [
    ("The staging host is db-1; db-2 was switched off.", "fact", ("staging",)),
    ("Expenses above 300 euros need a second signature.", "fact", ("finance",)),
    ("Deploys happen on Monday and Thursday, never on Friday.", "rule", ("deploy",)),
    ("Archive newsletters without asking, keep the ones from suppliers.", "preference", ("email",)),
    ("Ask before you archive newsletters.", "preference", ("email",)),
]


# Relations between memories of different stores; source and target are search words: source, kind, target,
# why.
_CROSS_STORE_RELATIONS = [
    ("Swiss clients", "supports", "nine countries", "francs, because Larkfield ships there"),
    ("weekly review starts", "based on", "eleven employees", "the order is that of a small company"),
    ("eleven employees", "disputes", "Tomas leads hiring", "twelve, once the second interview went well"),
    ("nine countries", "based on", "order service moves", "orders from abroad come through it"),
    ("Expenses above 500", "belongs to", "eleven employees", ""),
    ("tagline", "belongs to", "larch", ""),
    ("pays invoices net", "supports", "invoices as PDF", "both are about how Brightwater pays"),
    ("Planning call", "supports", "Harbour Road", "decided in that call"),
    ("Dock Street", "disputes", "Harbour Road", "two places for one warehouse"),
]


def build(folder: Path, clock: Callable[[], float] = time.time, *, contradictions: bool = False) -> Path:
    """Make the stores in `folder`, attach them to a new workspace and return its path.

    With `contradictions`, some memories contradict or repeat others, so that the Review queue is not empty.
    """
    from memtui.workspace.workspace import Workspace

    now = clock()
    stores = [
        make_founder_os(folder / "larkfield" / ".memory" / "memory.db", now),
        make_claude_code(folder / "order-service" / "memory"),
        _make_mcp_memory(folder / "assistant" / "memory.jsonl"),
    ]
    path = folder / "demo" / "demo.db"
    # Attached three days ago and used since, so that times in the list and the journal differ.
    at = [now - 3 * DAY]
    workspace = Workspace.open(path, clock=lambda: at[0])
    for store in stores:
        workspace.attach(store)
    for content, category, tags in NATIVE_MEMORIES:
        at[0] += 0.55 * DAY
        workspace.add({"content": content, "category": category, "tags": tags})
    at[0] = now
    for content, category, tags in _CONTRADICTIONS if contradictions else ():
        workspace.add({"content": content, "category": category, "tags": tags})
    pinned = workspace.search("pull request").ids[:1]
    workspace.pin(list(pinned), "Ana says so herself")
    if contradictions:
        workspace.scan()
    workspace.close()
    if contradictions:
        _relate_across_stores(path, at[0])
    return path


def _relate_across_stores(path: Path, now: float) -> None:
    """Add relations as an agent: `u` undoes only changes of the user."""
    from memtui.workspace.workspace import Workspace

    workspace = Workspace.open(path, clock=lambda: now, actor="agent:assistant")
    for source, kind, target, why in _CROSS_STORE_RELATIONS:
        source_id, target_id = (workspace.search(words, live=False).ids[0] for words in (source, target))
        workspace.relate(source_id, kind, target_id, context=why)
    workspace.close()


def make_founder_os(path: Path, now: float) -> Path:
    import apsw

    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    for statement in (
        "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, category TEXT NOT NULL, "
        "content TEXT NOT NULL, source_plugin TEXT NOT NULL, company_id TEXT, tags TEXT, embedding TEXT, "
        "confidence INTEGER NOT NULL CHECK (confidence >= 0 AND confidence <= 100), status TEXT NOT NULL, "
        "times_used INTEGER NOT NULL DEFAULT 0, times_confirmed INTEGER NOT NULL DEFAULT 0, "
        "created_at INTEGER, updated_at INTEGER, last_used_at INTEGER, expires_at INTEGER, "
        "notion_page_id TEXT, last_synced_at TEXT, deleted_at TEXT)",
        "CREATE TABLE observations (id TEXT PRIMARY KEY, plugin TEXT, action TEXT, context TEXT, observed_at INTEGER)",
        "CREATE TABLE adaptations (id TEXT PRIMARY KEY, memory_id TEXT REFERENCES memories (id), plugin TEXT, "
        "description TEXT, applied_at INTEGER, reverted_at INTEGER)",
    ):
        connection.execute(statement)
    with connection:
        for key, category, content, source, confidence, status, confirmed, used, tags, age in FOUNDER_ROWS:
            at = int(now - age * DAY)
            id = hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
            connection.execute(
                "INSERT INTO memories (id, key, category, content, source_plugin, tags, confidence, status, times_used, "
                "times_confirmed, created_at, updated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (id, key, category, content, source, json.dumps(tags) if tags else None, confidence, status, used,
                 confirmed, at - int(40 * DAY), at, at if used else None),
            )  # fmt: skip
    connection.close()
    return path


def make_claude_code(folder: Path) -> Path:
    folder.mkdir(parents=True)
    index = []
    for file, name, description, kind, body in CLAUDE_FILES:
        head = f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n"
        (folder / file).write_text(head + body + "\n", "utf-8")
        index.append(f"- [{name}]({file}) — {description}\n")
    (folder / _NESTED_FILE[0]).write_text(_NESTED_FILE[1], "utf-8")
    index.append(f"- [Python version]({_NESTED_FILE[0]}) — which Python the services run on\n")
    (folder / "MEMORY.md").write_text("".join(index) + _INDEX_NOTES, "utf-8")
    return folder


def _make_mcp_memory(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    lines = [
        {"type": "entity", "name": name, "entityType": kind, "observations": observations}
        for name, kind, observations in _ENTITIES
    ]
    lines += [
        {"type": "relation", "from": source, "to": target, "relationType": kind}
        for source, kind, target in _RELATIONS
    ]
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    path.write_text(text, "utf-8")
    return path
