"""The screens by mode; all but Browse, the first one, are imported when they are opened."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from memtui.tui.browse.screen import BrowseScreen
from memtui.tui.commands import names
from memtui.tui.common.screen import BaseScreen


def _inbox() -> BaseScreen:
    from memtui.tui.inbox.screen import InboxScreen

    return InboxScreen()


def _review() -> BaseScreen:
    from memtui.tui.review.screen import ReviewScreen

    return ReviewScreen()


def _graph() -> BaseScreen:
    from memtui.tui.graph.screen import GraphScreen

    return GraphScreen()


def _decay() -> BaseScreen:
    from memtui.tui.decay.screen import DecayScreen  # imports numpy and the chart

    return DecayScreen()


def _rules() -> BaseScreen:
    from memtui.tui.rules.screen import RulesScreen

    return RulesScreen()


def _journal() -> BaseScreen:
    from memtui.tui.journal.screen import JournalScreen

    return JournalScreen()


def _stores() -> BaseScreen:
    from memtui.tui.stores.screen import StoresScreen

    return StoresScreen()


MODES: dict[str, str | Callable[[], Screen[None]]] = {
    names.BROWSE: BrowseScreen,
    names.INBOX: _inbox,
    names.REVIEW: _review,
    names.GRAPH: _graph,
    names.DECAY: _decay,
    names.RULES: _rules,
    names.JOURNAL: _journal,
    names.STORES: _stores,
}
