"""Every sentence about wrong use of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import UsageError

WORKSPACE_NEEDS_PATH = "--workspace needs a path"


def usage(program: str, message: str) -> UsageError:
    return UsageError(message, f"{program}: {message}\n")


def no_option(program: str, option: str) -> UsageError:
    message = f"there is no option {option}"
    hint = f"{program} --help lists the options; what is no option stands after --."
    return UsageError(message, f"{program}: {message}\n{hint}\n")


def no_command(group: str, word: str, known: Sequence[str]) -> UsageError:
    choices = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
    return usage("memtui", f"there is no command {group} {word}: it is {choices}")


def no_time(option: str, text: str) -> UsageError:
    return usage("memtui", f"{option} {text} is no ISO time, like 2026-12-01 or 2026-12-01T08:00:00Z")


def no_kind(kind: str, known: Iterable[str]) -> UsageError:
    return usage("memtui", f"--kind {kind} is none of {', '.join(known)}")


def option_not_for_verdict(option: str, verdict: str) -> UsageError:
    return usage("memtui contradictions resolve", f"{option} is for {verdict} alone")


def no_pair_given() -> UsageError:
    return usage("memtui duplicates merge", "give a pair's ID, or --all-exact")


def text_not_given_once() -> UsageError:
    return usage("memtui add", "give the memory's text once")


def no_query_given() -> UsageError:
    return usage("memtui search", "give a query or --saved NAME")


def no_uid_on_stdin() -> UsageError:
    return usage("memtui", "no uid on standard input")


def nothing_to_change() -> UsageError:
    return UsageError(
        "nothing to change",
        "memtui edit: say what to change: --content, --title, --category, --tag, --key or --subject\n",
    )


def stdin_used_twice() -> UsageError:
    return UsageError(
        "standard input holds one thing only",
        "memtui edit: standard input holds uids or the text, not both\n",
    )
