"""Rules as plainly as they can be said: each memory is judged from scratch, in Python (S-60).

It knows the workspace's rows, the journal and the rules, and none of what the engine keeps.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from memtui.formats import registry
from memtui.memory.memory import LIVE
from memtui.memory.rules.rule import Action, Rule
from memtui.workspace.workspace import Workspace

DAY = 86_400.0
COLUMNS = {
    "pin": ("pinned", "pinned_by", "pinned_why"),
    "tag": ("tags",),
    "scope": ("scope",),
    "category": ("category",),
    "importance": ("importance",),
    "expire": ("expires_at",),
    "half-life": (),
    "inbox": (),
}
SET = tuple(name for names in COLUMNS.values() for name in names)
WORDS = ("title", "key", "subject", "content", "source_ref")
Row = dict[str, Any]
_ROWS = (
    f"SELECT m.id, s.name AS store, s.format, m.kind, m.status, m.removed_at, m.created_at, "
    f"m.updated_at, m.seen_at, {', '.join(f'm.{name}' for name in (*WORDS, *SET))} "
    "FROM memories m JOIN stores s ON s.id = m.store_id"
)
_LAST = (
    "SELECT max(i.id) FROM journal_items i JOIN item_states st ON st.item_id = i.id "
    "WHERE i.memory_id = ? AND i.id <= ? AND st.state = 'done' AND st.undone_by IS NULL"
)
_CONFIRMED = (
    "SELECT 1 FROM journal_items i JOIN journal j ON j.id = i.journal_id JOIN item_states st "
    "ON st.item_id = i.id WHERE i.memory_id = ? AND i.id > ? AND j.actor = 'person' "
    "AND j.kind = 'confirmed' AND st.state = 'done' AND st.undone_by IS NULL"
)
# What rules took back, and set again, for an undo: the memory, the entry, its kind, who, the fields before
# and after, the item.
_GAVE_WAY = (
    "SELECT i.memory_id, j.id, j.kind, j.actor, b.before, b.after, i.id "
    "FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id JOIN bodies b ON b.item_id = i.id "
    "WHERE i.id > ? AND i.id <= ? AND j.actor GLOB 'rule:*' AND j.actor <> 'rule:all-or-nothing' "
    "AND st.state = 'done' ORDER BY i.id"
)
_DISMISSED = (
    "SELECT max(i.id) FROM journal_items i JOIN journal j ON j.id = i.journal_id WHERE i.memory_id = ? "
    "AND j.actor GLOB 'rule:*' AND j.kind = 'dismissed'"
)
_TAKEN_BACK = (
    "SELECT 1 FROM item_states st JOIN journal j ON j.id = st.undone_by WHERE st.item_id = ? "
    "AND j.actor GLOB 'rule:*'"
)


def rows(work: Workspace) -> dict[int, Row]:
    """Return what the model knows of each memory."""
    cursor = work._ctx.db.connection().execute(_ROWS)
    found = {}
    for row in cursor:
        found[row[0]] = {name: value for (name, _), value in zip(cursor.getdescription(), row, strict=True)}
    return found


@dataclass
class Held:
    """What a rule holds of a memory: the columns before and as it set them."""

    rule: int
    done: str
    before: Row
    after: Row
    since: int
    told: tuple[str, str] = ("", "")  # the rule's name and note then


@dataclass
class Plain:
    """The model: the base of each memory, what rules hold, and what they leave."""

    base: dict[int, Row] = field(default_factory=dict)
    last: dict[int, Row] = field(default_factory=dict)
    held: dict[tuple[int, str], Held] = field(default_factory=dict)
    left: dict[tuple[int, int, str], tuple[int, Held] | None] = field(default_factory=dict)
    unknown: set[int] = field(default_factory=set)
    acts: dict[tuple[int, int], int] = field(default_factory=dict)  # a memory and a rule: the item
    gave_way: dict[int, list[tuple[Any, ...]]] = field(default_factory=dict)  # by memory, in their order
    top: int = 0  # the journal's last item before the rules were applied
    end: int = 0  # and after they were the last time

    def begin(self, work: Workspace) -> None:
        """Note what rules took back since they were applied the last time, before they are applied again."""
        self.top = work._ctx.db.one("SELECT max(id) FROM journal_items") or 0
        for id, *rest in work._ctx.db.rows(_GAVE_WAY, (self.end, self.top)):
            self.gave_way.setdefault(id, []).append(tuple(rest))

    def judge(self, work: Workspace, before: dict[int, Row], ids: set[int], now: float) -> list[str]:
        """Judge memories that were as in `before`; return in what they are otherwise now."""
        self.end = work._ctx.db.one("SELECT max(id) FROM journal_items") or 0
        rules = [rule for rule in work.rules() if rule.on]
        after = rows(work)
        found = []
        # Entities that lost their last memory to a rule come up as memories.
        self.unknown |= {id for id, row in after.items() if row["removed_at"] is None} - {
            id for id, row in before.items() if row["removed_at"] is None
        }
        for id in sorted((ids & before.keys()) - self.unknown):
            found += self._judge(work, id, before[id], after[id], rules, now)
        return found

    def _judge(
        self, work: Workspace, id: int, row: Row, after: Row, rules: list[Rule], now: float
    ) -> list[str]:
        if row["removed_at"] is not None or row["status"] not in LIVE:
            return []
        base = self._base(work, id, row)
        while True:
            wanted = self._wanted(work, id, base, rules, now)
            held = {kind: self.held[id, kind] for kind in COLUMNS if (id, kind) in self.held}
            gone = [kind for kind, each in held.items() if not _is_wanted(each, wanted.get(kind))]
            fields = [k for k in gone if COLUMNS[k]]  # nothing else becomes the person's
            confirmed = [k for k in fields if work._ctx.db.one(_CONFIRMED, (id, held[k].since))]
            for kind in confirmed or gone:
                del self.held[id, kind]
            for kind in confirmed:  # it is the person's then
                self.left[id, held[kind].rule, kind] = None
                base |= held[kind].after
            if not confirmed:
                break
        expected = base | {"status": row["status"]}
        new = []
        for kind, names in COLUMNS.items():
            if (known := self.held.get((id, kind))) is not None:
                expected |= known.after
                rule = wanted[kind][0] if kind in wanted else None
                if kind == "pin" and rule is not None and known.told != (rule.name, rule.note):
                    expected |= effect(*wanted[kind], known.before, row)
                    new.append((kind, *wanted[kind], known.before))
            elif kind in wanted:
                values = effect(*wanted[kind], base, row)
                differs = kind == "half-life" or any(base[name] != v for name, v in values.items())
                if differs and cannot(row, wanted[kind][1]):
                    continue
                expected |= values
                new.append((kind, *wanted[kind], {name: base[name] for name in names}))
        if "dismiss" in wanted and not cannot(row, wanted["dismiss"][1]):
            self.left[id, wanted["dismiss"][0].id, "dismiss"] = None
            self.acts[id, wanted["dismiss"][0].id] = work._ctx.db.one(_DISMISSED, (id,)) or 0
            expected["status"] = "dismissed"
        since = work._ctx.db.one("SELECT max(id) FROM journal_items") or 0
        for kind, rule, action, was in new:
            values = {name: after[name] for name in COLUMNS[kind]}
            first = self.held[id, kind].since if (id, kind) in self.held else since
            self.held[id, kind] = Held(rule.id, action.text, was, values, first, (rule.name, rule.note))
        self.last[id] = after
        left = [each["status"] not in LIVE for each in (expected, after)]  # as each format dismisses
        different = [name for name in SET if not same(expected[name], after[name])]
        different += ["status"] if left[0] != left[1] else []
        out = [f"{id} ({row['store']}) {n}: {after[n]!r}, not {expected[n]!r}" for n in different]
        kept = work._ctx.db.rows("SELECT action, done FROM rule_settings WHERE memory_id = ?", (id,))
        without = {kind: done for kind, done in kept if not COLUMNS[kind]}
        wanted_so = {
            k: self.held[id, k].done for k, names in COLUMNS.items() if not names and (id, k) in self.held
        }
        if without != wanted_so:
            out.append(f"{id} ({row['store']}): {without}, not {wanted_so}")
        return out

    def _base(self, work: Workspace, id: int, row: Row) -> Row:
        """Return a memory without what rules have set: what somebody changed since they were applied last is
        that person's, and rules leave it until that is undone."""
        again: Row = {}
        for entry, done, actor, before, after, item in self.gave_way.pop(id, []):
            for kind, names in COLUMNS.items():
                if not set(names) & json.loads(after).keys():
                    continue
                was, now = ({n: raw(v) for n, v in json.loads(each).items()} for each in (before, after))
                again = {name: value for name, value in again.items() if name not in names}
                self.held.pop((id, kind), None)
                for key in [k for k in self.left if self._was_again(work, k, id, kind, entry)]:
                    del self.left[key]
                if done == "redone":
                    rule, text = self._of(work, actor.removeprefix("rule:"), kind, was, now, row)
                    self.held[id, kind] = Held(rule, text, was, now, item)
                    again |= was
        known = self.base.get(id)
        base = dict(row) if known is None else {**row, **{name: known[name] for name in (*SET, "updated_at")}}
        if known is not None and row["updated_at"] != self.last[id]["updated_at"]:
            base["updated_at"] = row["updated_at"]
        base |= again
        for kind, names in COLUMNS.items():
            held = self.held.get((id, kind))
            now = {name: row[name] for name in names}
            if kind == "inbox" and held is not None and work._ctx.db.one(_CONFIRMED, (id, held.since)):
                self.left[id, held.rule, kind] = None
                del self.held[id, kind]
            elif held is not None and now != held.after:
                changed = work._ctx.db.one(_LAST, (id, self.top)) or 0
                self.left[id, held.rule, kind] = changed, held
                del self.held[id, kind]
                base |= now
            elif held is None:
                base |= now
        for (memory, rule, kind), found in list(self.left.items()):
            if memory == id and found is not None and (id, kind) not in self.held:
                undone = work._ctx.db.one("SELECT undone_by FROM item_states WHERE item_id = ?", (found[0],))
                if undone is not None and all(row[name] == v for name, v in found[1].after.items()):
                    self.held[id, kind] = found[1]
                    base |= found[1].before
                    del self.left[memory, rule, kind]
        self.base[id] = base
        return base

    def _of(self, work: Workspace, name: str, kind: str, was: Row, now: Row, row: Row) -> tuple[int, str]:
        """Return the rule and the action that set a field so; none if none does any more."""
        for rule in work.rules():
            for action in rule.actions if rule.name == name else ():
                values = effect(rule, action, was, row) if action.kind == kind else {}
                if values and all(same(now[name], value) for name, value in values.items() if name in now):
                    return rule.id, action.text
        return 0, ""

    def _was_again(self, work: Workspace, key: tuple[int, int, str], id: int, kind: str, entry: int) -> bool:
        """Return whether what a rule left was its own again before an entry took it back."""
        found = self.left[key]
        if (key[0], key[2]) != (id, kind) or found is None:
            return False
        undone = work._ctx.db.one("SELECT undone_by FROM item_states WHERE item_id = ?", (found[0],))
        if undone is None or undone >= entry:
            return False
        # What the rule set again only for an undo that was then refused is left as before.
        actor = work._ctx.db.one("SELECT actor FROM journal WHERE id = ?", (undone,))
        return not actor.startswith("rule:")

    def _wanted(
        self, work: Workspace, id: int, base: Row, rules: list[Rule], now: float
    ) -> dict[str, tuple[Rule, Action]]:
        wanted: dict[str, tuple[Rule, Action]] = {}
        for rule in rules:
            for action in rule.actions if matches(rule.when, base, now) else ():
                act = self.acts.get((id, rule.id), 0) if action.kind == "dismiss" else 0
                gave_way = act and work._ctx.db.one(_TAKEN_BACK, (act,))
                if gave_way or (id, rule.id, action.kind) not in self.left:
                    wanted.setdefault(action.kind, (rule, action))
        return wanted


def raw(value: Any) -> Any:
    """Return a journaled value as its column has it."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value


def _is_wanted(held: Held, want: tuple[Rule, Action] | None) -> bool:
    return want is not None and (want[0].id, want[1].text) == (held.rule, held.done)


def cannot(row: Row, action: Action) -> bool:
    """Return whether a store does not take an action: in an entity it is that of all its memories, some
    formats have certain categories, and episodes stay as they are."""
    if row["format"] == "native":
        return False
    format = registry.by_name(row["format"])
    if action.kind == "half-life":
        return format.lifecycle != "memtui"
    if action.kind == "category" and (row["format"] == "mcp-memory" or format.categories):
        return action.value not in format.categories
    verb = {"pin": "pin", "dismiss": "dismiss", "inbox": ""}.get(action.kind, "edit")
    return bool(format.refusal_reason(verb, row["kind"]))


def effect(rule: Rule, action: Action, base: Row, row: Row) -> Row:
    """Return the columns that an action sets."""
    if action.kind == "pin":
        by = {"pinned": 1, "pinned_by": f"rule:{rule.name}", "pinned_why": rule.note or rule.name}
        return {} if base["pinned"] else by
    if action.kind == "tag":
        tags = json.loads(base["tags"])
        return {"tags": json.dumps(tags if action.value in tags else [*tags, action.value])}
    if action.kind == "expire":
        since = row["created_at"] if row["created_at"] is not None else row["seen_at"]
        return {"expires_at": since + float(action.value or 0) * DAY}
    return dict.fromkeys(COLUMNS[action.kind], action.value)


def same(a: Any, b: Any) -> bool:
    """Return whether two values are the same; times to a second, as some stores keep them."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= 1e-9 + (1 if a > 1e6 else 0)
    return bool(json.loads(a) == json.loads(b)) if str(a).startswith("[") else bool(a == b)


def matches(when: str, base: Row, now: float) -> bool:
    """Return whether a memory matches a query of the few kinds that the test makes."""
    return all(_part(part.removeprefix("-"), base, now) is not part.startswith("-") for part in when.split())


def _part(part: str, base: Row, now: float) -> bool:
    name, sign, value = part.partition(":")
    tags = json.loads(base["tags"])
    if not sign:
        words = re.findall(r"\w+", " ".join([*(str(base[n] or "") for n in WORDS), *tags]).casefold())
        return part in words
    if name == "updated":
        at = base["updated_at"] if base["updated_at"] is not None else base["created_at"]
        return bool(at is not None and at < now - float(value[1:-1]) * DAY)
    found = {
        "tag": value in tags,
        "category": base["category"] == value,
        "scope": base["scope"] == value,
        "store": value in (base["store"], base["format"]),
        "is": bool(base["pinned"]),
        "has": base["expires_at"] is not None,
    }
    return bool(found[name])
