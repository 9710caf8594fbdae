"""Passwords assigned to a name such as `password`; not the bare word, nor sentences about passwords."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.secrets.assignments import ASSIGNED, BESIDE, Assignment, assignments
from memtui.memory.secrets.detector import Detector

# The first letter is a set, by which the search is fast.
_WORDS = (
    r"[pPkK](?:(?<=[pP])(?i:ass(?:word|phrase|code|wort|wd)|asswd|wd)|(?<=[kK])(?i:ennwort)"
    r"|(?:(?<=p)ass|(?<=P)ASS|(?<=P)ass|(?<=p)w|(?<=P)W)(?![A-Za-z]))"
)
_NOT_ITSELF = frozenset(
    "policy policies reset resets manager hash hashed hasher digest field input prompt less s length len "
    "min max regex pattern strength hint id name path file url uri confirmation confirm label placeholder "
    "encoder salt rounds expiry expires expired expiration age changed at updated validator validation "
    "rule rules type protected through port key age history algorithm required enabled disabled visible "
    "env var ref command cmd count".split()
)
_OWNERS = frozenset(
    "db user my smtp mysql pg root admin ssh ftp wifi login app key store truststore auth sudo".split()
)
# Names of methods and sizes, which look like letters and digits.
_TECHNICAL = re.compile(
    r"(?<![^\s_(-])(?:(?:sha|md|aes|utf|base|rsa|ed|rc|p|v|http|ipv|k|x|s|oauth|rfc|iso|web|argon|pbkdf|fido"
    r"|u|h|win|log4|py|min|max)-?\d{1,5}[a-z]{0,3}|2fa|3des|1password|0auth|i18n|l10n"
    r"|\d+\+?[ -]?(?:chars?|characters?|days?|digits?|bytes?|bits?|attempts?|times|min(?:ute)?s?|hours?|h|d"
    r"|months?|weeks?|years?|x|k|m|ms|th|st|nd|rd))(?![^\s_)-])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Z]?[a-z]{2,}\d{0,2}|[A-Z]{2,}|\d{1,4}")
_NAMES_ITSELF = re.compile(r"(?i:\w*(?:password|passwd|pwd)\w*)|[a-z_]\w*(?:\.[a-z_]\w*)+")
_MARKUP = re.compile(r"\w+://|/\w|\./|~/|[\w-]+\.(?:md|txt|ya?ml|json|env|py|kdbx?|gpg)\Z|\S+@\w[\w-]*\.\w")
_SIGN = re.compile(r"[!@#$%^&*?~+=_/.,;:-]")
_LEAST = 6  # characters


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for each in assignments(text, _WORDS, _LEAST):
        if _is_password(each):
            yield each.start, each.end


def _is_password(each: Assignment) -> bool:
    value = each.value
    if " " in value or _NAMES_ITSELF.fullmatch(value) or _MARKUP.match(value):
        return False
    if each.attached and (each.before[-1:] or ("",))[0] not in _OWNERS:
        return False  # bypass, compass
    if _NOT_ITSELF.intersection(each.after) or (each.how == BESIDE and not each.flag):
        return False
    plain = _TECHNICAL.sub("", value)
    if not any(map(str.isalpha, plain)) or _is_hyphenated(value):
        return False
    mixed = plain.lower() != plain != plain.upper()
    if each.word.lower() in ("pass", "pw") and not (each.shouted or mixed or _SIGN.search(plain)):
        return False  # these are words of other things, too
    if any(map(str.isdigit, plain)):
        return True
    return each.how == ASSIGNED and len(plain) >= 8 and mixed and _SIGN.search(plain[1:-1]) is not None


def _is_hyphenated(value: str) -> bool:
    """Return whether a value is words and numbers that are joined by signs, like the name of a thing."""
    parts = re.split(r"[-_/.:+]", value)
    return len(parts) > 1 and all(not part or _WORD.fullmatch(part) for part in parts)


DETECTORS = (Detector("password", ("pass", "pwd", "pw", "kennwort"), _spans),)
