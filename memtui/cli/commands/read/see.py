"""`memtui see STORE|AGENT`: what an agent is given of a store when a session starts (S-72)."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording_see as wording
from memtui.cli.commands.read.export import print_text
from memtui.cli.runtime.open_workspace import fresh, settings
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.reveal import masking_of
from memtui.workspace.session import wording as session

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.session.difference import ViewDifference
    from memtui.workspace.session.view import StoreView
    from memtui.workspace.workspace import Workspace

MOST_PAIRS = 10  # contradictions and duplicates that are named; --json names all
_CONTEXT = 2  # unchanged lines around a difference


def see(args: Namespace, output: Output) -> None:
    """Print the text, and say on standard error what was left out of it; with --diff what a change made of
    it."""
    with fresh(args, output) as opened:
        masking_of(args, output)
        if args.about:
            opened.load_model()
        if args.diff is not None:
            _print_difference(opened.agent_view_difference(args.agent, args.diff, args.about), output)
            return
        if agent := opened.agent_named(args.agent):
            _print_context(opened, agent, args.about, output)
            return
        found = opened.agent_view(args.agent, args.about)
        counter = opened.token_counter(settings(output).tokenizer)
    text = found.view.text if found.view is not None else ""
    tokens = counter.count([text])[0] if text else 0
    if output.json:
        from memtui.serialization.session import view_json

        output.data(view_json(found, tokens, counter.unit))
        return
    print_text(output.shown(text))
    for line in _report(found, tokens, counter.unit):
        output.note(line)


def _print_context(opened: Workspace, agent: str, about: str, output: Output) -> None:
    """Print what memtui gives an agent, with what its policies hide from it left out, as in recall."""
    from memtui.agents.session_context import session_context

    found = session_context(opened, agent, settings(output).tokenizer, logged=False)
    hidden = opened.hidden_from(agent)
    if output.json:
        from memtui.serialization.session import context_json

        output.data(context_json(agent, found, hidden))
        return
    print_text(output.shown(found.text))
    output.note(wording.context(agent, len(found.uids), found.tokens, found.unit))
    if hidden:
        output.note(wording.hidden(agent, hidden))
    if found.contradicted:
        output.note(wording.contradicted(len(found.contradicted)))
    if about:
        output.note(wording.ABOUT_IGNORED)


def _report(found: StoreView, tokens: int, unit: str) -> Iterator[str]:
    view = found.view
    if view is None:
        yield wording.loads_nothing(found.title, found.instead)
        return
    yield wording.given(found.store, found.title, tokens, unit) if view.text else session.NOTHING_LOADED
    if found.task_ignored:
        yield wording.ABOUT_IGNORED
    for cut in view.cut:
        yield session.cut_line(cut, view.limits)
    for name in view.stale:
        yield session.stale(name)
    for pair in found.pairs[:MOST_PAIRS]:
        yield wording.pair(pair)
    if more := len(found.pairs[MOST_PAIRS:]):
        yield wording.more_pairs(more)


def _print_difference(found: ViewDifference, output: Output) -> None:
    if output.json:
        from memtui.serialization.session import difference_json

        output.data(difference_json(found))
        return
    found = output.shown(found)
    before, after = found.before.text.split("\n"), found.after.text.split("\n")
    lines = list(unified_diff(before, after, n=_CONTEXT, lineterm=""))[2:]
    print_text("".join(f"{line}\n" for line in lines))
    output.note(wording.difference(found))
    for ref in found.lost:
        output.note(wording.left(found.memories.get(ref), ref))
    for ref in found.gained:
        output.note(wording.came_in(found.memories.get(ref), ref))
    for reason in found.left_out:
        output.note(wording.without(reason))
