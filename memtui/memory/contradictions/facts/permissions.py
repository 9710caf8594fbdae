"""What is allowed, required or forbidden: "may push without asking", "never push"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, first_match, phrase_pattern
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts, sides
from memtui.memory.contradictions.states.scopes import both_scoped, differ_in_scope
from memtui.memory.contradictions.subjects import words_in

_BARRED = phrase_pattern(
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
_FREE = phrase_pattern(
    r"""
    without (?:asking|approval|permission|sign-?off|review)|(?:is|are) (?:fine|ok|okay|allowed|permitted
    |welcome)|(?<!\d )(?<!in )(?<!of )(?<!by )(?<!until )may(?= (?!not|never|\d)\w)|free to|any day
    |no (?:approval|permission|sign-?off|review) (?:is )?(?:needed|required)|(?:has been|was|is) lifted
    |no need to ask|(?:can|are allowed to|is allowed to)(?! not| never|not)|go ahead and
    """
)
_DO = phrase_pattern(
    r"""
    ^(?:please )?(?:always|use|squash|run|mock|keep|merge|rebase|commit|push|write|send|attach|format|ask for
    |book|put|prefix|sign|tag|deploy|ship|test|add|include|start|pin|lint|cache|log)|always
    |should(?! not| never|n't)|must(?! not| never|n't)|has to|have to|wants? \w+ (?:tests |\w+ )*?to
    """
)
_LEADING = re.compile(
    r"(?:please )?(?:never|do not|don't|no|stop|avoid|refrain|ask|always ask|must|may|can|should)"
)
_KEEP_OFF = re.compile(r"\b(?:stay|keep) (?:off|out of|away from)\b", re.I)
_WORD = re.compile(r"[^\W_]+")
_GENERIC_ACTIONS = frozenset(
    "touch do make perform agent execute".split()
)  # that name no action of their own
_IGNORED = frozenset(
    "stay allow always never please not may can must should allowed fine ok okay free ask asking "
    "approval permission without unless approve agree confirm first any day only forbid ban limit "
    "off is are be stop avoid want user human agent claude you your own each every all even before "
    "after until one use keep no do use straight directly".split()
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    if word := first_match(_FREE, text):
        barred = first_match(_BARRED, text)
        if barred in ("", "no") or text.find(word) < text.find(barred):
            yield Fact("permission", "free", word)
            return
        yield Fact("permission", "barred", barred)
    elif word := first_match(_BARRED, text):
        yield Fact("permission", "barred", word)
    elif word := first_match(_DO, text):
        yield Fact("permission", "do", word)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if (
        "barred" not in (one.value, other.value)
        or name_different_parts(comparison, require_both=True)
        or differ_in_scope(comparison)
        or both_scoped(comparison)
        or _differ_in_moment(comparison)
        or _differ_in_object(comparison)
    ):
        return False
    barred, permitting = (
        (comparison.a, comparison.b) if one.value == "barred" else (comparison.b, comparison.a)
    )
    words = _content_words(barred), _content_words(permitting)
    shared = words[0] & words[1]
    if _MANNER.search(barred.text) and not words[0] <= words[1] and not _ALWAYS.search(permitting.text):
        return False  # "never run migrations by hand", "run migrations with make"
    if _READ_ONLY.search(barred.text) and _WRITING.search(permitting.text):
        return bool(shared)
    if _action(one if one.value == "barred" else other, barred) not in words[1] or _concern_different_kinds(
        barred, permitting
    ):
        return False
    if not shared or not (
        any(lexicon().can_be(word, "v") for word in shared)
        or words[0] & _GENERIC_ACTIONS
        or _KEEP_OFF.search(barred.text)
    ):
        return False
    return len(shared) >= 0.6 * min(len(words[0]), len(words[1])) and (
        len(shared) > 1 - comparison.pair.shared_attribute or words[0] == shared
    )


_ALWAYS = re.compile(r"\balways\b", re.I)
_MANNER = re.compile(r"\b(?:by hand|manually|directly|with|via|through|using|from|without)\b", re.I)


def _differ_in_object(comparison: Comparison) -> bool:
    """Whether each is about an object of its own: "changes in cart may …", "changes in pricing must not
    …"."""
    objects = [
        {
            (t.marker, t.lemma)
            for k in unmatched
            if (t := clause.content[k]).marker in ("in", "of", "for", "on", "at")
        }
        for clause, unmatched in sides(comparison)
    ]
    return bool({marker for marker, _ in objects[0]} & {marker for marker, _ in objects[1]})


def _differ_in_moment(comparison: Comparison) -> bool:
    """Whether the two are about different moments ("stop it before the upgrade", "start it after it"), or
    agree ("run it before you commit", "never commit without having run it")."""
    moments = [frozenset(_MOMENTS.findall(clause.text.lower())) for clause in (comparison.a, comparison.b)]
    return any(
        "before" in one and other & {"after", "without", "until"} for one, other in (moments, moments[::-1])
    )


_READ_ONLY = re.compile(r"\bread-only\b", re.I)
_WRITING = re.compile(r"\b(?:write|edit|change|modify|upload|delete|push)\b", re.I)
_MOMENTS = re.compile(r"\bbefore\b|\bafter\b|\buntil\b|\bwithout(?= having\b| \w+ing (?:the|it|them|a)\b)")


def _content_words(clause: Clause) -> frozenset[str]:
    """Return the words that say what is allowed or forbidden."""
    return frozenset(
        word for word in words_in(clause.text) if word not in _IGNORED and word not in STOP_WORDS
    )


def _action(fact: Fact, barred: Clause) -> str:
    """Return the forbidden action: the first word behind "never", else the last verb before "is off
    limits"."""
    text = " ".join(barred.text.lower().split())
    start = text.find(fact.phrase)
    following = [
        word
        for word in _lemmas(text[start + len(fact.phrase) :])
        if word not in _IGNORED and word not in STOP_WORDS
    ]
    preceding = [word for word in _lemmas(text[:start]) if word not in _IGNORED and word not in STOP_WORDS]
    follows = not preceding or _LEADING.match(fact.phrase)
    words = following if follows and following else preceding
    verbs = [word for word in words if lexicon().can_be(word, "v") and word not in _GENERIC_ACTIONS]
    return (verbs or [word for word in words if word not in _GENERIC_ACTIONS] or [""])[0]


def _lemmas(text: str) -> list[str]:
    return [lexicon().lemma_of(word) for word in _WORD.findall(text)]


def _concern_different_kinds(barred: Clause, permitting: Clause) -> bool:
    """Whether each is about a kind of its own of the same thing: "shared branches", "feature branches"."""
    modifiers: list[dict[str, str]] = []
    for clause in (barred, permitting):
        words = _lemmas(clause.text.lower())
        modifiers.append(
            {word: previous for previous, word in pairwise(words) if previous not in STOP_WORDS | _IGNORED}
        )
    both = modifiers[0].keys() & modifiers[1].keys()
    lemmas = [frozenset(_lemmas(clause.text.lower())) for clause in (barred, permitting)]
    return any(modifiers[0][w] not in lemmas[1] and modifiers[1][w] not in lemmas[0] for w in both)


FAMILY = FactFamily("polarity", read, excludes)
