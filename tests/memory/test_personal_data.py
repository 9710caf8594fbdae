"""Personal data is found only where the settings ask for it, and what looks like it is left (S-62)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memtui.memory.secrets import find, personal_data
from memtui.memory.secrets.masking import hidden

PERSONAL = {
    "email": (
        ("Ana's address is ", "ana.lopes@brightwater.pt", ", ask her first"),
        ("mailto:", "j.de-vries+home@mail.harbour.nl", ""),
        ("Bo <", "bo_k@studio.dev", ">"),
    ),
    "phone": (
        ("Call Jan on ", "+31 20 794 0123", "."),
        ("Femke: ", "+49-171-2345678", " after six"),
        ("Tel. ", "(030) 901 820", ""),
        ("her phone number is ", "0161 496 0000", ""),
        ("WhatsApp: ", "+351912345678", ""),
    ),
}
LEFT = (
    "git clone git@github.com:harbour/tides.git",
    "npm i @types/node@20.11.5 and left-pad@1.3.0",
    "ssh deploy@build-3:22 works",
    "write to someone@example.com",
    "icon@2x.png is too large",
    "Sent from noreply@harbour.nl",
    "Version 1.2.3.4 of 2026-11-24 10:00:00+01:00",
    "offset +1234, score +0.75, 2026-11-24T10:15:00+00:00",
    "card ends in 4111, order 20261124-00017, 192.168.100.200",
    "telemetry: 100 200 300 400",
    "phone the bank on Monday",
    "Call +1 415 555 0132 in the film",
    "postgres://10.0.0.5:5432/app at 100 000 000 rows",
)


@pytest.fixture
def flagged() -> Iterator[None]:
    personal_data.include(on=True)
    yield
    personal_data.include(on=False)


@pytest.mark.usefixtures("flagged")
@pytest.mark.parametrize("kind", PERSONAL)
def test_it_is_found_and_masked(kind: str) -> None:
    for before, data, after in PERSONAL[kind]:
        text = f"{before}{data}{after}"
        assert [(each.kind, text[each.start : each.end]) for each in find(text)] == [(kind, data)]
        assert data not in hidden(text)


@pytest.mark.usefixtures("flagged")
@pytest.mark.parametrize("text", LEFT)
def test_what_looks_like_it_is_left(text: str) -> None:
    assert find(text) == []


def test_without_the_setting_it_is_left() -> None:
    for cases in PERSONAL.values():
        for before, data, after in cases:
            for text in (f"{before}{data}{after}", f"{before}{data}{after}\n{'A long text. ' * 30}"):
                assert hidden(text) == text
                personal_data.include(on=True)
                assert hidden(text) != text
                personal_data.include(on=False)
