"""Find and correct (S-54): where a text occurs in a memory, and its fields with another text there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memtui.memory import secrets, wording_replacement
from memtui.memory.memory import LISTS, Memory
from memtui.memory.secrets.wording import name_of
from memtui.values import Fields

FIELDS = ("content", "title", "subject", "key", "tags")

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL and lone surrogates
_AROUND = 90  # characters of the line that are shown on each side of a hit
_NEIGHBOR, _FAR = 100, 1000  # characters of the line above and below, and how far away these may be
# What a link leads to, [label](target) or [[target]].
_TARGET = re.compile(r"(?<=\]\()[^()\n]+|(?<=\[\[)[^\[\]|\n]+")

Span: TypeAlias = tuple[int, int, str]
"""Where a match starts and ends, and the text that is to be there."""
Matcher: TypeAlias = Callable[[Sequence[str]], "list[list[Span]] | None"]
"""Returns the matches in each text of one memory; None if that took too long."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to find and what to put there.

    `find` is a text, or with `regex` a regular expression, to whose groups `replacement` may refer (\\1,
    \\g<name>). With `keep_case` the new text is in lower case, upper case or capitalized as the old one was.
    """

    find: str
    replacement: str
    regex: bool = False
    ignore_case: bool = False
    keep_case: bool = False
    fields: tuple[str, ...] = FIELDS

    @property
    def flags(self) -> int:
        """The flags of the regular expression: ^ and $ match at each line."""
        return re.MULTILINE | (re.IGNORECASE if self.ignore_case else 0)


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a text is replaced: `before`, from `start` to `end`, becomes `after`.

    `part` is the number of the tag in a list of tags, else 0. `left` and `right` are the rest of the line,
    cut to what can be shown, with secrets masked; `above` and `below` are its neighbors. `in_link`: it is in
    what a link leads to, which may lead nowhere afterwards.
    """

    field: str
    part: int
    start: int
    end: int
    before: str
    after: str
    left: str
    right: str
    in_link: bool = False
    above: str = ""
    below: str = ""


def check(replacement: Replacement) -> None:
    """Raise Refused if nothing can be found or replaced like that; that a pattern matches empty text is seen
    when it is matched."""
    if not replacement.find:
        raise wording_replacement.nothing_to_find()
    for name in replacement.fields:
        if name not in FIELDS:
            raise wording_replacement.unknown_field(name, FIELDS)
    if not replacement.regex:
        return
    try:
        pattern = re.compile(replacement.find, replacement.flags)
    except re.error as error:
        raise wording_replacement.invalid_pattern(error.msg, error.pos) from None
    except (OverflowError, RecursionError):
        raise wording_replacement.pattern_too_large() from None
    # Searching, even in an empty text, may take years; this one has the same groups and finds at once.
    names = {number: name for name, number in pattern.groupindex.items()}
    groups = (f"(?P<{names[n]}>)" if n in names else "()" for n in range(1, pattern.groups + 1))
    try:
        re.sub("".join(groups), replacement.replacement, "")
    except re.error as error:
        raise wording_replacement.invalid_replacement(error.msg, error.pos) from None
    except IndexError:
        raise wording_replacement.unknown_group(pattern.groupindex) from None


def text_matcher(replacement: Replacement) -> Matcher:
    """Return what finds the text itself."""
    pattern = re.compile(re.escape(replacement.find), replacement.flags)
    new = replacement.replacement
    return lambda texts: [[(*match.span(), new) for match in pattern.finditer(text)] for text in texts]


def find_hits(memory: Memory, replacement: Replacement, match: Matcher) -> tuple[Hit, ...] | None:
    """Return where a memory's fields would change, except in secrets; None if matching took too long.

    Raise Refused if the pattern matched nothing, that is the place between two characters.
    """
    texts = list(_texts(memory, replacement.fields))
    matches = match([text for _, _, text in texts])
    if matches is None:
        return None
    hits: list[Hit] = []
    for (name, part, text), spans in zip(texts, matches, strict=True):
        hidden = secrets.find(text) if spans else []
        shown = secrets.covered(text, hidden)
        targets = [match.span() for match in _TARGET.finditer(text)] if spans else []
        for start, end, new in spans:
            if start == end:
                raise wording_replacement.matches_nothing()
            before = text[start:end]
            after = in_case_of(before, new) if replacement.keep_case else new
            if after != before and not any(start < secret.end and secret.start < end for secret in hidden):
                in_link = any(start < stop and first < end for first, stop in targets)
                around = *_context(shown, start, end), in_link, *_neighbors(shown, start, end)
                hits.append(Hit(name, part, start, end, before, after, *around))
    return tuple(hits)


def in_case_of(before: str, after: str) -> str:
    """Return `after` in lower case, upper case or capitalized, as `before` is; unchanged if it is neither."""
    if before.islower():
        return after.lower()
    if before.isupper() and sum(map(str.isalpha, before)) > 1:
        return after.upper()
    first = next((char for char in before if char.isalpha()), "")
    return after[:1].upper() + after[1:] if first.isupper() else after


def replaced_fields(memory: Memory, hits: Iterable[Hit]) -> Fields:
    """Return the fields of a memory that change, after these replacements.

    Raise Refused if one would have no text, could not be stored or would contain a new secret; what a secret
    is appears in no message.
    """
    texts = {(name, part): text for name, part, text in _texts(memory, FIELDS)}
    changed = dict(texts)
    by_text: dict[tuple[str, int], list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: hit.start):
        by_text.setdefault((hit.field, hit.part), []).append(hit)
    for place, found in by_text.items():
        text, end, pieces = texts[place], 0, []
        for hit in found:
            pieces += [text[end : hit.start], hit.after]
            end = hit.end
        changed[place] = "".join((*pieces, text[end:]))
    for (name, part), text in changed.items():
        if text != texts[name, part]:
            _refuse_result(memory.uid, name, texts[name, part], text)
    fields: Fields = {}
    for name in dict.fromkeys(name for name, part in changed if changed[name, part] != texts[name, part]):
        values = [text for (each, _), text in changed.items() if each == name]
        fields[name] = tuple(values) if name in LISTS else values[0]
    return fields


def _texts(memory: Memory, fields: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Yield the texts of these fields: field, number of the part, text."""
    for name in FIELDS:
        value = getattr(memory, name) if name in fields else None
        for part, text in enumerate(value if name in LISTS and value else [value]):
            if text:
                yield name, part, text


def _refuse_result(uid: str, field: str, before: str, after: str) -> None:
    if not after.strip():
        raise wording_replacement.no_text_left(uid, field)
    if _UNSTORABLE.search(after):
        raise wording_replacement.unstorable(uid, field)
    known = {before[secret.start : secret.end] for secret in secrets.find(before)}
    for secret in secrets.find(after):
        if after[secret.start : secret.end] not in known:
            raise wording_replacement.would_be_secret(uid, field, name_of(secret.kind))


def _context(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the line before and after a hit, cut to what is shown."""
    left = text[max(0, start - _AROUND - 1) : start].rpartition("\n")[2]
    right = text[end : end + _AROUND + 1].partition("\n")[0]
    if len(left) > _AROUND:
        left = "…" + left[-_AROUND:]
    if len(right) > _AROUND:
        right = right[:_AROUND] + "…"
    return left, right


def _neighbors(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the nearest lines with text above and below those of a hit, cut to what is shown."""
    # No further than this: a text may be one long line with a hit at each character.
    first, last = text.rfind("\n", max(0, start - _FAR), start) + 1, text.find("\n", end, end + _FAR)
    above = text[max(0, first - _FAR) : first].rstrip().rpartition("\n")[2]
    below = text[last : last + _FAR].lstrip().partition("\n")[0] if last >= 0 else ""
    return above[:_NEIGHBOR], below[:_NEIGHBOR]
