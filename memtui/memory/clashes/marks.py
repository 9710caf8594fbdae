"""Words that tell of a change: what ended, what was exchanged for what, what somebody became."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memtui.memory.clashes.tokens import tokens_of
from memtui.memory.clashes.vocabulary import LIGHT, STOPS


class Change(StrEnum):
    """What sort of change a clause tells of."""

    ENDED = "ended"  # "gave up teaching", "the phone line was cut off"
    SWITCHED = "switched"  # "moved the builds from Gradle to Bazel"
    AMOUNT = "amount"  # "the crew is up to nine"
    TIME = "time"  # "put off to July"
    ROLE = "role"  # "became chief editor"
    HANDED = "handed"  # "took the project over from Cosima"
    MIND = "mind"  # "changed her mind", "after all"
    NOW = "now"  # "these days", "from April"


@dataclass(frozen=True, slots=True)
class Mark:
    """A change that a clause tells of, in words of base form: `thing` is what changed, `old` what it was, `new`
    what it is, as far as the clause names them; `word` as written."""

    change: Change
    word: str
    thing: frozenset[str] = frozenset()
    old: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()

    @property
    def weak(self) -> bool:
        """Whether the word is told of much that does not end by it: "sold eleven photographs"."""
        return self.word.lower() in _WEAK


def _any(words: str) -> str:
    return re.sub(r"\s*\n\s*", "", words)


# What follows is what ended.
_ENDS = _any(
    """
    gave up|give up|given up|giving up|quit|quits|stopped|dropped|left|abandoned|cancell?ed|called off
    |scrapped|shelved|sunset|wound up|wound down|retired|phased out|shut down|switched off|turned off|deleted
    |removed|archived|discontinued|finished|sold|divorced|split up with|broke up with|separated from
    |resigned from|resigned as|done with|through with|terminated|cut off|got rid of|threw out|dismantled
    |decommissioned|pulled out of|withdrew from|swore off|ditched|parted ways with|unsubscribed from
    |uninstalled|let go of|closed|ended|stepped down as|stepped back from|gave away|moved away from|moved off
    |weaned off|lost|no longer needs?|got over|outgrew|can't stand|cannot stand|hasn't touched|haven't touched
    |holds? no|broke off|finished with|discharged from|released from|got out of|moved out of|backed out of
    |retired from|tore down|pulled|revoked|repealed|lifted|waived
    """
)
# What stands before is what ended.
_IS_OVER = _any(
    """
    over(?= *$| *[,;.])|off(?= *$| *[,;.])|gone|empty|dead|history|no more|off the table|given up|dropped
    |abandoned|cancell?ed|called off|scrapped|shelved|wound up|wound down|retired|phased out|shut down
    |switched off|turned off|deleted|removed|archived|discontinued|terminated|cut off|dismantled
    |decommissioned|ditched|closed|disbanded|dissolved|revoked|repealed|lifted|waived|refunded|replaced
    |torn down|cut from|taken out|pulled|axed|put to rest|laid off|suspended|on hold|frozen
    """
)
_FELL = r"shut (?:its|their) doors|closed down|fell through|ran out|folded|disbanded|expired|lapsed|died|passed away|came to an end|went under"
_BE = r"(?:is|are|was|were|has been|have been|had been|got|been)"
_ENDED = re.compile(rf"\b(?:{_ENDS})\b", re.I)
_OVER = re.compile(rf"\b{_BE} (?:now |finally |since |being )?(?:{_IS_OVER})\b|\b(?:{_FELL})\b", re.I)
_HAD = re.compile(
    r"(?<=\bhad ).{1,30}? (?:cut off|removed|taken out|disconnected|shut off|switched off)\b", re.I
)
_MOVES = r"(?:moved?|moving|shift(?:ed|ing)?|switch(?:ed|ing)?|migrat(?:ed|ing)|relocated|transferred|changed|swapped|(?:went|gone|going|came) (?:over|back|from|(?=to (?:hourly|daily|weekly|fortnightly|monthly|quarterly|yearly)))|converted|ported|rewritten|rewrote|settled|upgraded|downgraded|rolled|reverted|traded|exchanged|replaced|replaces|moves|switches)"
_SWITCHED = re.compile(rf"\b{_MOVES}\b", re.I)
_FROM_TO = re.compile(
    r"^(?P<thing>.{0,50}?)\s*\bfrom\s+(?P<old>.{1,60}?)\s+(?:over\s+|back\s+)?(?:to|into|onto)\s+(?P<new>.{1,80})",
    re.I,
)
_TO_FROM = re.compile(
    r"^(?P<thing>.{0,50}?)\s*\b(?:to|into|onto)\s+(?P<new>.{1,60}?)\s+from\s+(?P<old>.{1,80})", re.I
)
_TO = re.compile(r"^(?P<thing>.{0,50}?)\s*\b(?:to|into|onto)\s+(?P<new>.{1,80})", re.I)
_REPLACED = re.compile(
    r"\b(?:replaced?|swapped|exchanged|traded)\s+(?P<old>.{1,60}?)\s+(?:with|by|for)\s+(?P<new>.{1,80})", re.I
)
_PASSIVE = re.compile(
    rf"^(?P<old>.{{1,60}}?)\s+{_BE}\s+(?:replaced|superseded|succeeded)\s+(?:with|by)\s+(?P<new>.{{1,80}})",
    re.I,
)
_REPLACES = re.compile(
    r"^(?P<new>.{1,60}?)\s+(?:has replaced|have replaced|replaced|replaces|supersedes?d?|succeeded|succeeds|took over from|takes over from)\s+(?P<old>.{1,80})",
    re.I,
)
_INSTEAD = re.compile(
    r"(?P<new>.{1,80}?),?\s+(?:instead of|in place of|rather than|in lieu of)\s+(?P<old>.{1,60})", re.I
)
_AMOUNT = re.compile(
    r"\b(?:raised|lowered|cut|doubled|tripled|halved|grew|grown|grows|shrank|shrunk|rose|risen|dropped to|fell to|"
    r"fallen to|up to|down to|up from|down from|expanded|reduced|increased|extended|shortened|scaled|went up|"
    r"went down|gone up|gone down|climbed|sank|trimmed|bumped|only .{1,40} (?:left|remain)|as many as|"
    r"new contract|renegotiated|added|joined by|is at|are at|now at)\b",
    re.I,
)
_TIME = re.compile(
    r"\b(?:put off|put back|pushed (?:back|out|to|forward)|postponed|delayed|deferred|rescheduled|brought forward|"
    r"pulled forward|moved|moves|shifted|slipped|shelved until|changed to|set back|held over|advanced)\b",
    re.I,
)
_ROLE = re.compile(
    r"\b(?:became|becomes|has become|promoted|demoted|appointed|elected|hired as|made (?:chief|head|lead|partner)|"
    r"took on the role|stepped up|stepped down|stood down|resigned|acting|is now (?:an?|the|our)|retrained|"
    r"left .{1,40} (?:board|job|post|role|team)|moved up|transferred|named (?:chief|head|lead))\b",
    re.I,
)
_HANDED = re.compile(
    r"\b(?:(?:handed|hands|handing)(?! (?:in|out)\b)|took .{0,40}?over from|took over|taken over|takes over|passed (?:on )?to|"
    r"passed the|succeeded by|belongs to .{1,30} now)\b",
    re.I,
)
_MIND = re.compile(
    r"\b(?:after all|turned out|changed (?:his|her|their|its|my|our) mind|has come to|no longer|not any ?more|"
    r"any ?more|lost (?:his|her|their) taste|went off)\b",
    re.I,
)
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|currently|since|as of|from \w+ on(?:wards)?|from (?:january|february|march|april|"
    r"may|june|july|august|september|october|november|december|next)(?! to | until )|lately|by now|instead|again|back to|"
    r"has become|this (?:year|spring|summer|autumn|fall|winter|month)|for good|at last|finally|recently|"
    r"under the new|meanwhile|in the meantime)\b",
    re.I,
)
_PLANNED = re.compile(
    r"\b(?:thinks? (?:about|of)|thinking (?:about|of)|consider(?:s|ing|ed)?|idea|maybe|perhaps|might|could|"
    r"propos(?:al|es|ed|ing)|would (?:like|love|rather)|wants? to|will|hopes?|hoping|dreams?|wishes|plans to|(?:we|they|i|to|and|who) plan to|"
    r"planning|intends?|is to come|are to come|in talks|evaluat\w+|nothing decided|looking (?:at|into)|"
    r"option|(?-i:may) (?:be|move|switch|change|become|have|take|go)|if|wonders?|tries|encourag\w+|suggest\w+|"
    r"advis\w+|recommend\w+|said|says|told|thinks|believes|worries|estimates)\b",
    re.I,
)
_MAY = re.compile(r"(?:\b(?:can|may|must|should|will|would|could|to|not|never)|n't)(?: \w+| be)? ?$", re.I)
_BEFORE_ADJECTIVES = re.compile(r"\b(?:an?|the|his|her|their|my|our|its|this|that|of|with|about|all) $", re.I)
_CUT = re.compile(
    r"[,;:(]|\s(?:and|but|because|since|after|before|when|which|who|as of|in order|by|until|so|while|where)\s",
    re.I,
)
_OBJECT = re.compile(r"\s(?:in|on|at|for|over|last|this|from|to|with|as|during|through)\s", re.I)
_GIVEN = re.compile(r"\b(?:to|into|as|until)\s+(.{1,60})", re.I)
_WEAK = frozenset("finished sold lost closed left removed ended lifted pulled dropped".split())


@lru_cache(maxsize=4_096)
def marks_of(text: str) -> tuple[Mark, ...]:
    """The changes that a clause tells of; () where it tells of none."""
    found: list[Mark] = []
    for pattern in (_PASSIVE, _REPLACED, _REPLACES, _INSTEAD):
        if (parts := pattern.search(text)) and not _denied(text, parts.start()):
            found.append(
                Mark(Change.SWITCHED, parts[0][:40], frozenset(), _words(parts["old"]), _words(parts["new"]))
            )
            break
    if over := _OVER.search(text) or _HAD.search(text):
        thing = text[: over.start()] if over.re is _OVER else over[0]
        found.append(Mark(Change.ENDED, over[0], _words(thing, before=over.re is _OVER)))
    elif (
        (ends := _ENDED.search(text))
        and not _denied(text, ends.start())
        and not _BEFORE_ADJECTIVES.search(text[: ends.start()])
    ):
        found.append(_ended(text, ends))
    if (moves := _SWITCHED.search(text)) and not _denied(text, moves.start()):
        found.append(_switched(text, moves))
    for change, pattern in _OTHERS.items():
        if (told := pattern.search(text)) and not _denied(text, told.start()):
            found.append(_other(change, text, told))
    return tuple(found)


_OTHERS = {
    Change.AMOUNT: _AMOUNT,
    Change.TIME: _TIME,
    Change.ROLE: _ROLE,
    Change.HANDED: _HANDED,
    Change.MIND: _MIND,
    Change.NOW: _NOW,
}


def _ended(text: str, ends: re.Match[str]) -> Mark:
    behind = _CUT.split(text[ends.end() :] + " ", maxsplit=1)[0]
    parts = _OBJECT.split(behind, maxsplit=1)
    given = re.search(r"\bto\s+(.{1,60})", behind)  # "sold to the Corbins": they have it
    return Mark(Change.ENDED, ends[0], _words(parts[0]), new=_words(given[1]) if given else frozenset())


def _other(change: Change, text: str, told: re.Match[str]) -> Mark:
    behind = _CUT.split(f"{text[told.end() :]} ", maxsplit=1)[0]
    if told[0].lower().endswith(("up to", "down to", "became", "becomes", "become", " to", " at")):
        return Mark(change, told[0], new=_words(behind))
    given = _GIVEN.search(behind)
    return Mark(change, told[0], new=_words(given[1]) if given else frozenset())


def _switched(text: str, moves: re.Match[str]) -> Mark:
    behind = text[moves.end() :]
    before = _words(text[: moves.start()], before=True)
    for pattern in (_FROM_TO, _TO_FROM, _TO):
        if parts := pattern.search(behind):
            named = parts.groupdict()
            thing = _words(named["thing"]) or before
            purpose = re.search(r"\bfor\s+(.{1,40})", named["new"])
            if purpose:
                thing |= _words(purpose[1])
            return Mark(
                Change.SWITCHED,
                moves[0],
                thing,
                _words(named.get("old") or ""),
                _words(named["new"].split(" for ")[0]),
            )
    return Mark(Change.SWITCHED, moves[0], before or _words(behind))


def _denied(text: str, place: int) -> bool:
    return _MAY.search(text[:place]) is not None


@lru_cache(maxsize=4_096)
def is_planned(text: str) -> bool:
    """Whether a clause tells of what somebody thinks or says about something, not of what is."""
    return _PLANNED.search(text) is not None


def _words(span: str, before: bool = False) -> frozenset[str]:
    parts = _CUT.split(f"{span} ")
    span = (parts[-1].strip() or parts[0]) if before else parts[0]
    return frozenset(t.lemma for t in tokens_of(span) if t.low not in STOPS and t.lemma not in LIGHT)
