"""Taking secrets out of parts of a file: no byte beside them is touched (S-62)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from memtui.formats.media.files import wording
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.yaml_scalars import Style
from memtui.memory.secrets.redaction import Replacements

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?')  # of JSON: a string or a number


def redact_part(draft: Draft, name: str, start: int, end: int, redacted: Replacements) -> None:
    """Replace each value between two offsets of a file, from the last on."""
    text = _text(draft.files[name][start:end])
    for first, last, new in reversed(list(redacted.spans(text))):
        _splice(draft, name, start, text, first, last, new)


def redact_json(draft: Draft, name: str, start: int, end: int, redacted: Replacements) -> None:
    """Replace each value in the strings of JSON between two offsets; a number becomes a string."""
    text = _text(draft.files[name][start:end])
    for token in reversed(list(_TOKEN.finditer(text))):
        if token[0][0] == '"':
            for first, last, new in reversed(list(redacted.spans(token[0]))):
                at = token.start()
                _splice(draft, name, start, text, at + first, at + last, json.dumps(new)[1:-1])
        elif (number := redacted.values.get(token[0])) is not None:
            _splice(draft, name, start, text, *token.span(), json.dumps(number))


def redact_head(
    draft: Draft,
    name: str,
    new_text: Callable[[str, str], str],
    set_list: Callable[[str, list[str]], None] | None = None,
) -> None:
    """Give the values of a head the text that `new_text` returns for a key and its text, lists by `set_list`;
    also in comments. Raise Refused where one cannot be written."""
    head = frontmatter.read(draft.files[name])
    if head is None:
        return
    # From the last on, so that what is inside of a value comes before it.
    for key in sorted(head.values, key=lambda key: -head.values[key].start):
        now = frontmatter.read(draft.files[name])
        assert now is not None
        value = now.values[key]
        new = new_text(key, value.text)
        if new == value.text:
            continue
        if value.style is Style.LIST and set_list is not None:
            set_list(key, [new_text(key, item) for item in value.items])
        else:
            draft.splice(name, *now.put(key, new))


def redact_comments(draft: Draft, name: str, redacted: Replacements) -> None:
    """Replace the values that the comments of a head have."""
    head = frontmatter.read(draft.files[name])
    if head is None or head.problems:
        return
    text = _text(draft.files[name][: head.end])
    for first, last, new in reversed(list(redacted.spans(text))):
        if "#" in text[text.rfind("\n", 0, first) + 1 : first]:
            _splice(draft, name, 0, text, first, last, new)


def ensure_gone(draft: Draft, name: str, redacted: Replacements) -> None:
    """Raise Refused, with the place, where a file still has a value: what cannot be parsed is not written."""
    if (at := place_of(draft.files[name], redacted)) is not None:
        raise wording.secret_unparsable(name, *at)


def place_of(data: bytes, redacted: Replacements) -> tuple[int, int] | None:
    """Return line and column, from 1, of the first value in a file; None if there is none."""
    text = data.decode("utf-8", "replace")
    first = next(redacted.spans(text), None)
    if first is None:
        return None
    at = first[0]
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _splice(draft: Draft, name: str, start: int, text: str, first: int, last: int, new: str) -> None:
    at = start + len(text[:first].encode("utf-8", "surrogateescape"))
    old = text[first:last].encode("utf-8", "surrogateescape")
    draft.splice(name, at, at + len(old), new.encode())
