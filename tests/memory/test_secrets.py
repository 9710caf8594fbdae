"""Secrets are recognized by their shape, and ordinary text is not (S-62)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.secrets import SIGNS, contains_secret, find, masked
from memtui.memory.secrets.registry import all_detectors
from memtui.memory.secrets.wording import name_of
from tests.support.secret_texts.tokens import BASE64, some
from tests.support.sizes import sample_cases

TOKEN = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"  # no real key: letters and digits alternate
LONG_TOKEN = TOKEN * 3


def private_key(name: str) -> str:
    return f"-----{'BEGIN'} {name}PRIVATE KEY-----\nMIIB{TOKEN}\n-----END {name}PRIVATE KEY-----"


SECRETS = {
    "private-key": [
        private_key(""),
        private_key("RSA "),
        private_key("OPENSSH "),
    ],
    "age-key": ["AGE-SECRET-" + "KEY-1" + "Q2W3E4R5T6" * 6],
    "aws-key": ["AKI" + "A" + "IOSFODNN7ABCDEFG"],
    "github-token": ["gh" + "p_" + LONG_TOKEN[:36], "github_" + "pat_" + LONG_TOKEN[:40]],
    "gitlab-token": ["glp" + "at-" + TOKEN[:20]],
    "slack-token": ["xo" + "xb-" + "123456789012-" + TOKEN],
    "sk-key": ["s" + "k-" + LONG_TOKEN[:48]],
    "anthropic-key": ["s" + "k-ant-api03-" + LONG_TOKEN[:60]],
    "openai-key": ["s" + "k-proj-" + TOKEN],
    "stripe-key": ["s" + "k_live_" + TOKEN],
    "google-key": ["AI" + "za" + LONG_TOKEN[:35]],
    "npm-token": ["np" + "m_" + LONG_TOKEN[:36]],
    "huggingface-token": ["h" + "f_" + LONG_TOKEN[:34]],
    "sendgrid-key": ["S" + "G." + TOKEN[:22] + "." + LONG_TOKEN[:43]],
    "jwt": ["ey" + "J" + TOKEN + ".ey" + "J" + TOKEN + "." + TOKEN],
    "url-password": ["postgres://app:" + "hunter2" + "@db.example.org:5432/app"],
    "key": ["API_KEY=" + TOKEN, 'client_secret: "' + TOKEN + '"', "The API key is " + TOKEN],
    "card-number": ["4111 1111 " + "1111 1111", "5500-0000-" + "0000-0004", "3782822463" + "10005"],
}
HARMLESS = [
    "The password is reset every thirty days.",
    "password",
    "Keep the API key in the vault, never in a file.",
    "API_KEY=$OPENAI_API_KEY_PRODUCTION_2",
    "postgres://app:${DB_PASSWORD}@db/app",
    "postgres://user:password@localhost/app",
    "redis://localhost:6379/0",
    "https://example.org:8080/a@b",
    "git@github.com:acme/repo.git",
    "sk-learn is a library, task-management-for-everybody-in-the-team",
    "Order 4111 1111 1111 1112 was sent.",  # the checksum is wrong
    "1763000000000 and 20261122051413",
    "4111111111111111.5",
    "0000 0000 0000 0000",
    "AKIA is how the keys of AWS begin; ghp_ those of GitHub.",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "The access token is stored-in-the-keychain-of-v2 only.",
    "Deployed as sk-learn-pipeline-of-version-2 and sk-backend-deployment-green.",
    "The token is stored in the system's keychain under memtui-access-token",
]


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SECRETS.items() for text in texts]
)
def test_a_secret_is_found_with_its_kind_and_position(kind: str, text: str) -> None:
    for context in (text, f"Note: {text} (old)", f"a\n{text}\nb"):
        (secret,) = find(context)
        assert secret.kind == kind
        assert context[secret.start : secret.end] in text


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_is_no_secret(text: str) -> None:
    assert find(text) == []


def test_only_the_password_of_a_connection_string_is_secret() -> None:
    text = "Use postgres://app:" + "hunter2" + "@db:5432/app there."
    (secret,) = find(text)
    assert text[secret.start : secret.end] == "hunter2"
    text = "Server=db;User Id=app;Password=" + "hunter2" + ";Encrypt=yes"
    (secret,) = find(text)
    assert text[secret.start : secret.end] == "hunter2"


def test_several_are_found_in_order_and_never_overlap() -> None:
    text = " ".join(texts[0] for texts in SECRETS.values())
    found = find(text)
    assert [secret.kind for secret in found] == list(SECRETS)
    assert all(first.end <= second.start for first, second in pairwise(found))


def test_every_secret_has_a_sign_of_the_quick_check() -> None:
    for texts in SECRETS.values():
        for text in texts:
            assert set(SIGNS) & set(text), text
    assert not contains_secret("Neither digits nor signs: no secret".replace(":", ""))


def test_a_mask_hides_the_secrets_only_and_keeps_the_length() -> None:
    password = "hunter2"
    text = f"Use postgres://app:{password}@db/app and {SECRETS['aws-key'][0]}."
    assert masked(text) == f"Use postgres://app:{'•' * 7}@db/app and {'•' * 20}."
    assert masked(masked(text)) == masked(text)
    assert masked("nothing to hide: 12") == "nothing to hide: 12"


def test_where_two_detectors_find_the_same_the_more_particular_one_names_it() -> None:
    token = SECRETS["github-token"][0]
    for text in (
        f"API_TOKEN={token}",
        f"https://bot:{token}@github.com/a/b",
        f"Authorization: Bearer {token}",
    ):
        (secret,) = find(text)
        assert (secret.kind, text[secret.start : secret.end]) == ("github-token", token)


def test_every_kind_has_a_name_that_is_no_code() -> None:
    for detector in all_detectors():
        assert name_of(detector.kind)[-1:].isalnum()
        assert "-" not in name_of(detector.kind) or " " in name_of(detector.kind), detector.kind
    assert [name_of(kind) for kind in ("aws-key", "card-number", "npm-token", "url-password")] == [
        "AWS key", "card number", "npm token", "connection string",
    ]  # fmt: skip


def test_markers_are_in_lower_case() -> None:
    for detector in all_detectors():
        assert all(marker == marker.lower() for marker in detector.markers), detector.kind


@pytest.mark.parametrize(
    "prefix",
    sample_cases(
        sorted({each.upper() for one in all_detectors() for each in one.markers if len(each) == 3}), 15
    ),
)
def test_a_short_prefix_within_a_long_image_is_no_secret(prefix: str) -> None:
    letters = some(Random(3), BASE64, 100_000)
    assert find(f"![](data:image/png;base64,{letters[:50_000]}{prefix}{letters[50_000:]})") == []


@given(st.text())
def test_contains_secret_agrees_with_find(text: str) -> None:
    assert contains_secret(text) == bool(find(text))


@pytest.mark.parametrize(
    "text",
    [
        *["4 " * 50_000, "a" * 100_000, "sk-" * 40_000, "sk-x " * 30_000, "://:" * 30_000, "key=" * 30_000],
        *["eyJ" * 40_000, "eyJ-" * 40_000, "server=" + "a;" * 50_000, "server=a;" * 20_000, "SG.a" * 30_000],
        *["4111-" * 20_000, "secret is " * 9_000, "xoxb-1" * 20_000, "client_secret_" * 9_000],
        *["password: " * 9_000, "password=" * 9_000, "key='" * 20_000, "DE89 " * 20_000, "Bearer " * 9_000],
        *["cookie: sid=" * 9_000, "-----BEGIN PRIVATE KEY-----\n" * 4_000, "?key=" * 20_000, "1/" * 40_000],
        *["-----BEGIN PRIVATE KEY-----\n" + "> " * 40_000, "a:b@://" * 20_000, "curl -u " * 9_000],
        *["datadog key " * 9_000, "totp secret " * 9_000, "key for " * 9_000, "AAAA.BBBBBB." * 9_000],
    ],
    ids=lambda text: text[:12],
)
def test_a_long_near_miss_is_scanned_quickly(text: str) -> None:
    assert find(text) == [] or text.startswith("xox")
