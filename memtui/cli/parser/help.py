"""What `memtui --help` prints, in a module of its own so that it starts fast."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output

HELP = """\
memtui: see, correct and govern what your AI agents remember.

  memtui                  open the workspace
  memtui PATH...          attach the stores at PATH and open the workspace
  memtui demo             look around in a throw-away workspace of five stores

Read
  list [QUERY]            memories that match; without QUERY all but the removed
  search QUERY            live ones that answer best, by words and meaning
  show UID                everything about one memory
  graph UID               what it is tied to, both ways
  clusters [QUERY]        which memories hang together
  journal                 who changed what, newest first
  since                   what agents did since you last looked
  stats                   counts by store, status and category
  decay preview           what fades and leaves in 30 days, and by which rule
  contradictions          memories that contradict each other
  duplicates              memories that say the same
  contradictions scan     compare what is new or changed with all others
  contradictions show ID  both sides, and what each verdict would do
  saved                   the searches that you keep; search --saved NAME
  saved add NAME QUERY    keep a search under a name
  saved forget NAME       keep it no longer

Change; written to the store that the agent reads, and undoable
  add TEXT                add a memory
  edit UID...             change text, title, category, tags, key or subject
  confirm UID...          say that memories are right
  pin UID...              keep memories
  unpin UID...            take the pin off
  dismiss UID...          take out what is wrong
  restore UID...          bring dismissed memories back
  copy UID... --to STORE  copy into another store; tells what that cannot hold
  move UID... --to STORE  the same, and the originals leave their store
  relate A KIND B         how A is related to B; A supersedes B: B gives way
  retie A KIND B          another kind, strength, words; or the other way round
  unrelate A KIND B       take a relation away
  contradictions resolve ID VERDICT
                          keep-a, keep-b, merge, both-true, later ...
  duplicates merge ID     make one of two; --all-exact: of all the very same
  decay run               do what decay has due; only tells it without --yes
  undo [ID]               take back your newest change, or the journal's line ID
  redo                    do again what the newest undo took back
  purge UID...            erase for good; asks, and cannot be undone

Stores
  stores                  the attached stores and their health
  stores attach PATH...   attach the stores at PATH
  stores create FORMAT PATH
                          make an empty store and attach it
  stores detach NAME      stop watching a store; pins, notes and history stay
  stores discover         stores in the known places that are not attached
  stores rename NAME NEW  give a store another name
  stores read-only NAME   refuse every change to a store; --off allows them
  backup [list]           copies made before a day's first write to a store
  backup restore ID       make a store what a backup holds
  doctor                  what is wrong or odd, and what it means; --fix mends
  embed                   read by meaning what waits for it
  cognitive [list]        the attached Cognitive Memory trees
  cognitive reindex       rebuild a tree's _index.json
  cognitive decay         work out the scores in its _state.json anew
  cognitive core          rebuild its CORE.md
  cognitive reflect       rebuild its REFLECTION.md
  eval retrieval M Q      how well questions Q find their memories M
  eval contradictions P   how well contradictions are told in pairs P
  completion SHELL        print the completion script of bash, zsh or fish

A UID may be cut to its beginning; - reads uids, or a text, from standard input.
memtui COMMAND --help tells more; memtui list --help has the query language.

Before or after any command
  --workspace PATH        the workspace to use; else $MEMTUI_WORKSPACE, else the
                          nearest .memtui/workspace.db upward, else the one in
                          your user data folder
  --json                  print JSON
  --read-only             refuse every change
  --version               print the version

Exit codes: 0 done, 1 refused (the reason is printed, nothing was changed),
2 wrong use, 130 interrupted.
"""


def show(args: Namespace, output: Output) -> None:
    """Print the help of `memtui --help`."""
    sys.stdout.write(HELP)


def version(args: Namespace, output: Output) -> None:
    """Print the version."""
    from memtui import __version__

    output.line(f"memtui {__version__}")
