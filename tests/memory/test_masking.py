"""Masks and tokens in place of secrets (S-62)."""

from __future__ import annotations

from random import Random

import pytest

from memtui.errors import NotSaved
from memtui.memory.memory import Memory, label_of
from memtui.memory.secrets.masking import Masking, hidden, holds_mask, masked_deep
from memtui.memory.secrets.tokens import SecretTokens
from tests.support.secret_texts.tokens import BASE62, some

RNG = Random(5)
TOKEN = f"ghp_{some(RNG, BASE62, 36)}"
PASSWORD = f"Tr{some(RNG, BASE62, 8)}9!"
KEY = some(RNG, BASE62, 32)
CARD = "4111111111111111"


def memory(**fields: object) -> Memory:
    return Memory(**{"uid": "u", "store": "native", "ref": "r", **fields})  # type: ignore[arg-type]


def test_a_secret_is_masked_in_every_field_and_the_others_are_left() -> None:
    masking = Masking()
    found = memory(
        title=f"Key {TOKEN}", content=f"password: {PASSWORD}", tags=("a", TOKEN),
        source_excerpt=f"he typed {PASSWORD}",
        extra={"api_key": PASSWORD + "x", "card": 4111111111111111, "deep": [{"note": TOKEN}]}, key="host",
    )  # fmt: skip
    shown = masking.of(found)
    text = str(shown.to_json())
    assert TOKEN not in text
    assert PASSWORD not in text  # also where nothing around it tells that it is one
    assert "4111111111111111" not in text
    assert (shown.uid, shown.key, len(shown.content)) == ("u", "host", len(found.content))
    assert masking.count == 3
    plain = memory(title="Tea", content="No secret", extra={"token": "none"})
    assert masking.of(plain) is plain


@pytest.mark.parametrize(
    "value",
    [
        [3, TOKEN],
        (frozenset({TOKEN}), {TOKEN: 1}),
        memory(extra={"counted": [1, TOKEN], "id": TOKEN, "path": f"https://bo:{PASSWORD}@db.io/x"}),
        memory(extra={"password": [PASSWORD], "store": {"uid": TOKEN}}),
        memory(value={"api_key": [KEY], "cards": [12, int(CARD)]}),
        memory(value=int(CARD)),
        {"memory": {"value": {"password": [PASSWORD]}, "extra": {"card": int(CARD)}}},
    ],
)
def test_no_secret_escapes_in_a_list_a_name_or_json(value: object) -> None:
    shown = repr(masked_deep(value))
    assert not [secret for secret in (TOKEN, PASSWORD, KEY, CARD) if secret in shown], shown


def test_masking_loses_no_member_and_no_identifier() -> None:
    other = f"ghp_{some(RNG, BASE62, 36)}"
    assert sorted(masked_deep({"extra": {TOKEN: 1, other: 2}})["extra"].values()) == [1, 2]
    row = {"id": 5, "uid": f"u{CARD}", "path": f"/srv/{TOKEN}", "text": TOKEN}
    assert masked_deep(row) == {**row, "text": "•" * len(TOKEN)}
    ids = [int(CARD)] * 3
    assert masked_deep([ids, TOKEN])[0] == ids


def test_labels_and_texts_have_no_part_of_a_secret() -> None:
    assert TOKEN[:12] not in label_of(None, "Bo", f"uses {TOKEN}")
    assert hidden("nothing here") == "nothing here"
    # A query reads the beginning of a text, where a secret may be cut in two.
    beginning = ("word " * 70 + TOKEN)[:300].removesuffix("word ")
    cut = (beginning[:270] + " " + TOKEN + " " + TOKEN)[:300]
    assert TOKEN[:8] not in label_of(None, None, cut)
    login = f"eyJ{some(RNG, BASE62, 60)}.eyJ{some(RNG, BASE62, 900)}.{some(RNG, BASE62, 43)}"
    for text, start in ((login, "•"), (f'{{"a":1,"t":"{login}', '{"a":1,"t":"'), (f"bo,{login}", "bo,")):
        for length in (300, 1000):
            label = label_of(None, None, text[:length])
            assert label.startswith(start)
            assert login[80:90] not in label
    assert label_of(None, None, "猫" * 300) == "猫" * 300


def test_only_more_masks_than_before_are_refused() -> None:
    assert holds_mask("Use ••••••••••")
    assert not holds_mask("Use ••••••••••", "It was ••••••••••")
    assert not holds_mask("a •• b")


def test_tokens_stand_for_secrets_and_may_only_be_taken_out_whole() -> None:
    tokens = SecretTokens()
    text = tokens.hide(f"First {TOKEN}, then {PASSWORD}; password: {PASSWORD}")
    assert TOKEN not in text
    assert "⟦secret 1: GitHub token⟧" in text
    assert tokens.restore(f"{text}!") == [f"First {TOKEN}, then {PASSWORD}; password: {PASSWORD}!"]
    first = "⟦secret 1: GitHub token⟧"
    assert tokens.restore(text.replace(first, "nothing"))[0].startswith("First nothing,")
    for damaged in (text + first, text.replace(first, first[:-4]), text.replace(first, first[1:-1])):
        with pytest.raises(NotSaved):
            tokens.restore(damaged)
