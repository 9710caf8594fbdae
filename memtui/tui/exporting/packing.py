"""Packing for the export dialog, in a reading thread: it can be stopped, says how far it is, and keeps what
it loaded and counted, so that another budget is quick (S-71)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.new_store import store_kinds
from memtui.export.pack import Pack, pack
from memtui.export.registry import all_exporters
from memtui.memory.secrets.masking import Masking
from memtui.memory.selection.budget import OMIT, Judged, Reason, reason_of
from memtui.memory.selection.candidate import Candidate, by_place
from memtui.memory.tokens import TokenCounter
from memtui.tui.exporting import wording
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.workspace.workspace import Workspace

DEFAULT_KIND = "prompt"
_PAGE = 2_000  # memories read at once
_BATCH = 500  # texts counted at once


@dataclass(frozen=True, eq=False, slots=True)
class Scope:
    """Which memories are exported: what they are, in words, and their rows; None for all live ones, which are
    read when they are needed. `is_ranked`: they answer a question, best first."""

    label: str
    ids: Sequence[int] | None = None
    is_ranked: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to export: as a text, or as a new store of a format."""

    name: str
    title: str
    suffix: str  # of a file
    limits: str = ""
    exporter: Exporter | None = None
    store: type[Adapter] | None = None


@cache
def kinds() -> tuple[Kind, ...]:
    """Return all kinds: the texts, beginning with the default one, then the stores."""
    texts = sorted(all_exporters(), key=lambda each: each.name != DEFAULT_KIND)
    return (
        *(Kind(each.name, each.title, each.suffix, each.limits, each) for each in texts),
        *(
            Kind(name, wording.new_store(kind.title), "", store=kind)
            for name, kind in sorted(store_kinds().items())
        ),
    )


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user chose, kept from one export to the next; without a `budget` there is no limit."""

    kind: Kind
    budget: int | None = None
    contradictions: str = OMIT


class Packer:
    """Packs the memories of one scope again and again; used by one thread at a time."""

    def __init__(self, workspace: Workspace, tokenizer: str, scope: Scope) -> None:
        self._workspace, self._tokenizer, self._scope = workspace, tokenizer, scope
        self._candidates: list[Candidate] | None = None
        self._alone: tuple[str, dict[str, Rendered]] = ("", {})  # of an exporter, by uid
        self._counts: dict[str, int] = {}  # tokens of what was rendered alone

    def pack(self, choices: Choices, overrides: Mapping[str, bool], control: JobControl) -> Pack:
        """Return the export. Raise InterruptedError once `control.stop` asks for that."""
        if self._candidates is None:
            self._candidates = self._load(control)
        exporter = choices.kind.exporter
        counter = _Counter(self._workspace.token_counter(self._tokenizer), self._counts, control)
        if exporter is None:
            return _as_store(self._candidates, overrides, counter)
        return pack(
            replace(exporter, render=self._renderer(exporter, control)),
            self._candidates,
            choices.budget,
            counter,
            self._workspace.now(),
            contradictions=choices.contradictions,
            overrides=overrides,
        )

    def _load(self, control: JobControl) -> list[Candidate]:
        ids = self._scope.ids
        if ids is None:
            ids = self._workspace.search("", live=True).ids
        relevance = by_place(ids) if self._scope.is_ranked else {}
        found: list[Candidate] = []
        for start in range(0, len(ids), _PAGE):
            _proceed(control, start, len(ids))
            found += self._workspace.candidates(ids[start : start + _PAGE], relevance, Masking())
        _proceed(control, len(ids), len(ids))
        return found

    def _renderer(self, exporter: Exporter, control: JobControl) -> Callable[[Sequence[Entry]], Rendered]:
        """Return the exporter's function, which keeps what it rendered alone."""
        if self._alone[0] != exporter.name:
            self._alone = (exporter.name, {})
            self._counts.clear()
        alone = self._alone[1]

        def render(entries: Sequence[Entry]) -> Rendered:
            if control.stop():
                raise InterruptedError
            if len(entries) != 1:
                return exporter.render(entries)
            uid = entries[0].candidate.memory.uid
            if uid not in alone:
                alone[uid] = exporter.render(entries)
            return alone[uid]

        return render


class _Counter:
    """Counts in batches, between which it can be stopped; keeps the counts of what is counted together."""

    def __init__(self, counter: TokenCounter, known: dict[str, int], control: JobControl) -> None:
        self.name, self.unit = counter.name, counter.unit
        self._counter, self._known, self._control = counter, known, control

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        if len(texts) == 1:
            _proceed(self._control)
            return self._counter.count(texts)
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        for start in range(0, len(missing), _BATCH):
            _proceed(self._control, start, len(missing))
            batch = missing[start : start + _BATCH]
            self._known.update(zip(batch, self._counter.count(batch), strict=True))
        _proceed(self._control, len(missing), len(missing))
        return [self._known[text] for text in texts]


def _proceed(control: JobControl, done: int = 0, total: int = 0) -> None:
    """Say how far the work is; raise InterruptedError if it is to stop."""
    if control.stop():
        raise InterruptedError
    if done:
        control.report(done, total - done)


def _as_store(candidates: Sequence[Candidate], overrides: Mapping[str, bool], counter: TokenCounter) -> Pack:
    """Return what goes into a new store: all that the user did not take out."""
    out = [each for each in candidates if overrides.get(each.memory.uid) is False]
    kept = [each for each in candidates if overrides.get(each.memory.uid) is not False]
    return Pack(
        *("", None, counter.unit, counter.name),
        tuple(Judged(each, reason_of(each)) for each in kept),
        tuple(Judged(each, Reason.TAKEN_OUT) for each in out),
    )
