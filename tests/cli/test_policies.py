"""`policies`, `add --as`, `recall --as`: exit code 3 and the policy's name where one refuses (S-61, S-82)."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.support.command_line import Cli

SCOPES = ("private", "fleet", "session")
READ = {"ada": "private,fleet", "bob": "fleet", "cy": "none", "free": "all"}
WRITE = {"ada": "private", "bob": "none", "cy": "fleet,session", "free": "all"}


def may(allowed: str, scope: str) -> bool:
    return allowed == "all" or scope in allowed.split(",")


def recalled(cli: Cli, agent: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cli.json("recall", "kettle", "--as", agent, "--limit", "99")["memories"]
    return found


def test_nothing_crosses(bare: Cli) -> None:
    for agent in ("ada", "bob", "cy"):
        bare.json("policies", "set", agent, "--read", READ[agent], "--write", WRITE[agent], "--expiry=30d")
    for agent, scope in product(READ, SCOPES):
        words = ("add", f"The {scope} kettle of {agent}", "--as", agent, "--scope", scope)
        result = bare(*words, "--json")
        assert result.code == (0 if may(WRITE[agent], scope) else 3)
        if result.code:
            assert (result.error["code"], result.error["policy"]) == ("scope", agent)
        else:
            expires = bare.memory(result.json["uid"])["expires_at"]
            assert (expires is None) is (agent == "free")
    for agent in READ:
        if READ[agent] == "none":
            refused = bare("recall", "kettle", "--as", agent)
            assert (refused.code, refused.out) == (3, "")
            assert "“cy”" in refused.err
            continue
        found = recalled(bare, agent)
        assert found
        assert all(may(READ[agent], each["scope"]) for each in found)
        assert all(each["owner"] == agent or each["scope"] == "fleet" for each in found)


def test_policies_are_listed_checked_changed_and_undone(bare: Cli) -> None:
    assert "No policies yet" in bare("policies").err
    options = "--most private=1 --sensitive password:* --categories fact,decision".split()
    done = bare("policies", "set", "scout", "--read", "private", "--read", "fleet", *options)
    assert (done.code, done.out) == (0, "Set the policy for scout.  To undo: memtui undo 1\n")
    assert bare("policies", "list").out == (
        "scout: reads private, fleet · writes all · at most private=1 · no keys like password:* · "
        "only categories fact, decision\n"
    )
    assert bare("add", "A kettle", "--as", "scout", "--category", "fact").code == 0
    assert bare("add", "A pot", "--as", "scout", "--category", "fact").code == 3
    assert bare("add", "A pot", "--as", "scout").code == 3
    listed = bare.json("policies")
    assert listed["policies"][0]["refused_today"] == 2
    assert listed["together"] == []
    bare.json("policies", "set", "scout", "--most", "private=0", "--sensitive", "")
    over = {"policy": "scout", "code": "limit", "count": 1, "detail": "", "agent": "scout"}
    assert bare.json("policies", "check") == [over]
    assert bare("undo").code == 0
    bare("add", "A cup", "--as", "ada", "--category", "fact")
    bare("policies", "set", "*", "--categories", "tea")  # of a policy for all, each agent's are told apart
    told = bare("policies", "check").out.splitlines()
    assert [line.split(" in ")[0] for line in told] == ["*\t1 memory of ada", "*\t1 memory of scout"]
    assert bare("undo").code == 0  # of what a person did, not of what an agent added
    assert bare.json("policies") == listed
    assert bare("policies", "remove", "scout").code == 0
    assert bare.json("policies")["policies"] == []


def test_what_cannot_be_a_policy_is_refused_in_one_line(bare: Cli) -> None:
    for words in ("set scout", "set --read fleet", "remove"):
        assert bare("policies", *words.split()).code == 2
    for options in (
        ("set", "scout", "--read", "everything"),
        ("set", "scout", "--most", "fleet"),
        ("set", "scout", "--expiry", "soon"),
        ("set", "scout", "--sensitive", "a\x1b[31m"),
        ("set", "\u202escout", "--read", "fleet"),
        ("remove", "scout"),
    ):
        result = bare("policies", *options)
        assert (result.code, result.out) == (1, "")
        assert "\x1b" not in result.err
        assert "\u202e" not in result.err
    assert bare("recall", "tea", "--as", "\x1b").code == 1


def test_add_as_tells_what_became_of_it(bare: Cli) -> None:
    first = bare.json("add", "The port is 8080.", "--as", "scout", "--key", "port")
    assert (first["outcome"], first["other"], first["left"]) == ("added", None, [])
    again = bare.json("add", "The port is 8080.", "--as", "scout", "--key", "port")
    assert (again["outcome"], again["uid"]) == ("known", first["uid"])
    other = bare("add", "The port is 9090.", "--as", "scout", "--key", "port")
    assert f"Contradicts {first['uid']}: " in other.out
    secret = bare("add", "use AKIA" + "IOSFODNN7EXAMQQE", "--as", "scout")
    assert (secret.code, "AKIA" in secret.err) == (3, False)
    assert bare("add", "x", "--as", "scout", "--owner", "ada").code == 3
    assert [each["content"] for each in recalled(bare, "ada")] == []


def test_recall_says_what_contradicts_an_answer(bare: Cli) -> None:
    port, other = (
        bare.json("add", f"The staging port is {number}.", "--as", "ada", "--key", f"port-{number}")["uid"]
        for number in (8080, 9090)
    )
    bare("contradictions", "scan")
    told = {each["uid"]: each["contradicted_by"] for each in recalled_on(bare, "staging port")}
    assert told == {port: [other], other: [port]}
    lines = bare("recall", "staging port", "--as", "ada").out
    assert f"[contradicted by {other}] The staging port is 8080." in " ".join(lines.split())


def recalled_on(cli: Cli, question: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cli.json("recall", question, "--as", "ada")["memories"]
    return found
