"""The version of a tool, or the school that somebody attends: "Node 18", "goes to kindergarten"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts
from memtui.memory.contradictions.states.scopes import in_different_environments
from memtui.memory.contradictions.states.tenses import is_state

_TOOLS = (
    "node(?:\\.js)?|python|java|jdk|golang|go|rust|ruby|php|postgres(?:ql)?|mysql|mariadb|redis|mongodb|kafka"
    "|django|rails|react|vue|angular|ubuntu|debian|alpine|terraform|kubernetes|gradle|maven|laravel"
    "|spring boot|typescript|webpack|eslint|elasticsearch|kotlin|swift|\\.net|dotnet|elixir|next(?:\\.js)?"
    "|svelte|pydantic|sqlalchemy|numpy|pandas"
)
_VERSION = re.compile(
    rf"(?<![\w.])({_TOOLS}) v?(\d+(?:\.\d+)*)\b(?!\s*(?:and|or|to|%|people|engineers|developers|-|–))"
)
_LIMIT = re.compile(
    r"\b(?:supports?|or (?:later|newer|higher|above)|at least|minimum|between|from|until"
    r"|tested (?:on|with))\b"
)
_SCHOOLS = (
    ("kindergarten", r"kindergarten|nursery(?: school)?|daycare|pre-?school"),
    (
        "primary school",
        r"primary(?: school)?|elementary school|(?:first|second|third|fourth)[- ]grader|starts school",
    ),
    (
        "secondary school",
        r"secondary school|high school|grammar school|(?:seventh|eighth|ninth|tenth|eleventh)[- ]grader",
    ),
    ("university", r"(?:at|to|studies at) (?:the )?(?:university|uni|college)|freshman|undergraduate"),
)
_SCHOOL = tuple((name, re.compile(rf"\b(?:{names})\b")) for name, names in _SCHOOLS)
_ATTENDS = re.compile(r"\b(?:goes to|attends|started|starts|is in|is at|now at|grader|studies at|enrolled)\b")


_EVERYWHERE = re.compile(r"\b(?:everywhere|alike|throughout|all environments)\b", re.I)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    versions = list(_VERSION.finditer(text))
    if len(versions) == 1 and not _LIMIT.search(text):
        yield Fact(f"version of {versions[0][1]}", versions[0][2], versions[0][0])
    if _ATTENDS.search(text):
        schools = [(name, match[0]) for name, pattern in _SCHOOL if (match := pattern.search(text))]
        if schools:
            yield Fact("school", *schools[0 if len(schools) == 1 or "started" not in text else -1])


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if (
        (
            in_different_environments(comparison)
            and not _EVERYWHERE.search(f"{comparison.a.text}; {comparison.b.text}")
        )
        or comparison.a.negated
        or comparison.b.negated
    ):
        return False
    if one.topic == "school":
        return comparison.pair.shared_subject and not name_different_parts(comparison, require_both=True)
    short = str(one.value).startswith(f"{other.value}.") or str(other.value).startswith(f"{one.value}.")
    return not short and all(is_state(c) or "upgrade" in c.text.lower() for c in (comparison.a, comparison.b))


FAMILY = FactFamily("number", read, excludes)
