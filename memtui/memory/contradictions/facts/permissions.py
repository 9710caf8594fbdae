"""What one may do, must do, or must not: "may push without asking", "never push"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, found, phrases
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.apart import elsewhere, scoped_apart
from memtui.memory.contradictions.states.two import Comparison, other_heads, sides
from memtui.memory.contradictions.subjects import words_in

_BARRED = phrases(
    r"""
    ^(?:please )?(?:never|do not|don't|no|stop|avoid|refrain from)
    |(?:must|may|should|can|are|is) (?:not|never)|cannot|can't|mustn't|shouldn't|not allowed|off[- ]limits
    |forbidden|banned|prohibited|free (?:of|from)|not to be|(?:must |has to |should )?(?:stay|keep) (?:off
    |out of|away from)|read-only|(?:always )?ask (?:\w+ )?(?:before|first)|ask before each
    |only (?:after|with) (?:\w+ ){0,3}approv\w+|unless (?:\w+ ){0,5}(?:approve[sd]?|agree[sd]?|ask\w*
    |confirm\w*)|needs? (?:\w+ ){0,3}(?:approval|sign-?off|permission)
    |requires? (?:\w+ ){0,3}(?:approval|sign-?off|permission)|on your own is not|never
    """
)
_FREE = phrases(
    r"""
    without (?:asking|approval|permission|sign-?off|review)|(?:is|are) (?:fine|ok|okay|allowed|permitted
    |welcome)|(?<!\d )(?<!in )(?<!of )(?<!by )(?<!until )may(?= (?!not|never|\d)\w)|free to|any day
    |no (?:approval|permission|sign-?off|review) (?:is )?(?:needed|required)|(?:has been|was|is) lifted
    |no need to ask|(?:can|are allowed to|is allowed to)(?! not| never|not)|go ahead and
    """
)
_DO = phrases(
    r"""
    ^(?:please )?(?:always|use|squash|run|mock|keep|merge|rebase|commit|push|write|send|attach|format|ask for
    |book|put|prefix|sign|tag|deploy|ship|test|add|include|start|pin|lint|cache|log)|always
    |should(?! not| never|n't)|must(?! not| never|n't)|has to|have to|wants? \w+ (?:tests |\w+ )*?to
    """
)
_LEADS = re.compile(
    r"(?:please )?(?:never|do not|don't|no|stop|avoid|refrain|ask|always ask|must|may|can|should)"
)
_OFF = re.compile(r"\b(?:stay|keep) (?:off|out of|away from)\b", re.I)
_WORD = re.compile(r"[^\W_]+")
_ANY = frozenset("touch do make perform agent execute".split())  # that tell of no action of their own
_IDLE = frozenset(
    "stay allow always never please not may can must should allowed fine ok okay free ask asking "
    "approval permission without unless approve agree confirm first any day only forbid ban limit "
    "off is are be stop avoid want user human agent claude you your own each every all even before "
    "after until one use keep no do use straight directly".split()
)


def read(text: str) -> Iterator[Fact]:
    text = text.lower()
    if word := found(_FREE, text):
        barred = found(_BARRED, text)
        if barred in ("", "no") or text.find(word) < text.find(barred):
            yield Fact("permission", "free", word)
            return
        yield Fact("permission", "barred", barred)
    elif word := found(_BARRED, text):
        yield Fact("permission", "barred", word)
    elif word := found(_DO, text):
        yield Fact("permission", "do", word)


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    if (
        "barred" not in (one.value, other.value)
        or other_heads(two, loosely=True)
        or elsewhere(two)
        or scoped_apart(two)
        or _at_other_times(two)
        or _in_other_places(two)
    ):
        return False
    barred, says = (two.a, two.b) if one.value == "barred" else (two.b, two.a)
    asks = _asked(barred), _asked(says)
    shared = asks[0] & asks[1]
    if _BY.search(barred.text) and not asks[0] <= asks[1] and not _ALWAYS.search(says.text):
        return False  # "never run migrations by hand", "run migrations with make"
    if _READ_ONLY.search(barred.text) and _WRITES.search(says.text):
        return bool(shared)
    if _action(one if one.value == "barred" else other, barred) not in asks[1] or _of_other_kinds(
        barred, says
    ):
        return False
    if not shared or not (
        any(lexicon().can_be(word, "v") for word in shared) or asks[0] & _ANY or _OFF.search(barred.text)
    ):
        return False
    return len(shared) >= 0.6 * min(len(asks[0]), len(asks[1])) and (
        len(shared) > 1 - two.pair.shared_attribute or asks[0] == shared
    )


_ALWAYS = re.compile(r"\balways\b", re.I)
_BY = re.compile(r"\b(?:by hand|manually|directly|with|via|through|using|from|without)\b", re.I)


def _in_other_places(two: Comparison) -> bool:
    """Whether each is of something of its own: "changes in cart may …", "changes in pricing must not …"."""
    said = [
        {
            (t.marker, t.lemma)
            for k in left
            if (t := clause.content[k]).marker in ("in", "of", "for", "on", "at")
        }
        for clause, left in sides(two)
    ]
    return bool({marker for marker, _ in said[0]} & {marker for marker, _ in said[1]})


def _at_other_times(two: Comparison) -> bool:
    """Whether the two are of other moments ("stop it before the upgrade", "start it after it"), or say the
    same ("run it before you commit", "never commit without having run it")."""
    said = [frozenset(_MOMENTS.findall(clause.text.lower())) for clause in (two.a, two.b)]
    return any("before" in one and other & {"after", "without", "until"} for one, other in (said, said[::-1]))


_READ_ONLY = re.compile(r"\bread-only\b", re.I)
_WRITES = re.compile(r"\b(?:write|edit|change|modify|upload|delete|push)\b", re.I)
_MOMENTS = re.compile(r"\bbefore\b|\bafter\b|\buntil\b|\bwithout(?= having\b| \w+ing (?:the|it|them|a)\b)")


def _asked(clause: Clause) -> frozenset[str]:
    """The words that tell what one may do, or must not."""
    return frozenset(word for word in words_in(clause.text) if word not in _IDLE and word not in STOP_WORDS)


def _action(fact: Fact, barred: Clause) -> str:
    """What one must not do: the first word behind "never", else the last verb before "is off limits"."""
    text = " ".join(barred.text.lower().split())
    at = text.find(fact.phrase)
    behind = [
        word for word in _in_order(text[at + len(fact.phrase) :]) if word not in _IDLE and word not in STOP_WORDS
    ]
    before = [word for word in _in_order(text[:at]) if word not in _IDLE and word not in STOP_WORDS]
    behind_first = not before or _LEADS.match(fact.phrase)
    said = behind if behind_first and behind else before
    verbs = [word for word in said if lexicon().can_be(word, "v") and word not in _ANY]
    return (verbs or [word for word in said if word not in _ANY] or [""])[0]


def _in_order(text: str) -> list[str]:
    return [lexicon().lemma_of(word) for word in _WORD.findall(text)]


def _of_other_kinds(barred: Clause, says: Clause) -> bool:
    """Whether each tells of its own kind of the same: "shared branches", "feature branches"."""
    classes_of: list[dict[str, str]] = []
    for clause in (barred, says):
        words = _in_order(clause.text.lower())
        kinds.append({word: before for before, word in pairwise(words) if before not in STOP_WORDS | _IDLE})
    both = kinds[0].keys() & kinds[1].keys()
    said = [frozenset(_in_order(clause.text.lower())) for clause in (barred, says)]
    return any(kinds[0][w] not in said[1] and kinds[1][w] not in said[0] for w in both)


FAMILY = FactFamily("polarity", read, exclude)
