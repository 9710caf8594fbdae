"""Texts as agents and people keep them, each with one secret."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.support.secret_texts.cases import CLOSE, OPEN, Case, Maker, marked
from tests.support.secret_texts.tokens import (
    BASE32,
    BASE62,
    BASE64,
    HEX,
    TOKENS,
    UPPER,
    WIDE,
    basic,
    password,
    some,
    uuid,
)

PROSE = [
    "The staging deploy used {} last week, rotate it.",
    "Note from Ana: {} is what the nightly job needs.",
    "- [ ] replace `{}` before Friday",
    "> he pasted {} into the chat",
    "Use {} for the demo account.\nThen restart the worker.",
    "See below.\n\n```\n{}\n```\n",
    "| service | value |\n|---|---|\n| billing | {} |",
    'conf = {{"value": "{}", "retries": 3}}',
    "export CREDENTIAL='{}'",
    "value: {}\nregion: eu-west-1",
    'He said "{}" works; I did not check.',
    "({})",
]
_NAMES = ["API_KEY", "api_key", "apiKey", "SECRET_TOKEN", "access_token", "client_secret", "WEBHOOK_SECRET", "auth-token",
          "signing_key", "encryptionKey", "STRIPE_SECRET", "x-api-key", "refresh_token", "bot_token", "SECRET_KEY_BASE"]  # fmt: skip
_ASSIGNED = [
    "{}={}",
    "export {}={}",
    '"{}": "{}",',
    "{}: {}",
    "{} = '{}'",
    'const {} = "{}";',
    "- name: {}\n  value: {}",
    "{} := `{}`",
]
_SAID = ["The API key is {}", "our access token for the crawler is {}", "API token: `{}`", "**Client secret:** {}",
         "| API key | {} |", "Set the webhook secret to {}.", "the refresh token was {}, now revoked"]  # fmt: skip
_PASSWORDS = ["password: {}", "The password is {}.", 'DB_PASSWORD="{}"', "pwd = {}", '{{"user": "app", "password": "{}"}}',
              "smtp_pass={}", "Wifi password: {}", "login bob, password: {}", "The admin password for the router is {}",
              "passphrase = '{}'", "--password {} --host db", "ADMIN_PASSWORD: {}"]  # fmt: skip


def _secret(maker: Maker, rng: Random) -> str:
    return f"{OPEN}{maker(rng)}{CLOSE}"


def _value(rng: Random) -> str:
    alphabet, length = rng.choice(
        [(BASE62, 24), (BASE62, 40), (HEX, 32), (HEX, 64), (WIDE, 32), (BASE64, 44), (BASE62, 20)]
    )
    return some(rng, alphabet, length - 1) + some(rng, "adf3579", 1)


def _urls(rng: Random) -> list[str]:
    word = f"{OPEN}{some(rng, BASE62, rng.randint(6, 20))}{CLOSE}"
    encoded = f"{OPEN}{some(rng, BASE62, 5)}%40{some(rng, BASE62, 4)}%23{CLOSE}"
    return [
        f"postgres://app:{word}@db.internal:5432/app",
        f"redis://:{word}@cache:6379/0",
        f"DATABASE_URL=mysql://root:{encoded}@10.0.0.5/shop",
        f"mongodb+srv://svc:{word}@cluster0.ab1cd.mongodb.net/?retryWrites=true",
        f"clone https://bot:{word}@git.example.org/team/repo.git",
        f"amqp://worker:{word}@mq:5672/%2f then retry",
        f'"url": "ftp://up:{word}@files.example.org/in"',
    ]


def _connections(rng: Random) -> list[str]:
    word = f"{OPEN}{some(rng, BASE62, rng.randint(8, 16))}{CLOSE}"
    return [
        f"Server=tcp:sql1,1433;Database=crm;User ID=app;Password={word};Encrypt=True;",
        f"Driver={{ODBC Driver 18}};Server=db;UID=svc;PWD={word}",
        f"jdbc:postgresql://db:5432/app?user=app&password={word}",
        f"jdbc:sqlserver://db:1433;databaseName=x;user=sa;password={word};encrypt=true",
        f"host=db port=5432 dbname=app user=app password={word} sslmode=require",
        f"jdbc:oracle:thin:scott/{word}@//db:1521/orcl",
    ]


def _others(rng: Random) -> Iterator[tuple[str, str]]:
    """Yield kinds that are known by what stands around them."""
    forty = f"{OPEN}{some(rng, BASE64, 39)}{some(rng, BASE62, 1)}{CLOSE}"
    yield "aws-secret", f"aws_secret_access_key = {forty}"
    yield "aws-secret", f'"SecretAccessKey": "{forty}"'
    yield "aws-secret", f"AWS_SECRET_ACCESS_KEY={forty}\nAWS_REGION=eu-west-1"
    yield (
        "azure-storage",
        (
            "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey="
            f"{OPEN}{some(rng, BASE64, 86)}=={CLOSE};EndpointSuffix=core.windows.net"
        ),
    )
    yield (
        "azure-sas",
        (
            "https://acme.blob.core.windows.net/c/f.csv?sv=2023-11-03&se=2026-01-01&sr=b&sp=r&sig="
            f"{OPEN}{some(rng, BASE62, 43)}%3D{CLOSE}"
        ),
    )
    yield (
        "slack-webhook",
        (
            f"Alerts go to https://hooks.slack.com/services/T{some(rng, UPPER, 8)}/B{some(rng, UPPER, 10)}/"
            f"{OPEN}{some(rng, BASE62, 24)}{CLOSE} now"
        ),
    )
    yield (
        "discord-webhook",
        (
            f"https://discord.com/api/webhooks/{some(rng, '123456789', 18)}/{OPEN}{some(rng, WIDE, 67)}{some(rng, BASE62, 1)}{CLOSE}"
        ),
    )
    yield (
        "authorization",
        f"curl -H 'Authorization: Bearer {OPEN}{some(rng, BASE62, 40)}{CLOSE}' https://api.example.org",
    )
    yield "authorization", f'headers = {{"Authorization": "Basic {OPEN}{basic(rng)}{CLOSE}"}}'
    yield "authorization", f"Authorization: token {OPEN}{some(rng, HEX, 40)}{CLOSE}"
    yield "twilio-auth", f"Twilio auth token {OPEN}{some(rng, HEX, 32)}{CLOSE} (main account)"
    yield "datadog-key", f"DD_API_KEY={OPEN}{some(rng, HEX, 32)}{CLOSE}"
    yield "datadog-key", f"the Datadog app key: {OPEN}{some(rng, HEX, 40)}{CLOSE}"
    yield "heroku-uuid", f"HEROKU_API_KEY={OPEN}{uuid(rng)}{CLOSE}"
    yield "cloudflare-old", f"Cloudflare API token {OPEN}{some(rng, WIDE, 39)}{some(rng, BASE62, 1)}{CLOSE}"
    yield (
        "otp-seed",
        f"otpauth://totp/ACME:bob@example.org?secret={OPEN}{some(rng, BASE32, 32)}{CLOSE}&issuer=ACME",
    )
    yield (
        "url-token",
        f"GET https://api.example.org/v1/items?page=2&api_key={OPEN}{_value(rng)}{CLOSE}".replace(
            "+", "a"
        ).replace("/" + CLOSE, CLOSE),
    )
    yield (
        "wireguard",
        f"[Interface]\nPrivateKey = {OPEN}{some(rng, BASE64, 42)}A={CLOSE}\nAddress = 10.0.0.2/32",
    )
    yield "netrc", f"machine api.example.org login bob password {OPEN}{password(rng)}{CLOSE}"
    yield "sql-password", f"CREATE USER app IDENTIFIED BY '{OPEN}{password(rng)}{CLOSE}';"
    yield (
        "truncated-key",
        f"{OPEN}-----BEGIN RSA PRIVATE KEY-----\n"
        + "\n".join(some(rng, BASE64, 64) for _ in range(4))
        + CLOSE,
    )
    yield (
        "escaped-key",
        (
            f'{{"private_key": "{OPEN}-----BEGIN PRIVATE KEY-----\\n'
            + "\\n".join(some(rng, BASE64, 64) for _ in range(4))
            + f'\\n-----END PRIVATE KEY-----{CLOSE}\\n"}}'
        ),
    )
    yield (
        "putty-key",
        (
            "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: k\nPublic-Lines: 1\n"
            f"AAAAC3NzaC1lZDI1NTE5AAAA{some(rng, BASE64, 40)}\nPrivate-Lines: 1\n{OPEN}{some(rng, BASE64, 47)}=\nPrivate-MAC: {some(rng, HEX, 64)}{CLOSE}"
        ),
    )


def planted(seed: int, each: int = 5) -> list[Case]:
    """Return at least `each` texts of every kind with a secret."""
    rng = Random(seed)
    cases = []
    for kind, maker in TOKENS.items():
        for template in rng.sample(PROSE, each):
            cases.append(marked(kind, template.format(_secret(maker, rng))))
    for _ in range(each * 6):
        name, secret = rng.choice(_NAMES), _secret(_value, rng)
        cases.append(marked("assigned", rng.choice(_ASSIGNED).format(name, secret)))
        cases.append(marked("said", rng.choice(_SAID).format(_secret(_value, rng))))
        cases.append(marked("password", rng.choice(_PASSWORDS).format(_secret(password, rng))))
    for _ in range(each):
        cases += [marked("url-password", text) for text in _urls(rng)]
        cases += [marked("connection", text) for text in _connections(rng)]
        cases += [marked(kind, text) for kind, text in _others(rng)]
    return cases
