"""What a thing has one of, in the ways in which people say it: a cause, a maker, a licence, a language, a
place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.facts.fact import Fact, FactFamily, is_denied
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.heads import of_other_heads
from memtui.memory.contradictions.states.two import Comparison, other_heads
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
_STANDS = r"^(?!it |he |she |they |there )[\w' -]{2,40}? (?:is|are) (?:now )?"
_SAID: tuple[tuple[str, str], ...] = (
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
    ("place", rf"{_STANDS}(?:in|at|on|under|behind|with|inside|above|below|beside|next to) (?:the "
     rf"|an? )?{_TO_END}"),
    ("venue", rf"(?:meets?|takes? place|(?:is|are) held|gathers?|rehearses?|trains?) (?:now )?(?:at|in) "
     rf"(?:the )?{_TO_END}"),
    ("place", rf"^(?:the )?(?:head office|headquarters|hq|address|location)(?: is in|:) {_TO_END}"),
)  # fmt: skip
_PATTERNS = tuple((topic, re.compile(pattern)) for topic, pattern in _SAID)
# What stands in a clause of its own is told of something else: "met a painter who lives on a boat".
_PRONOUNS = frozenset("it him her them us me there here this that".split())
_INSIDE = re.compile(r"\b(?:who|which|that|met|where|whose|named|called)\b")
_BEHIND = re.compile(
    r"\s(?:and|but|because|since|after|before|when|which|who|as|by|until|so|while|where|for|now|not|at|with)\s"
)
# Of these a thing may be in both: "is in review", "is at risk".
_NO_PLACE = frozenset(
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
    text = text.lower()
    for topic, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is None or is_denied(text, match.start()) or _INSIDE.search(text[: match.start() + 4]):
            continue
        value = _BEHIND.split(f"{match[1]} ", maxsplit=1)[0].strip()
        words = frozenset(word for word in words_in(value) if word not in STOP_WORDS) or frozenset((value,))
        if (
            not words - _PRONOUNS
            or (topic in ("place", "venue") and words & _NO_PLACE)
            or any(char.isdigit() for char in value[:1])
        ):
            continue
        yield Fact(topic, words, value)


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    assert isinstance(one.value, frozenset)
    assert isinstance(other.value, frozenset)
    if one.value & other.value or elsewhere(two):
        return False
    if any(_is_scope(two, each) for each in two.pair.alignment.conflicts):
        return False  # "on Linux", "on Windows"
    purposes = [
        {token.lemma for token in clause.content if token.marker == "for"} for clause in (two.a, two.b)
    ]
    if all(purposes) and not purposes[0] & purposes[1]:
        return False  # "Haller for oak", "Nordwood for pine"
    if one.topic == "reason" and not two.shared:
        return False
    if any(
        lexicon().relation(x, y)[0] in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER)
        for x in one.value
        for y in other.value
    ):
        return False
    if one.topic in ("licence", "language"):
        return not other_heads(two, loosely=True)
    if one.topic == "place" and (other_heads(two, loosely=True) or _of_other_sizes(one, other, two)):
        return False
    if one.topic in ("cause", "reason") and all(
        any(map(_on_a_day, clause.content)) for clause in (two.a, two.b)
    ):
        return False  # each of its own day
    if of_other_heads(two.pair.alignment, two.pair.names, strictly=one.topic == "place"):
        return False
    heads = [set(clause.lemmas[: clause.subject]) for clause in (two.a, two.b)]
    own = [
        {word for word in each if word not in two.pair.names and word not in value}
        for each, value in zip(heads, (one.value, other.value), strict=True)
    ]
    return not (own[0] and own[1]) or bool(own[0] & own[1])


def _is_scope(two: Comparison, each: TokenConflict) -> bool:
    """Whether two words that exclude each other tell where or for what it is so."""
    markers = {two.a.content[each.index_a].marker, two.b.content[each.index_b].marker}
    return markers <= {"on", "for", "under", "with"} and each.index_a < len(two.a.content) - 1


def _on_a_day(token: Token) -> bool:
    return token.quantity is not None and token.quantity.kind in ("year", "date")


def _of_other_sizes(one: Fact, other: Fact, two: Comparison) -> bool:
    """Whether one place may lie in the other: "Dundee", "Scotland"."""
    assert isinstance(one.value, frozenset)
    assert isinstance(other.value, frozenset)
    if one.value & two.b.bag or other.value & two.a.bag or any(map(_is_of_somebody, (two.a, two.b))):
        return True
    wide = [any("countries" in lexicon().classes_of(word) for word in words) for words in (one.value, other.value)]
    return wide[0] != wide[1] or any(word in _REGIONS for word in one.value | other.value)


def _is_of_somebody(clause: Clause) -> bool:
    """Whether a clause tells where somebody is: "her brother lives in Toronto"."""
    return any(lexicon().is_animate(lemma) for lemma in clause.lemmas[: clause.subject])


_REGIONS = frozenset(
    "scotland wales england brittany bavaria tuscany catalonia europe asia africa america "
    "scandinavia benelux north south east west northern southern eastern western downtown abroad".split()
)
FAMILY = FactFamily("value", read, exclude)
