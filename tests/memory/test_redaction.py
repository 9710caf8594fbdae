"""What a redaction takes out of a text: each value wherever it is known, and nothing else (S-62)."""

from __future__ import annotations

import json
from random import Random

import pytest

from memtui.memory.secrets.redaction import Replacements, values_in
from tests.support.secret_texts.planted import planted
from tests.support.secret_texts.tokens import BASE62, BASE64, UPPER, card, some

RANDOM = Random(11)
PASSWORD = f"Z7{some(RANDOM, BASE62, 7)}"
CARD = card(RANDOM).replace(" ", "").replace("-", "")
KEY = f"AKIA{some(RANDOM, UPPER, 16)}"
PEM = "-----BEGIN PRIVATE KEY-----\\n{}\\n{}\\n-----END PRIVATE KEY-----\\n".format(
    *(some(RANDOM, BASE64, 64) for _ in range(2))
)
ACCOUNT = f'{{ "type":"service_account", "private_key": "{PEM}", "n": 1.50 }}'


def redacted(text: str) -> str:
    """Return a text without its secrets, as it is and in JSON: both have to agree."""
    found = Replacements(values_in([text]))
    new = str(found.value(text))
    assert json.loads(str(found.value(json.dumps({"text": text})))) == {"text": new}
    return new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"mysql -u root -p{PASSWORD} shop", "mysql -u root -p[redacted: password] shop"),
        (f"He pays by –{CARD}.", "He pays by –[redacted: card number]."),
        (f"{KEY}é", "[redacted: AWS key]"),
        (f"password: {PASSWORD}, not {PASSWORD}s", f"password: [redacted: password], not {PASSWORD}s"),
    ],
    ids=["joined to an option", "after an escape", "before a letter", "not in a longer word"],
)
def test_a_value_is_taken_out_whatever_stands_beside_it(text: str, new: str) -> None:
    assert redacted(text) == new


def test_a_key_with_written_line_breaks_is_taken_out_of_json_whose_form_stays() -> None:
    rest = '{ "type":"service_account", "private_key": "[redacted: private key]\\n", "n": 1.50 }'
    assert redacted(ACCOUNT) == rest


def test_no_secret_of_any_kind_is_left() -> None:
    for case in planted(7, 1):
        found = values_in([case.text])
        new = redacted(case.text) if found else ""
        assert not [value for value in found if value in new], case.kind
