"""The styles that tests share between apps are those that Textual finds itself."""

from __future__ import annotations

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.layout import Layout

from memtui.tui.app import MemtuiApp
from tests.support import cached_styles, fast_textual
from tests.support.app_driver import Probe, Step, app_on, drive


def styles_of(node: DOMNode) -> list[tuple[object, ...]]:
    """Return the rules that a node and its parts hold, and what Textual notes about them."""
    parts = [part.node for _, part in sorted(node._component_styles.items())]
    return [
        (
            {name: _comparable(rule) for name, rule in each.styles.base.get_rules().items()},
            each._has_hover_style,
            each._has_focus_within,
            each._has_order_style,
            each._has_odd_or_even,
        )
        for each in (node, *parts)
        if each is not None
    ]


def _comparable(rule: object) -> object:
    return rule.name if isinstance(rule, Layout) else rule


def test_styles_are_those_of_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def compare(app: MemtuiApp) -> None:
        nonlocal compared
        for node in app.screen.walk_children(with_self=True):
            shared = styles_of(node)
            with monkeypatch.context() as own:
                own.setattr(Stylesheet, "apply", cached_styles._apply)
                own.setattr(Stylesheet, "replace_rules", cached_styles._replace_rules)
                own.setattr(Stylesheet, "_process_component_classes", fast_textual._process_component_classes)
                app.stylesheet.apply(node)
            assert shared == styles_of(node), node
            compared += 1

    keys = "j e escape 3 tab 4 5 7 8 T 1 ? escape ctrl+p escape".split()
    steps: list[Step] = [step for key in keys for step in (key, Probe(compare))]
    drive(app_on())  # so that the next app finds its styles
    drive(app_on(), *steps)
    assert compared > 200
