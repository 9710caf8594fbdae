"""Tokens as providers make them: a prefix, and random characters of their alphabet."""

from __future__ import annotations

import string
from base64 import b64encode, urlsafe_b64encode
from random import Random

from tests.support.secret_texts.cases import Maker

HEX = "0123456789abcdef"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
BASE62 = string.ascii_letters + string.digits
BASE32 = string.ascii_uppercase + "234567"
WIDE = BASE62 + "_-"
BASE64 = BASE62 + "+/"
DIGITS = string.digits


def some(rng: Random, alphabet: str, length: int) -> str:
    """Return random characters."""
    return "".join(rng.choices(alphabet, k=length))


def uuid(rng: Random) -> str:
    parts = [some(rng, HEX, n) for n in (8, 4, 4, 4, 12)]
    parts[2], parts[3] = "4" + parts[2][1:], rng.choice("89ab") + parts[3][1:]
    return "-".join(parts)


def _of(*parts: str | tuple[str, int]) -> Maker:
    """Return a maker of fixed texts and of random characters (alphabet, length)."""
    return lambda rng: "".join(part if isinstance(part, str) else some(rng, *part) for part in parts)


def jwt(rng: Random) -> str:
    def part(text: str) -> str:
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    claims = f'{{"sub":"{some(rng, DIGITS, 9)}","iat":17{some(rng, DIGITS, 8)}}}'
    return f"{part('{' + chr(34) + 'alg' + chr(34) + ':' + chr(34) + 'HS256' + chr(34) + '}')}.{part(claims)}.{some(rng, WIDE, 43)}"


def private_key(rng: Random) -> str:
    name = rng.choice(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    lines = [some(rng, BASE64, 64) for _ in range(rng.randint(3, 20))] + [some(rng, BASE64, 30) + "=="]
    body = "\n".join(lines)
    return f"-----BEGIN {name}PRIVATE KEY-----\n{body}\n-----END {name}PRIVATE KEY-----"


def pgp_key(rng: Random) -> str:
    body = "\n".join(some(rng, BASE64, 64) for _ in range(6))
    return (
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{body}\n={some(rng, BASE64, 4)}\n"
        "-----END PGP PRIVATE KEY BLOCK-----"
    )


def card(rng: Random) -> str:
    start, length = rng.choice(
        [("4", 16), ("51", 16), ("55", 16), ("2345", 16), ("37", 15), ("6011", 16), ("3530", 16)]
    )
    digits = start + some(rng, DIGITS, length - len(start) - 1)
    doubled = [int(d) * (2 - place % 2) for place, d in enumerate(reversed(digits))]
    digits += str(-sum(n - 9 * (n > 9) for n in doubled) % 10)
    by = rng.choice(["", " ", "-"])
    if length == 15:
        return by.join((digits[:4], digits[4:10], digits[10:]))
    return by.join(digits[place : place + 4] for place in range(0, 16, 4))


def iban(rng: Random) -> str:
    country, bank, length = rng.choice([("DE", "", 22), ("FR", "", 27), ("GB", "BARC", 22), ("NL", "INGB", 18), ("ES", "", 24),
                                        ("CH", "", 21), ("NO", "", 15), ("PL", "", 28)])  # fmt: skip
    account = bank + some(rng, DIGITS, length - 4 - len(bank))
    number = "".join(str(int(each, 36)) for each in account + country + "00")
    whole = f"{country}{98 - int(number) % 97:02}{account}"
    return whole if rng.random() < 0.5 else " ".join(whole[at : at + 4] for at in range(0, length, 4))


def password(rng: Random) -> str:
    """Return a password with letters and digits, as a manager makes it."""
    inner = some(rng, BASE62 + "!#%*+", rng.randint(7, 15))
    return rng.choice(string.ascii_letters) + inner + rng.choice(DIGITS) + rng.choice(string.ascii_letters)


def basic(rng: Random) -> str:
    return b64encode(f"deploy:{some(rng, BASE62, 14)}".encode()).decode()


# Tokens that are known by themselves, by kind.
TOKENS: dict[str, Maker] = {
    "aws-key": _of("AKIA", (BASE32, 16)),
    "aws-session": _of("ASIA", (BASE32, 16)),
    "google-key": _of("AIza", (WIDE, 34), (BASE62, 1)),
    "google-oauth": _of("GOCSPX-", (WIDE, 27), (BASE62, 1)),
    "google-access": _of("ya29.", (WIDE, 120), (BASE62, 1)),
    "azure-secret": _of((BASE62, 3), "8Q~", (WIDE, 33), (BASE62, 1)),
    "github-token": _of("ghp_", (BASE62, 36)),
    "github-fine": _of("github_pat_", (BASE62, 22), "_", (BASE62, 59)),
    "github-app": _of("ghs_", (BASE62, 36)),
    "gitlab-token": _of("glpat-", (WIDE, 19), (BASE62, 1)),
    "gitlab-runner": _of("glrt-", (WIDE, 19), (BASE62, 1)),
    "slack-bot": _of("xoxb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (BASE62, 24)),
    "slack-user": _of("xoxp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (DIGITS, 13), "-", (HEX, 32)),
    "slack-app": _of("xapp-1-A", (UPPER, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    "discord-token": lambda rng: (
        f"{urlsafe_b64encode(some(rng, '123456789', 18).encode()).decode()}.{some(rng, BASE62, 6)}.{some(rng, WIDE, 37)}{some(rng, BASE62, 1)}"
    ),
    "telegram-token": _of(("123456789", 10), ":AA", (WIDE, 32), (BASE62, 1)),
    "stripe-key": _of("sk_live_", (BASE62, 24)),
    "stripe-restricted": _of("rk_live_", (BASE62, 99)),
    "stripe-webhook": _of("whsec_", (BASE62, 32)),
    "square-token": _of("sq0atp-", (WIDE, 21), (BASE62, 1)),
    "braintree-token": _of("access_token$production$", (LOWER, 16), "$", (HEX, 32)),
    "twilio-key": _of("SK", (HEX, 32)),
    "sendgrid-key": _of("SG.", (WIDE, 22), ".", (WIDE, 42), (BASE62, 1)),
    "mailgun-key": _of("key-", (HEX, 32)),
    "mailchimp-key": _of((HEX, 32), "-us", ("123456789", 1)),
    "openai-key": _of("sk-", (BASE62, 20), "T3BlbkFJ", (BASE62, 20)),
    "openai-project": _of("sk-proj-", (WIDE, 74), "T3BlbkFJ", (WIDE, 73), (BASE62, 1)),
    "anthropic-key": _of("sk-ant-api03-", (WIDE, 93), "AA"),
    "openrouter-key": _of("sk-or-v1-", (HEX, 64)),
    "huggingface-token": _of("hf_", (string.ascii_letters, 34)),
    "groq-key": _of("gsk_", (BASE62, 52)),
    "xai-key": _of("xai-", (BASE62, 80)),
    "replicate-token": _of("r8_", (BASE62, 37)),
    "npm-token": _of("npm_", (BASE62, 36)),
    "pypi-token": _of("pypi-AgEIcHlwaS5vcmc", (WIDE, 120), (BASE62, 1)),
    "docker-token": _of("dckr_pat_", (WIDE, 26), (BASE62, 1)),
    "rubygems-key": _of("rubygems_", (HEX, 48)),
    "cloudflare-token": _of("cfut_", (BASE62, 48)),
    "digitalocean-token": _of("dop_v1_", (HEX, 64)),
    "heroku-key": _of("HRKU-AA", (WIDE, 57), (BASE62, 1)),
    "databricks-token": _of("dapi", (HEX, 32)),
    "newrelic-key": _of("NRAK-", (UPPER, 27)),
    "sentry-token": lambda rng: (
        "sntrys_"
        + b64encode(f'{{"iat":17{some(rng, DIGITS, 8)},"url":"x"}}'.encode()).decode()
        + "_"
        + some(rng, BASE64, 43)
    ),
    "grafana-token": _of("glsa_", (BASE62, 32), "_", (HEX, 8)),
    "notion-token": _of("ntn_", (BASE62, 46)),
    "linear-key": _of("lin_api_", (BASE62, 40)),
    "figma-token": _of("figd_", (WIDE, 39), (BASE62, 1)),
    "atlassian-token": _of("ATATT3xFfGF0", (WIDE, 150), "=", ("0123456789ABCDEF", 8)),
    "shopify-token": _of("shpat_", (HEX, 32)),
    "airtable-token": _of("pat", (BASE62, 14), ".", (HEX, 64)),
    "postman-key": _of("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "hubspot-token": lambda rng: f"pat-na1-{uuid(rng)}",
    "vault-token": _of("hvs.", (WIDE, 89), (BASE62, 1)),
    "terraform-token": _of((BASE62, 14), ".atlasv1.", (WIDE, 66), (BASE62, 1)),
    "pulumi-token": _of("pul-", (HEX, 40)),
    "doppler-token": _of("dp.pt.", (BASE62, 43)),
    "supabase-key": _of("sbp_", (HEX, 40)),
    "planetscale-token": _of("pscale_tkn_", (WIDE, 42), (BASE62, 1)),
    "tailscale-key": _of("tskey-auth-k", (BASE62, 11), "CNTRL-", (BASE62, 32)),
    "age-key": _of("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "jwt": jwt,
    "private-key": private_key,
    "pgp-key": pgp_key,
    "card-number": card,
    "iban": iban,
}
