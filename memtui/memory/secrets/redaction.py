"""Secret values and the words that take their place in texts (S-62)."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote

from memtui.memory import secrets
from memtui.memory.secrets.wording import name_of
from memtui.values import Json, JsonObject

_NAMED = 12  # characters of a value that is recognised within a longer name
_CUT = 8  # characters of a value, cut off at the end of a name, that say something of it
_LONGEST = 100  # characters of a name that was made of a text
_MIXED, _LONG = 8, 16  # characters that are no word, and no part of one: letters with digits, either alone
_FRAGMENT = 6  # characters of a value, cut off at the edge of a context, that say something of it
# A short password may be part of a longer word. JSON writes a line break as \n, a quotation mark as \u201c;
# mysql has -pPASSWORD.
_ALONE = r"(?:(?<!\w)|(?<=\\[nrt])|(?<=\\u[\da-fA-F]{{4}})|(?<=\s-\w)|(?<=\A-\w)){}(?!\w)"


def placeholder(kind: str) -> str:
    """Return what stands in the place of a redacted secret: "[redacted: AWS key]"."""
    return f"[redacted: {name_of(kind)}]"


def values_in(texts: Iterable[str]) -> dict[str, str]:
    """Return the secrets in these texts, each with what takes its place."""
    return {
        text[each.start : each.end]: placeholder(each.kind) for text in texts for each in secrets.find(text)
    }


@dataclass(frozen=True)
class Replacements:
    """Secret values, each with what takes its place; and what was made of them, as names and keywords,
    each with the new one."""

    values: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Collection[Replacements]) -> Replacements:
        """Return all replacements together."""
        return cls(
            {old: new for each in parts for old, new in each.values.items()},
            {old: new for each in parts for old, new in each.names.items()},
        )

    @cached_property
    def plain(self) -> Replacements:
        """The values alone, without what was made of them."""
        return Replacements(self.values)

    def also(self, names: Mapping[str, str]) -> Replacements:
        """Return these with more of what was made of the values."""
        new = {old: name for old, name in names.items() if old not in self.values}
        return Replacements(self.values, {**new, **self.names})

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """The values as they are and as JSON spells them, with line ends of both kinds, and what JSON spells
        so, names also as links do, the longest first: the text of a memory may be JSON itself, in which a
        private key has its line breaks as \\n."""
        linked = {quote(old): quote(new) for old, new in self.names.items()}
        found = {
            spelling: new
            for value, new in (*self.values.items(), *linked.items(), *self.names.items())
            for plain in (value, _despelled(value))
            for spelling in _spelled(plain)
        }
        return {old: found[old] for old in sorted(found, key=len, reverse=True)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # A name is no part of a longer one.
        found = ((re.escape(each), each not in self.names and len(each) >= _LONG) for each in self._spellings)
        any_of = (each if is_long else _ALONE.format(each) for each, is_long in found)
        return re.compile("|".join(any_of) or r"(?!)")

    @cached_property
    def needles(self) -> tuple[bytes, ...]:
        """The bytes that a file with one of the values has."""
        return tuple(each.encode("utf-8", "surrogatepass") for each in self._spellings)

    @cached_property
    def traces(self) -> tuple[bytes, ...]:
        """What is in the bytes of a file, in small letters, that has a value in another form: in small
        letters, or in a name that was made of it."""
        forms = {*self.names, *(form for value in self.values for form in (value, slug(value)))}
        forms |= {form.replace("-", "_") for form in map(slug, self.values)}
        telling = sorted(form.lower() for form in forms if is_telling(form))
        return tuple(form.encode("utf-8", "surrogatepass") for form in telling)

    def traced_in(self, text: str) -> bool:
        """Return whether a text has a value in another form, as `traces` are."""
        data = text.lower().encode("utf-8", "surrogatepass")
        return any(trace in data for trace in self.traces)

    def __bool__(self) -> bool:
        return bool(self.values)

    def held_by(self, data: bytes) -> int:
        """Return how often the values are in the bytes of a file."""
        return sum(data.count(each) for each in self.needles)

    def found_in(self, text: str) -> bool:
        """Return whether one of the values is in a text."""
        return bool(self._spans(text))

    def text(self, text: str) -> str:
        """Return a text without the values."""
        return self._replaced(text, self._spellings.__getitem__)

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where the values are in a text, each with what takes its place."""
        for start, stop in self._spans(text):
            yield start, stop, self._spellings[text[start:stop]]

    def name(self, text: str) -> str:
        """Return a name without the values and without what is left of them in the words of a name, as where
        it was made of a text: small letters, other characters replaced."""
        for old in sorted(self.values, key=len, reverse=True):
            words = _words(old)
            if not words:
                continue
            pattern = "[^a-z0-9]+".join(words)
            if sum(map(len, words)) < _NAMED:  # a short one may be part of another word
                pattern = f"(?<![a-z0-9]){pattern}(?![a-z0-9])"
            text = re.sub(pattern, self.values[old], text, flags=re.IGNORECASE)
        return self.text(text)

    def slug(self, name: str) -> str:
        """Return a name of joined words, as `name` does, with joined words in the place of a value; also of
        one that was cut off where the name became too long."""
        if name in self.names:
            return self.names[name]
        joiner = "_" if name.count("_") > name.count("-") else "-"
        joined = {old: joiner.join(_words(new)) for old, new in self.values.items()}
        out = Replacements(joined).name(name)
        for old, new in joined.items():
            words = "-".join(_words(old))
            shortest = max(_CUT, min(len(words) // 2, _NAMED))
            cut = [words[:length] for length in range(min(len(words) - 1, _LONGEST), shortest - 1, -1)]
            if any_of := "|".join(each.replace("-", "[-_]") for each in cut):
                out = re.sub(rf"(?<![A-Za-z0-9])(?:{any_of})(?![A-Za-z0-9])", new, out, flags=re.IGNORECASE)
        return out

    def path(self, name: str) -> str:
        """Return the name of a file, with its folders, without the values in its last part."""
        folder, slash, last = name.rpartition("/")
        stem, dot, suffix = last.rpartition(".")
        return f"{folder}{slash}{self.slug(stem)}{dot}{suffix}"

    def covered(self, text: str) -> str:
        """Return a text of the same length in which the values cannot be read."""
        return self._replaced(text, lambda value: secrets.MASK * len(value))

    def value(self, value: Json) -> Json:
        """Return a JSON value without the values: in strings, in JSON or base64 within strings, in the names
        of members. A number that is one of them becomes a string."""
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, Mapping):
            members: JsonObject = {}
            for name, each in value.items():
                members[_unused(self.text(str(name)), members)] = self.value(each)
            return members
        if isinstance(value, (list, tuple)):
            return type(value)(self.value(each) for each in value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.values.get(str(value), value)
        return value

    def _string(self, text: str) -> str:
        new = self.text(text)
        if text[:1] in ("{", "[") and new != text:
            try:
                loaded = json.loads(text)
                wanted = self.value(loaded)
            except (ValueError, RecursionError):
                return new
            if wanted != loaded and not _is_json(new, wanted):
                return self.text(json.dumps(wanted, ensure_ascii=text.isascii()))
        return new

    def in_value(self, value: Json) -> bool:
        """Return whether one of the values is in a JSON value."""
        return bool(self.value(value) != value) or any(map(self.found_in, _decoded(value)))

    def before(self, text: str) -> str:
        """Return a context that ends at its right edge anywhere, without the values and without the beginning
        of one at that edge."""
        text = self.text(text)
        for value in self._spellings:
            for length in range(min(len(value), len(text)), _FRAGMENT - 1, -1):
                if text.endswith(value[:length]):
                    text = text[:-length]
                    break
        return text

    def behind(self, text: str) -> str:
        """Return a context that begins anywhere, without the values and without the end of one there."""
        text = self.text(text)
        for value in self._spellings:
            for length in range(min(len(value), len(text)), _FRAGMENT - 1, -1):
                if text.startswith(value[-length:]):
                    text = text[length:]
                    break
        return text

    def _replaced(self, text: str, new: Callable[[str], str]) -> str:
        pieces, end = [], 0
        for start, stop in self._spans(text):
            pieces += [text[end:start], new(text[start:stop])]
            end = stop
        return "".join((*pieces, text[end:]))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the values are: as words, and within a word where a detector tells them from it, as
        behind the -p of a command."""
        if not any(each in text for each in self._spellings):
            return []
        spans = {match.span() for match in self._pattern.finditer(text)}
        spans |= {
            (each.start, each.end)
            for each in secrets.find(text)
            if text[each.start : each.end] in self._spellings
        }
        apart: list[tuple[int, int]] = []
        for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not apart or start >= apart[-1][1]:
                apart.append((start, stop))
        return apart


def _unused(name: str, members: JsonObject) -> str:
    """Return a name that no member has: two secrets of a kind may be names in one object."""
    number, free = 1, name
    while free in members:
        number += 1
        free = f"{name} {number}"
    return free


def slug(value: str) -> str:
    """Return a value as part of a name: its letters and digits, small, the rest as hyphens."""
    return "-".join(_words(value))


def is_telling(text: str) -> bool:
    """Return whether a text that was made of a value is not an ordinary word."""
    is_mixed = any(map(str.isalpha, text)) and any(map(str.isdigit, text))
    return len(text) >= (_MIXED if is_mixed else _LONG)


def _spelled(value: str) -> set[str]:
    ends = {value, value.replace("\n", "\r\n")}
    return ends | {json.dumps(each, ensure_ascii=ascii)[1:-1] for each in ends for ascii in (True, False)}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.casefold())


def strings_of(value: Json) -> Iterable[str]:
    """Yield all strings and numbers in a JSON value, and the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from strings_of(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from strings_of(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)


def _despelled(value: str) -> str:
    """Return what JSON spells as `value`, or `value` if that is no spelling."""
    if "\\" not in value:
        return value
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return value


def _decoded(value: Json) -> Iterable[str]:
    """Yield the texts that are kept as base64 in a JSON value."""
    if isinstance(value, Mapping) and isinstance(value.get("base64"), str):
        try:
            yield base64.b64decode(value["base64"], validate=True).decode(errors="replace")
        except binascii.Error:
            return
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _decoded(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _decoded(each)


def _is_json(text: str, value: Json) -> bool:
    try:
        return bool(json.loads(text) == value)
    except ValueError:
        return False
