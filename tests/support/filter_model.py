"""Random memories with missing fields, and a model in plain Python of which of them each filter finds."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memtui.memory.memory import STATUSES
from memtui.workspace.db.database import Database
from memtui.workspace.db.pair_status import digest_of
from memtui.workspace.workspace import Workspace

NOW = datetime(2026, 6, 15, 14, 30).timestamp()
DAY = 86_400.0
LIVE = STATUSES[:4]
TOKEN = "gh" + "p_" + "aB3dE6gH9j" * 4
STORES = {1: ("native", "native"), 2: ("founder-os:larkfield", "founder-os"), 3: ("notes", "mcp-memory")}
TEXTS = [
    "Likes tea.",
    "likes  TEA",
    "Likes tea!\n",
    "Likes coffee.",
    "Mag Ärger nicht",
    "mag ÄRGER nicht.",
    "Lives in Ghent.",
    "The password is reset every month.",
    f"The deploy token is {TOKEN} for now.",
    "Pays with 4111 1111 " + "1111 1111.",
    "Card 4111 1111 1111 1112 was refused.",
    "50% of a_b is c\\d",
    "",
    "...",
]
TIMES = ("created_at", "updated_at", "last_used_at", "last_confirmed_at", "expires_at", "snoozed_until")

Row = dict[str, Any]
Predicate = Callable[[Row], bool]


def random_rows(count: int) -> list[Row]:
    """Return random memories of all kinds, some with missing fields; always the same for a count."""
    chance = random.Random(31)

    def maybe(*values: Any) -> Any:
        return chance.choice([None, *values])

    rows = []
    for number in range(1, count + 1):
        row: Row = {
            "id": number,
            "uid": f"u{number}",
            "store_id": chance.choice(list(STORES)),
            "ref": f"r{number}",
            "anchor": chance.choice(["", f"n{number % 40}"]),
            "seen_at": NOW - 100 * DAY,
            "removed_at": NOW if chance.random() < 0.1 else None,
            "shown": int(chance.random() > 0.1),
            "owner": maybe("planner", "Coder", "coder-2"),
            "scope": maybe("private", "fleet", "session"),
            "kind": chance.choice(["item", "lesson", "summary", "procedure", "episode"]),
            "category": maybe("preference", "decision", "fact", "episode", "Work", "work-log"),
            "key": maybe("editor.theme", "editor.font", "x_y"),
            "subject": maybe("Acme Corp", "Bo Janssen"),
            "title": maybe("Tea", f"old {TOKEN}") if chance.random() < 0.2 else None,
            "content": chance.choice(TEXTS),
            "note": maybe("", "mind this"),
            "tags": json.dumps(chance.sample(["work", "home", "50%", "a b"], chance.randint(0, 3))),
            "confidence": maybe(0.0, 0.3, 0.1 + 0.7, 0.8, 0.85, 1.0),
            "status": chance.choice(STATUSES),
            "pinned": int(chance.random() < 0.2),
            "tier": maybe("l0", "l1", "l4"),
            "heat": maybe("cold", "hot"),
            "times_used": chance.choice([0, 1, 2, 3, 12]),
            "source_type": maybe("user", ""),
            "source_ref": maybe("P01"),
            "company_id": maybe("acme", "beta"),
        }
        row |= {
            name: maybe(*(NOW + days * DAY for days in (-900, -200, -95, -31, -8, -3, -0.2)))
            for name in TIMES[:4]
        }
        row |= {
            name: maybe(*(NOW + days * DAY for days in (-9, -0.1, 0.1, 5, 20, 45, 4000)))
            for name in TIMES[4:]
        }
        rows.append(row)
    return rows


RELATIONS = [  # store id, source, kind, target
    (1, "n1", "contradicts", "n2"),
    (2, "n3", "relates to", "n4"),
    (3, "n5", "CONTRADICTED_BY", "nowhere"),
    (1, "", "contradicts", "n6"),
]
# Entries of the journal: who, kind, the fields of its items, and every how many memories it is about. The
# user has seen the first one.
ENTRIES = [
    ("sync:notes", "pulled", '{"here": [1, 2]}', 3),
    ("sync:notes", "pulled", '{"here": [1, 2]}', 7),
    ("sync:notes", "pulled", '{"content": [1, 2]}', 11),
    ("person", "added", '{"here": [1, 2]}', 2),
    ("agent:worker", "added", "{}", 13),
]
NEW = (7, 13)
PAIRED = 40  # each odd memory up to here contradicts the next one


@contextmanager
def filled_database(folder: Path, rows: list[Row]) -> Iterator[Database]:
    """Yield the database of a workspace that holds these memories."""
    workspace = Workspace.open(folder / "w.db", clock=lambda: NOW)
    db = workspace._ctx.db
    with db.atomic():
        for id, (name, format) in STORES.items():
            if id > 1:
                db.run(
                    "INSERT INTO stores (id, name, format, path, attached_at) VALUES (?, ?, ?, ?, 0)",
                    (id, name, format, f"/nowhere/{id}"),
                )
        names = list(rows[0])
        placeholders = ", ".join("?" * len(names))
        db.run_many(
            f"INSERT INTO memories ({', '.join(names)}) VALUES ({placeholders})",
            [tuple(r.values()) for r in rows],
        )
        db.run_many("INSERT INTO relations (store_id, source, kind, target) VALUES (?, ?, ?, ?)", RELATIONS)
        for number, (actor, kind, fields, step) in enumerate(ENTRIES, 1):
            entry = "INSERT INTO journal (id, at, actor, kind, summary) VALUES (?, 0, ?, ?, '')"
            db.run(entry, (number, actor, kind))
            db.run(
                "INSERT INTO journal_items (journal_id, memory_id, uid, store_id, fields) "
                "SELECT ?, id, uid, store_id, ? FROM memories WHERE id % ? = 0",
                (number, fields, step),
            )
        db.run("INSERT INTO checkpoints (name, entry_id, at) VALUES ('journal', 1, 0)")
        db.run(
            "INSERT INTO pairs (a, b, family, kind, score, digest_a, digest_b, found_at) "
            f"SELECT a.id, b.id, 'contradiction', '', 1, {digest_of('a')}, {digest_of('b')}, 0 "
            "FROM memories a JOIN memories b ON b.id = a.id + 1 WHERE a.id % 2 = 1 AND a.id < ?",
            (PAIRED,),
        )
    try:
        yield db
    finally:
        workspace.close()


# -- the model


def is_live(row: Row) -> bool:
    return bool(row["shown"] and row["removed_at"] is None and row["status"] in LIVE)


def recency(row: Row) -> float:
    at: float = row["updated_at"] or row["created_at"] or row["seen_at"]
    return at


def label(row: Row) -> str:
    """Return the label by the lifecycle of the store: a Founder OS confidence is current, others fade."""
    if not is_live(row):
        return "archived"
    if row["pinned"]:
        return "active"
    score = row["confidence"]
    if score is None:
        return ""
    if STORES[row["store_id"]][1] != "founder-os":
        since = row["last_used_at"] or row["created_at"] or row["updated_at"] or row["seen_at"]
        since = max(since, row["last_confirmed_at"] or since)
        halves = {"preference": 180, "decision": 90, "fact": 90, "episode": 14}
        half = halves.get((row["category"] or row["kind"]).lower(), 60)
        score *= 0.5 ** (max(NOW - since, 0) / DAY / half)
    return "active" if score >= 0.3 else "fading" if score >= 0.1 else "dormant"


def is_stale(row: Row) -> bool:
    last = max(recency(row), row["last_used_at"] or 0, row["last_confirmed_at"] or 0)
    return last < NOW - 90 * DAY and not row["pinned"]


def fingerprint(row: Row) -> str:
    """Return what duplicates have in common: the text and the entity; two entities may share a text."""
    text = " ".join(row["content"].casefold().split()).rstrip(".! ")
    entity = "".join((row["subject"] or "").lower().replace("-", " ").replace("_", " ").split(" "))
    return f"{entity}\n{text}" if text else ""


def has_relation(row: Row, part: str) -> bool:
    ends = [
        (store, end)
        for store, source, kind, target in RELATIONS
        if part in kind.lower()
        for end in (source, target)
    ]
    return bool(row["anchor"]) and (row["store_id"], row["anchor"]) in ends


def has_pair(row: Row, rows: list[Row]) -> bool:
    """Return whether it is in an open pair, whose other memory is as live; `rows` are in the order of ids."""
    other = rows[row["id"] - 2 if row["id"] % 2 == 0 else row["id"]] if row["id"] <= PAIRED else row
    waits = max(row["snoozed_until"] or 0, other["snoozed_until"] or 0) > NOW
    return other is not row and is_live(row) and is_live(other) and not waits


def equals(name: str, value: str) -> Predicate:
    return lambda row: (row[name] or "").lower() == value.lower()


def starts_with(name: str, value: str) -> Predicate:
    return lambda row: (row[name] or "").lower().startswith(value)


def has_tag(value: str) -> Predicate:
    return lambda row: value in json.loads(row["tags"])


def has_label(name: str) -> Predicate:
    return lambda row: label(row) == name


def number(name: str, condition: Callable[[float], bool]) -> Predicate:
    return lambda row: row[name] is not None and condition(round(row[name], 6))


def day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d")


def changed(condition: Callable[[float], bool]) -> Predicate:
    def matches(row: Row) -> bool:
        at = row["updated_at"] or row["created_at"]
        return at is not None and condition(at)

    return matches


TODAY, YESTERDAY = day(NOW), day(NOW - DAY)
MONTH = (datetime.fromtimestamp(NOW) - timedelta(days=3)).strftime("%Y-%m")
LAST = (datetime.fromtimestamp(NOW) - timedelta(days=95)).strftime("%Y-%m-%d")


def predicates(rows: list[Row]) -> dict[str, Predicate]:
    """Return a predicate for each filter; `rows` are those among which duplicates are counted."""
    counts = Counter(fingerprint(row) for row in rows if is_live(row))
    return {
        "store:native": lambda row: row["store_id"] == 1,
        "store:founder-os": lambda row: row["store_id"] == 2,
        "store:LARKFIELD": lambda row: row["store_id"] == 2,
        "store:n*": lambda row: row["store_id"] in (1, 3),
        "owner:coder": equals("owner", "Coder"),
        "owner:coder*": starts_with("owner", "coder"),
        "owner:*": lambda row: row["owner"] is not None,
        "scope:fleet": equals("scope", "fleet"),
        "scope:private": equals("scope", "private"),
        "kind:lesson": equals("kind", "lesson"),
        "category:work": equals("category", "work"),
        "category:work*": starts_with("category", "work"),
        "category:preference": equals("category", "preference"),
        "status:pending": equals("status", "pending"),
        "status:expired": equals("status", "expired"),
        "tag:work": has_tag("work"),
        "tag:50%": has_tag("50%"),
        'tag:"a b"': has_tag("a b"),
        'subject:"acme corp"': equals("subject", "Acme Corp"),
        "key:editor.*": starts_with("key", "editor."),
        "key:x_y": equals("key", "x_y"),
        "source:user": equals("source_type", "user"),
        "source:p0*": starts_with("source_ref", "p0"),
        "company:acme": equals("company_id", "acme"),
        "tier:l1": equals("tier", "l1"),
        "heat:hot": equals("heat", "hot"),
        **{f"label:{name}": has_label(name) for name in ("active", "fading", "dormant", "archived")},
        "conf:>0.8": number("confidence", lambda c: c > 0.8),
        "conf:>=80%": number("confidence", lambda c: c >= 0.8),
        "conf:0.8": number("confidence", lambda c: c == 0.8),
        "conf:<30%": number("confidence", lambda c: c < 0.3),
        "conf:<=.3": number("confidence", lambda c: c <= 0.3),
        "conf:0.85..0.5": number("confidence", lambda c: 0.5 <= c <= 0.85),
        "used:<3": number("times_used", lambda n: n < 3),
        "used:2": number("times_used", lambda n: n == 2),
        "used:>=3": number("times_used", lambda n: n >= 3),
        "used:1..2": number("times_used", lambda n: 1 <= n <= 2),
        "used:..1": number("times_used", lambda n: n <= 1),
        "created:2026": number("created_at", lambda at: day(at)[:4] == "2026"),
        "created:>2026": number("created_at", lambda at: day(at)[:4] > "2026"),
        f"created:{MONTH}": number("created_at", lambda at: day(at)[:7] == MONTH),
        f"created:{LAST}": number("created_at", lambda at: day(at) == LAST),
        f"created:>{LAST}": number("created_at", lambda at: day(at) > LAST),
        f"created:<={LAST}": number("created_at", lambda at: day(at) <= LAST),
        f"created:2025..{LAST}": number("created_at", lambda at: "2025" <= day(at) <= LAST),
        "created:today": number("created_at", lambda at: day(at) == TODAY),
        "updated:7d": changed(lambda at: at >= NOW - 7 * DAY),
        "updated:>30d": changed(lambda at: at < NOW - 30 * DAY),
        "updated:<12h": changed(lambda at: at >= NOW - DAY / 2),
        "updated:1w..1y": changed(lambda at: NOW - 365 * DAY <= at < NOW - 7 * DAY),
        "updated:<yesterday": changed(lambda at: day(at) < YESTERDAY),
        "expires:<30d": number("expires_at", lambda at: NOW <= at < NOW + 30 * DAY),
        "expires:>30d": number("expires_at", lambda at: at >= NOW + 30 * DAY),
        "expires:1w..2mo": number("expires_at", lambda at: NOW + 7 * DAY <= at <= NOW + 60 * DAY),
        "expires:<today": number("expires_at", lambda at: day(at) < TODAY),
        "is:pinned": lambda row: bool(row["pinned"]),
        "is:live": is_live,
        "is:pending": equals("status", "pending"),
        "is:duplicate": lambda row: is_live(row) and bool(fingerprint(row)) and counts[fingerprint(row)] > 1,
        "is:contradicted": lambda row: has_relation(row, "contradict") or has_pair(row, rows),
        "is:flagged": lambda row: has_pair(row, rows),
        "is:new": lambda row: any(row["id"] % step == 0 for step in NEW),
        "is:fading": lambda row: label(row) == "fading",
        "is:stale": is_stale,
        "is:secret": lambda row: any(
            secret in f"{row['content']} {row['title']}" for secret in (TOKEN, "4111 1111 " + "1111 1111")
        ),
        "is:removed": lambda row: row["removed_at"] is not None,
        "is:snoozed": lambda row: row["snoozed_until"] is not None and row["snoozed_until"] > NOW,
        "has:relation": lambda row: has_relation(row, ""),
        "has:tag": lambda row: row["tags"] != "[]",
        "has:note": lambda row: bool(row["note"]),
        "has:source": lambda row: bool(row["source_type"] or row["source_ref"]),
        "has:expiry": lambda row: row["expires_at"] is not None,
    }


ALL_FILTERS = list(predicates([]))
CONJUNCTIVE = ("tag", "is", "has", "conf", "used", "created", "updated", "expires")


def matching_ids(rows: list[Row], filters: list[str], live: bool) -> set[int]:
    """Return the ids that a query of these filters finds."""
    by_filter = predicates(rows)
    names = {each.removeprefix("-").partition(":")[0] for each in filters}
    asks_status = any(
        each.removeprefix("-").startswith(("status:", "is:live", "is:pending", "is:removed"))
        or each == "label:archived"
        for each in filters
    )

    def matches(row: Row) -> bool:
        if live and not asks_status:
            if not is_live(row):
                return False
        elif not row["shown"] or (row["removed_at"] is not None and "is:removed" not in filters):
            return False
        for name in names:
            same_name = [each for each in filters if each.removeprefix("-").startswith(f"{name}:")]
            if any(by_filter[each[1:]](row) for each in same_name if each[0] == "-"):
                return False
            wanted = [by_filter[each](row) for each in same_name if each[0] != "-"]
            if wanted and not (all(wanted) if name in CONJUNCTIVE else any(wanted)):
                return False
        return True

    return {row["id"] for row in rows if matches(row)}
