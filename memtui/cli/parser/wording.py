"""Every sentence about wrong use of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memtui.errors import UsageError
from memtui.text import safe_text

_NEAR = 0.65  # how alike two words must be, 0 to 1
_ECHO = 80  # characters of what was typed that are repeated

LIST_COMMANDS = "memtui --help lists the commands."
WORKSPACE_NEEDS_PATH = "--workspace requires a path"


def echo(text: str) -> str:
    """Return what was typed, on one line and not too long, to be part of a message."""
    return safe_text(text, one_line=True, limit=_ECHO)


def usage(program: str, message: str, hint: str = "") -> UsageError:
    return UsageError(message, f"{program}: {message}\n" + (f"{hint}\n" if hint else ""))


def synopsis(program: str, operands: str) -> str:
    return f"Usage: {program} [OPTIONS] {operands}".rstrip()


def unrecognized(words: Sequence[str]) -> str:
    return f"unrecognized arguments: {echo(' '.join(words))}"


def not_a_choice(value: object, known: Iterable[object]) -> str:
    return f"invalid choice '{echo(str(value))}': use {any_of([str(each) for each in known])}"


def did_you_mean(word: str, known: Mapping[str, str]) -> str:
    """Return a question with what the nearest of the known words stand for, or ""."""
    from difflib import get_close_matches

    nearest = [f"'{known[each]}'" for each in get_close_matches(word, known, 3, _NEAR)]
    return f". Did you mean {any_of(nearest)}?" if nearest else ""


def unknown_command(word: str, known: Mapping[str, str]) -> str:
    return f"unknown command '{echo(word)}'{did_you_mean(word, known)}"


def neither_command_nor_path(word: str, known: Mapping[str, str]) -> UsageError:
    message = f"'{echo(word)}' is neither a command nor an existing path{did_you_mean(word, known)}"
    return usage("memtui", message, LIST_COMMANDS)


def example(words: str) -> str:
    return f"Example: memtui {words}"


def no_option(program: str, option: str, known: Iterable[str]) -> UsageError:
    message = f"unknown option '{echo(option)}'{did_you_mean(option, {each: each for each in known})}"
    hint = f"{program} --help lists the options. Put arguments that start with - after --."
    return usage(program, message, hint)


def no_command(group: str, word: str, known: Sequence[str]) -> UsageError:
    suggestion = did_you_mean(word, {each: f"{group} {each}" for each in known})
    return usage("memtui", f"unknown command '{group} {echo(word)}'{suggestion or f': use {any_of(known)}'}")


def any_of(words: Sequence[str]) -> str:
    """Return words as a choice: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def formats(names: Sequence[str]) -> str:
    return f"the store's format: {any_of(names)}"


def not_a_count(text: str, largest: int) -> str:
    return f"'{echo(text)}' is not a whole number from 1 to {largest:,}"


def not_days(text: str, largest: int) -> str:
    return f"'{echo(text)}' is not a number of days from 0 to {largest}"


def no_time(option: str, text: str) -> UsageError:
    example = "2026-12-01 or 2026-12-01T08:00:00Z, or a time from now such as 30d"
    return usage("memtui", f"invalid {option} '{echo(text)}': use an ISO date or time such as {example}")


def not_a_share(text: str) -> str:
    return f"'{text}' is not a number from 0 to 1 or a percentage, such as 0.8 or 80%"


def no_kind(kind: str, known: Iterable[str]) -> UsageError:
    return usage("memtui", f"invalid --kind '{echo(kind)}': choose from {', '.join(known)}")


def option_not_for_verdict(option: str, verdict: str) -> UsageError:
    return usage("memtui contradictions resolve", f"{option} works only with the verdict {verdict}")


def no_pair_given() -> UsageError:
    return usage("memtui duplicates merge", "specify either a pair ID or --all-exact")


def text_not_given_once() -> UsageError:
    return usage("memtui add", "specify the text once, as TEXT or with --content")


def parts_not_given_once() -> UsageError:
    return usage("memtui split", "specify where to cut with --at, or - for parts from standard input")


def owner_without_key() -> UsageError:
    return usage("memtui forget", "specify --owner and --key together")


def not_one_selection() -> UsageError:
    return usage("memtui forget", "specify either uids, --owner with --key, or --store")


def no_query_given() -> UsageError:
    return usage("memtui search", "specify a query or --saved NAME")


def no_uid_on_stdin() -> UsageError:
    return usage("memtui", "no uids on standard input")


def clipboard_or_file() -> UsageError:
    return usage("memtui export", "specify either --clipboard or -o")


def store_needs_path(name: str) -> UsageError:
    return usage("memtui export", f"a {name} store needs a new path: -o PATH")


def store_has_no_budget(name: str) -> UsageError:
    return usage("memtui export", f"--budget is for texts; {name} is a store")


def no_agent() -> UsageError:
    return usage("memtui mcp", "specify the agent that is served with --as")


def not_a_port(text: str) -> str:
    return f"'{echo(text)}' is no port: use a number from 1 to 65,535, or 0 for any that is free"


def no_part_of_policy() -> UsageError:
    return usage("memtui policies set", "nothing to set: specify an option such as --read or --expiry")


def nothing_to_change() -> UsageError:
    return usage("memtui edit", "nothing to change: specify an option such as --content or --tag")


def rule_not_given() -> UsageError:
    return usage("memtui rules test", "specify a rule, or what it would be with --when and --do")


def nothing_to_edit() -> UsageError:
    return usage("memtui rules edit", "nothing to change: specify --name, --when, --do or --note")


def not_a_place(text: str) -> str:
    return f"'{echo(text)}' is neither a place such as 1 nor up or down"


def stdin_used_twice() -> UsageError:
    return UsageError(
        "standard input can't provide both uids and text",
        "memtui edit: standard input can't provide both uids and text\n",
    )


def not_taken(word: str, known: Iterable[str]) -> str:
    return f"{word!r} is none of {', '.join(known)}"
