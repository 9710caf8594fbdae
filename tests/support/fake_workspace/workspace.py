"""The fake workspace as a whole, with the verbs that it does not support."""

from __future__ import annotations

from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace.base import unsupported
from tests.support.fake_workspace.export_api import ExportApi
from tests.support.fake_workspace.inbox_api import InboxApi
from tests.support.fake_workspace.policies_api import PoliciesApi
from tests.support.fake_workspace.search_api import SearchApi
from tests.support.fake_workspace.stores_api import StoresApi


class FakeWorkspace(SearchApi, ExportApi, StoresApi, PoliciesApi, InboxApi):
    """The verbs of Workspace over memories in a dict; see Controls for what a test sets."""

    preview_transfer = unsupported(Workspace.preview_transfer)
    preview_transfer_stores = unsupported(Workspace.preview_transfer_stores)
    shown_memories = unsupported(Workspace.shown_memories)
    copy = unsupported(Workspace.copy)
    move = unsupported(Workspace.move)
    import_rules = unsupported(Workspace.import_rules)
    trust_plan = unsupported(Workspace.trust_plan)
    trust_rules = unsupported(Workspace.trust_rules)
    distrust_rules = unsupported(Workspace.distrust_rules)
    rule_matches = unsupported(Workspace.rule_matches)
    split = unsupported(Workspace.split)
    split_preview = unsupported(Workspace.split_preview)
    relate = unsupported(Workspace.relate)
    relation = unsupported(Workspace.relation)
    replace = unsupported(Workspace.replace)
    replace_preview = unsupported(Workspace.replace_preview)
    update_relation = unsupported(Workspace.update_relation)
    supersede = unsupported(Workspace.supersede)
    redact = unsupported(Workspace.redact)
    redact_preview = unsupported(Workspace.redact_preview)

    due = unsupported(Workspace.due)
    run_decay = unsupported(Workspace.run_decay)
    forecast = unsupported(Workspace.forecast)
    forecasts = unsupported(Workspace.forecasts)
    retries = unsupported(Workspace.retries)
    soonest = unsupported(Workspace.soonest)
    stats = unsupported(Workspace.stats)
    import_preview = unsupported(Workspace.import_preview)
    import_memories = unsupported(Workspace.import_memories)
    report = unsupported(Workspace.report)
    set_lifecycle_options = unsupported(Workspace.set_lifecycle_options)
    policy_misfits = unsupported(Workspace.policy_misfits)
    refused_today = unsupported(Workspace.refused_today)
    store_for = unsupported(Workspace.store_for)
    remember = unsupported(Workspace.remember)
    calling = unsupported(Workspace.calling)
    list_for = unsupported(Workspace.list_for)
    find_for = unsupported(Workspace.find_for)
    readable_for = unsupported(Workspace.readable_for)
    changeable_for = unsupported(Workspace.changeable_for)
    agent_named = unsupported(Workspace.agent_named)
    hidden_from = unsupported(Workspace.hidden_from)
    pairs_for = unsupported(Workspace.pairs_for)
    agent_figures = unsupported(Workspace.agent_figures)
    forget_for = unsupported(Workspace.forget_for)
    edit_for = unsupported(Workspace.edit_for)
    confirm_for = unsupported(Workspace.confirm_for)
    connections = unsupported(Workspace.connections)
    connect_plans = unsupported(Workspace.connect_plans)
    connect = unsupported(Workspace.connect)
    disconnect_plans = unsupported(Workspace.disconnect_plans)
    disconnect = unsupported(Workspace.disconnect)

    agent_view_difference = unsupported(Workspace.agent_view_difference)
    recall = unsupported(Workspace.recall)
    recall_by = unsupported(Workspace.recall_by)
    match_reasons = unsupported(Workspace.match_reasons)
    create_store = unsupported(Workspace.create_store)
    rebuild = unsupported(Workspace.rebuild)
