"""A forecast as the lines that the user reads (S-26)."""

from __future__ import annotations

from memtui.memory.lifecycles.forecast import Forecast, ForecastEvent, Outcome, describe, format_when

NOW = 1_800_000_000.0
DAY = 86400.0
FADES = ForecastEvent(NOW + 3 * DAY, "active → fading", "under 0.4 it fades")
LEAVES = ForecastEvent(NOW + 30 * DAY, "archived", "under 0.1 it is archived")
STAYS = Outcome(0.9, "active", None, None)


def forecast(as_is: Outcome, *, score: float | None = 0.5, frozen: str = "") -> Forecast:
    used = Outcome(0.5, "active", None, ForecastEvent(NOW + 60 * DAY, "archived", ""))
    return Forecast("base-coat", NOW, 90.0, score, "active", frozen, as_is, STAYS, used, STAYS)


def test_the_next_event_and_the_removal_have_their_rules() -> None:
    assert describe(forecast(Outcome(0.2, "fading", FADES, LEAVES)), "Base Coat") == [
        ("strength", "0.50, active, lifecycle: Base Coat"),
        ("next", f"{format_when(FADES, NOW)}: active → fading"),
        ("rule", "under 0.4 it fades"),
        ("leaves", f"{format_when(LEAVES, NOW)}: archived"),
        ("rule", "under 0.1 it is archived"),
        ("if pinned", "stays"),
        ("if used", f"leaves {format_when(ForecastEvent(NOW + 60 * DAY, '', ''), NOW)}"),
    ]


def test_a_removal_that_comes_next_is_shown_once() -> None:
    rows = describe(forecast(Outcome(0.2, "fading", LEAVES, LEAVES)), "Base Coat")
    assert [name for name, _ in rows] == ["strength", "leaves", "rule", "if pinned", "if used"]


def test_a_frozen_memory_shows_the_reason_and_no_what_if() -> None:
    rows = describe(forecast(Outcome(0.5, "active", None, LEAVES), frozen="pinned"), "Base Coat")
    assert rows[1] == ("frozen", "pinned: no decay")
    assert [name for name, _ in rows] == ["strength", "frozen", "leaves", "rule"]
    assert describe(forecast(STAYS, frozen="pinned"), "Base Coat")[-1][0] == "frozen"


def test_a_memory_that_stays_says_so_and_the_vault_has_no_number() -> None:
    assert describe(forecast(STAYS, score=2.0), "Base Coat") == [
        ("strength", "in the vault, active, lifecycle: Base Coat"),
        ("leaves", "never"),
    ]


def test_without_a_number_nothing_fades() -> None:
    unscored = forecast(Outcome(None, "", None, None), score=None)
    assert describe(unscored, "Markdown") == [("leaves", "never: its store records no strength")]
