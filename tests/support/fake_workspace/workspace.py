"""The fake workspace as a whole, with the verbs that it has no answer to."""

from __future__ import annotations

from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.base import unanswered
from tests.support.fake_workspace.reviewing import ReviewApi
from tests.support.fake_workspace.searching import Searching
from tests.support.fake_workspace.stores import Stores
from tests.support.fake_workspace.walking import GraphApi


class FakeWorkspace(Searching, ReviewApi, Stores, GraphApi):
    """The verbs of Workspace over a dict; see Controls for what a test sets."""

    carrying = unanswered(Workspace.carrying)
    copy = unanswered(Workspace.copy)
    move = unanswered(Workspace.move)
    relate = unanswered(Workspace.relate)
    relation = unanswered(Workspace.relation)
    retie = unanswered(Workspace.retie)
    supersede = unanswered(Workspace.supersede)

    due = unanswered(Workspace.due)
    run_decay = unanswered(Workspace.run_decay)
    forecast = unanswered(Workspace.forecast)
    forecasts = unanswered(Workspace.forecasts)
    retries = unanswered(Workspace.retries)
    soonest = unanswered(Workspace.soonest)
    stats = unanswered(Workspace.stats)
    use_lifecycles = unanswered(Workspace.use_lifecycles)

    recall = unanswered(Workspace.recall)
    recall_by = unanswered(Workspace.recall_by)
    whys = unanswered(Workspace.whys)
    create_store = unanswered(Workspace.create_store)
    rebuild = unanswered(Workspace.rebuild)
