"""`memtui stores …`: attach, list, detach, rename, read-only (S-2, S-2a, S-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.open_workspace import fresh, path_of, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.formats.contract.records import clean
from memtui.memory.stores import StoreInfo
from memtui.serialization.stores import store_as_json

if TYPE_CHECKING:
    from argparse import Namespace

_MAX_FINDINGS = 20  # of a store that are printed as text


def attach(args: Namespace, output: Output) -> int:
    """Attach the stores at each path; a path without a store does not prevent the others.

    JSON: an array of stores. If a path was refused, {"error"} of the first, with "attached", that array, and
    "refused", the path and error of each.
    """
    with workspace(args, output) as opened:
        found: dict[str, StoreInfo] = {}
        refused: dict[str, Refused] = {}
        before = {info.name for info in opened.stores()}
        for path in dict.fromkeys(args.paths):
            try:
                found |= {info.name: info for info in opened.attach(path_of(path), clean(args.name))}
            except Refused as refusal:
                refused[path] = refusal
        infos = list(found.values())
        if infos:
            refused = {path: _without_assurance(refusal) for path, refusal in refused.items()}
        if output.json:
            if refused:
                _print_refused(output, infos, refused)
            else:
                output.data([store_as_json(info) for info in infos])
            return int(bool(refused))
        for info in infos:
            text = wording.already_attached if info.name in before else wording.attached
            output.line(text(info.name, info.count, info.path))
            if info.findings:
                output.line(wording.findings_left(len(info.findings)))
        for each in refused.values():
            output.refused(each)
        return int(bool(refused))


def _without_assurance(refusal: Refused) -> Refused:
    """Return a refusal without "nothing was changed", because other paths were attached."""
    return Refused(refusal.code, refusal.message, refusal.advice, **refusal.detail)


def _print_refused(output: Output, infos: Sequence[StoreInfo], refused: Mapping[str, Refused]) -> None:
    first = next(iter(refused.values()))
    errors = [{"path": path, **refusal.to_json()} for path, refusal in refused.items()]
    output.data(
        {"error": {**first.to_json(), "attached": [store_as_json(info) for info in infos], "refused": errors}}
    )


def create(args: Namespace, output: Output) -> None:
    """`memtui stores create FORMAT PATH`: create an empty store and attach it."""
    with workspace(args, output) as opened:
        info = opened.create_store(args.format, args.path if path_of(args.path) else "", clean(args.name))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(wording.created(info.name, info.path))


def list_(args: Namespace, output: Output) -> None:
    """Print the attached stores and the findings in them."""
    with fresh(args, output) as opened:
        infos = opened.stores()
        if output.json:
            output.data([store_as_json(info) for info in infos])
            return
        output.table([(info.name, info.format, f"{info.count:,}", info.path) for info in infos])
        for info in infos:
            if info.read_only:
                output.line(wording.read_only(info.name, info.read_only))
            if info.error and info.error != info.read_only:
                output.line(wording.store_error(info.name, info.error))
            for finding in info.findings[:_MAX_FINDINGS]:
                output.line(wording.finding(info.name, finding.place, finding.text))
            if len(info.findings) > _MAX_FINDINGS:
                output.line(wording.more_findings(info.name, len(info.findings) - _MAX_FINDINGS))


def detach(args: Namespace, output: Output) -> None:
    """Detach a store."""
    with workspace(args, output) as opened:
        info = opened.detach(clean(args.name))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(wording.detached(info.name))


def rename(args: Namespace, output: Output) -> None:
    """Rename a store."""
    with workspace(args, output) as opened:
        info = opened.rename_store(clean(args.name), clean(args.new))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(wording.renamed(args.name, info.name))


def lock(args: Namespace, output: Output) -> None:
    """Make a store read-only, or allow changes again with --off."""
    with workspace(args, output) as opened:
        info = opened.lock_store(clean(args.name), not args.off)
        if output.json:
            output.data(store_as_json(info))
        elif info.locked:
            output.line(wording.locked(info.name))
        else:
            output.line(wording.unlocked(info.name, info.read_only))
