"""Commands that change memories: add, edit, confirm, pin, unpin, dismiss, restore."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.bulk import control, print_change, print_preview
from memtui.cli.commands.change.contradictions import note_new_pairs
from memtui.cli.commands.change.remembering import print_remembered
from memtui.cli.parser import wording as usage
from memtui.cli.runtime.moments import moment_of
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of, stdin
from memtui.formats.contract.records import clean
from memtui.memory.memory import TIMES
from memtui.memory.tagging import retagged
from memtui.workspace.context import NATIVE

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.values import Fields

_TIMES = {"expires": "expires_at"}  # option → field, where their names differ
_OPTIONS = (
    *("title", "category", "key", "subject", "note", "scope", "importance", "confidence"),
    *("expires", "valid_from", "valid_to"),
)
_NEVER = "none"
_ADD_OPTIONS = ("kind", "owner", "source_ref")


def add(args: Namespace, output: Output) -> None:
    """`memtui add TEXT`: add a memory to memtui's own store, or to the one named; with --as for an agent,
    under its policies (S-85)."""
    if (args.text is None) == (args.content is None):
        raise usage.text_not_given_once()
    content = _text(args.text if args.content is None else args.content)
    with (workspace if args.agent is None else fresh)(args, output) as opened:
        fields = {**_fields_of(args, opened.now()), "content": content}
        if args.tag is not None:
            fields["tags"] = retagged(args.tag, ())
        if args.agent is not None:
            store = None if args.store is None else clean(args.store)
            print_remembered(opened, opened.remember(args.agent, fields, store), output)
            return
        change = opened.add(fields, NATIVE if args.store is None else clean(args.store))
        (memory,) = opened.memories(change.ids)
        output.change(opened, change, [memory.uid])
        if not output.json:
            output.line(wording.uid(memory.uid))
            note_new_pairs(opened, change.ids, output)


def edit(args: Namespace, output: Output) -> int:
    """`memtui edit UID --content TEXT …`: change memories; a text that changed since the last pull is a
    conflict."""
    if all(getattr(args, name) is None for name in ("tag", "content", *_OPTIONS)):
        raise usage.nothing_to_change()
    if args.content == "-" and args.uids == ["-"]:
        raise usage.stdin_used_twice()
    content = {} if args.content is None else {"content": _text(args.content)}
    with workspace(args, output) as opened:
        fields = {**_fields_of(args, opened.now()), **content}
        ids = ids_of(opened, args.uids)
        given = args.tag
        retag = None if given is None else (lambda tags: retagged(given, tags))
        if args.dry_run:
            print_preview(opened, "edit", ids, output, fields, retag)
            return 0
        with control(output, "edit") as job:
            change = opened.edit(ids, fields, retag=retag, control=job)
        code = print_change(opened, change, output)
        if not output.json:
            note_new_pairs(opened, change.ids, output)
    return code


def _fields_of(args: Namespace, now: float) -> Fields:
    """Return the fields that are given as options; None for an empty one."""
    out: Fields = {}
    for name in (*_OPTIONS, *_ADD_OPTIONS):
        value = getattr(args, name, None)
        if value is not None:
            field = _TIMES.get(name, name)
            if value == "":
                value = None
            elif field in TIMES:
                value = moment_of(f"--{name.replace('_', '-')}", value, now)
            out[field] = value
    return out


def verb(args: Namespace, output: Output) -> int:
    """`memtui confirm`, `pin`, `unpin`, `dismiss` and `restore`."""
    with workspace(args, output) as opened:
        ids, why = ids_of(opened, args.uids), clean(args.why) if args.verb == "pin" else ""
        if args.dry_run:
            again = bool(why) and all(memory.pinned for memory in opened.memories(ids))
            print_preview(opened, "reason" if again else args.verb, ids, output, {"pinned_why": why})
            return 0
        with control(output, args.verb) as job:
            run = partial(opened.pin, why=why) if args.verb == "pin" else getattr(opened, args.verb)
            change = run(ids, control=job)
        return print_change(opened, change, output)


def snooze(args: Namespace, output: Output) -> int:
    """`memtui snooze UID --until DATE`; `--until none` shows the memories in Review again."""
    with workspace(args, output) as opened:
        is_end = args.until in ("", _NEVER)
        until = None if is_end else moment_of("--until", args.until, opened.now())
        ids, action = ids_of(opened, args.uids), "wake" if is_end else "snooze"
        if args.dry_run:
            print_preview(opened, action, ids, output, {"snoozed_until": until})
            return 0
        with control(output, action) as job:
            change = opened.snooze(ids, until, job)
        return print_change(opened, change, output)


def _text(given: str) -> str:
    return given if given != "-" else stdin().removesuffix("\n")
