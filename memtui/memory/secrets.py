"""Secrets by their shape (S-62): keys, tokens, private keys, connection strings, card numbers.

Text that only mentions secrets is none: the bare word "password", a variable's name, a placeholder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """The position of a secret in a text and its kind, never the secret itself."""

    kind: str
    start: int
    end: int


# Each shape with the substrings of which every match has one, in any case, so that the database can rule
# texts out cheaply. If a shape has a group, only the group is secret.
_SHAPES = {
    "private key": (
        ("-----begin", "age-secret-key-1"),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[\s\S]{0,8000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        r"|\bAGE-SECRET-KEY-1[0-9A-Z]{50,}",
    ),
    "AWS key": (("akia", "asia"), r"\bA(?:KI|SI)A[A-Z0-9]{16}\b"),
    "GitHub token": (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})",
    ),
    "GitLab token": (("glpat-",), r"\bglpat-[\w-]{20,}"),
    "Slack token": (("xox", "xapp-"), r"\b(?:xox[abeoprs]|xapp)-[0-9][A-Za-z0-9-]{9,}"),
    "API key": (("sk-",), r"(?<![\w-])sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,}"),
    "Stripe key": (("k_live_", "k_test_", "whsec_"), r"\b(?:[rsp]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}"),
    "Google key": (
        ("aiza", "ya29.", "gocspx-"),
        r"\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}",
    ),
    "registry token": (
        ("npm_", "pypi-", "hf_"),
        r"\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{50,}|\bhf_[A-Za-z0-9]{30,}",
    ),
    "SendGrid key": (("sg.",), r"\bSG\.[\w-]{16,32}\.[\w-]{16,64}"),
    "web token": (("eyj",), r"(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    "connection string": (
        ("://", "password=", "pwd="),
        r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/?#@]{0,100}:(?P<secret>[^\s/@]{1,200})@[^\s@/]"
        r"|(?i:\b(?:server|host|data source|dsn)\s?=[^\n]{1,300};\s?(?:password|pwd)\s?=)"
        r"(?P<secret_>[^;\s]{1,200})",
    ),
    # A name for a secret, followed by a value that looks like no word of a language.
    "key": (
        ("key", "token", "secret"),
        r"(?i:\b(?:api|access|auth|client|secret|private|signing|bearer)[_ -]?(?:access[_ -]?)?"
        r"(?:key|token|secret)\b[\"']?\s{0,3}(?:[:=]|is)\s{0,3}[\"'`]?)"
        r"(?P<value>(?=[A-Za-z0-9_+/.-]{0,60}[0-9])(?=[0-9_+/.-]{0,60}[A-Za-z])[A-Za-z0-9_+/-]{20,}=?=?)",
    ),
}
_PATTERNS = {kind: re.compile(shape) for kind, (_, shape) in _SHAPES.items()}
_PLACEHOLDER = re.compile(
    r"<.*>?|\$.*|\{.*|%.*|\*+|x+|\.+|pass(?:word)?|pwd|secret|user(?:name)?", re.IGNORECASE
)

_AMBIGUOUS = ("API key", "key")  # shapes that hyphenated words can have too

_DIGITS = re.compile(r"(?<![\w.-])[3-6][0-9]{3}[ -]?[0-9]{2}(?:[ -]?[0-9]){8,13}(?![\w-]|\.[0-9])")
# The first digits of each card network, and the number of digits.
_CARDS = re.compile(
    r"4[0-9]{15}|5[1-5][0-9]{14}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}"
    r"|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14,17}"
)

# Lower-case substrings of which a text must contain one to contain a secret other than a card number.
MARKERS = tuple(dict.fromkeys(marker for markers, _ in _SHAPES.values() for marker in markers))


def find(text: str) -> list[Secret]:
    """Return the secrets in `text`, in order; where two shapes overlap, the first to begin."""
    low = text.lower()
    found = [
        Secret(kind, *_secret_span(match))
        for kind, (markers, _) in _SHAPES.items()
        if any(marker in low for marker in markers)
        for match in _PATTERNS[kind].finditer(text)
        if not _PLACEHOLDER.fullmatch(text, *_secret_span(match))
        if kind not in _AMBIGUOUS or _is_random(text[slice(*_secret_span(match))])
    ]
    found += [
        Secret("card number", *match.span()) for match in _DIGITS.finditer(text) if _is_card(match.group())
    ]
    apart: list[Secret] = []
    for each in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if not apart or each.start >= apart[-1].end:
            apart.append(each)
    return apart


def contains_secret(text: str) -> bool:
    """Return whether there is a secret in `text`."""
    return bool(find(text))


def _secret_span(match: re.Match[str]) -> tuple[int, int]:
    """Return the span of the part of a match that is secret."""
    for name in match.re.groupindex:
        if match[name] is not None:
            return match.span(name)
    return match.span()


def _is_random(value: str) -> bool:
    """Return whether nobody would compose this of words: many digits, or some among mixed case."""
    digits = sum(each.isdigit() for each in value)
    return digits >= 4 or (digits > 0 and value.lower() != value != value.upper())


def _is_card(typed: str) -> bool:
    digits = typed.replace(" ", "").replace("-", "")
    if not _CARDS.fullmatch(digits) or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0
