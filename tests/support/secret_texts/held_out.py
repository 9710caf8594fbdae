"""A second set, in other words and situations than those by which the detectors were made."""

from __future__ import annotations

import string
from random import Random

from tests.support.secret_texts.cases import CLOSE, OPEN, Case, Maker, marked
from tests.support.secret_texts.tokens import (
    BASE32,
    BASE62,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    TOKENS,
    UPPER,
    WIDE,
    basic,
    card,
    some,
    uuid,
)  # fmt: skip

_AROUND = [
    "User pasted their key in chat ({}) and asked me to remember it for later sessions.",
    "ENV FOO={} \\\n    BAR=1",
    "2026-03-04 09:12:33 ERROR upstream rejected credential {} (401)",
    '<setting name="x" value="{}"/>',
    "args: [--endpoint, https://api.example.org, --cred, {}]",
    "curl -s https://api.example.org/v2/me -H 'X-Key: {}' | jq .",
    "Réponse de l’équipe : la clé est {} — à changer",
    "1. open the console\n2. paste {}\n3. press enter",
    "deploy.sh:14: TOKEN_VALUE={} # remove me",
    '{{"role":"user","content":"here you go: {}"}}',
    "old={}; new=pending",
    "* **Bot**: {}",
    "`{}`, as of March",
    "login went through with\t{}\tafter two tries",
    '["a", "{}", "b"]',
    "preferred: none\n  - {}\n  - other",
]
_EXTRA: dict[str, Maker] = {
    "posthog": lambda rng: f"phx_{some(rng, BASE62, 43)}",
    "dynatrace": lambda rng: f"dt0c01.{some(rng, BASE32, 24)}.{some(rng, BASE32, 64)}",
    "perplexity": lambda rng: f"pplx-{some(rng, BASE62, 48)}",
    "deepseek": lambda rng: f"sk-{some(rng, HEX, 32)}",
    "gcp-refresh": lambda rng: f"1//0{some(rng, WIDE, 90)}{some(rng, BASE62, 2)}",
    "resend": lambda rng: f"re_{some(rng, BASE62, 8)}_{some(rng, BASE62, 24)}",
    "brevo": lambda rng: f"xkeysib-{some(rng, HEX, 64)}-{some(rng, BASE62, 16)}",
    "onepassword": lambda rng: (
        f"A3-{some(rng, UPPER, 6)}-{some(rng, UPPER, 6)}-{some(rng, UPPER, 5)}-{some(rng, UPPER, 5)}-{some(rng, UPPER, 5)}"
    ),
    "sonar": lambda rng: f"squ_{some(rng, HEX, 40)}",
    "netlify": lambda rng: f"nfp_{some(rng, BASE62, 36)}",
    "plaid": lambda rng: f"access-production-{uuid(rng)}",
    "gitlab-deploy": lambda rng: f"gldt-{some(rng, WIDE, 19)}{some(rng, BASE62, 1)}",
    "anthropic-oauth": lambda rng: f"sk-ant-oat01-{some(rng, WIDE, 86)}AA",
    "openai-service": lambda rng: f"sk-svcacct-{some(rng, WIDE, 120)}A",
    "langsmith": lambda rng: f"lsv2_pt_{some(rng, HEX, 32)}_{some(rng, HEX, 10)}",
    "nuget": lambda rng: f"oy2{some(rng, LOWER, 43)}",
    "slack-config": lambda rng: f"xoxe.xoxp-1-{some(rng, BASE62, 146)}",
    "vault-batch": lambda rng: f"hvb.{some(rng, WIDE, 150)}A",
    "newrelic-license": lambda rng: f"{some(rng, HEX, 36)}FFFFNRAL",
    "flutterwave": lambda rng: f"FLWSECK-{some(rng, HEX, 32)}-X",
}


def _password(rng: Random) -> str:
    """A password as a person makes one: a word with a capital, a sign and numbers."""
    word = "".join(rng.choice(pair) for pair in ("BTMS", "aeio", "nrlk", "ty", "aeo", "nrls"))
    return rng.choice(
        [
            f"{word}{rng.choice('!#@$')}{some(rng, '23456789', 4)}",
            f"{some(rng, '2345', 2)}{word}{some(rng, BASE62, 3)}7",
            f"{word.lower()}{some(rng, '123456789', 3)}{rng.choice('!?')}x",
        ]
    )


def _situations(rng: Random) -> list[tuple[str, str]]:
    def s(text: str) -> str:
        return f"{OPEN}{text}{CLOSE}"

    long, hexed = some(rng, BASE62, 31) + "9", some(rng, HEX, 31) + "4"
    b64 = some(rng, BASE64, 42) + "8="
    pw = _password(rng)
    return [
        ("named", f"OPENAI_KEY={s(long)}"),
        ("named", f"  stripe:\n    secret: {s(long)}\n    mode: live"),
        ("named", f"spring.security.oauth2.client.registration.x.client-secret={s(long)}"),
        ("named", f"config.set('api.token', '{s(long)}')"),
        ("named", f'"apiKey" : "{s(hexed)}"'),
        ("named", f"JWT_SECRET='{s(b64)}'"),
        ("named", f"//packages.example/:_authToken={s(some(rng, BASE62, 36))}"),
        ("named", f"<apiKey>{s(long)}</apiKey>"),
        ("named", f"headers: X-Auth-Token: {s(hexed)}"),
        ("named", f"the webhook signing secret we got from them: {s(long)}"),
        ("named", f"api key ({s(long)}) belongs to Kim"),
        ("named", f"Remember: my access token = {s(long)}"),
        ("named", f"--api-key {s(long)} --verbose"),
        ("named", f"os.environ['SERVICE_TOKEN'] = '{s(long)}'"),
        ("named", f'resource "x" "y" {{\n  auth_token = "{s(long)}"\n}}'),
        ("named", f"const SECRET: string = '{s(b64)}'"),
        ("named", f"Our encryption key for backups is `{s(b64)}`."),
        ("named", f'{{\\"token\\": \\"{s(long)}\\"}}'),
        ("named", f"token: |-\n  {s(long)}".replace("|-", "")),
        ("named", f"SECRET_KEY = 'django-insecure-{s(long)}'".replace("django-insecure-", "")),
        ("password", f"Password for the NAS is {s(pw)}"),
        ("password", f"user: kim\npass: {s(pw)}"),
        ("password", f"the wifi password at the office: {s(pw)}"),
        ("password", f"MYSQL_ROOT_PASSWORD={s(pw)}"),
        ("password", f"- **Password:** `{s(pw)}`"),
        ("password", f'"adminPassword":"{s(pw)}","x":1'),
        ("password", f"Kim's password was changed to {s(pw)} yesterday"),
        ("password", f"credentials are kim@example.org, password: {s(pw)}"),
        ("password", f"db.password={s(pw)}"),
        ("password", f"spring:\n  datasource:\n    username: app\n    password: '{s(pw)}'"),
        ("password", f"PGPASSWORD={s(pw)} psql -h db"),
        ("password", f"sshpass -p '{s(pw)}' ssh root@host"),
        ("password", f"mysql -u root -p{s(pw)} shop"),
        ("password", f"ALTER USER app WITH PASSWORD '{s(pw)}';"),
        ("url", f"jdbc:mysql://app:{s(long[:12])}@db/shop"),
        ("url", f"git remote add x https://oauth2:{s(long)}@gitlab.example.org/a/b.git"),
        ("url", f"SENTRY https://{some(rng, HEX, 32)}:{s(hexed)}@o1.ingest.sentry.io/2"),
        ("url", f"celery broker: amqps://kim:{s(long[:14])}@rabbit.example.org/vhost;"),
        ("url", f"[db](postgresql://kim:{s(long[:16])}@db.example.org/app)"),
        ("url", f"smtp://mailer%40example.org:{s(long[:10])}@smtp.example.org:587"),
        ("url", f"https://api.example.org/v1?access_token={s(long)}&x=1"),
        ("url", f"proxy=http://kim:{s(long[:9])}@proxy:3128"),
        ("connection", f"Data Source=db;Initial Catalog=x;User Id=sa;Password='{s(pw)}';"),
        ("connection", f"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={s(some(rng, BASE64, 43) + '=')}"),
        ("connection", f"cache.redis.cache.windows.net:6380,password={s(some(rng, BASE64, 43) + '=')},ssl=True"),
        ("connection", f"dsn: dbname=app user=app password={s(long[:12])} host=db"),
        ("header", f'-H "Authorization: Bearer {s(long)}"'),
        ("header", f"authorization: Basic {s(basic(rng))}"),
        ("header", f"fetch(url, {{ headers: {{ Authorization: `Bearer {s(long)}` }} }})"),
        ("header", f"x-api-key: {s(hexed)}"),
        ("header", f"Cookie: theme=dark; session_id={s(long)}; lang=en"),
        ("header", f"curl -u kim:{s(pw)} https://ci.example.org"),
        ("aws", f"[default]\naws_access_key_id = AKIX\naws_secret_access_key={s(some(rng, BASE64, 39) + 'k')}"),
        ("aws", f"AWS secret key: {s(some(rng, BASE64, 39) + 'k')}"),
        ("aws", f'secretAccessKey: "{s(some(rng, BASE64, 39) + "k")}"'),
        ("provider", f"Heroku API key is {s(uuid(rng))}"),
        ("provider", f"We use Algolia; admin key {s(hexed)}."),
        ("provider", f"CODECOV_TOKEN: {s(uuid(rng))}"),
        ("provider", f"trello token {s(some(rng, HEX, 64))}"),
        ("totp", f"2FA secret for GitHub: {s(some(rng, BASE32, 32))}"),
        ("key-block", f"    {s(f'-----BEGIN EC PRIVATE KEY-----{chr(10)}    {some(rng, BASE64, 64)}{chr(10)}    {some(rng, BASE64, 64)}{chr(10)}    {some(rng, BASE64, 20)}=={chr(10)}    -----END EC PRIVATE KEY-----')}"),
        ("key-block", s(f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{some(rng, '0123456789ABCDEF', 32)}\n\n{some(rng, BASE64, 64)}\n{some(rng, BASE64, 64)}\n-----END RSA PRIVATE KEY-----")),
        ("card", f"card on file {s(card(rng))}, expires 11/27"),
        ("webhook", f"https://discordapp.com/api/webhooks/{some(rng, '123456789', 19)}/{s(some(rng, WIDE, 66) + 'ab')}"),
    ]  # fmt: skip


_LOOK_ALIKES = [
    "User prefers passwords with 16 characters; never store the password itself.",
    "The password for the staging database is in 1Password under 'staging-db-2'.",
    "Password is the same as last year, ask Kim in room 4B.",
    "password: see vault item db2",
    "We switched the password hashing from md5 to bcrypt12 in March 2026.",
    "password: z.string().min(12).max(128)",
    "`password: Optional[str] = None`",
    "password => Hash::make($request->password2)",
    "Login fails if password is null2 or shorter than min_length8.",
    "Token budget is 200k per session; token usage was 181234 yesterday.",
    "The token is a JWT signed with RS256 and expires after 15m.",
    "access_token: string; refresh_token?: string;",
    "api_key = settings.OPENAI_API_KEY_V2",
    "apiKey: import.meta.env.VITE_API_KEY2",
    "API_KEY=$(aws secretsmanager get-secret-value --secret-id prod2/api)",
    'api_key: "{{ .Values.apiKey2 }}"',
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "SECRET_KEY_BASE=<run rails secret>",
    "client_secret=YOUR_CLIENT_SECRET_HERE_123",
    "client_id: 7f3e9a1b-2c4d-4e5f-8a9b-0c1d2e3f4a5b",
    "tenant id 3b6f1c9d-aaaa-4bbb-8ccc-1234567890ab, subscription key vault acme-kv-01",
    "session id: 018f3c2a-7b1d-7e44-9c55-2f6a8b9c0d1e",
    "request_id=req_011CQ5xH8bJ2mN4pR6tV8wYz status=429",
    "run_8fK2mQ9xLw3Zp7Vt finished; thread_abc123DEF456ghi789JKL",
    "cus_NffrFeUfNV2Hib paid in_1MtHbELkdIwHu7ixl4OzzPMv with pi_3MtwBwLkdIwHu7ix28a3tqPa",
    "price_1MoBy5LkdIwHu7ixZhnattbh and prod_NZKdYqrwEYx6iK are live",
    "G-ABCDEF1234 is the analytics id, GTM-ABC1234 the tag manager, UA-12345678-1 the old one",
    "projects/acme-prod/secrets/stripe-key-2/versions/latest",
    "primary key (user_id, device_id2), sort key: createdAt#2026-01-01T00:00:00Z",
    "cache key: user:12345:profile:v2:9f86d081884c7d659a2feaa0c55ad015",
    "i18n key: settings.account.security.twoFactor2.title",
    "partition key is tenant#42 and range key order#2026-03-04#00017",
    "host key fingerprint SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
    "gpg key id 0x3AA5C34371567BD2, fingerprint 4AEE 18F8 3AFD EB23 3AA5 C343 7156 7BD2",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDhA9x2Xl3Yz kim@laptop is the public key",
    "next_page_token: CAUQAA2bXyZ9kLmN3pQrStUvWxYz",
    "etag W/\"5f3a-18b2c3d4e5f6a7b8\" cached for 300s",
    "integrity: sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "image: ghcr.io/acme/app:2026.03.04-9f86d08@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "bisected to 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b, reverted in e5d3b1a",
    "node_modules/.pnpm/react-dom@18.2.0_react@18.2.0/node_modules/react-dom/cjs/x.min.js",
    "C:\\Users\\kim\\AppData\\Local\\Temp\\7zS8A2F4C1E\\setup64.exe",
    "/var/lib/docker/overlay2/9f86d081884c7d659a2feaa0c55ad015/merged/etc",
    "Tracking 1Z999AA10123456784, invoice INV-2026-000123, PO 4500012345",
    "call +1 (415) 555-0132 or 0049 89 1234 5678 90",
    "EAN 4006381333931, ISBN 978-0-306-40615-7, ISSN 2049-3630",
    "IMEI 490154203237518, VIN 1HGCM82633A004352",
    "pi is 3.14159265358979323846, epoch 1767225600000",
    "POST /oauth/token HTTP/1.1 returned {\"token_type\":\"bearer\",\"expires_in\":3600}",
    "Authorization: Bearer ${ACCESS_TOKEN_2}",
    "set the header to Bearer <access_token>",
    "Basic auth is off; bearer auth is on since v2.14.0-rc1",
    "https://user@example.org:8443/path?x=1 needs a login",
    "scp build2.tar.gz deploy@host-2.example.org:/srv/app2/",
    "redis://cache-2.internal:6379/1?timeout=5s",
    "postgres://localhost:5432/app2, mongodb://mongo1:27017,mongo2:27017/?replicaSet=rs0",
    "DATABASE_URL=postgres://postgres:postgres@localhost:5432/test2",
    "amqp://{{user}}:{{pass}}@{{host}}:5672",
    "sqlite:///home/kim/data2/app.db?mode=ro",
    "Secrets: op://prod/db2/password, vault kv get secret/app2, aws ssm get-parameter --name /app2/key",
    "The secret santa list: Kim2Bo, Bo2Ana, Ana2Kim",
    "keyboard shortcut ctrl+k ctrl+s2, key code 0x1F4A9, KeyEvent.VK_F12",
    "key insight: retries2 caused 503s; key result: p95<200ms",
    "MonkeyPatch2026, donkeyKong64, turkeySandwich2Go, keynote: Q3Review2026Final",
    "class TokenBucketRateLimiterV2Config; SecretKeyFactory.getInstance(\"PBKDF2WithHmacSHA256\")",
    "x-amz-meta-key-version2: AES256, x-request-id: 9f86d081884c7d659a2feaa0c55ad015",
    "The api-key header is named X-ACME-API-KEY-V2 and the value is masked (sk-…4f2a).",
    "ANTHROPIC_API_KEY=sk-ant-api03-...",
    "key = f\"{user_id}:{session_id}:v2\"",
    "passwd: files systemd2 sss; shadow: files",
    "bypass: cache2_enabled, compass: NNE270deg",
    "PASS tests/memory/test_secrets2.py::test_find (0.12s)",
    "password_reset_token_expires_at: 2026-03-04T09:12:33Z",
    "feature flag token-exchange-v2-enabled2026 is on for acme-tenant-00042",
    "model claude-3-5-sonnet-20241022, gpt-4o-2024-08-06, text-embedding-3-small, llama-3.1-70b-instruct-q4_K_M",
    "sk-SK is the Slovak locale, sk_SK.UTF-8 the other spelling; sk-estuary-river-2026-restoration-plan",
    "hf_hub_download(repo_id2), npm_package_version_2_0_1, gho_ is a prefix",
    "The wifi is called FRITZ!Box7590XY2 and the printer HP-LaserJet-M402dn",
    "room 12B4, locker A17-C33, gate code rotates monthly2",
    "const [token2, setToken2] = useState(null); dispatch(setPassword(e.target.value2))",
    "UUIDv7 018f3c2a-7b1d-7e44-9c55-2f6a8b9c0d1e, ULID 01HV3K8M2N4P6Q8R0S2T4V6W8X, nanoid V1StGXR8_Z5jdHi6B-myT",
    "data:font/woff2;base64,d09GMgABAAAAAAZYABAAAAAADAAAAAX2AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "Subproject commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "the Datadog dashboard id is abc-def-gh2, trace 9f86d081884c7d659a2feaa0c55ad015",
    "twilio account AC" + "9f86d081884c7d659a2feaa0c55ad015 is in the token docs",
]  # fmt: skip


def held_out(seed: int, each: int = 3) -> list[Case]:
    """Return texts with a secret, and look-alikes."""
    rng = Random(seed * 7919)
    cases = []
    for kind, maker in {**TOKENS, **_EXTRA}.items():
        for template in rng.sample(_AROUND, each):
            cases.append(marked(kind, template.format(f"{OPEN}{maker(rng)}{CLOSE}")))
    for _ in range(each):
        cases += [marked(kind, text) for kind, text in _situations(rng)]
    letters = string.ascii_lowercase
    for _ in range(each):
        cases += [
            Case("made", f"{some(rng, letters, 5)}-{some(rng, letters, 4)}-{some(rng, DIGITS, 4)}", None),
            Case("made", f"build {some(rng, HEX, 12)} of {some(rng, HEX, 40)} is green", None),
            Case("made", f"token id {uuid(rng)} was revoked", None),
            Case("made", f"the secret's checksum is {some(rng, HEX, 64)}", None),
            Case(
                "made",
                f"password_hash=$argon2id$v=19$m=65536,t=3,p=4${some(rng, BASE64, 22)}${some(rng, BASE64, 43)}",
                None,
            ),
            Case("made", f"publicKey: '{some(rng, BASE64, 43)}='", None),
            Case("made", f'<img src="data:image/jpeg;base64,/9j/{some(rng, BASE64, 300)}">', None),
        ]
    return cases + [Case("written", text, None) for text in _LOOK_ALIKES]
