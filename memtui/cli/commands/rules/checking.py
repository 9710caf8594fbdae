"""`memtui rules check`: what is wrong with a rules file, and how a project's file stands to what was trusted
of it (S-63).

With --json: {"file", "rules", "policies", "problems": [{"line", "column", "message"}], "state"}; the state of
a project's file is untrusted, trusted, changed, gone or unusable, that of another null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.rules import wording
from memtui.cli.commands.rules.files import STDIN, name_of, print_problems, read_file
from memtui.cli.runtime.open_workspace import exists, path_of, workspace
from memtui.errors import Refused
from memtui.importing import project_file
from memtui.importing.project_file import FileState, ProjectFile
from memtui.memory.rules.file.project import is_place
from memtui.memory.rules.file.wording_project import no_project_file
from memtui.serialization.rules import problem_as_json
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output
    from memtui.memory.rules.file.trusting import TrustedFile


def check(args: Namespace, output: Output) -> int:
    """Print what is wrong with a file, by default that of the project; no workspace is needed."""
    trusted = _trusted(args, output)
    here = project_file.find([each.path for each in trusted])
    name = args.file if args.file is not None else here
    if name is None:
        raise no_project_file()
    state: ProjectFile | None = None
    if name != STDIN and is_place(path_of(name).absolute()):
        path = project_file.path_of(path_of(name))
        state = project_file.state(path, trusted)
        if state.state is FileState.GONE:
            raise Refused("gone", wording.standing(state, here=path == here))
        found = project_file.content(path, parse_query).file
    else:
        found = read_file(name)
    if output.json:
        output.data(
            {
                "file": None if name == STDIN else name,
                "rules": len(found.rules),
                "policies": len(found.policies),
                "problems": [problem_as_json(each) for each in found.problems],
                "state": None if state is None else state.state.value,
            }
        )
        return 1 if found.problems else 0
    print_problems(found, name_of(name), output)
    if not found.problems:
        output.line(wording.fine(name_of(name), len(found.rules), len(found.policies)))
    if state is not None and (told := wording.standing(state, here=state.path == here)):
        output.note(told)
    return 1 if found.problems else 0


def _trusted(args: Namespace, output: Output) -> list[TrustedFile]:
    """Return the files that are trusted in the workspace, if there is one."""
    if not exists(args):
        return []
    with workspace(args, output) as opened:
        return opened.rule_files()
