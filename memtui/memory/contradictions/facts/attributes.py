"""Attributes with one value, in the ways in which people state them: cause, maker, supplier, licence,
language, place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.facts.fact import Fact, FactFamily, is_negated
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts
from memtui.memory.contradictions.states.heads import name_different_heads
from memtui.memory.contradictions.states.scopes import differ_in_scope
from memtui.memory.contradictions.subjects import words_in

_TO_END = r"([^.;,:()]{2,60})"
_LANGUAGES = (
    "python|rust|go|golang|java|kotlin|scala|ruby|perl|php|typescript|javascript|elixir|erlang|haskell|ocaml|swift|"
    r"c\+\+|c#|zig|lua|clojure|dart|julia|r|c|cobol|fortran|pascal|nim"
)
_LICENCES = r"agpl|lgpl|gpl|mit|apache|bsd|mpl|proprietary|public domain|cc0|unlicense|isc|closed[- ]source"
_PLACED = (
    r"\b(?:was moved|sits?|lies|stands?|hangs?|lives?|kept|stored|located|based|headquartered|housed|hosted"
    r"|(?:head office|headquarters|hq) (?:is|are)) "
)
_IS_PLACED = r"^(?!it |he |she |they |there )[\w' -]{2,40}? (?:is|are) (?:now )?"
_PHRASES: tuple[tuple[str, str], ...] = (
    ("cause", rf"(?:root cause|cause)(?: \w+){{0,4}}?(?: turned out to be| was| is|:) {_TO_END}"),
    ("cause", rf"caused by {_TO_END}"),
    ("reason", rf"(?:because of|due to) {_TO_END}"),
    ("cause", rf"^it was {_TO_END}? (?:after all|in the end)"),
    ("maker", rf"(?:was|were|is|are) (?:made|built|drawn|designed|painted|written|composed) by {_TO_END}"),
    ("maker", r"^([\w' -]{2,40}?) (?:drew|built|designed|painted|wrote|composed|made) (?:the|it|our|every"
     r"|all)\b"),
    ("supplier", rf"(?:buys?|bought|comes?|come|ordered|orders|supplied|delivered|sourced"
     rf"|sources) (?:\w+ ){{0,4}}?from {_TO_END}"),
    ("supplier", r"^([\w' -]{2,40}?) (?:delivers|supplies|provides) (?:our|the|us|all)\b"),
    ("supplier", rf"(?:supplier|vendor)(?: is|:) {_TO_END}"),
    ("licence", rf"\b({_LICENCES})\b.{{0,20}}?(?:licen[cs]e|only|or later)"),
    ("licence", rf"licen[cs]e[sd]?.{{0,30}}?\b({_LICENCES})\b"),
    ("language", rf"(?:re)?written (?:again )?in (?:plain |pure )?({_LANGUAGES})(?![\w+#])"),
    ("language", rf"(?:ported|rewrote(?: \w+){{0,3}}|moved) (?:to|in) ({_LANGUAGES})(?![\w+#])"),
    ("language", rf"^(?:programming )?language: (?:written in )?({_LANGUAGES})(?![\w+#])"),
    ("language", rf"(?:is|was) (?:now )?(?:an? )?(?:all |pure |plain |mostly )?({_LANGUAGES}) (?:app|service"
     rf"|project|code|program|script|tool|codebase)"),
    ("language", rf"(?:is|was) (?:now )?(?:all|pure|plain|entirely|written entirely in) "
     rf"({_LANGUAGES})(?![\w+#])"),
    ("place", rf"{_PLACED}(?:in|at|on|under|behind|with|inside|above|below|beside|next to) (?:the "
     rf"|an? )?{_TO_END}"),
    ("place", rf"{_IS_PLACED}(?:in|at|on|under|behind|with|inside|above|below|beside|next to) (?:the "
     rf"|an? )?{_TO_END}"),
    ("venue", rf"(?:meets?|takes? place|(?:is|are) held|gathers?|rehearses?|trains?) (?:now )?(?:at|in) "
     rf"(?:the )?{_TO_END}"),
    ("place", rf"^(?:the )?(?:head office|headquarters|hq|address|location)(?: is in|:) {_TO_END}"),
)  # fmt: skip
_PATTERNS = tuple((topic, re.compile(pattern)) for topic, pattern in _PHRASES)
# An embedded clause is about something else: "met a painter who lives on a boat".
_PRONOUNS = frozenset("it him her them us me there here this that".split())
_EMBEDDED = re.compile(r"\b(?:who|which|that|met|where|whose|named|called)\b")
_VALUE_END = re.compile(
    r"\s(?:and|but|because|since|after|before|when|which|who|as|by|until|so|while|where|for|now|not|at|with)\s"
)
# Objects of "in" and "at" that are no places: "is in review", "is at risk".
_NOT_PLACES = frozenset(
    "review use progress charge production beta staging development service touch place order risk "
    "work school home time stock hold leave holiday duty call case fact general draft line love "
    "trouble debt demand doubt hand hands mind need print public question short sight sync talks "
    "today track turn vain view danger way maintenance version proxy flag board therapy diet stress "
    "accounting marketing sales engineering police slack email paper "
    "monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december spring "
    "summer autumn winter months mornings evenings afternoons morning evening night weekend week "
    "month year second minute hour day week millisecond byte euro dollar cent metre celsius "
    "percent utc english german french spanish italian portuguese dutch polish lowercase uppercase".split()
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    for topic, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is None or is_negated(text, match.start()) or _EMBEDDED.search(text[: match.start() + 4]):
            continue
        value = _VALUE_END.split(f"{match[1]} ", maxsplit=1)[0].strip()
        words = frozenset(word for word in words_in(value) if word not in STOP_WORDS) or frozenset((value,))
        if (
            not words - _PRONOUNS
            or (topic in ("place", "venue") and words & _NOT_PLACES)
            or any(char.isdigit() for char in value[:1])
        ):
            continue
        yield Fact(topic, words, value)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    assert isinstance(one.value, frozenset)
    assert isinstance(other.value, frozenset)
    if one.value & other.value or differ_in_scope(comparison):
        return False
    if any(_scopes_conflict(comparison, conflict) for conflict in comparison.alignment.conflicts):
        return False  # "on Linux", "on Windows"
    purposes = [
        {token.lemma for token in clause.content if token.marker == "for"}
        for clause in (comparison.a, comparison.b)
    ]
    if all(purposes) and not purposes[0] & purposes[1]:
        return False  # "Haller for oak", "Nordwood for pine"
    if one.topic == "reason" and not comparison.shared:
        return False
    if any(
        lexicon().relation(x, y)[0] in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER)
        for x in one.value
        for y in other.value
    ):
        return False
    if one.topic in ("licence", "language"):
        return not name_different_parts(comparison, require_both=True)
    if one.topic == "place" and (
        name_different_parts(comparison, require_both=True) or _may_contain_other(one, other, comparison)
    ):
        return False
    if one.topic in ("cause", "reason") and all(
        any(map(_on_a_day, clause.content)) for clause in (comparison.a, comparison.b)
    ):
        return False  # about different days
    if name_different_heads(
        comparison.alignment, comparison.pair.names, include_unrelated=one.topic == "place"
    ):
        return False
    subjects = [set(clause.lemmas[: clause.subject_end]) for clause in (comparison.a, comparison.b)]
    own_words = [
        {word for word in conflict if word not in comparison.pair.names and word not in value}
        for conflict, value in zip(subjects, (one.value, other.value), strict=True)
    ]
    return not (own_words[0] and own_words[1]) or bool(own_words[0] & own_words[1])


def _scopes_conflict(comparison: Comparison, conflict: TokenConflict) -> bool:
    """Whether the conflicting words say where or for what something holds."""
    markers = {comparison.a.content[conflict.index_a].marker, comparison.b.content[conflict.index_b].marker}
    return markers <= {"on", "for", "under", "with"} and conflict.index_a < len(comparison.a.content) - 1


def _on_a_day(token: Token) -> bool:
    return token.quantity is not None and token.quantity.kind in ("year", "date")


def _may_contain_other(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether one place may lie in the other: "Dundee", "Scotland"."""
    assert isinstance(one.value, frozenset)
    assert isinstance(other.value, frozenset)
    if (
        one.value & comparison.b.bag
        or other.value & comparison.a.bag
        or any(map(_is_about_being, (comparison.a, comparison.b)))
    ):
        return True
    are_countries = [
        any("countries" in lexicon().classes_of(word) for word in words) for words in (one.value, other.value)
    ]
    return are_countries[0] != are_countries[1] or any(word in _REGIONS for word in one.value | other.value)


def _is_about_being(clause: Clause) -> bool:
    """Whether a clause is about a person or animal: "her brother lives in Toronto"."""
    return any(lexicon().is_animate(lemma) for lemma in clause.lemmas[: clause.subject_end])


_REGIONS = frozenset(
    "scotland wales england brittany bavaria tuscany catalonia europe asia africa america "
    "scandinavia benelux north south east west northern southern eastern western downtown abroad".split()
)
FAMILY = FactFamily("value", read, excludes)
