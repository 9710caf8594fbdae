"""E-mail addresses and phone numbers: found only if the settings ask for personal data (S-62)."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.secrets.detector import Detector, compiled

# A host ends with letters; what stands before @ in the address of a repository is nobody's name.
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}"
_EMAIL = rf"@(?<=[A-Za-z0-9_%+-]@){_HOST}(?![\w.-]*[:/@])"
_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9._%+'-]{0,62})$"
_NOBODY = frozenset(
    {"git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply", "mailer-daemon"}
)
_FILES = frozenset(
    {"png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ts", "py", "rs", "go", "md", "json"}
)
# With its country's code, or named as one; in groups as people write them.
_ABROAD = r"\+(?<![\w+.-]\+)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,4}\)?){2,6}(?![\w-]|[.]\d)"
_NAMED = (
    r"\b(?i:phone|tel|telephone|mobile|cell|fax|whatsapp|signal)\b[ .:=#]{1,3}"
    r"(?:(?:is|number|no)\b[ .:]{0,2}){0,2}"
    r"(?P<number>\(?0?\d{2,5}\)?(?:[ ./-]?\d{2,5}){1,4})(?![\w-]|[.]\d)"
)
_LEAST, _MOST = 7, 15  # digits of a number, by ITU-T E.164
_FICTIONAL = r"555[ .-]?01\d\d$"  # reserved for films and examples


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_EMAIL).finditer(text):
        name = compiled(_NAME).search(text, max(0, match.start() - 64), match.start())
        host = match.group()[1:].casefold()
        if name is None or name.group().casefold() in _NOBODY or host.rpartition(".")[2] in _FILES:
            continue
        yield name.start(), match.end()


def _numbers(text: str) -> Iterator[tuple[int, int]]:
    for pattern, group in ((_ABROAD, 0), (_NAMED, "number")):
        for match in compiled(pattern).finditer(text):
            digits = sum(map(str.isdigit, match.group(group)))
            if _LEAST <= digits <= _MOST and not compiled(_FICTIONAL).search(match.group(group)):
                yield match.span(group)


DETECTORS = (
    Detector("email", ("@",), _addresses, personal=True),
    Detector("phone", (), _numbers, personal=True),
)
