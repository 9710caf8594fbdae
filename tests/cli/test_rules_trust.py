"""`rules trust` and `distrust`, the policies of a rules file, and what is told of a project's file (S-63)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.cli.commands.rules import trusting
from tests.cli.test_backup import on_terminal
from tests.support.command_line import Cli

RULES = """\
[[rule]]
name = "Tea"
when = "tea"
do = ["pin", "tag=ours"]
on = true

[[rule]]
name = "No cake"
when = "cake"
do = "refuse"
on = true

[[policy]]
agent = "scout"
write = ["private"]
"""


@pytest.fixture
def project(here: Path) -> Path:
    """The file of a project that this folder is in."""
    (here / ".memtui").mkdir()
    file = here / ".memtui" / "rules.toml"
    file.write_text(RULES)
    return file


def pinned(cli: Cli) -> list[str]:
    return [each["content"] for each in cli.json("list", "is:pinned")]


def rule_names(cli: Cli) -> list[str]:
    return [each["name"] for each in cli.json("rules")]


def test_a_projects_file_does_nothing_until_it_is_trusted(
    bare: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare("add", "Tea is at four.")
    (project.parents[1] / "src").mkdir()
    monkeypatch.chdir(project.parents[1] / "src")  # it is found upward
    told = f"{project} is not trusted, so not used; memtui rules trust shows what it would do."
    assert told in bare("rules").err
    checked = bare("rules", "check")
    assert (checked.code, checked.out) == (0, f"{project}: 2 rules, 1 policy, no problems.\n")
    assert told in checked.err
    assert bare.json("rules", "check")["state"] == "untrusted"

    shown = bare("rules", "trust")
    assert shown.code == 0
    assert "To trust it: memtui rules trust --yes" in shown.err
    tea, cake, scout = shown.out.splitlines()[1:]
    assert tea.split() == "new Tea@here on matches 1 memory tea → pin, tag=ours".split()
    assert "No cake@here" in cake
    assert "refuse" in cake
    assert "policy scout@here" in scout
    assert "write: private" in scout
    preview = bare.json("rules", "trust")
    assert (preview["project"], [each["matches"] for each in preview["rules"]]) == ("here", [1, 0])
    assert (rule_names(bare), pinned(bare)) == ([], [])

    events = len(bare.json("journal"))
    done = bare("rules", "trust", "--yes")
    assert "Trusted the rules of here: 2 rules and 1 policy.  To undo: memtui undo" in done.out
    assert (rule_names(bare), pinned(bare)) == (["Tea@here", "No cake@here"], ["Tea is at four."])
    actors = [each["actor"] for each in bare.json("journal")]
    assert actors[: len(actors) - events] == ["rule:Tea@here", "rule:Tea@here", "person"]
    assert "not trusted" not in bare("rules").err
    assert bare.json("rules")[0]["source"] == str(project)
    assert str(project) in bare("rules", "show", "Tea@here").out
    assert "scout@here" in bare("policies").out
    refused = bare("--json", "add", "Cake is at five.", "--as", "scout", "--scope", "private").error
    assert refused["policy"] == "No cake@here"
    assert (
        bare("--json", "add", "A pot.", "--as", "scout", "--scope", "fleet").error["policy"] == "scout@here"
    )
    assert "as you trusted it" in bare("rules", "trust", "--yes").err

    for words in (("edit", "Tea@here", "--do", "inbox"), ("remove", "Tea@here"), ("move", "Tea@here", "2")):
        failed = bare("rules", *words)
        assert failed.code == 1
        assert f"“Tea@here” comes from {project}: change it there." in failed.err
    assert bare.json("rules", "export", "-o", "own.toml") == {"file": "own.toml", "rules": 0, "policies": 0}
    assert bare("rules", "off", "Tea@here").code == 0
    assert pinned(bare) == []
    assert bare("undo").code == 0
    assert pinned(bare) == ["Tea is at four."]

    assert bare("rules", "distrust").code == 0
    assert (rule_names(bare), pinned(bare), bare.json("policies")["policies"]) == ([], [], [])
    assert bare("undo").code == 0
    assert (len(rule_names(bare)), pinned(bare)) == (2, ["Tea is at four."])


def test_a_file_that_changed_or_is_gone_is_told_and_what_was_trusted_holds(bare: Cli, project: Path) -> None:
    bare("add", "Tea is at four.")
    bare("rules", "trust", "--yes")
    project.write_text(RULES.replace("tag=ours", "tag=theirs").replace("No cake", "No pie"))
    told = f"{project} changed since you trusted it on "
    for words in (("rules",), ("rules", "check")):
        assert told in bare(*words).err
    assert "memtui rules trust shows the difference" in bare("rules").err
    assert bare.json("rules", "check")["state"] == "changed"
    assert bare.memory(bare.uid("tea"))["tags"] == ["ours"]
    shown = bare("rules", "trust").out
    assert "do: pin, tag=ours → pin, tag=theirs" in shown
    assert "No pie@here" in shown
    assert "removed\tNo cake@here" in shown
    assert bare.json("rules", "trust")["gone"] == {"rules": ["No cake@here"], "policies": []}
    assert bare("rules", "trust", "--yes").code == 0
    assert bare.memory(bare.uid("tea"))["tags"] == ["theirs"]
    assert bare("undo").code == 0
    assert bare.memory(bare.uid("tea"))["tags"] == ["ours"]
    assert told in bare("rules").err

    project.unlink()
    gone = f"{project} is gone; what you trusted holds until memtui rules distrust."
    assert gone in bare("rules").err
    assert gone in bare("rules", "check").err
    assert pinned(bare) == ["Tea is at four."]
    assert bare("rules", "distrust").code == 0
    assert (pinned(bare), bare("rules", "check").code) == ([], 1)
    assert "There is no .memtui/rules.toml in this folder or above." in bare("rules", "trust").err


def test_trusting_is_asked_for_on_a_terminal(
    bare: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare("add", "Tea is at four.")
    with monkeypatch.context() as terminal:
        terminal.setattr(trusting, "can_ask", lambda: True)
        for typed in (b"yes\n", b"\n", b""):
            asked = bare("rules", "trust", stdin=typed)
            assert asked.code == 0
            assert "Its rules that are on apply at once. To trust it, type trust:" in asked.err
        assert bare.json("rules", "trust", stdin=b"trust\n")["gone"]  # a script is not asked
    assert rule_names(bare) == []
    assert on_terminal("trust\n", "rules", "trust", ".memtui/rules.toml")[0] == 0
    assert len(rule_names(bare)) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[[rule]]\nname = "A"\nwhen = "x"\ndo = ["pin", "dismiss"]\n',
            ":4:14: A project's file can't dismiss; it",
        ),
        ('[[rule]]\nname = "A"\nwhen = "status:foo"\ndo = "pin"\n', ":3:16: "),
        ('[[rule]]\nname = "A"\nwhen = "x"\ndo = "pin"\n' * 2, ":6:8: "),
        ('[[policy]]\nagent = "scout"\nsensitive = [""]\n', ":3:14: "),
        ('[policy.scout]\nread = "none"\n', ":1:1: "),
        ("a = " + "[" * 50_000, "nested too deeply"),
        ('[[rule]]\nname = "A\0"\n', "isn't valid TOML"),
        ("#" * (1 << 21), "larger than"),
    ],
    ids=["not stricter", "query", "twice", "pattern", "mixed", "deep", "nul", "huge"],
)
def test_a_file_with_a_problem_is_not_trusted(bare: Cli, project: Path, text: str, told: str) -> None:
    project.write_text(text)
    for verb in ("check", "trust"):
        failed = bare("rules", verb, *(["--yes"] * (verb == "trust")))
        assert failed.code == 1
        assert told in failed.err
        assert len(failed.err) < 1_000
    assert (rule_names(bare), bare.json("policies")["policies"]) == ([], [])


def test_a_file_that_is_no_file_of_the_project_is_told_and_not_used(
    bare: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = project.read_text()
    elsewhere = project.parents[2] / "elsewhere.toml"
    elsewhere.write_text(text)
    assert "isn't a project's file" in bare("rules", "trust", str(elsewhere), "--yes").err
    project.unlink()
    project.symlink_to(elsewhere)
    assert "link out of its project" in bare("rules", "trust", "--yes").err
    assert "is not used: " in bare("rules").err
    project.unlink()
    os.mkfifo(project)
    assert "isn't a file" in bare("rules", "trust", "--yes").err
    project.unlink()
    project.write_text(text)
    with monkeypatch.context() as other:
        other.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert "another user" in bare("rules", "check").err
    assert rule_names(bare) == []


def test_policies_leave_and_come_back_with_the_rules(bare: Cli, here: Path) -> None:
    bare("rules", "add", "Tea", "--when", "tea", "--do", "pin")
    options = "--read private --write none --most private=3:weakest --expiry 30d --sensitive pass*".split()
    bare("policies", "set", "scout", *options)
    bare("policies", "set", "*", "--categories", "fact")
    rules, policies = bare.json("rules"), bare.json("policies")
    told = bare.json("rules", "export", "-o", "all.toml")
    assert told == {"file": "all.toml", "rules": 1, "policies": 2}
    file = here / "all.toml"
    file.write_text("# Ours.\n" + file.read_text().replace('agent = "scout"', 'agent = "scout" # one'))
    commented = file.read_bytes()
    assert bare("rules", "export", "-o", "all.toml", "--force").code == 0
    assert file.read_bytes() == commented
    assert "Nothing to import" in bare("rules", "import", "all.toml", "--yes").err

    bare("rules", "remove", "Tea")
    bare("policies", "remove", "*")
    bare("policies", "set", "scout", "--expiry", "never")
    bare("policies", "set", "other", "--read", "none")
    between = bare.json("policies")
    preview = bare("rules", "import", "all.toml")
    assert "Policies: 1 new, 1 changed, 0 the same; 1 policy that isn't in the file stays." in preview.err
    assert "expiry: – → 30d" in preview.out
    assert bare.json("policies") == between
    assert bare.json("rules", "import", "all.toml", "--yes")["kind"] == "rules-imported"
    assert bare.json("rules") == rules
    assert [each for each in bare.json("policies")["policies"] if each["agent"] != "other"] == policies[
        "policies"
    ]
    assert bare("undo").code == 0
    assert (rule_names(bare), bare.json("policies")) == ([], between)
