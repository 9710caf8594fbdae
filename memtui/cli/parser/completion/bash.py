"""The completion script for bash.

bash splits words at the characters of COMP_WORDBREAKS (`status:pe`, `--sort=n`) and replaces only what is
behind the last of them. The script joins the words again, and its replies lack what precedes that part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memtui.cli.parser import table
from memtui.cli.parser.completion.completed import (
    EVERYWHERE,
    VERSION,
    Offer,
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
# bash completion of memtui: source <(memtui completion bash)
_memtui() {{
    local rest=${{COMP_LINE:0:COMP_POINT}} cur= lead= quote= strip= word before each
    local command= option= help= workspace= words= source= filter= minus=
    local -i at count=0
    local -a typed=() offered=()
    for ((at = 0; at < COMP_CWORD; at++)); do
        word=${{COMP_WORDS[at]}}
        before=${{rest%%"$word"*}}
        rest=${{rest#"$before$word"}}
        if [[ -z $before && $at -gt 0 ]]; then typed[${{#typed[@]}}-1]+=$word; else typed+=("$word"); fi
    done
    if [[ $rest != [[:space:]]* && ${{#typed[@]}} -gt 1 ]]; then
        at=${{#typed[@]}}-1
        cur=${{typed[at]}}$rest
        typed=("${{typed[@]:0:at}}")
    else
        cur=${{rest#"${{rest%%[![:space:]]*}}"}}
    fi
    strip=${{cur%"$2"}}
    for word in "${{typed[@]:1}}"; do
        if [[ -n $option ]]; then
            [[ $option == --workspace ]] && workspace=$word
            option=
            continue
        fi
        case "$command $word" in
            *" --workspace"{valued}) option=$word; continue ;;
        esac
        case $word in
            --workspace=*) workspace=${{word#*=}} ;;
            -*) ;;
            help) if [[ -z $command && -z $help ]]; then help="help "; else count+=1; fi ;;
            *)
                case $command in
                    "") command=$word ;;
                    {groups}) if ((count)); then count+=1; else command="$command $word"; fi ;;
                    *) count+=1 ;;
                esac ;;
        esac
    done
    if [[ $cur == [\\"\\']* ]]; then
        quote=${{cur:0:1}} cur=${{cur:1}} strip=${{strip#?}}
    else
        cur=${{cur//\\\\/}}
    fi
    if [[ -z $option && $cur == --*=* ]]; then option=${{cur%%=*}} lead=$option=; fi
    if [[ -n $option ]]; then
        case "$command $option" in
            *" --workspace") source=paths ;;
{values}
        esac
    elif [[ $cur == -* && -z $help ]]; then
        words="{everywhere}"
        case $command in
{options}
        esac
    fi
    if [[ -z $option ]]; then
        case "$help$command $count" in
            " 0") words="$words {commands}" source=paths ;;
            "help  0") words="{helped}" ;;
{operands}
            {known}) ;;
            "help "*) ;;
            *) source=paths ;;
        esac
        [[ $cur == -* && $source != query ]] && source=
    fi
    if [[ $source == query ]]; then
        [[ -n $quote && $cur == *" "* ]] && lead="${{cur% *}} "
        filter=${{cur#"$lead"}}
        [[ $filter == -* ]] && minus=- filter=${{filter#-}}
        case $filter in
{filters}
            *:*) ;;
            *)
                if [[ -n $minus || $cur != -* ]]; then
                    for each in {names}; do words="$words $minus$each"; done
                fi ;;
        esac
    elif [[ $source == stores || $source == rules ]]; then
        workspace=${{workspace//[\\"\\'\\\\]/}}
        workspace=${{workspace/#\\~/$HOME}}
        while IFS=$'\\t' read -r each before; do
            [[ -n $before ]] && offered+=("$each")
        done < <(
            memtui --read-only ${{workspace:+"--workspace=$workspace"}} $source list 2>/dev/null </dev/null
        )
    fi
    for each in $words; do offered+=("$each"); done
    COMPREPLY=()
    for each in "${{offered[@]}}"; do
        [[ $lead$each == "$cur"* ]] || continue
        each=$lead$each
        each=${{each#"$strip"}}
        [[ -z $quote ]] && printf -v each %q "$each"
        COMPREPLY+=("$each")
    done
    if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *[:=] ]]; then
        compopt -o nospace 2>/dev/null
        [[ -n $quote ]] && COMPREPLY+=("${{COMPREPLY[0]}}...")  # else the quote would be closed
    fi
    if [[ $source == paths ]]; then
        while IFS= read -r each; do
            [[ -z $each || " $words " == *" $each "* ]] && continue
            each=$lead$each
            COMPREPLY+=("${{each#"$strip"}}")
            compopt -o filenames 2>/dev/null
        done < <(compgen -f -- "${{cur#"$lead"}}")
    fi
    return 0
}}
complete -F _memtui memtui
"""


def script() -> str:
    """Return the script."""
    return _SCRIPT.format(
        valued="".join(f'|"{command} {option.name}"' for command, option in valued()),
        groups="|".join(table.GROUPS),
        values=_cases((f"{name} {option.name}", _set(option.offer)) for name, option in valued()),
        everywhere=joined(option.name for option in EVERYWHERE),
        options=_cases(
            [
                ("", f'words="$words {VERSION.name}"'),
                *((each.name, f'words="{joined(o.name for o in each.options)}"') for each in commands()),
            ]
        ),
        commands=joined(first_words()),
        helped=joined(helped_words()),
        operands=_cases(_operands()),
        known="|".join(f'"{name} "*' for name in (*table.COMMANDS, *table.GROUPS)),
        filters=_cases(
            (f"{name}:*", f'words="$words {joined(f"${{minus}}{name}:{value}" for value in values)}"')
            for name, values in filter_values().items()
        ),
        names=joined(filter_names()),
    )


def _operands() -> Iterator[tuple[str, str]]:
    for place, offer in operands():
        yield place, _set(offer)
    for group in table.GROUPS:
        yield f"help {group} 0", _set(Offer(in_group(group)))


def _set(offer: Offer) -> str:
    """Return what sets an offer's variables."""
    parts = [f'words="$words {joined(offer.words)}"'] if offer.words else []
    parts += [f"source={offer.source}"] if offer.source else []
    return " ".join(parts)


def _cases(cases: Iterable[tuple[str, str]]) -> str:
    """Return the branches of a case statement; a `*` or `:*` at the end of a word matches anything."""
    lines = []
    for word, then in cases:
        if then:
            start = word.removesuffix("*")
            lines.append(f'            "{start}"{word[len(start) :]}) {then} ;;')
    return "\n".join(lines)
