"""Remembers, for all apps of a process, which style rules a node gets.

Textual matches every node with the rules of all stylesheets whenever it styles it. What it finds depends only
on the rules and on what selectors see of the node and its ancestors: type, id, classes and pseudo-classes.
That is the key here, so that each is matched once a process. A test compares the result with Textual's own
(`tests/tui/screens/test_cached_styles.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

_apply = Stylesheet.apply
_replace_rules = Stylesheet.replace_rules
_ORDER = {"first-of-type", "last-of-type", "first-child", "last-child", "empty"}


@dataclass(slots=True)
class _Match:
    """The rules that a node gets, None if there are none, and how a node that had none before stores them."""

    rules: Any
    stored: dict[str, Any] | None = None


@dataclass(slots=True)
class _Kind:
    """What nodes of a type, id and set of classes have in common."""

    pseudo_classes: tuple[str, ...]
    has_hover_style: bool
    has_focus_within: bool
    has_order_style: bool
    has_odd_or_even: bool
    matches: dict[tuple[object, ...], _Match] = field(default_factory=dict)


_sheets: dict[tuple[int, ...], dict[tuple[object, ...], _Kind]] = {}
_kinds_of: WeakKeyDictionary[Stylesheet, tuple[list[RuleSet], dict[tuple[object, ...], _Kind]]] = (
    WeakKeyDictionary()
)
_replaced: dict[int, Any] = {}


def cache_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all apps of this process share what `Stylesheet.apply` finds. The rules themselves have to be
    shared and kept, as `fast_textual` does."""
    monkeypatch.setattr(Stylesheet, "apply", _apply_once)
    monkeypatch.setattr(Stylesheet, "replace_rules", staticmethod(_replace_and_record))


def _apply_once(self: Stylesheet, node: DOMNode, *, animate: bool = False, cache: object = None) -> None:
    kind = _kind_of(self, node)
    key = tuple(_seen_by_selectors(each, kind.pseudo_classes) for each in node.css_path_nodes)
    match = kind.matches.get(key)
    if match is None:
        fresh = _is_fresh(node)
        _replaced.pop(id(node), None)
        _apply(self, node, animate=animate)
        match = kind.matches[key] = _Match(_replaced.pop(id(node), None))
        if fresh and not animate:
            match.stored = dict(node.styles.base._rules)
        return
    node._has_hover_style = kind.has_hover_style
    node._has_focus_within = kind.has_focus_within
    node._has_order_style = kind.has_order_style
    node._has_odd_or_even = kind.has_odd_or_even
    if match.rules is not None:
        if match.stored is not None and not animate and _is_fresh(node):
            node.styles.base.merge_rules(match.stored)  # type: ignore[arg-type]
            node._nodes.updated()
            node.notify_style_update()
        else:
            _replace_changed_rules(node, match.rules, animate)
    self._process_component_classes(node)


def _kind_of(sheet: Stylesheet, node: DOMNode) -> _Kind:
    rules = sheet.rules
    known = _kinds_of.get(sheet)
    if known is None or known[0] is not rules:
        known = _kinds_of[sheet] = rules, _sheets.setdefault(tuple(map(id, rules)), {})
    key = type(node), node._id, frozenset(node._classes)
    if key not in known[1]:
        names = sheet.rules_map.keys() & node._selector_names
        found = set[str]().union(*(rule.pseudo_classes for name in names for rule in sheet.rules_map[name]))
        known[1][key] = _Kind(
            tuple(sorted(found)),
            "hover" in found,
            "focus-within" in found,
            not found.isdisjoint(_ORDER),
            not found.isdisjoint({"odd", "even"}),
        )
    return known[1][key]


def _seen_by_selectors(node: DOMNode, pseudo_classes: tuple[str, ...]) -> tuple[object, ...]:
    checks = node._PSEUDO_CLASSES
    return (
        type(node),
        node._id,
        frozenset(node._classes),
        *[name in checks and checks[name](node) for name in pseudo_classes],  # type: ignore[arg-type]
    )


def _is_fresh(node: DOMNode) -> bool:
    """Whether a node has never been styled and is not on the screen, so that storing rules has no effects."""
    return not node._is_mounted and not node.styles.base._rules


def _replace_and_record(node: DOMNode, rules: Any, animate: bool = False) -> None:
    _replaced[id(node)] = rules
    _replace_changed_rules(node, rules, animate)


def _replace_changed_rules(node: DOMNode, rules: Any, animate: bool) -> None:
    """Set the rules that differ from the node's; the others have no effect."""
    if animate:
        _replace_rules(node, rules, animate=True)
        return
    styles = node.styles.base
    held: Any = styles._rules
    for name in held.keys() | rules.keys():
        value = rules.get(name)
        if held.get(name) is not value:
            setattr(styles, name, value)
    node.notify_style_update()
