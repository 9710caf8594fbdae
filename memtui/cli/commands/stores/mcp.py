"""`memtui mcp --as AGENT`: the door for agents, over standard input and output or HTTP (S-80)."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import fresh, settings, workspace_file
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean
from memtui.memory.policies.policy import agent_name

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.agents.mcp.serve import Transport


def mcp(args: Namespace, output: Output) -> None:
    """Serve an agent until its client closes the connection, or over HTTP until a signal; standard output has
    messages of MCP alone. Or print the token for HTTP."""
    if args.show_token or args.new_token:
        _print_token(args, output)
        return
    if not args.agent:
        raise usage.no_agent()
    agent = agent_name(args.agent)
    transport = None if args.http is None else _over_http(args, output, agent)

    from memtui.agents.mcp.desk import Desk
    from memtui.agents.mcp.serve import over_stdio, serve  # loads the SDK, which takes half a second
    from memtui.agents.mcp.wording import AT_TERMINAL

    def told(error: Exception) -> int:
        from memtui.cli.runtime.errors import refusal_of

        return output.refused(refusal_of(error))

    if transport is None and sys.stdin is not None and sys.stdin.isatty():
        output.note(AT_TERMINAL)
    desk = Desk(fresh(args, output), agent, clean(args.store or ""), settings(output).tokenizer)
    serve(desk, transport or over_stdio, told)


def _over_http(args: Namespace, output: Output, agent: str) -> Transport:
    from memtui.agents.mcp import wording_http
    from memtui.agents.mcp.http import listening, token
    from memtui.agents.mcp.http.guard import PATH
    from memtui.agents.mcp.http.serving import serve_http

    workspace = workspace_file(args)
    file = token.file_of(workspace)
    token.existing_or_new(file)
    opened = listening.listen(args.http)
    host, port = opened.getsockname()
    for line in wording_http.serving(agent, f"http://{host}:{port}{PATH}", workspace):
        output.note(line)
    return partial(serve_http, listening=opened, file=file)


def _print_token(args: Namespace, output: Output) -> None:
    from memtui.agents.mcp.http import token

    file = token.file_of(workspace_file(args))
    made = token.renew(file) if args.new_token else token.existing_or_new(file)
    output.revealed = True  # it is what was asked for
    if args.json:
        output.data({"token": made})
    else:
        output.line(made)
