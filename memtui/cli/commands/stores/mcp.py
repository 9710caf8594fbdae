"""`memtui mcp --as AGENT`: the door for agents, over standard input and output (S-80)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.runtime.open_workspace import fresh, settings
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean
from memtui.memory.policies.policy import agent_name

if TYPE_CHECKING:
    from argparse import Namespace


def mcp(args: Namespace, output: Output) -> None:
    """Serve an agent until its client closes the connection; standard output has messages of MCP alone."""
    from memtui.agents.mcp.desk import Desk
    from memtui.agents.mcp.serve import serve  # loads the SDK, which takes half a second

    def told(error: BaseException) -> int:
        from memtui.cli.runtime.errors import refusal_of

        assert isinstance(error, Exception)
        return output.refused(refusal_of(error))

    agent = agent_name(args.agent)
    serve(Desk(fresh(args, output), agent, clean(args.store), settings(output).tokenizer), told)
