"""Textual parses the same stylesheets at every start of an app; tests start hundreds of apps, so they
parse each once in a process."""

from __future__ import annotations

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def share_stylesheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all apps of this process share what was parsed, by text, place and theme."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)


def _parse_once(
    self: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    key = (css, read_from, is_default_rules, tie_breaker, scope, frozenset(self._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(self, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]
