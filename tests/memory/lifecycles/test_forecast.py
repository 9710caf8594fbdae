"""A forecast in words: each line that a person reads of it (S-26)."""

from __future__ import annotations

from memtui.memory.lifecycles.forecast import Forecast, Moment, Outcome, in_words, when

NOW = 1_800_000_000.0
DAY = 86400.0
FADES = Moment(NOW + 3 * DAY, "active → fading", "under 0.4 it fades")
LEAVES = Moment(NOW + 30 * DAY, "archived", "under 0.1 it is archived")
STAYS = Outcome(0.9, "active", None, None)


def forecast(as_is: Outcome, *, score: float | None = 0.5, frozen: str = "") -> Forecast:
    used = Outcome(0.5, "active", None, Moment(NOW + 60 * DAY, "archived", ""))
    return Forecast("base-coat", NOW, 90.0, score, "active", frozen, as_is, STAYS, used, STAYS)


def test_what_happens_next_and_what_leaves_stand_with_their_rules() -> None:
    assert in_words(forecast(Outcome(0.2, "fading", FADES, LEAVES)), "Base Coat") == [
        ("strength", "0.50, active, by Base Coat"),
        ("next", f"{when(FADES, NOW)}: active → fading"),
        ("rule", "under 0.4 it fades"),
        ("leaves", f"{when(LEAVES, NOW)}: archived"),
        ("rule", "under 0.1 it is archived"),
        ("if pinned", "stays"),
        ("if used", f"leaves {when(Moment(NOW + 60 * DAY, '', ''), NOW)}"),
    ]


def test_what_leaves_next_is_told_once() -> None:
    rows = in_words(forecast(Outcome(0.2, "fading", LEAVES, LEAVES)), "Base Coat")
    assert [name for name, _ in rows] == ["strength", "leaves", "rule", "if pinned", "if used"]


def test_what_is_frozen_says_why_and_nothing_of_keys() -> None:
    rows = in_words(forecast(Outcome(0.5, "active", None, LEAVES), frozen="pinned"), "Base Coat")
    assert rows[1] == ("frozen", "pinned: nothing ages it")
    assert [name for name, _ in rows] == ["strength", "frozen", "leaves", "rule"]
    assert in_words(forecast(STAYS, frozen="pinned"), "Base Coat")[-1][0] == "frozen"


def test_what_never_leaves_says_so_and_a_vault_has_no_number() -> None:
    assert in_words(forecast(STAYS, score=2.0), "Base Coat") == [
        ("strength", "in the vault, active, by Base Coat"),
        ("leaves", "never by itself"),
    ]


def test_without_a_number_nothing_fades() -> None:
    told = forecast(Outcome(None, "", None, None), score=None)
    assert in_words(told, "Markdown") == [
        ("strength", "none: its store keeps no number, so by Markdown nothing fades")
    ]
