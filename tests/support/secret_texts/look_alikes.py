"""Texts without a secret that look as if they had one."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

from tests.support.secret_texts.cases import Case
from tests.support.secret_texts.tokens import BASE62, BASE64, DIGITS, HEX, UPPER, some, uuid

_PLAIN = [
    "Fixed in {}, see the log.",
    "- {} is the one we ship",
    '{{"ref": "{}"}}',
    "id: {}",
    "the cache key is {}",
    "`{}`",
    "Compare {} with the last run.",
    "commit {}\nAuthor: Ana",
]
_VALUES: dict[str, Callable[[Random], str]] = {
    "md5": lambda rng: some(rng, HEX, 32),
    "sha1": lambda rng: some(rng, HEX, 40),
    "sha256": lambda rng: some(rng, HEX, 64),
    "short-sha": lambda rng: some(rng, HEX, 7),
    "uuid": uuid,
    "ulid": lambda rng: "01" + some(rng, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24),
    "docker-digest": lambda rng: f"registry.example.org/app@sha256:{some(rng, HEX, 64)}",
    "sri": lambda rng: f"sha384-{some(rng, BASE64, 64)}",
    "lock-file": lambda rng: f"integrity sha512-{some(rng, BASE64, 86)}==",
    "go-sum": lambda rng: f"golang.org/x/sys v0.{rng.randint(1, 40)}.0 h1:{some(rng, BASE64, 43)}=",
    "image": lambda rng: f"![logo](data:image/png;base64,iVBORw0KGgo{some(rng, BASE64, 400)}=)",
    "version": lambda rng: (
        f"v{rng.randint(1, 20)}.{rng.randint(0, 20)}.{rng.randint(0, 99)}-beta.{rng.randint(1, 9)}+build.{some(rng, DIGITS, 4)}"
    ),
    "path": lambda rng: (
        f"/srv/{some(rng, string.ascii_lowercase, 6)}/releases/2026{some(rng, DIGITS, 10)}/app.key.md"
    ),
    "phone": lambda rng: f"+49 30 {some(rng, DIGITS, 4)} {some(rng, DIGITS, 4)}",
    "order-number": lambda rng: f"order {some(rng, DIGITS, 3)}-{some(rng, DIGITS, 7)}-{some(rng, DIGITS, 7)}",
    "moment": lambda rng: f"17{some(rng, DIGITS, 11)} and 2026{some(rng, DIGITS, 10)}",
    "isbn": lambda rng: f"ISBN 978-3-16-{some(rng, DIGITS, 6)}-{some(rng, DIGITS, 1)}",
    "ean": lambda rng: f"EAN 40{some(rng, DIGITS, 11)}",
    "slack-id": lambda rng: (
        f"channel C0{some(rng, UPPER, 8)} in team T0{some(rng, UPPER, 8)}, user U0{some(rng, UPPER, 8)}"
    ),
    "aws-account": lambda rng: f"arn:aws:iam::{some(rng, DIGITS, 12)}:role/deploy-role-v2",
    "client-id": lambda rng: (
        f"{some(rng, DIGITS, 12)}-{some(rng, string.ascii_lowercase + DIGITS, 32)}.apps.googleusercontent.com"
    ),
    "public-key": lambda rng: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(rng, BASE64, 43)} ana@laptop",
    "ethereum": lambda rng: f"0x{some(rng, HEX, 40)}",
    "trace": lambda rng: f"00-{some(rng, HEX, 32)}-{some(rng, HEX, 16)}-01",
    "file-name": lambda rng: (
        f"report_2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T{some(rng, DIGITS, 6)}Z_final_v{rng.randint(2, 9)}.pdf"
    ),
    "publishable": lambda rng: f"pk_live_{some(rng, BASE62, 24)}",
    "bcrypt": lambda rng: f"$2b$12${some(rng, BASE62 + './', 53)}",
}
_PLACEHOLDERS = [
    "<your-key>", "YOUR_API_KEY", "your-api-key-here", "xxxxxxxxxxxxxxxxxxxxxxxx", "sk-...", "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIA" + "IOSFODNN7EXAMPLE", "changeme", "${API_TOKEN_V2}", "$OPENAI_API_KEY_2", "os.environ['API_KEY_V2']", "process.env.API_KEY_2",
    "{{ secrets.API_TOKEN_2 }}", "{{ vault_token_2 }}", "vault:secret/data/app2#token", "op://Private/github-2/token",
    "[redacted: AWS key]", "••••••••••••••••", "********************", "sk-••••••••••••••••4f2a", "ghp_****************************", "getSecret('stripe2')",
    "REPLACE_ME_WITH_TOKEN_1", "<API_KEY_2>", "%API_KEY_2%", "config.auth.token2", "var.github_token_v2", "dummy-token-123456789",
    "ENC[AES256_GCM,data:abc123,iv:def456]", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db2-AbCdEf", "null", "sk_live_xxxxxxxxxxxxxxxxxxxx",
    "sk-1234567890abcdefghijklmnop", "gh" + "p_" + "x" * 36, "my-secret-token", "insert-token-here-2", "test_token_123", "AI" + "za" + "X" * 35, "secret/data/prod/stripe-2",
    "@Microsoft.KeyVault(SecretUri=https://v2.vault.azure.net/)", "!GetAtt ApiKey2.Value", "...", "(see 1Password)",
]  # fmt: skip
_ASSIGNING = [
    "API_KEY={}",
    'api_key: "{}"',
    "SECRET_TOKEN = {}",
    '"password": "{}"',
    "The API key is {}",
    "password: {}",
    "export AUTH_TOKEN={}",
]
SENTENCES = [
    "The password policy says 12 characters, 2 digits and 1 symbol.",
    "Passwords expire after 90 days; the password is reset every 30days.",
    "password: required, min8 characters",
    "The token is valid for 3600s and the secret is rotated every 24h.",
    "Never commit an API key; the API key is stored in the system's keychain.",
    "password is hashed with argon2id before it is stored",
    "The secret is stored under memtui-access-token-v2 in the keychain.",
    "The password: ask Ana (3rd floor).",
    "token_count: 128000, max_tokens=4096, tokens per minute: 2000000",
    "primary key: user_id_2024, foreign key: account_ref_2024_id",
    "The public key is AAAAC3NzaC1lZDI1NTE5AAAAIJ2hTq9vL4xY8mZ3 of the host.",
    "key: ctrl+shift+alt+k2 opens it; the hot key is F12",
    "secretName: prod-database-credentials-v2-eu-west-1",
    "secret_id_accessor and api_key_name: production-key-2026-europe",
    "tokenizer: cl100k_base2026fastVersion3",
    "password_field = document.getElementById('password2')",
    "const apiKeyHeaderName = 'X-Custom-Api-Key-Header-V2';",
    "def get_access_token_from_cache_v2(self): ...",
    "The keyboard layout is us-intl-with-dead-keys-2 and the monkey: Bonobo2Chimp3Gorilla4Lemur5",
    "AuthenticationTokenProviderFactoryBean2 creates the tokenProviderV2",
    "task-management-for-everybody-in-the-team-2026, sk-learn-pipeline-v2-for-2026",
    "git@github.com:acme/repo.git and https://github.com/acme/repo/pull/1234",
    "https://example.org:8080/a@b and http://localhost:3000/@user",
    "postgres://user:password@localhost/app",
    "postgres://app:${DB_PASSWORD}@db/app and redis://localhost:6379/0",
    "mysql://<user>:<password>@host/db, amqp://guest:guest@localhost",
    "postgresql://postgres:[YOUR-PASSWORD]@db.abc.supabase.co:5432/postgres",
    "https://user:{{password}}@git.example.org/x.git",
    "Authorization: Bearer <token>, Authorization: Bearer $TOKEN, Bearer YOUR_ACCESS_TOKEN",
    "Basic authentication was replaced by bearer authentication-middleware-v2.",
    "Server=db;User Id=app;Password=<password>;Encrypt=yes",
    "Files that begin with -----BEGIN RSA PRIVATE KEY----- are refused.",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "AKIA is how the keys of AWS begin; ghp_ and xoxb- those of GitHub and Slack.",
    "Order 4111 1111 1111 1112 was sent; 0000 0000 0000 0000 is no card; 4111111111111111.5",
    "DE00 3704 0044 0532 0130 00 has the wrong checksum; GB-2026-0012-3456-7890 is an order.",
    "!function(e,t){var n=e.key,r=t.token;return n.secret=r||function(){return e.pass}}(window,{a1b2:3});",
    "passKey: this.props.passKey2, compass: north2east, bypass=true123, by-pass: v2route66",
    "iv = crypto.randomBytes(16); const secret = crypto.randomBytes(32).toString('hex')",
    "SELECT password FROM users WHERE id = 42; ALTER TABLE t ADD COLUMN token varchar(255);",
    "Use the token bucket algorithm with 100req/s; the secret sauce is AES256GCM.",
    "grep -rn 'api_key' src/ | head -20; ls ~/.ssh/id_ed25519.pub",
    "The pass rate is 98.5%, 2 pass, 1 fail. pw: see KeePass entry 'router-2'.",
    "password=user.password2; token=req.headers.authorization1",
    "sslmode=verify-full&sslrootcert=/etc/ssl/ca2.pem&application_name=worker2",
    "https://example.org/reset?token=<token>&lang=en, https://example.org/?key=value2&page=3",
    "secretKeyRef:\n  name: db-credentials-2\n  key: password",
    "JWTs start with eyJ and have three parts: eyJhbGciOi….eyJzdWIi….signature",
    "Stripe test card numbers are in the docs; the webhook path is /api/webhooks/stripe2",
    "chunk.4f3a2b1c9d8e7f60.js, vendors~main.8c7b6a5d4e3f.chunk.css, a0b1c2d3.woff2",
    "The api_key parameter is required. The access_token field is optional2.",
    "camelCaseIdentifierWithManyWordsInIt2 and SCREAMING_SNAKE_CASE_CONSTANT_2026",
    "flight LH2026 seat 12A, MAC 00:1B:44:11:3A:B7, IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "Bearer tokens expire; basic plan costs 9EUR; token ring networks since 1985",
    "pip install sk-dist==0.1.9 && npm_config_registry=https://packages.example hf_transfer_enabled_by_default",
    "key_rotation_days=90, secret_manager_project=acme-prod-123456, password_min_length=12",
    "The license key format is XXXXX-XXXXX-XXXXX-XXXXX",
    "auth: oauth2client-credentials-flow, api version 2024-06-01-preview",
    "s3://bucket/key=2026-01-02/part-00000-abc.snappy.parquet",
]


def look_alikes(seed: int, each: int = 8) -> list[Case]:
    """Return texts without a secret: `each` of every kind that is made, and all that are written here."""
    rng = Random(seed + 1)
    cases = []
    for kind, maker in _VALUES.items():
        cases += [Case(kind, rng.choice(_PLAIN).format(maker(rng)), None) for _ in range(each)]
    for value in _PLACEHOLDERS:
        cases += [Case("placeholder", rng.choice(_ASSIGNING).format(value), None) for _ in range(3)]
        cases.append(Case("placeholder", f"It shows {value} there.", None))
    return cases + [Case("sentence", text, None) for text in SENTENCES]
