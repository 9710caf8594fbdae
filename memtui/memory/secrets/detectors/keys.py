"""Keys, tokens and secrets that are given to a name for one, and look like no word of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.secrets.assignments import ASSIGNED, BESIDE, SAID, Assignment, assignments
from memtui.memory.secrets.detector import Detector
from memtui.memory.secrets.randomness import is_random

# The first letter is a set, by which the search is fast.
_WORDS = (
    r"[kKtTsScCpPaA](?:(?<=[kK])(?i:ey)|(?<=[tT])(?i:oken)|(?<=[sS])(?i:ecret)|(?<=[cC])(?i:redentials?)"
    r"|(?<=[pP])(?:at|AT)(?![a-zA-Z])|(?<=_a)(?:uth)(?=\s?=))"
)
# Words before by which it is a secret, and those by which it is none.
_SECRET = frozenset(
    "api access auth authentication authtoken client secret private signing sign signature bearer "
    "encryption encrypt master admin webhook deploy deployment service account refresh session bot app "
    "application personal license registry subscription integration ingest ingestion consumer oauth jwt "
    "hmac shared preshared user server ci npm github gitlab aws openai stripe root storage security "
    "wireguard wg ssh bearer id login rest write upload publish repo project org team workspace agent "
    "machine device vault x".split()
)
_HARMLESS = frozenset(
    "public primary foreign partition sort cache idempotency idempotent dedupe dedup hash row object "
    "translation map dictionary lookup natural composite unique surrogate candidate shard routing image "
    "config memory node list item group aggregation index bucket hot arrow shortcut enter tab escape "
    "delete shift answer host pub publishable known stop next page pagination continuation cancellation "
    "csrf xsrf eos bos pad special start end max min num total per design nft sync cursor lexer parser "
    "previous cross verification verify sitekey site recaptcha tokens etag content message event job "
    "trace request correlation build commit".split()
)
_NOT_ITSELF = frozenset(
    "id ids name names path file filename url uri endpoint arn hash hashed digest sha sha256 md5 count "
    "counts length len limit limits size type types policy ttl expiry expires expiration expired at in "
    "prefix ref reference version fingerprint algorithm algo rotation manager store provider env var "
    "variable header field column index usage budget ring chain scanner scanning issuer audience scope "
    "scopes format regex pattern hint label title description status state location region owner created "
    "updated used remaining cost price window izer ized ize ization board word words code frame stroke "
    "note map space stone bindings binding vault holder checksum signature sum".split()
)
_NUMBERED = ("session", "id", "device", "x")  # what is mostly named by a UUID that is no secret
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_DIGEST = re.compile(r"[0-9a-f]+|[0-9A-F]+|0x[0-9a-fA-F]+")
_ULID = re.compile(r"0[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{24}")
_TOKEN = re.compile(r"[A-Za-z0-9_+/=.~:$!@#%^&*-]+")
_FILE = re.compile(
    r"\.(?:json|pem|key|txt|ya?ml|env|py|jsx?|tsx?|md|toml|crt|cer|pub|go|rs|rb|java|sh|db|log|html?)\Z"
)
_PATH = re.compile(r"(?:~|\.{1,2})?/\w|\w+://|[a-z][\w-]*/[a-z][\w./-]*\Z")
_PUBLIC = re.compile(r"AAAA[BCE][A-Za-z0-9]|ssh-|ecdsa-|(?:pk|pub)[_-]|sha\d|age1|phc_")
_LEAST, _LEAST_WEAK = 16, 20  # characters


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for each in assignments(text, _WORDS, _LEAST):
        if _is_secret(each):
            yield each.start, each.end


def _is_secret(each: Assignment) -> bool:
    value, before = each.value, each.before
    last = before[-1] if before else ""
    if not _TOKEN.fullmatch(value) or last in _HARMLESS or _NOT_ITSELF.intersection(each.after):
        return False
    if each.attached and last not in _SECRET:
        return False  # monkey, hotkey
    flag = each.flag
    if each.how == BESIDE and not (flag or (len(value) >= _LEAST_WEAK and _is_mixed(value))):
        return False
    strong = last in _SECRET or each.shouted or flag
    if len(value) < (_LEAST if strong else _LEAST_WEAK) or _FILE.search(value) or _PUBLIC.match(value):
        return False
    if _PATH.match(value) and not is_random(value[:-1].replace("/", "")):
        return False
    if _UUID.fullmatch(value):
        return strong and each.how == ASSIGNED and last not in _NUMBERED
    if _ULID.fullmatch(value):
        return False
    if _DIGEST.fullmatch(value):
        return (strong or each.how == SAID) and not value.isdigit()
    return is_random(value)


def _is_mixed(value: str) -> bool:
    return value.lower() != value != value.upper() and any(map(str.isdigit, value))


DETECTORS = (Detector("key", ("key", "token", "secret", "credential", "pat", "_auth"), _spans),)
