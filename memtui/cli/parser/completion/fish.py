"""The completion script for fish, which also completes options and the part of a word behind a `=`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.cli.parser import table
from memtui.cli.parser.completion.completed import (
    ANY,
    EVERYWHERE,
    NAMED,
    PATHS,
    QUERY,
    VERSION,
    Offer,
    Option,
    commands,
    first_words,
    helped_words,
    in_group,
    joined,
    operands,
    valued,
)
from memtui.memory.query.language import FILTERS

_SCRIPT = """\
# fish completion of memtui: memtui completion fish | source
function __memtui_typed --description 'Print the workspace, then the command and the next place'
    set -l command
    set -l option
    set -l help
    set -l workspace
    set -l count 0
    for word in (commandline -opc)[2..]
        if test -n "$option"
            test "$option" = --workspace; and set workspace $word
            set option
            continue
        end
        switch "$command $word"
            case '* --workspace' {valued}
                set option $word
                continue
        end
        switch "$word"
            case '--workspace=*'
                set workspace (string replace -- --workspace= '' $word)
            case '-*'
            case '*'
                if test "$word" = help -a -z "$command" -a -z "$help"
                    set help 'help '
                else if test -z "$command"
                    set command $word
                else if test $count = 0; and contains -- "$command" {groups}
                    set command "$command $word"
                else
                    set count (math $count + 1)
                end
        end
    end
    string join \\n -- "$workspace" "$help$command $count"
end
function __memtui_at --description 'Whether an operand of one of these commands is next: COMMAND PLACE'
    string match -q -- "$argv" (__memtui_typed)[2]
end
function __memtui_known --description 'Whether no paths are next'
    switch (__memtui_typed)[2]
        case {paths}
            return 1
        case 'help *' {known}
            return 0
    end
    return 1
end
function __memtui_names --description 'Print the names of the attached stores, or of the rules: stores, rules'
    set -l workspace (string replace -r '^~' $HOME -- (__memtui_typed)[1])
    set -l workspace --workspace=$workspace
    test "$workspace" = --workspace=; and set workspace
    memtui --read-only $workspace $argv list 2>/dev/null </dev/null | string match -r '^[^\\t]+(?=\\t)'
end
complete -c memtui -e
complete -c memtui -f -n __memtui_known
{lines}
"""


def script() -> str:
    """Return the script."""
    return _SCRIPT.format(
        valued=joined(f"'{command} {option.name}'" for command, option in valued()),
        groups=joined(table.GROUPS),
        paths=joined(f"'{place}'" for place, offer in operands() if offer.source == PATHS),
        known=joined(f"'{name} *'" for name in (*table.COMMANDS, *table.GROUPS)),
        lines="\n".join(_lines()),
    )


def _lines() -> Iterator[str]:
    for option in EVERYWHERE:
        yield from _option("", option)
    yield from _option("__memtui_at ' 0'", VERSION)
    yield from _words("' 0'", first_words())
    yield from _words("'help  0'", helped_words())
    for group in table.GROUPS:
        yield from _words(f"help {group} 0", in_group(group))
    for place, offer in operands():
        quoted = f"'{place}'" if ANY in place else place
        if offer.source == QUERY:
            yield from _query(quoted)
        elif offer.source in NAMED:
            yield f'complete -c memtui -n "__memtui_at {quoted}" -a "(__memtui_names {offer.source})"'
        yield from _words(quoted, offer.words)
    for each in commands():
        for option in each.options:
            if option not in EVERYWHERE:
                yield from _option(f"__memtui_at '{each.name} *'", option)


def _words(place: str, words: Mapping[str, str]) -> Iterator[str]:
    for word, help in words.items():
        described = f" -d {_quoted(help)}" if help else ""
        yield f'complete -c memtui -n "__memtui_at {place}" -a {word}{described}'


def _query(place: str) -> Iterator[str]:
    """Yield the filters, also negated, with their values; a value has no help."""
    for minus in ("", "-"):
        for spec in FILTERS.values():
            values = [f"{minus}{spec.name}:{value}" for value in spec.allowed]
            described = "" if values else f" -d {_quoted(spec.help)}"
            words = _quoted(joined(values or [f"{minus}{spec.name}:"]))
            yield f'complete -c memtui -n "__memtui_at {place}" -a {words}{described}'


def _option(when: str, option: Option) -> Iterator[str]:
    """Yield the lines of an option: its values, which have no help, and then the option with its help."""
    start = "complete -c memtui" + (f' -n "{when}"' if when else "") + f" -l {option.name.removeprefix('--')}"
    takes = ""
    if option.takes_value:
        takes = " -r -F" if option.offer.source == PATHS else " -x"
    if values := _values(option.offer):
        yield f"{start}{takes} -a {values}"
    yield f"{start}{takes}" + (f" -d {_quoted(option.help)}" if option.help else "")


def _values(offer: Offer) -> str:
    if offer.source in NAMED:
        return f'"(__memtui_names {offer.source})"'
    return _quoted(joined(offer.words)) if offer.words else ""


def _quoted(text: str) -> str:
    """Return a text in fish's single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
