"""`memtui stores …`: attach, list, detach, rename, read-only (S-2, S-2a, S-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh, place, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.formats.contract.adapter import clean
from memtui.memory.stores import StoreInfo
from memtui.serialization.stores import store_as_json
from memtui.text import counted

if TYPE_CHECKING:
    pass


def attach(args: Any, output: Output) -> int:
    """Attach the stores at each path; one that holds none leaves the others to be attached.

    JSON: an array of stores. Where a path was refused, {"error"} of the first, with "attached", that
    array, and "refused", the path and error of each."""
    with workspace(args, output) as opened:
        found: dict[str, StoreInfo] = {}
        refused: dict[str, Refused] = {}
        for path in dict.fromkeys(args.paths):
            try:
                found |= {info.name: info for info in opened.attach(place(path), clean(args.name))}
            except Refused as refusal:
                refused[path] = refusal
        infos = list(found.values())
        if infos:
            refused = {path: _alone(refusal) for path, refusal in refused.items()}
        if output.json:
            if refused:
                _tell_refused(output, infos, refused)
            else:
                output.data([store_as_json(info) for info in infos])
            return int(bool(refused))
        for info in infos:
            output.line(f"Attached {info.name}: {counted(info.count, 'memory')} in {info.path}")
            if info.findings:
                output.line(f"  {_odd(len(info.findings))}; memtui stores list tells")
        for each in refused.values():
            output.refused(each)
        return int(bool(refused))


def _odd(count: int) -> str:
    return counted(count, "odd thing left as it is", "odd things left as they are")


def _alone(refusal: Refused) -> Refused:
    """A refusal of one path, where others were attached: then it is not so that nothing was changed."""
    return Refused(refusal.code, refusal.message, refusal.advice, **refusal.detail)


def _tell_refused(output: Output, infos: Sequence[StoreInfo], refused: Mapping[str, Refused]) -> None:
    first = next(iter(refused.values()))
    each = [{"path": path, **refusal.to_json()} for path, refusal in refused.items()]
    output.data(
        {"error": {**first.to_json(), "attached": [store_as_json(info) for info in infos], "refused": each}}
    )


def create(args: Any, output: Output) -> None:
    """`memtui stores create FORMAT PATH`: an empty store, attached."""
    with workspace(args, output) as opened:
        info = opened.create_store(args.format, args.path if place(args.path) else "", clean(args.name))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(f"Made {info.name} in {info.path} and attached it.")


def show(args: Any, output: Output) -> None:
    """The attached stores, and what is odd in them."""
    with fresh(args, output) as opened:
        infos = opened.stores()
        if output.json:
            output.data([store_as_json(info) for info in infos])
            return
        output.table([(info.name, info.format, f"{info.count:,}", info.path) for info in infos])
        for info in infos:
            if info.read_only:
                output.line(f"{info.name} is read-only: {info.read_only}")
            if info.error and info.error != info.read_only:
                output.line(f"{info.name}: {info.error}")
            for finding in info.findings[:20]:
                output.line(f"{info.name}: {finding.place}: {finding.text}")
            if len(info.findings) > 20:
                output.line(f"{info.name}: and {len(info.findings) - 20:,} more")


def detach(args: Any, output: Output) -> None:
    """Stop watching a store."""
    with workspace(args, output) as opened:
        info = opened.detach(clean(args.name))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(
                f"Detached {info.name}. Its file is as it was; its pins, notes and history stay in memtui."
            )


def rename(args: Any, output: Output) -> None:
    """Give a store another name."""
    with workspace(args, output) as opened:
        info = opened.rename_store(clean(args.name), clean(args.new))
        if output.json:
            output.data(store_as_json(info))
        else:
            output.line(f"Renamed {args.name} to {info.name}.")


def lock(args: Any, output: Output) -> None:
    """Refuse every change to a store by a person's word, or allow them again."""
    with workspace(args, output) as opened:
        info = opened.lock_store(clean(args.name), not args.off)
        if output.json:
            output.data(store_as_json(info))
        elif info.locked:
            output.line(f"{info.name} is read-only: memtui refuses every change to it, until --off.")
        else:
            output.line(f"{info.name} may be changed{f', but: {info.read_only}' if info.read_only else '.'}")
