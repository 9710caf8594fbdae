"""A policy: what one agent may read and write (S-61)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memtui.memory.memory import SCOPES
from memtui.memory.policies import wording
from memtui.memory.secrets import contains_secret
from memtui.text import is_clean, without_unseen
from memtui.values import Fields, FieldValue

REFUSE, WEAKEST = (
    "refuse",
    "weakest",
)  # what happens beyond a limit: the write is refused, or the weakest leaves
EVERY = "*"  # the agent of a policy for all of them
NEVER, NONE, ALL = "never", "none", "all"
MAX_NAME, MAX_PATTERN, MOST_PATTERNS = 60, 200, 100  # characters, characters, of one policy
MAX_STORE = 1_000  # characters of a store's name or path
MAX_ITEMS, MAX_DAYS = 1_000_000, 36_500
MOST = 500  # policies that a person sets, and as many of projects' files
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Limit:
    """The most memories that an agent may have in a scope."""

    scope: str
    most: int
    beyond: str = REFUSE

    @property
    def text(self) -> str:
        """The limit as it is typed: "fleet=20:weakest"."""
        return f"{self.scope}={self.most}" + (f":{self.beyond}" if self.beyond != REFUSE else "")


@dataclass(frozen=True, slots=True)
class Policy:
    """What one agent, or `EVERY`, may read and write: in every store, or with `store` in the one that states
    it.

    `read` and `write` are scopes and `categories` categories, each None for all of them; `expiry` is after
    how many days what it writes expires at the latest, None for never; `sensitive` are patterns of keys that
    it may not write. `unread` names what of a store's policy cannot be read, and so does not hold. `source`
    is the path of the project's file that it comes from, and `project` what that is called. `writes_to` is
    the store that its memories go into where the agent's program names none, "" for what the policy for all
    agents says, or else memtui's own.
    """

    agent: str
    read: tuple[str, ...] | None = None
    write: tuple[str, ...] | None = None
    limits: tuple[Limit, ...] = ()
    expiry: float | None = None
    sensitive: tuple[str, ...] = ()
    categories: tuple[str, ...] | None = None
    store: str = ""
    unread: tuple[str, ...] = ()
    source: str = ""
    project: str = ""
    writes_to: str = ""

    @property
    def name(self) -> str:
        """What refusals call it: "scout", or "scout@team" where the store or the project team states it."""
        where = self.store or self.project
        return f"{self.agent}@{where}" if where else self.agent


def folded(name: str) -> str:
    """Return what is the same for all spellings of a name, whatever cannot be seen in it."""
    if name.isascii() and name.isprintable():
        return " ".join(name.casefold().split())
    # What cannot be seen goes first: it keeps letters and accents apart. Wide forms of it come up after.
    seen = without_unseen(unicodedata.normalize("NFKC", without_unseen(" ".join(name.split()))))
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def scope_of(scope: str | None, owner: str | None) -> str:
    """Return the scope that a memory counts as: without one, what has an owner is private to it, and what
    has none is everybody's."""
    return scope or ("private" if owner else "fleet")


def agent_name(text: str) -> str:
    """Return the name of an agent; raise Refused for what cannot be one."""
    name = " ".join(text.split())
    is_one = 0 < len(name) <= MAX_NAME and is_clean(name) and folded(name) not in ("", EVERY)
    if not is_one or contains_secret(name):  # the journal names it
        raise wording.bad_agent(MAX_NAME)
    return name


def scopes(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Return the scopes that are named; () for "none", None for "all". Raise Refused for others."""
    if list(texts) == [ALL]:
        return None
    if list(texts) == [NONE]:
        return ()
    if not texts or any(text not in SCOPES for text in texts):
        raise wording.bad_scopes(texts, SCOPES)
    return tuple(scope for scope in SCOPES if scope in texts)


def limits(texts: Iterable[str]) -> tuple[Limit, ...]:
    """Return the limits of texts such as "fleet=20" and "private=100:weakest"; raise Refused for others."""
    found = {}
    for text in texts:
        scope, sign, rest = text.strip().partition("=")
        number, colon, beyond = rest.partition(":")
        if not sign or scope not in SCOPES or scope in found or not _is_count(number):
            raise wording.bad_limit(text)
        if colon and beyond not in (REFUSE, WEAKEST):
            raise wording.bad_limit(text)
        found[scope] = Limit(scope, int(number), beyond or REFUSE)
    return tuple(found[scope] for scope in SCOPES if scope in found)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_ITEMS


def expiry(text: str) -> float | None:
    """Return the days of a text such as "30d", None for "never"; raise Refused for others."""
    text = text.strip().lower()
    if text == NEVER:
        return None
    number = text.removesuffix("d")
    if not (number.isascii() and number.isdigit() and len(number) < 9 and 0 < int(number) <= MAX_DAYS):
        raise wording.bad_expiry(text)
    return float(number)


def patterns(texts: Iterable[str]) -> tuple[str, ...]:
    """Return patterns of sensitive keys; raise Refused for what cannot be one."""
    found = tuple(dict.fromkeys(" ".join(text.split()) for text in texts))
    if len(found) > MOST_PATTERNS or not all(is_pattern(each) for each in found):
        raise wording.bad_pattern(MOST_PATTERNS, MAX_PATTERN)
    return found


def is_pattern(text: str) -> bool:
    """Return whether a text can be a pattern of sensitive keys."""
    return 0 < len(text) <= MAX_PATTERN and is_clean(text) and bool(folded(text))


def categories(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Return categories, None for "all"; raise Refused for what cannot be one."""
    if list(texts) == [ALL]:
        return None
    found = tuple(dict.fromkeys(" ".join(text.split()) for text in texts))
    if not found or not all(0 < len(each) <= MAX_NAME and is_clean(each) for each in found):
        raise wording.bad_categories(MAX_NAME)
    return found


def store_name(text: str) -> str:
    """Return the name of a store to write to, "" for none; raise Refused for what cannot be one."""
    name = " ".join(text.split())
    if len(name) > MAX_STORE or not is_clean(name):
        raise wording.bad_store(MAX_STORE)
    return name


def fields_of(policy: Policy) -> Fields:
    """Return a policy as it is kept and journaled."""
    return {
        "agent": policy.agent,
        "read": _listed(policy.read),
        "write": _listed(policy.write),
        "writes_to": policy.writes_to,
        "most": [each.text for each in policy.limits],
        "expiry": expiry_text(policy),
        "sensitive": list(policy.sensitive),
        "categories": _listed(policy.categories),
    }


def from_fields(fields: Mapping[str, FieldValue]) -> Policy:
    """Return the policy that was kept as these fields."""
    read, write, named = (fields[name] for name in ("read", "write", "categories"))
    return Policy(
        str(fields["agent"]),
        None if read is None else tuple(read),
        None if write is None else tuple(write),
        limits(fields["most"]),
        expiry(str(fields["expiry"])),
        tuple(fields["sensitive"]),
        None if named is None else tuple(named),
        writes_to=str(fields.get("writes_to", "")),  # policies of before have none
    )


def expiry_text(policy: Policy) -> str:
    """Return the default expiry as it is typed."""
    return NEVER if policy.expiry is None else f"{policy.expiry:g}d"


def _listed(values: tuple[str, ...] | None) -> list[str] | None:
    return None if values is None else list(values)
