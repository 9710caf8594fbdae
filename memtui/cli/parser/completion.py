"""`memtui completion bash|zsh|fish`: scripts generated from the table of commands and the query language.

Generators for argparse do not complete what follows the colon of a filter (`status:pe`), the options of a
group that stands for one of its commands, or paths where a command is possible, too.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.cli.parser import table
from memtui.cli.parser.options import Parser
from memtui.memory.query.language import FILTERS

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: whether it takes a value, which values, and whether they are paths."""

    name: str
    help: str = ""
    takes_value: bool = False
    values: tuple[str, ...] = ()
    path: bool = False


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """A command as a completion script needs it; `operands` are its possible operands, if they are few."""

    name: str
    help: str
    options: tuple[Option, ...]
    operands: tuple[str, ...] = ()
    paths: bool = False


EVERYWHERE = tuple(
    Option(each.name, each.help, bool(each.metavar), path=bool(each.metavar)) for each in table.EVERYWHERE
)
VERSION = Option(table.VERSION.name, table.VERSION.help)


def completion(args: Namespace, output: Output) -> None:
    """Print the script for a shell."""
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]()
    if output.json:
        output.data({"shell": args.shell, "script": script})
    else:
        sys.stdout.write(script)


def commands() -> list[CompletedCommand]:
    """Return all commands."""
    out = []
    for name, command in table.COMMANDS.items():
        parser = Parser(add_help=False)
        command.arguments(parser)
        options: list[Option] = []
        operands: tuple[str, ...] = ()
        paths = False
        for action in parser._actions:
            values = tuple(str(each) for each in action.choices or () if each)
            is_path = action.dest in parser.paths
            if not action.option_strings:
                operands, paths = operands or values, paths or is_path
                continue
            takes_value = action.nargs is None
            help_text = str(action.help or "")
            options += [
                Option(each, help_text, takes_value, values, is_path) for each in action.option_strings
            ]
        out.append(CompletedCommand(name, command.help, (*options, *EVERYWHERE), operands, paths))
    return out


def _first_words() -> dict[str, str]:
    """Return the possible first words with their help; a group stands for its commands."""
    words = {each.name: each.help for each in commands() if " " not in each.name}
    for group in table.GROUPS:
        words[group] = next(each.help for each in commands() if each.name == _default_command(group))
    return words | {"help": "Show the help of a command."}


def _default_command(group: str) -> str:
    """Return the command that a group alone stands for."""
    return f"{group} {table.GROUPS[group]}"


def _in_group(group: str) -> dict[str, str]:
    """Return the commands of a group, without its name, with their help."""
    return {
        each.name.partition(" ")[2]: each.help for each in commands() if each.name.startswith(f"{group} ")
    }


def _words(words: Iterable[str]) -> str:
    return " ".join(words)


_BASH = """\
# bash completion of memtui: eval "$(memtui completion bash)"
_memtui() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local command= skip= word at filter=
    local options="{everywhere}" words="{commands}" paths=yes
    for ((at = 1; at < COMP_CWORD; at++)); do
        word=${{COMP_WORDS[at]}}
        if [[ -n $skip ]]; then skip=; continue; fi
        case $word in
            --workspace) skip=yes ;;
            -*|:|=) ;;
            *)
                if [[ -z $command ]]; then [[ $word == help ]] || command=$word
                elif [[ " {groups} " == *" $command "* ]]; then command="$command $word"; fi ;;
        esac
    done
    [[ $cur == : || $cur == "=" ]] && {{ filter=${{COMP_WORDS[COMP_CWORD-1]}}; cur=; }}
    [[ $prev == : && $COMP_CWORD -gt 1 ]] && filter=${{COMP_WORDS[COMP_CWORD-2]}}
    [[ $prev == "=" && $COMP_CWORD -gt 1 ]] && prev=${{COMP_WORDS[COMP_CWORD-2]}}
    case $command in
        "") ;;
{cases}
        *) words= ;;
    esac
    COMPREPLY=()
    case "$command $prev" in
{values}
    esac
    case $prev in
        {path_options}) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    esac
    if [[ -n $filter && -n $command && " {queries} " == *" $command "* ]]; then
        case ${{filter#-}} in
{filters}
        esac
        return
    fi
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    if [[ -n $paths ]]; then local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- "$cur")); fi
    if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *: ]]; then compopt -o nospace 2>/dev/null; fi
    return 0
}}
complete -o filenames -F _memtui memtui
"""


def _bash() -> str:
    everywhere = _words(option.name for option in EVERYWHERE)
    cases = [
        f'        "{each.name}") options="{_words(o.name for o in each.options)}" '
        f'words="{_words(_operands(each))}" paths={"yes" if each.paths else ""} ;;'
        for each in commands()
    ]
    for group in table.GROUPS:
        options = next(each.options for each in commands() if each.name == _default_command(group))
        cases.append(
            f'        "{group}") options="{_words(o.name for o in options)}" '
            f'words="{_words(_in_group(group))}" paths= ;;'
        )
    values = [
        f'        "{name} {option.name}") '
        f'COMPREPLY=($(compgen -W "{_words(option.values)}" -- "$cur")); return ;;'
        for name, option in _valued()
    ]
    filters = [
        f'            {spec.name}) COMPREPLY=($(compgen -W "{_words(spec.allowed)}" -- "$cur")) ;;'
        for spec in FILTERS.values()
        if spec.allowed
    ]
    return _BASH.format(
        everywhere=f"{everywhere} {VERSION.name}",
        commands=_words(_first_words()),
        groups=_words(table.GROUPS),
        cases="\n".join(cases),
        values="\n".join(values),
        path_options="|".join(_path_options()),
        queries=_words(table.QUERIES),
        filters="\n".join(filters),
    )


def _operands(each: CompletedCommand) -> tuple[str, ...]:
    """Return what to offer after a command: its few operands, or the names of filters."""
    return tuple(f"{name}:" for name in FILTERS) if each.name in table.QUERIES else each.operands


def _valued() -> Iterator[tuple[str, Option]]:
    """Yield the options that take a value other than a path, with their command or group."""
    groups = {_default_command(group): group for group in table.GROUPS}
    for each in commands():
        for option in each.options:
            if option.takes_value and not option.path:
                yield each.name, option
                if each.name in groups:
                    yield groups[each.name], option


def _path_options() -> list[str]:
    found = (option.name for each in commands() for option in each.options if option.path)
    return list(dict.fromkeys(found))


_ZSH = """\
#compdef memtui
# zsh completion of memtui: put it into a folder of $fpath as _memtui, or
# eval "$(memtui completion zsh)" behind compinit
_memtui() {{
    local command= skip= word prev=${{words[CURRENT-1]}}
    local -a options=({everywhere}) offered=({commands})
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        if [[ -n $skip ]]; then skip=; continue; fi
        case $word in
            (--workspace) skip=yes ;;
            (-*) ;;
            (*)
                if [[ -z $command ]]; then [[ $word == help ]] || command=$word
                elif [[ " {groups} " == *" $command "* ]]; then command="$command $word"; fi ;;
        esac
    done
    if [[ $PREFIX == --*=* ]]; then prev=${{PREFIX%%=*}}; compset -P '*='; fi
    case "$command $prev" in
{values}
    esac
    case $prev in
        ({path_options}) _files; return ;;
    esac
    case $command in
        ("") [[ $PREFIX == -* ]] || _files ;;
{cases}
        (*) offered=() ;;
    esac
    if [[ -n $command && " {queries} " == *" $command "* ]]; then
        case $PREFIX in
{filters}
        esac
        [[ $PREFIX == -* ]] || compadd -S '' -- {names}
    fi
    if [[ $PREFIX == -* ]]; then _describe option options
    elif (( $#offered )); then _describe command offered; fi
}}
compdef _memtui memtui
"""


def _zsh() -> str:
    cases = [
        f'        ("{each.name}") options=({_described(_helped(each.options))}) '
        f"offered=({_described(dict.fromkeys(each.operands, ''))})"
        f"{'; [[ $PREFIX == -* ]] || _files' if each.paths else ''} ;;"
        for each in commands()
    ]
    for group in table.GROUPS:
        options = next(each.options for each in commands() if each.name == _default_command(group))
        cases.append(
            f'        ("{group}") options=({_described(_helped(options))}) '
            f"offered=({_described(_in_group(group))}) ;;"
        )
    values = [
        f'        ("{name} {option.name}") compadd -- {_words(option.values)}; return ;;'
        for name, option in _valued()
    ]
    filters = [
        f"            ((-|){spec.name}:*) compset -P '*:'; compadd -- {_words(spec.allowed)}; return ;;"
        for spec in FILTERS.values()
        if spec.allowed
    ]
    everywhere = _helped((*EVERYWHERE, VERSION))
    return _ZSH.format(
        everywhere=_described(everywhere),
        commands=_described(_first_words()),
        groups=_words(table.GROUPS),
        cases="\n".join(cases),
        values="\n".join(values),
        path_options="|".join(_path_options()),
        queries=_words(table.QUERIES),
        filters="\n".join(filters),
        names=_words(f"{name}:" for name in FILTERS),
    )


def _helped(options: tuple[Option, ...]) -> dict[str, str]:
    return {option.name: option.help for option in options}


def _described(words: dict[str, str]) -> str:
    """Return `name:help` words for _describe, quoted."""
    return " ".join(shlex.quote(f"{name}:{help}" if help else name) for name, help in words.items())


_FISH = """\
# fish completion of memtui: memtui completion fish | source
function __memtui_at --description 'Whether these words are the command that is being completed'
    set -l command
    set -l skip
    for word in (commandline -opc)[2..]
        if test -n "$skip"
            set skip
            continue
        end
        switch "$word"
            case --workspace
                set skip yes
            case '-*'
            case '*'
                if test -z "$command"
                    test "$word" = help; or set command $word
                else if contains -- "$command" {groups}
                    set command "$command $word"
                end
        end
    end
    test "$command" = "$argv"
end
"""


def _fish() -> str:
    return _FISH.format(groups=_words(table.GROUPS)) + "\n".join(_fish_lines()) + "\n"


def _fish_lines() -> Iterator[str]:
    yield "complete -c memtui -e"
    for option in EVERYWHERE:
        yield _fish_option("", option)
    yield _fish_option("__memtui_at", VERSION)
    for word, help in _first_words().items():
        yield f"complete -c memtui -n __memtui_at -a {word} -d {_quoted(help)}"
    for group in table.GROUPS:
        yield f"complete -c memtui -f -n '__memtui_at {group}'"
        for word, help in _in_group(group).items():
            yield f"complete -c memtui -n '__memtui_at {group}' -a {word} -d {_quoted(help)}"
    groups = {_default_command(group): group for group in table.GROUPS}
    for each in commands():
        when = f"__memtui_at {each.name}"
        if not each.paths:
            yield f"complete -c memtui -f -n '{when}'"
        for option in each.options:
            if option not in EVERYWHERE:
                yield _fish_option(when, option)
                if each.name in groups:
                    yield _fish_option(f"__memtui_at {groups[each.name]}", option)
        for word in each.operands:
            yield f"complete -c memtui -n '{when}' -a {word}"
    for name in table.QUERIES:
        for spec in FILTERS.values():
            values = [f"{spec.name}:{value}" for value in spec.allowed] or [f"{spec.name}:"]
            yield (
                f"complete -c memtui -n '__memtui_at {name}' "
                f"-a {_quoted(_words(values))} -d {_quoted(spec.help)}"
            )


def _fish_option(when: str, option: Option) -> str:
    parts = ["complete -c memtui"]
    parts += [f"-n {_quoted(when)}"] if when else []
    parts.append(f"-l {option.name.removeprefix('--')}")
    if option.takes_value:
        parts.append("-r -F" if option.path else "-x")
    if option.values:
        parts.append(f"-a {_quoted(_words(option.values))}")
    if option.help:
        parts.append(f"-d {_quoted(option.help)}")
    return " ".join(parts)


def _quoted(text: str) -> str:
    """Return a text in fish's single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
