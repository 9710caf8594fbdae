"""Secrets by their shape (S-62): keys, tokens, private keys, connection strings, card numbers.

What only speaks of secrets is none: the bare word "password", a variable's name, a placeholder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """Where in a text a secret stands, and what it looks like; never the secret itself."""

    what: str
    start: int
    end: int


# Each shape with a piece of text that nothing of that shape lacks, whatever its case: the cheap
# question that a database asks first. Where a shape has a group, only that is secret.
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
    # A name for a secret, and behind it a value that no word of a language looks like.
    "key": (
        ("key", "token", "secret"),
        r"(?i:\b(?:api|access|auth|client|secret|private|signing|bearer)[_ -]?(?:access[_ -]?)?"
        r"(?:key|token|secret)\b[\"']?\s{0,3}(?:[:=]|is)\s{0,3}[\"'`]?)"
        r"(?P<value>(?=[A-Za-z0-9_+/.-]{0,60}[0-9])(?=[0-9_+/.-]{0,60}[A-Za-z])[A-Za-z0-9_+/-]{20,}=?=?)",
    ),
}
_SHAPE = {what: re.compile(shape) for what, (_, shape) in _SHAPES.items()}
_HIDDEN = re.compile(r"<.*>?|\$.*|\{.*|%.*|\*+|x+|\.+|pass(?:word)?|pwd|secret|user(?:name)?", re.IGNORECASE)

_BY_CHANCE = ("API key", "key")  # shapes that words joined by hyphens could have too

_DIGITS = re.compile(r"(?<![\w.-])[3-6][0-9]{3}[ -]?[0-9]{2}(?:[ -]?[0-9]){8,13}(?![\w-]|\.[0-9])")
# What the numbers of each card begin with, and how many digits they have.
_CARDS = re.compile(
    r"4[0-9]{15}|5[1-5][0-9]{14}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}"
    r"|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14,17}"
)

# Pieces of which a text must hold one (small letters stand for both) to hold a secret that is no card.
PIECES = tuple(dict.fromkeys(piece for pieces, _ in _SHAPES.values() for piece in pieces))


def find(text: str) -> list[Secret]:
    """The secrets in `text`, in its order; where two shapes overlap, the first that begins."""
    low = text.lower()
    found = [
        Secret(what, *_place(match))
        for what, (pieces, _) in _SHAPES.items()
        if any(piece in low for piece in pieces)
        for match in _SHAPE[what].finditer(text)
        if not _HIDDEN.fullmatch(text, *_place(match))
        if what not in _BY_CHANCE or _is_random(text[slice(*_place(match))])
    ]
    found += [
        Secret("card number", *match.span()) for match in _DIGITS.finditer(text) if _is_card(match.group())
    ]
    apart: list[Secret] = []
    for each in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if not apart or each.start >= apart[-1].end:
            apart.append(each)
    return apart


def holds(text: str) -> bool:
    """Whether there is a secret in `text`."""
    return bool(find(text))


def _place(match: re.Match[str]) -> tuple[int, int]:
    """The part of a match that is secret."""
    for name in match.re.groupindex:
        if match[name] is not None:
            return match.span(name)
    return match.span()


def _is_random(value: str) -> bool:
    """Whether no person would have made this up of words: many digits, or some among mixed letters."""
    digits = sum(each.isdigit() for each in value)
    return digits >= 4 or (digits > 0 and value.lower() != value != value.upper())


def _is_card(typed: str) -> bool:
    digits = typed.replace(" ", "").replace("-", "")
    if not _CARDS.fullmatch(digits) or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0
