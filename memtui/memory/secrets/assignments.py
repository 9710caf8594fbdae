"""Values that are given to a name: `API_KEY=…`, `"token": "…"`, "the password is …", `--token …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memtui.memory.secrets.detector import compiled

ASSIGNED, SAID, BESIDE = "assigned", "said", "beside"  # how a value is given to a name

_BEFORE = 40  # characters before the word in which the rest of its name stands
_LONG = 64  # characters of a value
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OWN = re.compile(r"[\w$ -]*\Z")

_TYPE = r"(?::[ \t]?(?:str|string|String|SecretStr|bytes|Optional\[str\]|str \| None)[ \t]?)?"
_ASSIGNED = (
    r"(?:\\?[\"'`*_\])]){0,4}[ \t]{0,8}(?:\([^()\n]{1,40}\)[ \t]?)?" + _TYPE + r"(?:\*\*)?"
    r"(?::=|=>|->|→|={1,3}|:{1,2})(?:\*\*)?[ \t]{0,8}(?:\n[ \t>-]{1,12})?"
    r"|[\"'`][ \t]?,[ \t]?(?=[\"'`])|>|[ \t*]{0,4}\|[ \t]{0,20}"
    r"|[\"']?,?\s{1,20}[\"']?(?:value|content)[\"']?\s?[:=]\s?"
)
_SAID = (
    r"[\"'`*]{0,3}[ \t\n]"
    r"(?:(?:for|of|to|on|in|at|from|we|i|he|she|they|you|that|which|with|and)[ \t][^\n:=]{1,50}?)?"
    r"(?:[ \t]?\b(?:is|was|equals|becomes|to|reads)(?:[ \t](?:now|still|currently|just|set to|changed to))?"
    r"|[ \t]?:|[ \t]=)[ \t\n]{1,3}"
)
_OPEN = r"(?:\*\*|[(\[]){0,2}"
# Whatever is no value is refused here, since a text may have a name in every word.
_AFTER = (
    r"(?P<suffix>[\w-]{0,30}+)(?:(?P<assigned>" + _ASSIGNED + r")|(?P<said>" + _SAID + r")|[ \t]{1,3})"
    r"(?:" + _OPEN + r"[rbuf]?\\?(?P<quote>[\"'`])(?=\S{6})|" + _OPEN + r"(?=[^\s\"'`<>|\\]{6}))"
)
# It ends where the next part of a list of parameters begins: ;Encrypt=yes, &page=2.
_VALUE = r"(?:[^\s\"'`<>|\\;&,]|[;&,](?![A-Za-z][\w. %-]{0,30}=)){1,20000}"
_QUOTED = {quote: rf"[^{quote}\n]{{1,20000}}" for quote in "\"'`"}


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value and what it is given to: `own` and `rest` are what stands of the name before and after the
    `word` that was looked for."""

    own: str
    word: str
    rest: str
    how: str
    value: str
    start: int

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.start + len(self.value)

    @property
    def before(self) -> tuple[str, ...]:
        """The words of the name before the word, in lower case."""
        return tuple(each.lower() for each in _HUMPS.findall(self.own))

    @property
    def after(self) -> tuple[str, ...]:
        """The words of the name after the word, in lower case."""
        return tuple(each.lower() for each in _HUMPS.findall(self.rest))

    @property
    def attached(self) -> bool:
        """Whether no separator stands before the word, as in "apikey" and "monkey"."""
        last = self.own[-1:]
        return last.isalpha() and last.isupper() == self.word[0].isupper()

    @property
    def shouted(self) -> bool:
        """Whether this is the name of an environment variable."""
        return self.word.isupper() and ("_" in self.own[-1:] or "_" in self.rest)

    @property
    def flag(self) -> bool:
        """Whether this is an option of a command."""
        return self.own.rpartition(" ")[2].startswith("--")


def assignments(text: str, words: str, least: int) -> Iterator[Assignment]:
    """Yield the values that are given to a name with one of the words that the pattern `words` finds, and
    have at least this many characters."""
    pattern, unquoted = compiled(rf"(?P<word>{words}){_AFTER}"), compiled(_VALUE)
    match = pattern.search(text)
    while match is not None:
        word, quote = match["word"], match["quote"]
        found = (compiled(_QUOTED[quote]) if quote else unquoted).match(text, match.end())
        value = found.group() if found else ""
        value = value.rstrip("\\" if quote else ",;.:)]}*")
        # Names may stand in a value, too, but not in a long one without spaces.
        following = match.end() + (0 if quote or len(value) < _LONG else len(value))
        if len(value) < least:
            match = pattern.search(text, following)
            continue
        name = text[max(0, match.start() - _BEFORE) : match.start()].rpartition("\n")[2]
        own = _OWN.search(name)
        how = ASSIGNED if match["assigned"] else SAID if match["said"] else BESIDE
        yield Assignment(own.group() if own else "", word, match["suffix"], how, value, match.end())
        match = pattern.search(text, following)
