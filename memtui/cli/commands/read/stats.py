"""`memtui stats`: counts by store, status, category and actor; what agents did (S-84).

With --json: {"workspace", "bytes", "memories", "live", "pinned", "removed", "stores": [{"name",
"format", "memories", "live", "pinned"}], "status": {status: count}, "category": {category: count},
"journal": {actor: lines}, "meaning": {"model", "vectors", "waiting", "why"}, "recall": {"writes",
"refusals", "recalls", "answered", "hit_rate", "p50_ms", "p95_ms"}, "agents": [{"agent", the same,
"last_call", "tool", "session", "overtaken": count}]}; memories without a category
count under "". `model` made the `vectors`, "" before the first; `waiting` memories have none yet; `why` is
key prevents searching by meaning, "" if nothing is known to. `overtaken` counts what recall gave an agent
lately and no longer holds.

With --as AGENT: that agent alone, as in "agents", where "overtaken" is [{"uid", "label", "why", "given_at",
"other"}].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording, wording_agents
from memtui.cli.runtime.moments import local_time
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.agents.figures import AgentFigures
from memtui.memory.policies.policy import agent_name
from memtui.memory.wording import actor_name
from memtui.serialization.agents import agent_as_json, figures_as_json, overtaken_as_json
from memtui.text import size_text

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace


def stats(args: Namespace, output: Output) -> None:
    """Print the counts, after a pull."""
    with fresh(args, output) as opened:
        if args.agent is not None:
            _of_agent(agent_name(args.agent), opened, output)
            return
        state = opened.embedding_state()
        counts = opened.stats()
        figures = opened.agent_figures()
        overtaken = [len(opened.overtaken(each.agent)) for each in figures.agents]
    counts["meaning"] = {
        "model": state.model, "vectors": state.embedded, "waiting": state.pending, "why": state.error,
    }  # fmt: skip
    agents = list(zip(figures.agents, overtaken, strict=True))
    counts["recall"] = figures_as_json(figures.total)
    counts["agents"] = [{**agent_as_json(each), "overtaken": count} for each, count in agents]
    if output.json:
        output.data(counts)
        return
    rows = [
        ("memories", "", f"{counts['memories']:,}"),
        ("live", "", f"{counts['live']:,}"),
        ("pinned", "", f"{counts['pinned']:,}"),
        ("removed", "", f"{counts['removed']:,}"),
    ]
    rows += [("store", each["name"], f"{each['memories']:,}") for each in counts["stores"]]
    for key, noun in (
        ("status", "status"),
        ("category", "category"),
        ("journal", wording.JOURNAL_ENTRIES_BY),
    ):
        rows += [(noun, actor_name(name) or "(none)", f"{count:,}") for name, count in counts[key].items()]
    if agents:
        rows.append(("agents", wording_agents.ALL, wording_agents.agent(figures.total, 0)))
    rows += [("agent", each.agent, wording_agents.agent(each, count)) for each, count in agents]
    rows.append(("vectors", state.model or wording.NO_MODEL, f"{state.embedded:,}"))
    rows.append(("not indexed", state.error or wording.FOR_EMBED, f"{state.pending:,}"))
    rows.append(("size", counts["workspace"], size_text(counts["bytes"])))
    output.table(rows, whole=True)


def _of_agent(agent: str, opened: Workspace, output: Output) -> None:
    """Print what one agent did, and what it was given that no longer holds."""
    figures = next(iter(opened.agent_figures(agent).agents), AgentFigures(agent))
    found = opened.overtaken(agent)
    if output.json:
        output.data({**agent_as_json(figures), "overtaken": overtaken_as_json(found)})
        return
    last = "" if figures.last is None else local_time(figures.last)
    output.table(wording_agents.rows(figures, last), whole=True)
    output.table([(wording_agents.OVERTAKEN[each.cause], each.uid, each.label) for each in found])
