"""One owner's key with two values, both valid at one time (S-40)."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.comparison.value_conflict import named, short_for
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.marks import ChangeKind, is_planned, change_marks
from memtui.memory.contradictions.states.tenses import is_state

_LISTS = frozenset("log history journal diary todo misc family people equipment".split())
_ONE = frozenset(
    "days hours times terms units dimensions coordinates initials".split()
)  # of which one set holds
KIND, WINDOW = "key", "validity"
# Words that say that somebody wants something, and not what.
_LIGHT = LIGHT_VERBS | {"@prefers", "prefer", "want", "like", "ask", "keep", "wish", "please", "need"}


def find(
    a: ParsedMemory, b: ParsedMemory, alignments: list[Alignment], clash: bool, taught: Set[tuple[str, str]]
) -> ClauseConflict | None:
    """The same key of one owner says something else."""
    if not a.key or a.key.casefold() != b.key.casefold() or a.owner != b.owner or a.text_fingerprint == b.text_fingerprint:
        return None
    key = a.key.casefold()
    if (key, "") in taught or (key, a.about) in taught or not at_once(a, b):
        return None
    if not clash and (
        (is_many(key) and not _both_count(a, b)) or _refines(alignments, a, b) or _of_two_things(alignments, a, b)
    ):
        return None
    windows = any(end is not None for end in (a.valid_from, a.valid_to, b.valid_from, b.valid_to))
    kind = WINDOW if windows else KIND
    when = " and are valid at the same time" if windows else ""
    reason = f"Both have the key “{a.key[:40]}”{when}, with different values."
    score = 0.85 if clash or windows else 0.75
    return ClauseConflict(kind, score, (a.text.strip()[:60], b.text.strip()[:60]), reason, key)


def _both_count(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both values begin with a number, so that a plural names one: "max_connections"."""
    return all(
        bool(side.clauses and side.clauses[0].content)
        and side.clauses[0].content[0].quantity is not None
        and side.clauses[0].content[0].quantity.kind == "number"
        for side in (a, b)
    )


def is_many(key: str) -> bool:
    """Whether a key names a list: "user.languages", "travel.log"."""
    words = [word for word in re.split(r"[\W_]+", key.casefold()) if word]
    return bool(words) and (words[-1] in _LISTS or (is_plural(words[-1]) and words[-1] not in _ONE))


def is_plural(word: str) -> bool:
    """Whether a word is the plural of a noun: "languages", not "status"."""
    base = lexicon().lemma_of(word)
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and base != word and len(word) > 3


def _of_two_things(alignments: list[Alignment], a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the two tell of other parts of it, of other times, of what happened once, or one of them of
    what is only thought of."""
    first, second = a.clauses[:3], b.clauses[:3]
    if any(is_planned(clause.text) for clause in (*first, *second)):
        return True
    if not first or not second:
        return False
    one, other = first[0], second[0]
    if one.key and other.key and one.key != other.key:
        return True  # "Python files: 4 spaces", "YAML files: 2 spaces"
    if all(_is_of_a_day(each) for each in (one, other)) or _of_two_months(one, other):
        return True  # "reading on 2 May: 148/92"
    shared = max((alignment.shared for alignment in alignments), default=0)
    foreign = shared < 2 and not any(alignment.conflicts for alignment in alignments)
    if not a.subject and not a.owner and foreign and min(len(one.content), len(other.content)) > 2:
        return True  # a key that is only a heading over sentences
    if not all(map(_stands, (one, other))) or (not a.subject and any(map(_two_differ, alignments))):
        return True
    apart = [_sets_apart(alignment.a, alignment.unmatched_a) and _sets_apart(alignment.b, alignment.unmatched_b) for alignment in alignments]
    if _on_condition(one) != _on_condition(other):
        return True
    if any(apart) or (not alignments and _scoped(one) and _scoped(other)):
        return True
    if a.subject:
        return False  # of which thing it is, is said
    heads = [c.lemmas[c.subject - 1] if 0 < c.subject < len(c.content) else "" for c in (one, other)]
    said = {lexicon().lemma_of(word) for word in re.split(r"[\W_]+", a.key.casefold())}
    if said & set(heads):
        return False  # the key names it: "tests.runner"
    if all(heads):
        return not {*one.lemmas[: one.subject]} & {*other.lemmas[: other.subject]}
    return any("family roles" in lexicon().classes_of(head) for head in heads if head)


def _of_two_months(one: Clause, other: Clause) -> bool:
    """Whether each tells a value of a month of its own: "January 2024: 12.4k", "March 2024: 15.1k"."""
    dates = [
        {t.lemma for t in c.content if t.quantity is not None and t.quantity.kind == "date"}
        for c in (one, other)
    ]
    return all(dates) and not dates[0] & dates[1] and all(_counts(clause) for clause in (one, other))


def _counts(clause: Clause) -> bool:
    return any(
        t.quantity is not None and t.quantity.kind not in ("date", "ordinal", "year") for t in clause.content
    )


def _is_of_a_day(clause: Clause) -> bool:
    """Whether a clause tells a value of one day."""
    kinds = [token.quantity.kind for token in clause.content if token.quantity is not None]
    return len(kinds) > 1 and kinds[0] == "date"


def _stands(clause: Clause) -> bool:
    """Whether a clause tells how it is, or how it became so."""
    return is_state(clause) or any(mark.kind is not ChangeKind.NOW for mark in change_marks(clause.text))


def _two_differ(alignment: Alignment) -> bool:
    """Whether two clauses differ in more than one part: in what they tell of, and in what they tell."""
    if any(i < alignment.a.subject for i in alignment.unmatched_a) and any(j < alignment.b.subject for j in alignment.unmatched_b):
        return True
    mine = {alignment.a.content[i].marker for i in alignment.unmatched_a} - {""}
    theirs = {alignment.b.content[j].marker for j in alignment.unmatched_b} - {""}
    return alignment.shared > 0 and len(mine & theirs) > 1


def _on_condition(clause: Clause) -> bool:
    return any(
        token.marker in ("while", "when", "whenever", "if", "unless", "during") for token in clause.content
    )


def _sets_apart(clause: Clause, places: Sequence[int] | None = None) -> bool:
    """Whether a clause says when, where or for what it is so."""
    tokens = clause.content if places is None else [clause.content[i] for i in places]
    if _FOR_ALL.search(clause.text):
        tokens = [token for token in tokens if token.marker != "for"]
    return any((t.is_scope and t.marker not in ("after", "since")) or t.marker == "for" for t in tokens)


def _scoped(clause: Clause) -> bool:
    """Whether a clause says where it is so, too: "formal in mails", "casual in chats"."""
    return _sets_apart(clause) or any(token.marker == "in" and not token.is_name for token in clause.content)


_FOR_ALL = re.compile(r"\bfor (?:all|every\w*|any\w*|each)\b", re.I)


def at_once(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether the times for which two memories hold have some in common."""
    starts = max(a.valid_from or float("-inf"), b.valid_from or float("-inf"))
    ends = min(a.valid_to or float("inf"), b.valid_to or float("inf"))
    return starts < ends


def _refines(alignments: list[Alignment], a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether one only says more than the other, or the same in other words."""
    one, other = f" {a.text_fingerprint} ", f" {b.text_fingerprint} "
    if a.text_fingerprint and b.text_fingerprint and (one in other or other in one) and _changed(a) == _changed(b):
        return True
    if _is_told_in(a, b) or _is_told_in(b, a):
        return True
    if not any(alignment.conflicts for alignment in alignments) and (_same_amounts(a, b) or _covered(a, b) or _covered(b, a)):
        return True
    if _switch(a) and _switch(a) == _switch(b):
        return True  # "off", "disabled"
    if _is_gone(a) and _is_gone(b):
        return True  # "won't have a stand", "called off our booth"
    if not alignments or any(alignment.conflicts or alignment.a.negated != alignment.b.negated for alignment in alignments):
        return False
    more_a = [i for alignment in alignments for i in alignment.unmatched_a if alignment.a.lemmas[i] not in _LIGHT]
    more_b = [j for alignment in alignments for j in alignment.unmatched_b if alignment.b.lemmas[j] not in _LIGHT]
    if not more_a or not more_b:
        return True
    left = [alignment.a.content[i] for alignment in alignments for i in alignment.unmatched_a]
    left += [alignment.b.content[j] for alignment in alignments for j in alignment.unmatched_b]
    if _same_names(a, b):
        return True
    width = any(alignment.broader or alignment.narrower for alignment in alignments) and min(len(more_a), len(more_b)) < 2
    if width and not any(token.quantity is not None or named(token) for token in left):
        return True
    numbers = [t.quantity for alignment in alignments for t in [*alignment.a.content, *alignment.b.content] if t.quantity is not None]
    # Where the number that both tell is the same, the words around it matter little.
    return bool(numbers) and not any(t.quantity is not None or t.is_name for t in left)


def _is_told_in(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether one tells to what it was changed, and the other that: "moved from Travis to Drone", "Drone"."""
    told = [
        mark for c in a.clauses for mark in change_marks(c.text) if mark.kind is ChangeKind.SWITCHED and mark.old
    ]
    return any(mark.new and mark.new <= _parts(b) for mark in told)


def _same_amounts(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both tell the same numbers: "$19 monthly", "19 dollars a month"; "10 am", "10:00"."""
    said = [
        {
            (t.quantity.kind, t.quantity.value)
            for c in side.clauses
            for t in c.content
            if t.quantity is not None
        }
        for side in (a, b)
    ]
    return bool(said[0]) and said[0] == said[1]


def _covered(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether all that one memory says is in the other, too, which may say more."""
    words = {token.lemma for clause in a.clauses for token in clause.content} - _LIGHT - {"user"}
    denied = any(c.negated and c.negator.lower() not in ("no", "without") for c in (*a.clauses, *b.clauses))
    return bool(words) and not denied and words <= _parts(b)


def _parts(side: ParsedMemory) -> frozenset[str]:
    """The words that carry a memory, names in their parts: "Europe/Helsinki"."""
    found = (part for c in side.clauses for t in c.content for part in (t.lemma, *_PARTS.split(t.low)))
    return frozenset(found)


_PARTS = re.compile(r"[/_-]")


def _changed(side: ParsedMemory) -> bool:
    """Whether a memory tells that something was exchanged or ended: "NATS, replaced RabbitMQ"."""
    changes = (ChangeKind.SWITCHED, ChangeKind.ENDED)
    return any(mark.kind in changes for clause in side.clauses for mark in change_marks(clause.text))


def _switch(side: ParsedMemory) -> str:
    """ "on" or "off", where this is all that a memory says."""
    said = side.text_fingerprint.strip(" .")
    return next((name for name, words in _SWITCH.items() if said in words), "")


_SWITCH = {
    "on": frozenset("on enabled active true yes 1 activated".split()),
    "off": frozenset("off disabled inactive false no 0 deactivated".split()) | {"turned off", "switched off"},
}


def _same_names(a: ParsedMemory, b: ParsedMemory) -> bool:
    """Whether both name the same, once in full, and nothing else: "NYC", "New York City"; "likes Rust best",
    "favourite language: Rust"."""
    names = [
        [t for c in side.clauses for t in c.content if t.is_name or t.quantity is not None] for side in (a, b)
    ]
    if not all(names):
        return False
    one, other = ({t.lemma for t in each} for each in names)
    return one == other or short_for(*names) or short_for(*names[::-1])


def _is_gone(side: ParsedMemory) -> bool:
    """Whether a memory begins with what is no more."""
    clause = side.clauses[0] if side.clauses else None
    if clause is None:
        return False
    return clause.negated or any(mark.kind is ChangeKind.ENDED for mark in change_marks(clause.text))
