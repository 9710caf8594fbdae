"""A text as a bullet of a Markdown list, from which it can be read back unchanged (S-70, S-74).

Lists give a meaning to what bullets begin with: a date, the box of a task, a rule. So does an export to the
mark at their end. A text that begins or ends so itself has a backslash there, as Markdown escapes it.
"""

from __future__ import annotations

import re

from memtui.export.wording import contradicted_by

_DATE = r"\d{4}-\d{2}-\d{2}"
_BRACKETED = rf"\[(?:{_DATE}[^\]\n]{{0,20}}|[Uu]nknown[^\]\n]{{0,20}}|[Nn]/?[Aa])\]"
# "[2026-01-31] - text", as assistants list what they remember; also without brackets, or a known date.
DATE = re.compile(rf"(?P<bracketed>{_BRACKETED})[ \t]*[-–—.:]*[ \t]*|(?P<bare>{_DATE})[ \t]*[-–—:][ \t]+")
TASK = re.compile(r"\[[ xX]\][ \t]+")
_MARKS = "|".join(re.escape(contradicted_by(n).lstrip()).replace("2", r"[\d,]+") for n in (1, 2))
MARK = re.compile(rf" (?:{_MARKS})\Z")  # which `contradiction_mark` sets
# Where the backslash goes, also if the text has some there.
_START = re.compile(
    r"\d{4}(?=\\*-\d{2}-\d{2}[ \t]*[-–—:](?:\s|\Z))"
    rf"|(?=\\*(?:{_BRACKETED}|\[[ xX]\](?:\s|\Z)|-[- \t]*(?:\n|\Z)))"
)
_END = re.compile(rf"(?<= )(?=\\*(?:{_MARKS})\s*\Z)")


def bullet(text: str, mark: str = "") -> str:
    """Return a text as a bullet, without an end of line; `mark` is not of the text, and follows it.

    Further lines are indented, so that they stay in it.

    >>> bullet("[x] one\\ntwo")
    '- \\\\[x] one\\n  two'
    """
    text = text.lstrip()
    if end := _END.search(text):
        text = f"{text[: end.start()]}\\{text[end.start() :]}"
    if start := _START.match(text):
        text = f"{text[: start.end()]}\\{text[start.end() :]}"
    return "- " + "\n".join(f"  {line}" if line else "" for line in f"{text}{mark}".split("\n")).lstrip()


def unescaped(text: str) -> str:
    """Return a text that `bullet` was given, of its bullet without signs, indentation and mark."""
    if (start := _START.match(text)) and text.startswith("\\", start.end()):
        text = text[: start.end()] + text[start.end() + 1 :]
    if (end := _END.search(text)) and text.startswith("\\", end.start()):
        text = text[: end.start()] + text[end.start() + 1 :]
    return text
