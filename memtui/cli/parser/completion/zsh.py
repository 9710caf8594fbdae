"""The completion script for zsh."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping

from memtui.cli.parser import table
from memtui.cli.parser.completion.completed import (
    EVERYWHERE,
    PATHS,
    QUERY,
    RULES,
    STORES,
    VERSION,
    Offer,
    Option,
    commands,
    filter_names,
    filter_values,
    first_words,
    helped_words,
    in_group,
    joined,
    operands,
    valued,
)

_SCRIPT = """\
#compdef memtui
# zsh completion of memtui: put it into a folder of $fpath as _memtui, or
# eval "$(memtui completion zsh)" after compinit
_memtui() {{
    local command= option= help= workspace= source= word minus=
    local -i count=0
    local -a options=() offered=()
    for word in "${{(@Q)words[2,CURRENT-1]}}"; do
        if [[ -n $option ]]; then
            [[ $option == --workspace ]] && workspace=$word
            option=
            continue
        fi
        case "$command $word" in
            (*" --workspace"{valued}) option=$word; continue ;;
        esac
        case $word in
            (--workspace=*) workspace=${{word#*=}} ;;
            (-*) ;;
            (help) if [[ -z $command && -z $help ]]; then help="help "; else count+=1; fi ;;
            (*)
                case $command in
                    ("") command=$word ;;
                    ({groups}) if ((count)); then count+=1; else command="$command $word"; fi ;;
                    (*) count+=1 ;;
                esac ;;
        esac
    done
    if [[ -z $option && $PREFIX == --*=* ]]; then option=${{PREFIX%%=*}}; compset -P '*='; fi
    if [[ -n $option ]]; then
        case "$command $option" in
            (*" --workspace") _files ;;
{values}
        esac
        return
    fi
    if [[ $PREFIX == -* && -z $help ]]; then
        options=({everywhere})
        case $command in
{options}
        esac
    fi
    case "$help$command $count" in
        (" 0") offered=({commands}) source=paths ;;
        ("help  0") offered=({helped}) ;;
{operands}
        ({known}|"help "*) ;;
        (*) source=paths ;;
    esac
    if [[ $source == query ]]; then
        compset -P '* '
        case $PREFIX in
{filters}
        esac
        [[ $PREFIX == -* ]] && minus=-
        compadd -S '' -- ${{^${{:-$minus}}}}{{{names}}}
    fi
    (( $#options )) && _describe option options
    [[ $PREFIX == -* ]] && return
    (( $#offered )) && _describe command offered
    case $source in
        (paths) _files ;;
        (stores|rules) _memtui_names $source ;;
    esac
}}
_memtui_names() {{
    workspace=${{workspace/#\\~/$HOME}}
    local -a lines=("${{(@f)$(memtui --read-only \\
        ${{workspace:+--workspace=$workspace}} $1 list 2>/dev/null </dev/null)}}")
    compadd -- "${{(@)${{(@M)lines:#*$'\\t'*}}%%$'\\t'*}}"
}}
compdef _memtui memtui
"""


def script() -> str:
    """Return the script."""
    everywhere = _helped((*EVERYWHERE, VERSION))
    return _SCRIPT.format(
        valued="".join(f'|"{command} {option.name}"' for command, option in valued()),
        groups="|".join(table.GROUPS),
        values=_cases((f"{name} {option.name}", _compadd(option.offer)) for name, option in valued()),
        everywhere=_described(everywhere),
        options=_cases((each.name, f"options=({_described(_helped(each.options))})") for each in commands()),
        commands=_described(first_words()),
        helped=_described(helped_words()),
        operands=_cases(_operands()),
        known="|".join(f'"{name} "*' for name in (*table.COMMANDS, *table.GROUPS)),
        filters="\n".join(
            f"            ((-|){name}:*) compset -P '*:'; compadd -- {joined(values)}; return ;;"
            for name, values in filter_values().items()
        ),
        names=",".join(filter_names()),
    )


def _operands() -> Iterator[tuple[str, str]]:
    for place, offer in operands():
        yield place, _set(offer)
    for group in table.GROUPS:
        yield f"help {group} 0", _set(Offer(in_group(group)))


def _set(offer: Offer) -> str:
    """Return what sets an offer's variables."""
    parts = [f"offered=({_described(offer.words)})"] if offer.words else []
    parts += [f"source={offer.source}"] if offer.source else []
    return " ".join(parts)


def _compadd(offer: Offer) -> str:
    """Return what adds the values of an option."""
    sources = {PATHS: "_files", STORES: "_memtui_names stores", RULES: "_memtui_names rules", QUERY: ""}
    return f"compadd -- {joined(offer.words)}" if offer.words else sources.get(offer.source, "")


def _helped(options: tuple[Option, ...]) -> dict[str, str]:
    return {option.name: option.help for option in options}


def _described(words: Mapping[str, str]) -> str:
    """Return `name:help` words for _describe, quoted."""
    return joined(shlex.quote(f"{name}:{help}" if help else name) for name, help in words.items())


def _cases(cases: Iterable[tuple[str, str]]) -> str:
    """Return the branches of a case statement; a `*` at the end of a word matches anything."""
    lines = []
    for word, then in cases:
        if then:
            start = word.removesuffix("*")
            lines.append(f'            ("{start}"{word[len(start) :]}) {then} ;;')
    return "\n".join(lines)
