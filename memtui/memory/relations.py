"""Relations between memories, and what else a store keeps about a memory (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass

VALUE_FIELDS = ("strength", "context", "body")  # the values of a relation, besides its kind


@dataclass(frozen=True, slots=True)
class RelationSpec:
    """The kind and values of a relation, without its two ends.

    `strength` is 0–1 or None, `context` a line that says why, `body` a text of its own. To select one of
    several relations of a kind between the same two memories, all values are compared, and `local` says
    whether memtui keeps it; None if either will do.
    """

    kind: str
    strength: float | None = None
    context: str = ""
    body: str = ""
    local: bool | None = None

    @property
    def values(self) -> tuple[float | None, str, str]:
        """The values besides the kind, in the order of VALUE_FIELDS."""
        return self.strength, self.context, self.body


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed, directed relation, as its store has it or (`local`) kept by memtui alone.

    `source` and `target` are names, which may dangle; where they resolve, `source_id` and `target_id` are
    rows of the workspace, with their uids. `overrides` names the values that memtui keeps for a relation of
    the store: "strength, why". `label` represents the other memory where its name is only a number.
    """

    source: str
    kind: str
    target: str
    strength: float | None = None
    context: str = ""
    source_id: int | None = None
    target_id: int | None = None
    body: str = ""
    local: bool = False
    label: str = ""
    source_uid: str = ""
    target_uid: str = ""
    overrides: str = ""


@dataclass(frozen=True, slots=True)
class RelationAmong:
    """A relation of which both ends are among some memories, by the uids of all that have the names of its
    ends: an entity may have several."""

    sources: tuple[str, ...]
    kind: str
    targets: tuple[str, ...]
    strength: float | None = None
    context: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class RelationOption:
    """A kind of relation that one memory may have to another.

    `text` says what adding it would change and where; `exists` that the relation is there already; `reason`
    where a reason is kept, if not with the relation; `takes_reason` whether a reason can be given at all.
    """

    kind: str
    text: str
    exists: bool = False
    reason: str = ""
    takes_reason: bool = True


@dataclass(frozen=True, slots=True)
class Lineage:
    """Another memory that a field of this one names, or that names this one.

    `kind` is superseded-by, supersedes, based-on or basis-for (the other is based on this one). `id` is
    None where no memory has the name; `state` is its status, or removed.
    """

    kind: str
    uid: str
    label: str
    id: int | None = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class RelatedRecord:
    """A record that a store keeps next to a memory: a reinforcement, an adaptation, a line of history.

    `text` is one line, raw; `at` is in Unix seconds.
    """

    kind: str
    text: str
    at: float | None = None
