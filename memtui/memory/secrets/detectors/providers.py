"""Keys without a sign of their own, known by the name of the provider in the same line."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.secrets.detector import LONG, Detector, Spans, compiled
from memtui.memory.secrets.randomness import is_random

_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_HEX = "[0-9a-f]"
_ANY = "[A-Za-z0-9]"
_WIDE = r"[A-Za-z0-9_-]"
# Kind: the provider's name in lower case, and what its keys look like.
_KEYS = {
    "twilio-key": ("twilio", rf"{_HEX}{{32}}"),
    "cloudflare-token": ("cloudflare", rf"{_HEX}{{37}}|{_WIDE}{{40}}"),
    "heroku-key": ("heroku", _UUID),
    "datadog-key": ("datadog", rf"{_HEX}{{32}}|{_HEX}{{40}}"),
    "algolia-key": ("algolia", rf"{_HEX}{{32}}"),
    "linode-token": ("linode", rf"{_HEX}{{64}}"),
    "hetzner-token": ("hetzner", rf"{_ANY}{{64}}"),
    "vultr-key": ("vultr", r"[A-Z0-9]{36}"),
    "fastly-token": ("fastly", rf"{_WIDE}{{32}}"),
    "okta-token": ("okta", rf"00{_WIDE}{{40}}"),
    "pagerduty-key": ("pagerduty", rf"(?:u\+)?{_WIDE}{{18,20}}|{_HEX}{{32}}"),
    "rollbar-token": ("rollbar", rf"{_HEX}{{32}}"),
    "bugsnag-key": ("bugsnag", rf"{_HEX}{{32}}"),
    "wandb-key": ("wandb", rf"{_HEX}{{40}}"),
    "circleci-token": ("circleci", rf"{_HEX}{{40}}"),
    "codecov-token": ("codecov", _UUID),
    "snyk-token": ("snyk", _UUID),
    "postmark-token": ("postmark", _UUID),
    "railway-token": ("railway", _UUID),
    "vercel-token": ("vercel", rf"{_ANY}{{24}}"),
    "todoist-token": ("todoist", rf"{_HEX}{{40}}"),
    "trello-key": ("trello", rf"{_HEX}{{64}}|{_HEX}{{32}}"),
    "opsgenie-key": ("opsgenie", _UUID),
    "deepgram-key": ("deepgram", rf"{_HEX}{{40}}"),
    "assemblyai-key": ("assemblyai", rf"{_HEX}{{32}}"),
    "cohere-key": ("cohere", rf"{_ANY}{{40}}"),
    "mistral-key": ("mistral", rf"{_ANY}{{32}}"),
    "spotify-secret": ("spotify", rf"{_HEX}{{32}}"),
    "jenkins-token": ("jenkins", rf"11{_HEX}{{32}}|{_HEX}{{32}}"),
}
_REACH = 70  # characters after the name in which the key stands
# What a value is said to be that is no key.
_OTHER = (
    r"(?i:\b(?:commit|sha\d*|md5|hash|digest|checksum|etag|build|deploy id|trace|run id|account|dashboard"
    r"|monitor|zone|sid))\W{0,4}\Z"
)


def _near(name: str, shape: str) -> Spans:
    def spans(text: str) -> Iterator[tuple[int, int]]:
        low = text.lower() if len(text.lower()) == len(text) else text
        value = compiled(rf"(?<![\w/+.=-])(?:{shape})(?![\w/+=-])")
        word = compiled(r"(?i:key|token|secret|credential|auth|\bpat\b)")
        start = low.find(name)
        while start >= 0:
            line = text[start : start + _REACH + 70].partition("\n")[0]
            match = value.search(line, len(name))
            if match is not None and match.start() <= _REACH and is_random(match.group()):
                before = line[: match.start()]
                if word.search(before) and not compiled(_OTHER).search(before):
                    yield start + match.start(), start + match.end()
            start = low.find(name, start + len(name))

    return spans


DETECTORS = tuple(Detector(kind, (name,), _near(name, shape), LONG) for kind, (name, shape) in _KEYS.items())
