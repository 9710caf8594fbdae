"""The types of the tools' arguments, with what each means: the input schemas."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memtui.agents.mcp import wording
from memtui.formats.contract.records import clean
from memtui.memory.query import ranges

_LONGEST, _LONG = 1_000_000, 500  # characters of a text, and of a name
_MOST = 100  # memories in one answer

Content = Annotated[str, Field(description=wording.CONTENT, min_length=1, max_length=_LONGEST)]
Narrative = Annotated[str, Field(description=wording.NARRATIVE, min_length=1, max_length=_LONGEST)]
Category = Annotated[str, Field(description=wording.CATEGORY, min_length=1, max_length=_LONG)]
Id = Annotated[str, Field(description=wording.ID, min_length=1, max_length=_LONG)]
Key = Annotated[str, Field(description=wording.KEY, min_length=1, max_length=_LONG)]
Question = Annotated[str, Field(description=wording.QUESTION, min_length=1, max_length=_LONGEST)]
TheCompany = Annotated[str, Field(description=wording.COMPANY, min_length=1, max_length=_LONG)]
ThePlugin = Annotated[str, Field(description=wording.PLUGIN, min_length=1, max_length=_LONG)]
Limit = Annotated[int, Field(description=wording.LIMIT, ge=1, le=_MOST)]
PairLimit = Annotated[int, Field(description=wording.PAIR_LIMIT, ge=1, le=_MOST)]

SomeKey = Annotated[str, Field(description=wording.KEY, max_length=_LONG)]
SomeCategory = Annotated[str, Field(description=wording.ONLY_CATEGORY, max_length=_LONG)]
SomeQuestion = Annotated[str, Field(description=wording.QUESTION, max_length=_LONGEST)]
Title = Annotated[str, Field(description=wording.TITLE, max_length=_LONG)]
Source = Annotated[str, Field(description=wording.SOURCE, max_length=_LONG)]
Plugin = Annotated[str, Field(description=wording.PLUGIN, max_length=_LONG)]
Company = Annotated[str, Field(description=wording.COMPANY, max_length=_LONG)]
Scope = Annotated[Literal["", "private", "fleet", "session"], Field(description=wording.SCOPE)]
Subject = Annotated[str, Field(description=wording.SUBJECT, max_length=_LONG)]
Confidence = Annotated[float | None, Field(description=wording.CONFIDENCE, allow_inf_nan=False)]
Importance = Annotated[float | None, Field(description=wording.SHARE, ge=0, le=1)]
Tags = Annotated[list[str] | None, Field(description=wording.TAGS, max_length=200)]
Time = Annotated[str, Field(description=wording.TIME, max_length=60)]


def share(confidence: float | None) -> float | None:
    """Return a confidence as memtui has it: more than 1 is Founder OS's percent, and what is out of range the
    nearest (S-91)."""
    if confidence is None:
        return None
    return min(1.0, max(0.0, confidence / 100 if confidence > 1 else confidence))


def moment(name: str, text: str, now: float) -> float | None:
    """Return a moment as Unix seconds, None for ""; raise Refused if the text is none."""
    if not text:
        return None
    found = ranges.moment_ahead(text, now)
    if found is None:
        raise wording.no_time(name)
    return found


def source_of(source: str, source_plugin: str) -> str:
    """Return where a memory comes from, which each seed gives another name; raise Refused for two of them."""
    if source and source_plugin and source != source_plugin:
        raise wording.two_sources()
    return source or source_plugin


def given(text: str) -> str:
    """Return a text that is looked up as it could be stored."""
    return clean(text).strip()


def require_one(**names: str) -> None:
    """Raise Refused unless one of these arguments has a value."""
    if not any(value.strip() for value in names.values()):
        raise wording.one_needed(list(names))
