"""Skips work that Textual repeats for every app or frame and that no test depends on.

Tests start hundreds of apps. Each stylesheet is parsed once a process, and a screen is painted once after
each step of a test (`paint`), not for the frames in between. Layout, focus and messages are unchanged.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import pytest
from textual import strip
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.graph.canvas import RelationGraph

_parse_rules = Stylesheet._parse_rules
_compositor_refresh = Screen._compositor_refresh
_get_dispatch_methods = MessagePump._get_dispatch_methods
_process_component_classes = Stylesheet._process_component_classes
_unhandled: dict[tuple[type, type, str], bool] = {}
_styled: WeakKeyDictionary[DOMNode, tuple[object, ...]] = WeakKeyDictionary()
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def speed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all apps of this process share parsed stylesheets, by text, location and theme, and leave painting
    to `paint`."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)  # the same hash, without a call for each rule
    monkeypatch.setattr(Screen, "_compositor_refresh", _paint_later)
    monkeypatch.setattr(strip, "FIFOCache", lambda maxsize: {})  # seven caches for each line that is drawn
    monkeypatch.setattr(MessagePump, "_get_dispatch_methods", _handlers)
    monkeypatch.setattr(Stylesheet, "_process_component_classes", _style_parts)


def paint(app: App[Any]) -> bool:
    """Draw what has changed since the last time as one frame; return whether anything has."""
    compositor = app.screen._compositor
    changed = bool(compositor._dirty_regions) and not app._exit
    if changed:
        compositor.render_update(screen_stack=app._background_screens)
    return changed


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


def _handlers(self: MessagePump, method_name: str, message: Message) -> Any:
    """Return the handlers of a message. Most messages have none, which is looked up once a class."""
    key = type(self), type(message), method_name
    if key not in _unhandled:
        _unhandled[key] = not any(
            method_name in cls.__dict__
            or f"_{method_name}" in cls.__dict__
            or any(kind in cls.__dict__.get("_decorated_handlers", ()) for kind in type(message).__mro__)
            for cls in type(self).__mro__
        )
    return () if _unhandled[key] else _get_dispatch_methods(self, method_name, message)


def _paint_later(self: Screen[object]) -> None:
    if self is self.app.screen and not self.app.is_inline:
        self._dirty_widgets.clear()  # the compositor keeps their regions
        self.app._update_mouse_over(self)
    else:
        _compositor_refresh(self)


def _style_parts(self: Stylesheet, node: DOMNode) -> None:
    """Style the parts of lists and graphs again only if the theme has changed: nothing else changes them."""
    if isinstance(node, VirtualList | RelationGraph):
        theme = frozenset(self._variables.items()), node.screen._pseudo_classes_cache_key
        if _styled.get(node) == theme:
            return
        _styled[node] = theme
    _process_component_classes(self, node)
