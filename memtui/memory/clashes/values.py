"""What a thing has one of, told with two values: where somebody lives, who owns it, "key: value"."""

from __future__ import annotations

import re
from itertools import pairwise

from memtui.memory.clashes import quantities
from memtui.memory.clashes.aligning import tie_of
from memtui.memory.clashes.clauses import Clause
from memtui.memory.clashes.lexicon import Tie, lexicon
from memtui.memory.clashes.meeting import Meeting, scoped
from memtui.memory.clashes.tokens import Token
from memtui.memory.clashes.vocabulary import LIGHT_VERBS, MANY_VALUED, ONE_SUBJECT, ONE_VALUED, SCOPES, STATES
from memtui.memory.pairs import Clash

KIND = "value"
_NO_KEYS = frozenset(
    """
    note todo tip example warning bug fix see summary lesson reminder important fact memory context
    why how remember hobby friend skill interest tag step alias also pet child son daughter like
    dislike goal todo next decision insight update info detail reason result step rule problem
    solution question answer idea
    """.split()
)
_WORDS = re.compile(r"[\w.+#/@:%$€£-]+")


def keyed(meeting: Meeting) -> Clash | None:
    """ "region: us-east-1" and "region: eu-west-1"."""
    a, b = meeting.a, meeting.b
    if not a.key or a.key != b.key or a.key in _NO_KEYS or a.denied != b.denied or _lists(a):
        return None
    one, two = a.value.casefold().strip(), b.value.casefold().strip()
    if one == two or len(one.split()) > 8 or len(two.split()) > 8 or meeting.is_taught(a.key):
        return None
    mine, theirs = set(_WORDS.findall(one)), set(_WORDS.findall(two))
    if not mine or not theirs or mine <= theirs or theirs <= mine or ("," in one and mine & theirs):
        return None
    left_a = [a.content[i] for i in meeting.lay.left_a]
    left_b = [b.content[j] for j in meeting.lay.left_b]
    if a.key.startswith("to ") or _short_for(left_a, left_b) or _short_for(left_b, left_a):
        return None
    if (
        not left_a
        or not left_b
        or any(t.quantity is not None and t.quantity.about for t in [*left_a, *left_b])
    ):
        return None
    reason = f"Both tell “{a.key[:40]}”, with different values."
    return Clash(KIND, 0.9, (a.value[:60], b.value[:60]), reason, a.key)


def _lists(clause: Clause) -> bool:
    """Whether a key names several ("metrics tracked", "allowed to borrow the van")."""
    words = clause.text.partition(":")[0].lower().split()
    ends = {words[0], words[-1]} if words else set()
    plural = any(word.endswith("s") and lexicon().base(word) == word.rstrip("s") for word in ends)
    return plural or bool(ends & {"allowed", "supported", "including", "includes", "tracked"})


def one_valued(meeting: Meeting) -> Clash | None:
    """The same relation of the same thing, with another name behind it."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if a.denied or b.denied or not a.frame or a.frame != b.frame or not meeting.known:
        return None
    if (a.frame_at, b.frame_at) not in lay.same:
        return None
    topic = a.frame.lstrip("@")
    if a.frame in ONE_SUBJECT:
        return _owners(meeting, topic)
    if a.frame not in ONE_VALUED or not meeting.same_subject() or meeting.is_taught(topic):
        return None
    mine = [i for i in lay.left_a if i > a.frame_at]
    theirs = [j for j in lay.left_b if j > b.frame_at]
    before = [a.content[i] for i in lay.left_a if i < a.frame_at] + [
        b.content[j] for j in lay.left_b if j < b.frame_at
    ]
    if not mine or not theirs or before or len(mine) > 4 or len(theirs) > 4:
        return None
    first_a, first_b = _value(a, mine), _value(b, theirs)
    if (len(first_a) < len(mine) and len(first_b) < len(theirs)) or meeting.other_times():
        return None  # where or when differs, too
    one, two = [a.content[i] for i in mine], [b.content[j] for j in theirs]
    if _conditional([*one, *two]) or not _first_values(a.frame_at, mine, b.frame_at, theirs):
        return None
    return _differ([a.content[i] for i in first_a], [b.content[j] for j in first_b], topic, 0.8)


def _value(clause: Clause, left: list[int]) -> list[int]:
    """The words of the value itself: those behind the first that another small word ties on are not of it."""
    marker = clause.content[left[0]].marker
    found = [left[0]]
    for before, i in pairwise(left):
        if i != before + 1 or clause.content[i].marker not in ("", marker):
            break
        found.append(i)
    return found


def _first_values(frame_a: int, mine: list[int], frame_b: int, theirs: list[int]) -> bool:
    """Whether what differs stands right behind the relation."""
    return mine[0] - frame_a <= 2 and theirs[0] - frame_b <= 2


def owned(meeting: Meeting) -> Clash | None:
    """ "Beatriz leads Atlas" and "Atlas is headed by Quentin"."""
    a, b = meeting.a, meeting.b
    if {a.frame, b.frame} != {"@owns", "@owned by"} or a.denied or b.denied or a.past != b.past:
        return None
    by, of = (a, b) if a.frame == "@owns" else (b, a)
    one, thing = by.content[: by.frame_at], by.content[by.frame_at + 1 :]
    two, other = of.content[of.frame_at + 1 :], of.content[: of.frame_at]
    if not one or not two or not {t.lemma for t in thing} & {t.lemma for t in other}:
        return None
    more = {t.lemma for t in other} - {t.lemma for t in thing} - LIGHT_VERBS
    if more or {t.lemma for t in one} & {t.lemma for t in two} or not (one[0].name or two[0].name):
        return None
    if meeting.is_taught("owns"):
        return None
    return _told(*((one, two) if by is a else (two, one)), "owns", 0.65)


def _owners(meeting: Meeting, topic: str) -> Clash | None:
    lay, a, b = meeting.lay, meeting.a, meeting.b
    behind = [i for i in lay.left_a if i > a.frame_at] + [j for j in lay.left_b if j > b.frame_at]
    if behind or lay.shared < 2 or meeting.is_taught(topic):
        return None
    one = [a.content[i] for i in lay.left_a if i < a.frame_at]
    two = [b.content[j] for j in lay.left_b if j < b.frame_at]
    return (
        _differ(one, two, topic, 0.7)
        if one and two and all(t.name or t.text[:1].isupper() for t in [*one, *two])
        else None
    )


def told_to_be(meeting: Meeting) -> Clash | None:
    """ "The on-call engineer is Bo" and "… is Cy": one thing, told to be two."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if a.denied or b.denied or not meeting.known or a.frame or b.frame or a.event or b.event:
        return None
    if meeting.other_times():
        return None
    if not a.subject or not b.subject or not meeting.same_subject() or lay.moved:
        return None
    if any(i < a.subject for i in lay.left_a) or any(j < b.subject for j in lay.left_b):
        return None
    one, two = [a.content[i] for i in lay.left_a], [b.content[j] for j in lay.left_b]
    if not one or not two or len(one) > 3 or len(two) > 3 or _conditional([*one, *two]):
        return None
    if len(_value(a, lay.left_a)) < len(one) and len(_value(b, lay.left_b)) < len(two):
        return None
    if lay.left_a[0] != a.subject or lay.left_b[0] != b.subject or not (_is(a.text) and _is(b.text)):
        return None
    if _done(one[0]) and _done(two[0]):
        return None  # "is sent", "is kept": two things are told of it
    topic = " ".join(token.low for token in a.content[: a.subject])[:60]
    if (a.subject == 1 and (a.content[0].name or a.lemmas[0] == "user")) or meeting.is_taught(topic):
        return None  # "Ana is …" many things
    found = _differ(one, two, topic, 0.7)
    plain = len(one) == len(two) == 1 and not any(map(_described, [*one, *two]))
    if found is None and a.lemmas[a.subject - 1] in _ONLY and not lay.wider and not lay.narrower:
        return _told(one, two, topic, 0.6)
    if found is None and plain and (lay.left_a[0] > a.subject or a.subject > 1):
        return _told(one, two, topic, 0.55)
    return found


# What a thing has one of, whatever it is.
_ONLY = frozenset(
    """
    cause reason codename title role venue winner capital nickname password region motto slogan colour color
    default format style approach framework strategy method mascot theme topic seat desk
    """.split()
)


def _done(token: Token) -> bool:
    """Whether a word is a form of a verb: "sent", "sending"."""
    return token.low != token.lemma and lexicon().can_be(token.lemma, "v") and not token.low.endswith("s")


def renamed(meeting: Meeting) -> Clash | None:
    """All is said alike but for a name: "is done with Tailwind", "is done with Bulma"."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if a.denied or b.denied or not meeting.known or a.event or b.event or lay.moved or lay.shared < 2:
        return None
    if meeting.other_times() or not meeting.same_subject():
        return None
    if len(lay.left_a) != 1 or len(lay.left_b) != 1 or lay.gap_a[lay.left_a[0]] != lay.gap_b[lay.left_b[0]]:
        return None
    i, j = lay.left_a[0], lay.left_b[0]
    one, two = a.content[i], b.content[j]
    if i < a.subject or j < b.subject or scoped([one, two]) or not (_named(one) and _named(two)):
        return None
    if not (a.frame or _IS.search(a.text) or STATES & set(a.lemmas[: i + 1])):
        return None
    if MANY_VALUED & set(a.lemmas[: i + 1]) or (a.personal and not a.frame and lay.shared < 3):
        return None
    topic = " ".join(token.low for token in a.content[a.subject : i])[:60].lstrip("@")
    return None if meeting.is_taught(topic) else _differ([one], [two], topic, 0.65)


def only_one_is(meeting: Meeting) -> Clash | None:
    """ "Ana is the team lead", "Bo is the team lead"."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if a.denied or b.denied or a.past or b.past or lay.moved or len(lay.left_a) != 1 or len(lay.left_b) != 1:
        return None
    if lay.left_a[0] != 0 or lay.left_b[0] != 0 or not (_THE.search(a.text) and _THE.search(b.text)):
        return None
    one, two = a.content[0], b.content[0]
    if not (one.text[:1].isupper() and two.text[:1].isupper()) or lay.shared < 1:
        return None
    topic = " ".join(token.low for token in a.content[1:])[:60]
    return None if meeting.is_taught(topic) else _told([one], [two], topic, 0.7)


_THE = re.compile(r"^\W*[\w.-]+ (?:is|'s) (?:the|our|my|her|his|their) ")


def _described(token: Token) -> bool:
    words = lexicon()
    return token.quantity is not None or words.can_be(token.lemma, "a") or token.low.endswith(("ed", "ing"))


_IS = re.compile(r"\b(?:is|are|was|will be)\b|'s\b")


def _is(text: str) -> bool:
    return _IS.search(text) is not None


def _differ(one: list[Token], two: list[Token], topic: str, score: float) -> Clash | None:
    """Whether two values exclude each other, as far as they are names, numbers or of one class."""
    excluded = False
    for mine in one:
        for theirs in two:
            tie, _ = tie_of(mine, theirs)
            if tie in (Tie.SAME, Tie.BROADER, Tie.NARROWER):
                return None
            if mine.quantity is not None and theirs.quantity is not None:
                if (
                    mine.quantity.about
                    or theirs.quantity.about
                    or quantities.same(mine.quantity, theirs.quantity)
                ):
                    return None
                excluded = excluded or mine.quantity.kind == theirs.quantity.kind
            excluded = excluded or tie in (Tie.EXCLUSIVE, Tie.OPPOSITE)
    if _short_for(one, two) or _short_for(two, one):
        return None
    kinds_a, kinds_b = _kinds(one), _kinds(two)
    if not excluded and kinds_a & _PLACES and kinds_b & _PLACES and not kinds_a & kinds_b:
        return None  # a country and a city: one may lie in the other
    if not excluded and bool(kinds_a & _TIMES) != bool(kinds_b & _TIMES):
        return None  # when, and by what means
    names = any(map(_named, one)) and any(map(_named, two))
    if not excluded and any(map(_named, one)) != any(map(_named, two)):
        return None  # "at a logistics company", "at Adyen"
    if not excluded and not names and topic not in _ANY_WORDS:
        return None
    return _told(one, two, topic, score if excluded else score - 0.1)


_PLACES = frozenset(
    (
        *("countries", "continents", "world cities", "US states", "German states", "Canadian provinces"),
        *("clouds and hosts", "cloud compute services", "cloud regions", "nationalities", "landscapes"),
    )
)


def _kinds(tokens: list[Token]) -> set[str]:
    return {kind for token in tokens for kind in lexicon().kinds(token.lemma)}


def _short_for(one: list[Token], two: list[Token]) -> bool:
    """ "PM" for "product manager", "prod" for "production"."""
    words = " ".join(token.low for token in two).split()
    short = " ".join(token.low for token in one)
    if len(one) == 1 and len(words) > 1 and short == "".join(word[0] for word in words):
        return True
    return len(short) >= 2 and len(words) == 1 and words[0].startswith(short) and words[0] != short


def _conditional(tokens: list[Token]) -> bool:
    """Whether a value hangs on a condition: "when it rains". A word such as "main" alone is a value."""
    return any(token.marker in SCOPES for token in tokens) or (len(tokens) > 1 and scoped(tokens[1:]))


_TIMES = frozenset(("weekdays", "months", "seasons", "times of day : kin", "times of day"))
_ANY_WORDS = frozenset(
    {
        "works as",
        "named",
        "runs on",
        "stored in",
        "favourite",
        "written in",
        "studies at",
        "drives",
        "works at",
        "default",
    }
)


def _told(one: list[Token], two: list[Token], topic: str, score: float) -> Clash:
    words = " ".join(t.text for t in one)[:60], " ".join(t.text for t in two)[:60]
    reason = f"One “{topic}” with two values: {words[0]} and {words[1]}."
    return Clash(KIND, score, words, reason, topic)


def _named(token: Token) -> bool:
    """Whether a word is a name: of a person, a firm, a thing that no dictionary has."""
    if token.quantity is not None:
        return False
    return (
        token.name
        or (not lexicon().knows(token.lemma) and not lexicon().kinds(token.lemma))
        or "_" in token.low
    )
