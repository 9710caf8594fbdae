"""Secrets are known by their shape, and nothing else is one (S-62)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.secrets import PIECES, find, holds

RUN = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"  # no known key: letters and digits in turn
LONG = RUN * 3


def rows(name: str) -> str:
    return f"-----{'BEGIN'} {name}PRIVATE KEY-----\nMIIB{RUN}\n-----END {name}PRIVATE KEY-----"


SECRET = {
    "private key": [rows(""), rows("RSA "), rows("OPENSSH "), "AGE-SECRET-" + "KEY-1" + "Q2W3E4R5T6" * 6],
    "AWS key": ["AKI" + "A" + "IOSFODNN7ABCDEFG"],
    "GitHub token": ["gh" + "p_" + LONG[:36], "github_" + "pat_" + LONG[:40]],
    "GitLab token": ["glp" + "at-" + RUN[:20]],
    "Slack token": ["xo" + "xb-" + "123456789012-" + RUN],
    "API key": ["s" + "k-" + LONG[:48], "s" + "k-ant-api03-" + LONG[:60], "s" + "k-proj-" + RUN],
    "Stripe key": ["s" + "k_live_" + RUN],
    "Google key": ["AI" + "za" + LONG[:35]],
    "registry token": ["np" + "m_" + LONG[:36], "h" + "f_" + LONG[:34]],
    "SendGrid key": ["S" + "G." + RUN[:22] + "." + LONG[:43]],
    "web token": ["ey" + "J" + RUN + ".ey" + "J" + RUN + "." + RUN],
    "connection string": ["postgres://app:" + "hunter2" + "@db.example.org:5432/app"],
    "key": ["API_KEY=" + RUN, 'client_secret: "' + RUN + '"', "The API key is " + RUN],
    "card number": ["4111 1111 " + "1111 1111", "5500-0000-" + "0000-0004", "3782822463" + "10005"],
}
NONE = [
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


@pytest.mark.parametrize(("what", "text"), [(what, text) for what, texts in SECRET.items() for text in texts])
def test_a_secret_is_found_where_it_stands(what: str, text: str) -> None:
    for said in (text, f"Note: {text} (old)", f"a\n{text}\nb"):
        (secret,) = find(said)
        assert secret.what == what
        assert said[secret.start : secret.end] in text


@pytest.mark.parametrize("text", NONE)
def test_what_only_speaks_of_one_is_none(text: str) -> None:
    assert find(text) == []


def test_only_the_password_of_a_connection_string_is_secret() -> None:
    text = "Use postgres://app:" + "hunter2" + "@db:5432/app there."
    (secret,) = find(text)
    assert text[secret.start : secret.end] == "hunter2"
    text = "Server=db;User Id=app;Password=" + "hunter2" + ";Encrypt=yes"
    (secret,) = find(text)
    assert text[secret.start : secret.end] == "hunter2"


def test_several_are_found_in_order_and_never_overlap() -> None:
    text = " ".join(texts[0] for texts in SECRET.values())
    found = find(text)
    assert [secret.what for secret in found] == list(SECRET)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_the_cheap_question_misses_none() -> None:
    for what, texts in SECRET.items():
        for text in texts:
            assert what == "card number" or any(piece in text.lower() for piece in PIECES), text


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert holds(text) == bool(find(text))


@pytest.mark.parametrize(
    "text",
    [
        *["4 " * 50_000, "a" * 100_000, "sk-" * 40_000, "sk-x " * 30_000, "://:" * 30_000, "key=" * 30_000],
        *["eyJ" * 40_000, "eyJ-" * 40_000, "server=" + "a;" * 50_000, "server=a;" * 20_000, "SG.a" * 30_000],
        *["4111-" * 20_000, "secret is " * 9_000, "xoxb-1" * 20_000, "client_secret_" * 9_000],
    ],
    ids=lambda text: text[:12],
)
def test_a_long_text_that_nearly_is_one_is_soon_read(text: str) -> None:
    assert find(text) == [] or text.startswith("xox")
