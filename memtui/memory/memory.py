"""A memory: its fields, its statuses, and the line that represents it in a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import ClassVar

from memtui.memory.encoding import iso, plain
from memtui.values import Fields, FieldValue, Json, JsonObject

LIVE = ("candidate", "pending", "confirmed", "applied")
RECALLED = ("confirmed", "applied")  # the live ones that agents are given unless they ask for others
STATUSES = (*LIVE, "superseded", "expired", "dismissed")

TIMES = (
    "event_time",
    "valid_from",
    "valid_to",
    "expires_at",
    "created_at",
    "updated_at",
    "last_used_at",
    "last_confirmed_at",
    "snoozed_until",
)
SCOPES = ("private", "fleet", "session")
KINDS = ("item", "lesson", "summary", "procedure", "episode")

WRITTEN = ("content", "title", "category", "tags", "key", "subject")  # what a memory says
# What the user may change in a memory, and what else may be given for a new one.
EDITABLE = (*WRITTEN, "note", "scope", "importance", "confidence", "expires_at", "valid_from", "valid_to")
ADDABLE = (
    *(*EDITABLE, "kind", "owner", "source_ref", "company_id"),
    *("session_id", "key_facts", "tone", "token_count"),  # of a summary
)
SHARES = ("importance", "confidence")  # 0 to 1
COUNTS = ("token_count",)  # 0 or more
LISTS = ("tags", "steps", "preconditions", "postconditions", "key_facts", "ties")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, whatever store it comes from (SPEC section 3).

    Times are Unix seconds (UTC); `confidence` and `importance` are 0–1, or None where the format has none.
    `ref` identifies the memory inside its store, `uid` in memtui; both are stable across pulls.
    """

    uid: str
    store: str
    ref: str
    owner: str | None = None
    scope: str | None = None
    session_id: str | None = None
    kind: str = "item"
    category: str | None = None
    key: str | None = None
    subject: str | None = None
    title: str | None = None
    content: str = ""
    value: FieldValue = None
    note: str | None = None
    snoozed_until: float | None = None
    tags: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    status: str = "confirmed"
    pinned: bool = False
    pinned_by: str | None = None
    pinned_why: str | None = None
    tier: str | None = None
    heat: str | None = None
    times_used: int = 0
    times_confirmed: int = 0
    promotion_count: int = 0
    source_type: str | None = None
    source_ref: str | None = None
    source_excerpt: str | None = None
    company_id: str | None = None
    event_time: float | None = None
    valid_from: float | None = None
    valid_to: float | None = None
    expires_at: float | None = None
    created_at: float | None = None
    updated_at: float | None = None
    last_used_at: float | None = None
    last_confirmed_at: float | None = None
    superseded_by: str | None = None
    steps: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()
    key_facts: tuple[str, ...] = ()
    tone: str | None = None
    token_count: int | None = None
    extra: Fields = field(default_factory=dict)
    # Relations that only memtui keeps: {"kind", "to" (a uid), "strength", "context", "body"} each.
    ties: tuple[JsonObject, ...] = ()

    def to_json(self) -> JsonObject:
        """Return all keys of SPEC section 3, times as ISO UTC text (S-82)."""
        out: JsonObject = {}
        for name, as_json in _AS_JSON:
            value = getattr(self, name)
            out[name] = value if value is None or type(value) is str else as_json(value)  # most are
        return out


MEMORY_FIELDS = tuple(f.name for f in fields(Memory))
# How each field is put as JSON; relations have a JSON shape of their own.
_AS_JSON: tuple[tuple[str, Callable[[FieldValue], Json]], ...] = tuple(
    (name, iso if name in TIMES else plain) for name in MEMORY_FIELDS[:-1]
)
# The fields that a format may set; the others belong to the workspace or are derived.
RECORD_FIELDS = frozenset(MEMORY_FIELDS) - {"uid", "store", "ref"}
# The value of a field that a format does not set.
DEFAULTS: Fields = {
    f.name: () if f.name in LISTS else {} if f.name == "extra" else f.default
    for f in fields(Memory)
    if f.name in RECORD_FIELDS
}


# What a line of a list warns of, the worst first.
FINDINGS = ("secret", "contradiction", "duplicate", "pending", "fading")


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """The part of a memory that one line of a list shows; `id` is its row in the workspace."""

    IS_MASKED: ClassVar[bool] = True  # where it is made, which is cheaper: lists are long

    id: int
    store: str
    label: str
    category: str
    status: str
    confidence: float | None
    pinned: bool
    updated_at: float | None
    removed: bool
    score: float | None = None  # by its store's lifecycle, 0–1 (more than 1 in a Cognitive vault)
    decay_state: str = ""  # the name of that score: active, fading, dormant, archived
    text: str = ""  # what the memory says, in a line
    more: str = ""  # what is left to say of it: the text below a title, the key
    subject: str = ""
    finding: str = ""  # the worst of FINDINGS
    new: bool = False  # found since the user last marked changes as seen
    snoozed: bool = False


_RULE = re.compile(r"[-=*_~#+`.|:>\s]*")
"""A line or title that only separates others."""
_MARKUP = re.compile(r"\A(?:#+|[-*+>])\s+")
"""What a line of Markdown may begin with."""


def label_of(title: str | None, subject: str | None, content: str) -> str:
    """Return the line that represents a memory in a list, without secrets. Show it through safe_text."""
    from memtui.memory.secrets.masking import hidden  # compiles patterns

    return hidden(raw_label_of(title, subject, content))


def raw_label_of(title: str | None, subject: str | None, content: str) -> str:
    """Return the same line with its secrets, for where it is masked later or on purpose not."""
    content = uncut(content)
    if title and not _RULE.fullmatch(title):
        return title
    line = first_line(content)
    if subject and line and subject.casefold() not in line.casefold():
        return f"{subject}: {line}"
    return line or subject or title or "(empty)"


_COVER = "•" * 40
_CUTS = (300, 1000)
"""Characters of a text that queries read where its beginning is enough."""


_WORDS_END = re.compile(r"[\s,;{}\[\]()<>\"'`|]|[^\x00-\x7f]")  # secrets are ASCII


def uncut(content: str) -> str:
    """Return the beginning of a text without its last word if it may have been cut: in a part of a secret,
    nobody would recognize it. Of a text that is one endless word, all is covered."""
    if len(content) not in _CUTS or content[-1].isspace():
        return content
    ends = [match.end() for match in _WORDS_END.finditer(content)]
    return content[: ends[-1]] if ends else _COVER


def line_of(title: str | None, key: str | None, content: str) -> tuple[str, str]:
    """Return what a memory says in a line, and what is left to say: the text below a title, and the key.

    A title or key that only repeats the text is left out. Both are raw: show them through safe_text.

    >>> line_of("home_city", "home_city", "Utrecht")
    ('Utrecht', 'home_city')
    >>> line_of("Rollback", "rollback", "Run make rollback, then tell the channel.")
    ('Run make rollback, then tell the channel.', '')
    >>> line_of("Freeze", None, "No deploys in the week of the audit.")
    ('Freeze', 'No deploys in the week of the audit.')
    >>> line_of("Freeze", None, "# Freeze\\n\\nNo deploys in the week of the audit.")
    ('Freeze', 'No deploys in the week of the audit.')
    >>> line_of(None, None, "Keep x > 3, and **never** skip it")
    ('Keep x > 3, and **never** skip it', '')
    >>> line_of(None, None, "## Freeze\\nNo deploys in the week of the audit.")
    ('Freeze', 'No deploys in the week of the audit.')
    """
    body = _body(content)
    first = first_line(body)
    line = _MARKUP.sub("", first)
    title = title or (line if first.startswith("#") else "")
    spelled = _plain(title)
    if spelled and _plain(line) == spelled:  # a heading that only repeats the title
        line = _MARKUP.sub("", first_line(body.partition(first)[2])) or line
    if not spelled or not line or _RULE.fullmatch(title or "") or _says(line, spelled):
        text, more = line or title or "", ""
    elif spelled == _plain(key):
        text, more = line, ""
    else:
        text, more = title or "", line
    key = key if key and not _says(f"{text} {more}", _plain(key)) else ""
    return text, " · ".join(filter(None, (more, key)))


def _plain(text: str | None) -> str:
    """Return a text for comparison: lower case, with spaces for everything but letters and digits."""
    return " ".join(re.findall(r"\w+", (text or "").replace("_", " ").casefold()))


def _says(text: str, words: str) -> bool:
    return f" {words} " in f" {_plain(text)} "


def _body(content: str) -> str:
    """Return a text without the front matter that it may begin with."""
    if content.startswith("---\n") and (end := content.find("\n---", 3)) > 0:
        return content[content.find("\n", end + 1) + 1 :] if "\n" in content[end + 1 :] else ""
    return content


def first_line(text: str) -> str:
    """Return the first line that is no rule or fence, or the first non-empty line if there is none."""
    lines = (line.strip() for line in text.splitlines())
    fallback = ""
    for line in lines:
        if not _RULE.fullmatch(line):
            return line
        fallback = fallback or line
    return fallback
