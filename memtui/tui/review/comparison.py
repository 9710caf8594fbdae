"""The two memories of a pair, compared word by word (S-42, S-43)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.memory.contradictions import pairs, passages
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.detail import Detail
from memtui.memory.diff.words import Segment, compare_words, differs_completely
from memtui.memory.memory import Memory
from memtui.memory.secrets.masking import masked_deep
from memtui.text import screen_text
from memtui.tui.review import wording
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

LONG = 600  # characters from which a text likely hides what is shown below it
MAX_MARKED = 0.5  # share of a text above which marks no longer help


@dataclass(frozen=True, slots=True)
class Side:
    """One memory of a pair as it is shown.

    `title` and `text` are segments, of which those missing from the other memory are marked. `merits` speak
    for this memory, besides that it is `more_confident`; `dependents` counts the memories that use it,
    `conflict` is the span of the sentence in `text` that conflicts with the other memory.
    """

    detail: Detail
    title: list[Segment]
    text: list[Segment]
    merits: tuple[str, ...]
    dependents: int
    conflict: passages.Span | None = None
    more_confident: bool = False

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.detail.memory


def read_pair(workspace: Workspace, id: int) -> tuple[PairDetail | None, tuple[Side, Side] | None]:
    """Return a pair as it is shown, with both sides compared; None if a memory of it is gone."""
    found = workspace.pair(id)
    if found is None:
        return None, None
    shown = replace(masked_deep(found), merged_text=found.merged_text)  # which is written, not shown
    return shown, compared_sides(shown)


def compared_sides(found: PairDetail) -> tuple[Side, Side]:
    """Return both sides of a pair; to be called in the reading thread, since long texts take a while."""
    a, b, pair = found.a.memory, found.b.memory, found.pair
    values = one_line(pair.words[0], 60), one_line(pair.words[1], 60)
    titles = _compare(pair, one_line(a.title or "", 300), one_line(b.title or "", 300), values)
    texts = screen_text(a.content).strip(), screen_text(b.content).strip()
    clauses = [
        next(iter(passages.occurrences(text, clause)), None)
        for text, clause in zip(texts, pair.clauses, strict=True)
    ]
    spans = (clauses[0], clauses[1]) if all(clauses) else passages.conflicting_sentences(*texts, values)
    compared = _compare_texts(pair, texts, spans, values)
    conflicts = [span or _first_marked(segments) for span, segments in zip(spans, compared, strict=True)]
    return (
        _side(found, 0, titles[0], compared[0], conflicts[0]),
        _side(found, 1, titles[1], compared[1], conflicts[1]),
    )


def _side(
    found: PairDetail, index: int, title: list[Segment], text: list[Segment], conflict: passages.Span | None
) -> Side:
    detail, other = (found.a, found.b)[index], (found.b, found.a)[index].memory
    confident = (detail.memory.confidence or 0) > (other.confidence or 0) + 0.05
    merits = _merits(detail.memory, other)
    return Side(detail, title, text, merits, found.dependents[index], conflict, confident)


def changed_at(memory: Memory) -> float:
    """Return when a memory was last changed, in Unix seconds; 0 if that is not known."""
    return memory.updated_at or memory.created_at or 0.0


def _compare_texts(
    pair: Pair, texts: tuple[str, str], spans: passages.Spans, values: tuple[str, str]
) -> tuple[list[Segment], list[Segment]]:
    """Return both texts compared.

    Where long texts have little in common, only the conflicting sentences are compared, since otherwise
    nearly everything would be marked.
    """
    compared = _compare(pair, *texts, values)
    a, b = spans
    is_short = max(map(len, texts)) < LONG
    if a is None or b is None or is_short or max(map(_marked_share, compared)) <= MAX_MARKED:
        return compared
    sentences = _compare(pair, texts[0][slice(*a)], texts[1][slice(*b)], values)
    return _embedded(texts[0], a, sentences[0]), _embedded(texts[1], b, sentences[1])


def _marked_share(segments: list[Segment]) -> float:
    return sum(len(text) for text, marked in segments if marked) / max(
        1, sum(len(text) for text, _ in segments)
    )


def _embedded(text: str, span: passages.Span, segments: list[Segment]) -> list[Segment]:
    """Return a text with `segments` in place of a span, the rest unmarked."""
    before, after = text[: span[0]], text[span[1] :]
    return [segment for segment in ((before, False), *segments, (after, False)) if segment[0]]


def _compare(pair: Pair, a: str, b: str, values: tuple[str, str]) -> tuple[list[Segment], list[Segment]]:
    """Return both texts with the words marked that only one of them has.

    Words that only stand elsewhere in the other are marked where a contradiction lies in the word order, or
    has no other difference.
    """
    is_contradiction = pair.family == pairs.CONTRADICTION
    compared = compare_words(a, b, moved=is_contradiction and pair.kind == "order")
    if is_contradiction and not any(marked for side in compared for _text, marked in side):
        compared = compare_words(a, b)
    if not a or not b or differs_completely(compared[0]):
        return _mark_value(a, values[0]), _mark_value(b, values[1])  # marking everything shows nothing
    return compared


def _mark_value(text: str, value: str) -> list[Segment]:
    """Return a text in which only the conflicting value is marked, if it occurs."""
    span = next(iter(passages.occurrences(text, value)), None)
    if span is None or span == (0, len(text)):
        return [(text, False)] if text else []
    return _embedded(text, span, [(text[slice(*span)], True)])


def _first_marked(segments: list[Segment]) -> passages.Span | None:
    """Return the span of the sentence that contains the first mark."""
    position = 0
    for text, marked in segments:
        if marked:
            return passages.sentence_at("".join(text for text, _ in segments), position)
        position += len(text)
    return None


def _merits(memory: Memory, other: Memory) -> tuple[str, ...]:
    """Return what speaks for a memory against the other, in a word each."""
    merits = {
        wording.PINNED: memory.pinned and not other.pinned,
        wording.NEWER: changed_at(memory) > changed_at(other),
        wording.USED_MORE: memory.times_used > other.times_used,
    }
    return tuple(merit for merit, applies in merits.items() if applies)
