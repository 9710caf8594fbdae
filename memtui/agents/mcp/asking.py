"""Asking the person at a client, in the way of the protocol that it speaks: by a request while the call
waits, or by a result that the client answers with a second round of the call."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from memtui.agents.mcp import questions, results, wording
from memtui.agents.mcp.answers import Stored
from memtui.agents.mcp.questions import Question

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from pydantic import BaseModel

    from memtui.agents.mcp.call import Call
    from memtui.agents.mcp.desk import Desk

    Context = ServerRequestContext[Any, Any]

_PATIENCE = 50.0  # seconds that an answer may take: less than clients wait for a call
_KEY, _FIELD = "which", "holds"
_log = logging.getLogger(__name__)


async def answered(
    desk: Desk,
    call: Call,
    context: Context,
    params: CallToolRequestParams,
    work: Callable[[], BaseModel],
) -> CallToolResult | InputRequiredResult:
    """Do the work of a call; if that leaves something to a person, and the client can, ask. Raise what the
    work raises; what goes wrong after it is said with its answer."""
    if round := _second_round(params):
        stored, question, choice = round
    else:
        answer = await desk.run(call, work)
        if not isinstance(answer, Stored) or not _can_ask(context):
            return results.answer(answer)
        stored, asked = answer, await _question(desk, call, answer)
        if asked is None:
            return results.answer(stored)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return _first_round(stored, asked)
        question, choice = asked, await _ask(context, asked)
    if choice is None:
        return results.answer(stored)
    try:
        settled = await desk.run(call, partial(questions.settle, desk, stored, question, choice))
    except Exception as error:
        settled = stored.model_copy(update={"decided": results.sentence_of(error)})
    return results.answer(settled)


async def _question(desk: Desk, call: Call, stored: Stored) -> Question | None:
    try:
        return await desk.run(call, partial(questions.question_of, desk, stored))
    except Exception as error:  # it is stored, and waits in Review
        _log.warning(wording.NOT_ASKED, results.sentence_of(error))
        return None


def _can_ask(context: Context) -> bool:
    """Return whether the client can show a form to a person."""
    capabilities = context.session.client_capabilities
    forms = capabilities.elicitation if capabilities else None
    return forms is not None and (forms.form is not None or forms.url is None)


async def _ask(context: Context, question: Question) -> str | None:
    """Ask while the call waits; return the choice, None if there was none."""
    with anyio.move_on_after(_PATIENCE):
        try:
            answer = await context.session.elicit_form(question.text, _form(question), context.request_id)
        except Exception as error:  # of the client, or of the way to it: the pair waits in Review
            _log.warning(wording.NOT_ASKED, type(error).__name__)
            return None
        return _choice(question, answer)
    return None


def _first_round(stored: Stored, question: Question) -> InputRequiredResult:
    """Return the result that has the client ask. What was stored is stored, whether it comes back or not."""
    asked = ElicitRequest(
        params=ElicitRequestFormParams(message=question.text, requested_schema=_form(question))
    )
    state = json.dumps({"stored": stored.model_dump(mode="json"), "question": question.as_text()})
    return InputRequiredResult(input_requests={_KEY: asked}, request_state=state)


def _second_round(params: CallToolRequestParams) -> tuple[Stored, Question, str | None] | None:
    """Return what the first round stored and asked, with the choice; None if this is no second round. The
    state is sealed by the server: it is our own."""
    if params.request_state is None:
        return None
    state = json.loads(params.request_state)
    question = Question.of_text(state["question"])
    answer = (params.input_responses or {}).get(_KEY)
    choice = _choice(question, answer) if isinstance(answer, ElicitResult) else None
    return Stored.model_validate(state["stored"]), question, choice


def _form(question: Question) -> dict[str, Any]:
    choices = list(question.verdicts)
    field = {
        "type": "string",
        "title": wording.WHICH,
        "enum": choices,
        "enumNames": [wording.CHOICES[each] for each in choices],
    }
    return {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}


def _choice(question: Question, answer: ElicitResult) -> str | None:
    choice = (answer.content or {}).get(_FIELD) if answer.action == "accept" else None
    return choice if isinstance(choice, str) and choice in question.verdicts else None
