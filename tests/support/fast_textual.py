"""Skips work that Textual repeats for every app or frame and that no test depends on.

Tests start hundreds of apps. Each stylesheet is parsed once a process, and a screen is painted once after
each step of a test (`paint`), not for the frames in between. Layout, focus and messages are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.strip import Strip

from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.graph.canvas import RelationGraph
from tests.support.cached_styles import cache_styles

_Handlers = tuple[tuple[type, tuple[Any, ...], str], ...]
_parse_rules = Stylesheet._parse_rules
_compositor_refresh = Screen._compositor_refresh
_get_dispatch_methods = MessagePump._get_dispatch_methods
_process_component_classes = Stylesheet._process_component_classes
_handlers_of: dict[tuple[type, type, str], _Handlers | None] = {}
_styled: WeakKeyDictionary[DOMNode, tuple[object, ...]] = WeakKeyDictionary()
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def speed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all apps of this process share parsed stylesheets, by text, location and theme, and leave painting
    to `paint`."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)  # the same hash, without a call for each rule
    monkeypatch.setattr(Screen, "_compositor_refresh", _paint_later)
    monkeypatch.setattr(Strip, "__init__", _start_strip)
    monkeypatch.setattr(Strip, "__getattr__", _start_cache, raising=False)
    monkeypatch.setattr(MessagePump, "_get_dispatch_methods", _handlers)
    monkeypatch.setattr(Stylesheet, "_process_component_classes", _style_parts)
    cache_styles(monkeypatch)


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


def _start_strip(self: Strip, segments: Iterable[Any], cell_length: int | None = None) -> None:
    """Make a strip without its seven caches, most of which are never used."""
    self._segments = list(segments)
    self._cell_length = cell_length
    self._render_cache = None
    self._link_ids = None
    self._cell_count = None


def _start_cache(self: Strip, name: str) -> dict[Any, Any]:
    if not name.endswith("_cache"):
        raise AttributeError(name)
    cache: dict[Any, Any] = {}
    setattr(self, name, cache)
    return cache


def _handlers(self: MessagePump, method_name: str, message: Message) -> Any:
    """Return the handlers of a message. Which methods they are is looked up once a class, unless they are
    chosen by a selector."""
    key = type(self), type(message), method_name
    if key not in _handlers_of:
        _handlers_of[key] = _find_handlers(*key)
    found = _handlers_of[key]
    return (
        _get_dispatch_methods(self, method_name, message) if found is None else _bound(self, found, message)
    )


def _find_handlers(pump: type, kind: type, method_name: str) -> _Handlers | None:
    """Return each class that handles a message, with its decorated handlers and the name of the other one;
    None if there is a selector."""
    found: list[tuple[type, tuple[Any, ...], str]] = []
    dispatched: list[Any] = []
    for cls in pump.__mro__:
        decorated = []
        for base in kind.__mro__:
            for method, selectors in cls.__dict__.get("_decorated_handlers", {}).get(base, ()):
                if selectors:
                    return None
                if method not in dispatched:
                    dispatched.append(method)
                    decorated.append(method)
        name = next((name for name in (f"_{method_name}", method_name) if cls.__dict__.get(name)), "")
        if name and getattr(cls.__dict__[name], "_textual_on", None):
            name = ""
        if decorated or name:
            found.append((cls, tuple(decorated), name))
    return tuple(found)


def _bound(self: MessagePump, handlers: _Handlers, message: Message) -> Iterator[tuple[type, Any]]:
    for cls, decorated, name in handlers:
        if message._no_default_action:
            return
        for method in decorated:
            yield cls, method.__get__(self, cls)
        if name:
            yield cls, cls.__dict__[name].__get__(self, cls)


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
