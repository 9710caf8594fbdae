"""One owner's key with two values, both valid at one time (S-40)."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.comparison.value_conflict import is_abbreviation, is_named
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks, is_planned
from memtui.memory.contradictions.states.tenses import is_state

_LIST_NOUNS = frozenset("log history journal diary todo misc family people equipment".split())
# Plurals of which one set holds.
_SINGLE_PLURALS = frozenset("days hours times terms units dimensions coordinates initials".split())
KIND, VALIDITY_KIND = "key", "validity"
# Words that say that somebody wants something, but not what.
_IGNORED = LIGHT_VERBS | {"@prefers", "prefer", "want", "like", "ask", "keep", "wish", "please", "need"}


def find(
    a: ParsedMemory,
    b: ParsedMemory,
    alignments: list[Alignment],
    has_conflict: bool,
    multi_valued: Set[tuple[str, str]],
) -> ClauseConflict | None:
    """Return a conflict if the same key of one owner has another value. `has_conflict`: the detectors found
    one in the texts."""
    if (
        not a.key
        or a.key.casefold() != b.key.casefold()
        or a.owner != b.owner
        or a.text_fingerprint == b.text_fingerprint
    ):
        return None
    key = a.key.casefold()
    if (key, "") in multi_valued or (key, a.about) in multi_valued or not overlap_in_time(a, b):
        return None
    if not has_conflict and (
        (is_list_key(key) and not _both_start_with_number(a, b))
        or _refines(alignments, a, b)
        or _differ_in_scope(alignments, a, b)
    ):
        return None
    has_validity = any(end is not None for end in (a.valid_from, a.valid_to, b.valid_from, b.valid_to))
    kind = VALIDITY_KIND if has_validity else KIND
    reason = wording.memory_key(a.key, overlapping=has_validity)
    score = 0.85 if has_conflict or has_validity else 0.75
    return ClauseConflict(kind, score, (a.text.strip()[:EXCERPT], b.text.strip()[:EXCERPT]), reason, key)


def _both_start_with_number(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both values start with a number, so that a plural key has one value: "max_connections"."""
    return all(
        bool(side.clauses and side.clauses[0].content)
        and side.clauses[0].content[0].quantity is not None
        and side.clauses[0].content[0].quantity.kind == "number"
        for side in (a, b)
    )


def is_list_key(key: str) -> bool:
    """Whether a key names a list: "user.languages", "travel.log"."""
    words = [word for word in re.split(r"[\W_]+", key.casefold()) if word]
    return bool(words) and (
        words[-1] in _LIST_NOUNS or (_is_plural(words[-1]) and words[-1] not in _SINGLE_PLURALS)
    )


def _is_plural(word: str) -> bool:
    """Whether a word is the plural of a noun: "languages", not "status"."""
    lemma = lexicon().lemma_of(word)
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and lemma != word and len(word) > 3


def _differ_in_scope(alignments: list[Alignment], a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the two are about different parts, times or single events, or one of them is only planned."""
    clauses_a, clauses_b = a.clauses[:3], b.clauses[:3]
    if any(is_planned(clause.text) for clause in (*clauses_a, *clauses_b)):
        return True
    if not clauses_a or not clauses_b:
        return False
    a_first, b_first = clauses_a[0], clauses_b[0]
    if a_first.key and b_first.key and a_first.key != b_first.key:
        return True  # "Python files: 4 spaces", "YAML files: 2 spaces"
    if all(_is_dated_value(each) for each in (a_first, b_first)) or _of_different_months(a_first, b_first):
        return True  # "reading on 2 May: 148/92"
    shared = max((alignment.shared for alignment in alignments), default=0)
    unrelated = shared < 2 and not any(alignment.conflicts for alignment in alignments)
    if not a.subject and not a.owner and unrelated and min(len(a_first.content), len(b_first.content)) > 2:
        return True  # the key is only a heading over sentences
    if not all(map(_holds_now, (a_first, b_first))) or (
        not a.subject and any(map(_differ_twice, alignments))
    ):
        return True
    scoped = [
        _is_scoped(alignment.a, alignment.unmatched_a) and _is_scoped(alignment.b, alignment.unmatched_b)
        for alignment in alignments
    ]
    if _is_conditional(a_first) != _is_conditional(b_first):
        return True
    if any(scoped) or (not alignments and _is_scoped_or_placed(a_first) and _is_scoped_or_placed(b_first)):
        return True
    if a.subject:
        return False
    heads = [
        c.lemmas[c.subject_end - 1] if 0 < c.subject_end < len(c.content) else "" for c in (a_first, b_first)
    ]
    key_words = {lexicon().lemma_of(word) for word in re.split(r"[\W_]+", a.key.casefold())}
    if key_words & set(heads):
        return False  # the key names the subject: "tests.runner"
    if all(heads):
        return not {*a_first.lemmas[: a_first.subject_end]} & {*b_first.lemmas[: b_first.subject_end]}
    return any("family roles" in lexicon().classes_of(head) for head in heads if head)


def _of_different_months(one: Clause, other: Clause) -> bool:
    """Whether each gives a value for a month of its own: "January 2024: 12.4k", "March 2024: 15.1k"."""
    dates = [
        {t.lemma for t in c.content if t.quantity is not None and t.quantity.kind == "date"}
        for c in (one, other)
    ]
    return all(dates) and not dates[0] & dates[1] and all(_has_amount(clause) for clause in (one, other))


def _has_amount(clause: Clause) -> bool:
    return any(
        t.quantity is not None and t.quantity.kind not in ("date", "ordinal", "year") for t in clause.content
    )


def _is_dated_value(clause: Clause) -> bool:
    """Whether a clause gives a value for one day."""
    kinds = [token.quantity.kind for token in clause.content if token.quantity is not None]
    return len(kinds) > 1 and kinds[0] == "date"


def _holds_now(clause: Clause) -> bool:
    """Whether a clause describes how things are, or how they became so."""
    return is_state(clause) or any(mark.kind is not ChangeKind.NOW for mark in change_marks(clause.text))


def _differ_twice(alignment: Alignment) -> bool:
    """Whether two clauses differ both in their subjects and in what they say, or behind two markers."""
    if any(i < alignment.a.subject_end for i in alignment.unmatched_a) and any(
        j < alignment.b.subject_end for j in alignment.unmatched_b
    ):
        return True
    markers_a = {alignment.a.content[i].marker for i in alignment.unmatched_a} - {""}
    markers_b = {alignment.b.content[j].marker for j in alignment.unmatched_b} - {""}
    return alignment.shared > 0 and len(markers_a & markers_b) > 1


def _is_conditional(clause: Clause) -> bool:
    return any(
        token.marker in ("while", "when", "whenever", "if", "unless", "during") for token in clause.content
    )


def _is_scoped(clause: Clause, indices: Sequence[int] | None = None) -> bool:
    """Whether a clause, or the words at these indices, says when, where or for what it holds."""
    tokens = clause.content if indices is None else [clause.content[i] for i in indices]
    if _FOR_ALL.search(clause.text):
        tokens = [token for token in tokens if token.marker != "for"]
    return any((t.is_scope and t.marker not in ("after", "since")) or t.marker == "for" for t in tokens)


def _is_scoped_or_placed(clause: Clause) -> bool:
    """Whether a clause says when, where or for what it holds, or in what: "formal in mails", "casual in
    chats"."""
    return _is_scoped(clause) or any(token.marker == "in" and not token.is_name for token in clause.content)


_FOR_ALL = re.compile(r"\bfor (?:all|every\w*|any\w*|each)\b", re.I)


def overlap_in_time(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the validity periods of two memories overlap."""
    starts = max(a.valid_from or float("-inf"), b.valid_from or float("-inf"))
    ends = min(a.valid_to or float("inf"), b.valid_to or float("inf"))
    return starts < ends


def _refines(alignments: list[Alignment], a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether one memory only says more than the other, or the same in other words."""
    one, other = f" {a.text_fingerprint} ", f" {b.text_fingerprint} "
    if (
        a.text_fingerprint
        and b.text_fingerprint
        and (one in other or other in one)
        and _tells_change(a) == _tells_change(b)
    ):
        return True
    if _is_result_of(a, b) or _is_result_of(b, a):
        return True
    if not any(alignment.conflicts for alignment in alignments) and (
        _have_same_amounts(a, b) or _is_covered_by(a, b) or _is_covered_by(b, a)
    ):
        return True
    if _as_switch(a) and _as_switch(a) == _as_switch(b):
        return True  # "off", "disabled"
    if _tells_end(a) and _tells_end(b):
        return True  # "won't have a stand", "called off our booth"
    if not alignments or any(
        alignment.conflicts or alignment.a.negated != alignment.b.negated for alignment in alignments
    ):
        return False
    extra_a = [
        i for alignment in alignments for i in alignment.unmatched_a if alignment.a.lemmas[i] not in _IGNORED
    ]
    extra_b = [
        j for alignment in alignments for j in alignment.unmatched_b if alignment.b.lemmas[j] not in _IGNORED
    ]
    if not extra_a or not extra_b:
        return True
    unmatched = [alignment.a.content[i] for alignment in alignments for i in alignment.unmatched_a]
    unmatched += [alignment.b.content[j] for alignment in alignments for j in alignment.unmatched_b]
    if _have_same_names(a, b):
        return True
    broader = (
        any(alignment.broader or alignment.narrower for alignment in alignments)
        and min(len(extra_a), len(extra_b)) < 2
    )
    if broader and not any(token.quantity is not None or is_named(token) for token in unmatched):
        return True
    numbers = [
        t.quantity
        for alignment in alignments
        for t in [*alignment.a.content, *alignment.b.content]
        if t.quantity is not None
    ]
    # Where both have the same number, the words around it matter little.
    return bool(numbers) and not any(t.quantity is not None or t.is_name for t in unmatched)


def _is_result_of(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the second memory states what the first says was changed to: "moved from Travis to Drone",
    "Drone"."""
    switches = [
        mark
        for c in a.clauses
        for mark in change_marks(c.text)
        if mark.kind is ChangeKind.SWITCHED and mark.old
    ]
    return any(mark.new and mark.new <= _words_and_parts(b) for mark in switches)


def _have_same_amounts(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both have the same amounts: "$19 monthly", "19 dollars a month"; "10 am", "10:00"."""
    amounts = [
        {
            (t.quantity.kind, t.quantity.value)
            for c in side.clauses
            for t in c.content
            if t.quantity is not None
        }
        for side in (a, b)
    ]
    return bool(amounts[0]) and amounts[0] == amounts[1]


def _is_covered_by(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the second memory has all words of the first."""
    words = {token.lemma for clause in a.clauses for token in clause.content} - _IGNORED - {"user"}
    negated = any(c.negated and c.negator.lower() not in ("no", "without") for c in (*a.clauses, *b.clauses))
    return bool(words) and not negated and words <= _words_and_parts(b)


def _words_and_parts(side: ParsedMemory) -> frozenset[str]:
    """Return the lemmas of a memory, and the parts of compound names: "Europe/Helsinki"."""
    found = (
        part for c in side.clauses for t in c.content for part in (t.lemma, *_PART_SEPARATOR.split(t.low))
    )
    return frozenset(found)


_PART_SEPARATOR = re.compile(r"[/_-]")


def _tells_change(side: ParsedMemory) -> bool:
    """Whether a memory says that something was replaced or ended: "NATS, replaced RabbitMQ"."""
    changes = (ChangeKind.SWITCHED, ChangeKind.ENDED)
    return any(mark.kind in changes for clause in side.clauses for mark in change_marks(clause.text))


def _as_switch(side: ParsedMemory) -> str:
    """Return "on" or "off" if that is all that a memory says, else ""."""
    text = side.text_fingerprint.strip(" .")
    return next((name for name, words in _SWITCH_WORDS.items() if text in words), "")


_SWITCH_WORDS = {
    "on": frozenset("on enabled active true yes 1 activated".split()),
    "off": frozenset("off disabled inactive false no 0 deactivated".split()) | {"turned off", "switched off"},
}


def _have_same_names(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both have the same names and quantities, or one abbreviates the other: "NYC", "New York City";
    "likes Rust best", "favourite language: Rust"."""
    names = [
        [t for c in side.clauses for t in c.content if t.is_name or t.quantity is not None] for side in (a, b)
    ]
    if not all(names):
        return False
    one, other = ({t.lemma for t in each} for each in names)
    return one == other or is_abbreviation(*names) or is_abbreviation(*names[::-1])


def _tells_end(side: ParsedMemory) -> bool:
    """Whether the first clause is negated or says that something ended."""
    clause = side.clauses[0] if side.clauses else None
    if clause is None:
        return False
    return clause.negated or any(mark.kind is ChangeKind.ENDED for mark in change_marks(clause.text))
