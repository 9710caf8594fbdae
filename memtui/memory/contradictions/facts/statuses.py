"""The status of a thing: open or done, paused or running, broken or in use, existing or gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import (
    Fact,
    FactFamily,
    both_start_with,
    first_match,
    phrase_pattern,
)
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts
from memtui.memory.contradictions.states.scopes import differ_in_scope, in_different_environments
from memtui.memory.contradictions.subjects import words_in

_BE = r"(?:is|are|was|were|has been|have been|got|gets)"
_TOPICS = {
    "progress": (
        r"""
        pending|under review|in review|awaiting(?! \w+ing)|(?:is |are |still )?waiting (?:for|on)|in progress
        |half done|(?:not|n't) (?:yet )?(?:been )?(?:started|begun|decided|finished|signed|approved|merged
        |fixed)|still open|unresolved|unfinished|undecided|not (?:started|done|ready|finished) yet
        |(?:still )?outstanding|application submitted|applied for|recruiting participants|under construction
        |being (?:reviewed|built)|^(?:status )?(?:open|in draft|draft|todo|to do|planned)(?=$|[.,;:])
        |stuck in review|(?:still )?recruiting|still (?:drafting|writing|working on|waiting)
        """,
        rf"""
        (?:{_BE} )?(?:granted|awarded|approved|turned down|refused|declined|resolved|merged|completed?
        |concluded)|{_BE} (?:closed|fixed|finished|signed|settled|rejected|accepted|delivered|done|denied)
        |^(?:status )?(?:closed|done|finished|fixed|rejected|accepted|signed|delivered)(?=$|[.,;:]| as
        | on| in| by
        | after)|(?:recruitment|enrol?lment) (?:is )?closed|all \w+ (?:\w+ )?(?:enrolled|installed|shipped
        |migrated|done)|^handed in|^submitted to
        """,
    ),
    "verdict": (
        rf"(?:{_BE} )(?:accepted|approved|granted|adopted)|^(?:accepted|approved|granted|adopted)",
        rf"""
        {_BE} (?:rejected|declined|refused|denied|turned down|voted down)|turned (?:\w+ ){{1,3}}down
        |^(?:rejected|declined|refused|denied)|rejected by
        """,
    ),
    "pace": (
        r"on hold|paused|suspended|halted|stalled|at a standstill|frozen|mothballed|shelved"
        r"|postponed; no start date|no start date|put on ice|parked",
        r"""
        under way|underway|(?:is |up and )?running again|picked up again|resumed|restarted|in full swing
        |back on track|work (?:has )?(?:goes|went|going) on|started again|weekly sprints running|going ahead
        |moving again|^(?:active|ongoing|running)(?=$|[.,;])
        """,
    ),
    "order": (
        r"""
        out of service|out of order|broken|out of action|(?:does not|doesn't|isn't|is not|not) work(?:s
        |ing)?(?=$|[.,;])|unusable|defective|has failed|is down(?=$|[.,;])|is dead|is flooded|limping
        |is limping|is lame
        """,
        r"""
        in (?:daily|regular|full|constant|heavy|good) (?:use|order)|works (?:again|fine|well|perfectly)
        |up and running|working (?:again|fine|well)|back in (?:service|use|operation|order)|repaired
        |has been fixed|operational|in working order|holds \d+ degrees|walks soundly|sound again
        """,
    ),
    "life": (
        rf"""
        (?:{_BE} |^|has )(?:shut down|decommissioned|switched off|turned off|retired|discontinued|archived
        |phased out|wound up)(?! (?:in|on) (?:the )?(?:winter|summer|weekends?|nights?|sundays?))
        |ceased \w+ing|ceased (?:publication|operations?|trading)|shut (?:its|their) doors|closed down
        |(?:support|recruitment|service) (?:\w+ ){{0,4}}?(?:has )?ended|no longer supported
        |reached end of life|(?:closed|gone|shut) for good|went out of business|was dissolved|disbanded
        """,
        r"""
        (?:still )?(?:runs|running) on(?! (?:sundays|mondays|weekends))|in (?:beta|production|service|use)
        |is live|still (?:active|running|supported|open|in use)|(?:is|are) (?:actively )?supported
        |(?:broadcasts|operates|publishes|trades|meets|opens) (?:every|each|daily|weekly|on|from)
        |(?:broadcasts|operates|publishes|trades|meets|opens) \w+s(?: at)?|clients call
        |(?:people|staff) work (?:from|at|in)|serves the|handles (?:all|the|every)
        |is (?:open|active|thriving|in business)|actively developed|^active(?=$|[.,;])
        """,
    ),
    "absence": (
        r"""
        (?<!was )(?:on (?:\w+ )?leave|on sabbatical|on holiday|off sick|out sick|on vacation|in hospital)
        |away until
        |(?:is |has )?signed off (?:work|sick)
        """,
        r"""
        back (?:at (?:work|the desk|her desk|his desk|their desk|school)|in the office|from|full[- ]time
        |to work)|returned (?:from|to work)|works (?:full|part)[- ]time again|out of hospital|discharged
        """,
    ),
    "maturity": (
        r"experimental|(?:an? |in )?(?:alpha|early beta|beta|preview)(?: release| version| stage)?(?=$|[.,;])"
        r"|unstable|not (?:yet )?(?:stable|production[- ]ready|ready for production)|a prototype"
        r"|a proof of concept",
        r"(?<!un)stable (?:since|now|as of)|declared (?:\w+ )?stable|production[- ]ready|generally available"
        r"|out of (?:beta|alpha|preview)|(?:has )?left (?:beta|alpha|preview)",
    ),
    "post": (
        r"vacant|unfilled|nobody holds|is empty since|without a (?:head|lead|chair|director|treasurer"
        r"|manager)",
        r"(?:runs|heads|leads|chairs) .{1,30}? as|is (?:headed|led|chaired|run) by|holds the post"
        r"|has taken the job|was filled|is filled by|is the (?:new |current )?(?:head|lead|chair|director"
        r"|treasurer|manager)",
    ),
    "plan": (
        r"""
        (?:is|are) (?:planned|scheduled|booked|set|due|going ahead|on) (?:for|in|on|to|as)?|will take place
        |going ahead|^(?:planned|scheduled|booked) (?:for|in)|(?:is|are|we're|we are) going to|^going to
        |we will
        """,
        rf"""
        (?:{_BE} |have been )?(?:called off|cancell?ed|scrapped|abandoned)|fell through|came to nothing
        |(?:^|we |they |she |he )(?:dropped|scrapped|called off|gave up|cancell?ed) the|decided against
        |^decided not to|won't happen|will not happen
        """,
    ),
    "talks": (
        r"negotiat\w+|in talks|stage: (?:lead|proposal|demo|discovery)|unsigned|not (?:yet )?signed"
        r"|under discussion|verbally agreed",
        r"closed[- ](?:lost|won)|signed with|(?:was|is|has been|got) signed|signed (?:on|in|by|last|the)"
        r"|contract signed|talks (?:broke down|failed|collapsed)",
    ),
    "member": (
        r"(?:is )?(?:an? )?(?:\w+ )?member of|is (?:an? )?(?:\w+ )?member|belongs to",
        r"(?:left|quit|walked out of|resigned from|withdrew from|dropped out of) the"
        r"|is no longer (?:an? )?member|(?:his|her|their|its) membership (?:lapsed|ended|ran out)",
    ),
}
_PATTERNS = {topic: tuple(map(phrase_pattern, sides)) for topic, sides in _TOPICS.items()}
# Things that have one progress.
_TASKS = frozenset(
    "ticket issue bug pr grant application study project migration permit order claim case deal "
    "contract refit renovation rewrite launch release audit trial pilot request proposal visa "
    "upgrade repair conversion purchase loan patent certification relocation refactor rollout task "
    "epic insulation extension initiative programme campaign thesis manuscript paper essay chapter "
    "book survey tender bid offer".split()
)
_KEY_PREFIX = re.compile(r"^(?:state|status|stage|phase):\s*")
_CONDITION = re.compile(r"\b(?:when|whenever|if|once|unless|as soon as)\b")  # "answer when it is closed"
# What recurs may be otherwise at other times.
_RECURRING = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:in|over) (?:winter|summer)\b|\bweekends?\b", re.I
)
_DIGIT = re.compile(r"\d")


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = _KEY_PREFIX.sub("", _CONDITION.split(text.lower(), maxsplit=1)[0])
    for topic, sides in _PATTERNS.items():
        matches = [first_match(pattern, text) for pattern in sides]
        if all(matches):
            continue  # "submitted and approved", "was paused, is running again"
        for value, word in enumerate(matches):
            if word:
                yield Fact(topic, value, word)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if any(
        _RECURRING.search(clause.text) for clause in (comparison.a, comparison.b)
    ) or _have_different_numbers(comparison):
        return False
    if not both_start_with(one, other, comparison) and (
        name_different_parts(comparison, require_both=True)
        or (differ_in_scope(comparison) and one.topic != "life")
    ):
        return False
    if in_different_environments(comparison) and not (
        one.topic == "life" and "production" in f"{one.phrase} {other.phrase}"
    ):
        return False
    if one.topic == "plan" and comparison.pair.shared_subject:
        return bool(comparison.shared) or both_start_with(one, other, comparison)
    leading_words = [
        words_in(clause.text.lower().split(fact.phrase)[0]) - STOP_WORDS - comparison.pair.names - _KEYS
        for fact, clause in ((one, comparison.a), (other, comparison.b))
    ]
    if one.topic in ("progress", "pace") and all(leading_words) and not leading_words[0] & leading_words[1]:
        return False  # "permit approved", "window order pending"
    if one.topic in ("progress", "pace", "post", "verdict"):
        return (
            bool(comparison.shared)
            or (one.topic == "verdict" and bool({comparison.a.key, comparison.b.key} & _KEYS))
            or (
                bool({comparison.a.key, comparison.b.key} & _KEYS)
                and _is_about_subject(comparison.a)
                and _is_about_subject(comparison.b)
            )
            or comparison.pair.shared_attribute
            or both_start_with(one, other, comparison)
            or bool(comparison.pair.names & _TASKS)
            or bool(_DIGIT.search(" ".join(comparison.pair.names)))
        )
    if one.topic == "member" and not comparison.pair.names & (comparison.a.bag | comparison.b.bag):
        clubs = _words_after(one, comparison.a), _words_after(other, comparison.b)
        if all(clubs) and not (clubs[0] & clubs[1]) - _CLUBS:
            return False  # "a member of the rowing club", "left the chess club"
    if one.topic in ("life", "order", "member", "maturity"):
        return (
            bool(comparison.shared)
            or both_start_with(one, other, comparison)
            or (_is_about_subject(comparison.a) and _is_about_subject(comparison.b))
        )
    return True


def _words_after(fact: Fact, clause: Clause) -> frozenset[str]:
    """Return the words that follow the phrase of a fact."""
    low = clause.text.lower()
    return words_in(low[low.find(fact.phrase) + len(fact.phrase) :][:60]) - STOP_WORDS


_CLUBS = frozenset("club team group society union association choir band board committee".split())


def _is_about_subject(clause: Clause) -> bool:
    """Whether a clause is about the thing itself, which it names first or not at all."""
    return clause.subject_end == 0 or clause.name_removed or clause.key in _KEYS


_KEYS = frozenset("status state stage phase lifecycle".split())


def _have_different_numbers(comparison: Comparison) -> bool:
    """Whether each names a thing by a number of its own: "PR 12", "PR 14"."""
    numbers = [
        {token.low for token in clause.content[: clause.subject_end] if token.quantity is not None}
        for clause in (comparison.a, comparison.b)
    ]
    return bool(numbers[0] and numbers[1]) and numbers[0] != numbers[1]


FAMILY = FactFamily("change", read, excludes)
