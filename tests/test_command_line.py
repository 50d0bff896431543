"""Every door of the command line, opened as a person or a program opens it."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remembrancer import places
from remembrancer.__main__ import main

HERE = Path(__file__).parent
SHAPES = HERE / "formats" / "shapes"
FIELD = HERE.parents[1] / "shared" / "data" / "field" / "enthali-ids.jsonl"
PATIENCE = 60  # seconds for a process that loads everything on a busy machine

Run = Callable[..., "Outcome"]


class Outcome:
    """The exit code of one command and what it said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(places.HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv(places.STORE_VARIABLE, raising=False)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: object) -> Outcome:
        before = os.umask(0o077)
        os.umask(before)
        code = main([str(word) for word in words])
        os.umask(before)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return command


def started(*words: object, **how: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "remembrancer", *(str(word) for word in words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", **how)


# --- import and export


@pytest.mark.skipif(not FIELD.exists(), reason="the field's files are not here")
def test_a_real_file_comes_in_with_its_relations_by_id(run: Run) -> None:
    dry = run("import", FIELD, "--json", "--dry-run")
    told = run("import", FIELD, "--json")
    counts = [told.json[k] for k in ("entities", "relations", "memories", "ghosts")]
    assert counts == [13, 12, 41, 0]
    assert dry.json["anomalies"] == told.json["anomalies"]
    assert [dry.json[k] for k in ("entities", "relations", "memories", "ghosts")] == counts


def test_a_file_comes_in_and_goes_out_and_comes_in_elsewhere(run: Run, home: Path) -> None:
    told = run("import", SHAPES / "16_dangling.jsonl")
    assert told.out.splitlines() == [
        "line 2: Nobody defines 'PR #908', which a relation names; it was kept as a ghost.",
        "line 3: Nobody defines 'Ghost', which a relation names; it was kept as a ghost.",
        "1 entities, 3 relations, 1 memories and 2 ghosts came in; 2 oddities.",
    ]
    assert run("export", home / "all.jsonl").code == 0
    again = run("--store", home / "other.db", "import", home / "all.jsonl", "--json")
    assert (again.json["whole"], again.json["memories"]) == (True, 1)
    run("export", home / "graph.json", "--format", "knowledge-graph")
    assert len((home / "graph.json").read_text().splitlines()) == 4
    assert stat.S_IMODE((home / "graph.json").stat().st_mode) == 0o600


def test_a_foreign_file_is_refused_with_the_fields_seen_in_it(run: Run) -> None:
    told = run("import", SHAPES / "25_foreign_schema.jsonl")
    assert (told.code, told.out) == (1, "")
    assert "'content', 'text', 'timestamp', 'type'" in told.err
    assert len(told.err.splitlines()) == 1


def test_credentials_are_masked_unless_they_are_to_be_kept(run: Run, home: Path) -> None:
    file = SHAPES / "24_injection_and_secrets.jsonl"
    assert len(run("import", file, "--json").json["anomalies"]) == 3
    kept = run("import", file, "--json", "--keep-secrets", "--store", home / "kept.db")
    assert kept.json["anomalies"] == []


def test_the_store_may_stand_before_or_after_the_command_or_in_the_environment(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--store", home / "a.db", "import", SHAPES / "16_dangling.jsonl")
    run("import", SHAPES / "16_dangling.jsonl", "--store", home / "b.db")
    monkeypatch.setenv(places.STORE_VARIABLE, str(home / "c.db"))
    run("import", SHAPES / "16_dangling.jsonl")
    assert all((home / f"{name}.db").exists() for name in "abc")
    assert not places.default_store().exists()


def test_the_store_is_not_overwritten_by_an_export(run: Run) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    told = run("export", places.default_store())
    assert told.code == 1
    assert run("doctor").code == 0


# --- recall


def test_recall_tells_what_an_agent_would_get_and_why(run: Run) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    found = run("recall", "first", "--entity", "Alpha", "--json").json
    assert [(m["content"], m["entity"]) for m in found] == [("first fact", "Alpha")]
    assert "Selected entity" in found[0]["reasons"]
    assert {"createdAt", "verifiedAt", "expiresAt", "reviewDays"} <= found[0].keys()
    assert "first fact" in run("recall", "first").out
    assert "Nothing is known" in run("recall", "zebra").out


def test_recall_of_an_unknown_entity_fails_in_a_sentence(run: Run) -> None:
    told = run("recall", "x", "--entity", "nobody")
    assert (told.code, told.out, len(told.err.splitlines())) == (1, "", 1)


# --- agents


def test_an_agent_is_let_in_listed_and_revoked(run: Run) -> None:
    file = Path(run("agent", "add", "Claude Code", "--read-only").out.strip())
    assert file.parent == places.token_folder()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    listed = run("agent", "list", "--json").json
    assert [(a["name"], a["access"], a["revokedAt"]) for a in listed] == [
        ("Claude Code", "read", None)
    ]
    assert file.read_text().strip() not in run("agent", "list").out
    assert run("agent", "revoke", "Claude Code").code == 0
    assert not file.exists()
    assert run("agent", "list", "--json").json[0]["revokedAt"] is not None


def test_two_agents_of_one_name_are_not_let_in(run: Run) -> None:
    file = Path(run("agent", "add", "cursor").out.strip())
    token = file.read_text()
    assert run("agent", "add", "cursor").code == 1
    assert file.read_text() == token


@pytest.mark.parametrize("name", ["../escape", "a/b", "CON:", ""])
def test_a_name_of_an_agent_is_never_a_path(run: Run, home: Path, name: str) -> None:
    assert run("agent", "add", name).code == 1
    assert not places.token_folder().exists()


def test_revoking_nobody_fails(run: Run) -> None:
    assert run("agent", "revoke", "nobody").code == 1


# --- backup, restore, doctor


def test_a_backup_is_put_back_and_the_present_store_kept_beside_it(run: Run, home: Path) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    backup = Path(run("backup").out.strip())
    run("import", SHAPES / "26_merge_trap.jsonl")
    told = run("restore", backup)
    assert told.code == 0
    assert run("doctor", "--json").json["facts"]["rows"]["memory"] == 1
    kept = Path(told.out.split("kept in ")[1].strip())
    assert kept.parent == places.default_store().parent
    assert run("doctor", "--json", "--store", kept).json["facts"]["rows"]["memory"] == 9


@pytest.mark.parametrize("damage", ["text", "empty", "missing", "cut"])
def test_what_is_no_sound_backup_is_not_put_back(run: Run, home: Path, damage: str) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    bad = Path(run("backup").out.strip())
    if damage == "missing":
        bad.unlink()
    else:
        content = {"text": b"hello " * 3_000, "empty": b"", "cut": bad.read_bytes()[:9_000]}
        bad.write_bytes(content[damage])
    told = run("restore", bad)
    assert (told.code, len(told.err.splitlines())) == (1, 1)
    assert run("doctor", "--json").json["facts"]["rows"]["memory"] == 1
    assert sorted(p.name for p in places.data_folder().iterdir()) == ["memories.db"]


def test_a_damaged_store_gives_way_to_a_backup(run: Run) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    backup = run("backup").out.strip()
    places.default_store().write_bytes(b"not a database at all " * 100)
    assert run("doctor").code == 1
    assert run("restore", backup).code == 0
    assert run("doctor").code == 0


def test_a_store_that_others_have_open_is_not_replaced(run: Run) -> None:
    from remembrancer.core.author import PERSON
    from remembrancer.core.memory import Draft
    from remembrancer.service.library import Library

    run("import", SHAPES / "16_dangling.jsonl")
    backup = run("backup").out.strip()
    with Library.open(places.default_store()) as library:
        library.memories.remember(Draft("open"), author=PERSON, origin="test")
        told = run("restore", backup)
        assert (told.code, "Another program" in told.err) == (1, True)
        library.memories.remember(Draft("still"), author=PERSON, origin="test")
    assert run("doctor", "--json").json["facts"]["rows"]["memory"] == 3


def test_the_doctor_makes_nothing_and_tells_who_can_reach_the_files(run: Run, home: Path) -> None:
    told = run("doctor", "--json")
    assert (told.code, told.json["sound"]) == (0, True)
    assert list(home.iterdir()) == []
    run("import", SHAPES / "16_dangling.jsonl")
    places.default_store().chmod(0o644)
    assert any("chmod 600" in sentence for sentence in run("doctor", "--json").json["advice"])


# --- usage


@pytest.mark.parametrize(
    "words",
    [
        ["bogus"],
        ["import"],
        ["agent"],
        ["export", "x", "--format", "xml"],
        ["recall", "x", "--limit", "0"],
        ["mcp", "--answer-budget", "few"],
        ["mcp", "--dialect", "klingon"],
        ["serve", "--port", "70000"],
        ["picture", "review", "x.png", "--size", "big"],
        ["--sto", "x", "doctor"],
    ],
)
def test_wrong_usage_is_2(run: Run, words: list[str]) -> None:
    told = run(*words)
    assert (told.code, told.out) == (2, "")


def test_help_and_version_succeed(run: Run) -> None:
    assert run("--help").code == 0
    assert run("--version").out.startswith("remembrancer ")


def test_a_store_of_another_program_is_told_in_a_sentence(run: Run, home: Path) -> None:
    (home / "notes.db").write_text("these are my notes")
    told = run("recall", "x", "--store", home / "notes.db")
    assert (told.code, len(told.err.splitlines())) == (1, 1)
    assert (home / "notes.db").read_text() == "these are my notes"


# --- demo


def test_the_demonstration_is_made_once_and_its_path_told_last(run: Run) -> None:
    first = run("demo", "--make")
    store = Path(first.out.splitlines()[-1])
    assert store == places.demo_store()
    rows = run("doctor", "--json", "--store", store).json["facts"]["rows"]
    assert run("demo", "--make").out == first.out
    assert run("doctor", "--json", "--store", store).json["facts"]["rows"] == rows


# --- the servers, as processes


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raven", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, **arguments: object) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_mcp_speaks_only_the_protocol_and_obeys_its_flags(run: Run) -> None:
    asked = [INITIALIZE, READY, call(2, "memory_create_entities", entities=[])]
    with started("mcp", "--read-only") as server:
        out, _ = server.communicate("".join(json.dumps(m) + "\n" for m in asked), PATIENCE)
    answers = {a["id"]: a for a in map(json.loads, out.splitlines()) if "id" in a}
    assert answers[1]["result"]["serverInfo"]["name"]
    assert "error" in answers[2] or answers[2]["result"]["isError"]
    assert server.returncode == 0
    assert [a["name"] for a in run("agent", "list", "--json").json] == ["stdio"]


def test_serve_says_where_it_is_answers_and_ends_when_told(home: Path) -> None:
    with started("serve", "--port", 0) as server:
        try:
            where = first_line(server)
            token = Path(where["tokenFile"]).read_text().strip()
            answer = posted(where["address"], token, INITIALIZE)
            assert answer["result"]["protocolVersion"]
        finally:
            server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=PATIENCE)
    assert (server.returncode, token in err) == (0, False)


def test_serve_keeps_its_token_between_starts(home: Path) -> None:
    seen: list[str] = []
    for _ in range(2):
        with started("serve", "--port", 0) as server:
            where = first_line(server)
            seen.append(Path(where["tokenFile"]).read_text())
            server.send_signal(signal.SIGINT)
            assert server.wait(PATIENCE) == 0
    assert seen[0] == seen[1]


def test_serve_ends_however_often_and_fast_it_is_told(home: Path) -> None:
    with started("serve", "--port", 0) as server:
        first_line(server)
        for number in 50 * (signal.SIGINT, signal.SIGTERM):
            server.send_signal(number)
        assert server.wait(PATIENCE) == 0


def first_line(server: subprocess.Popen[str]) -> dict[str, Any]:
    assert server.stdout is not None
    ready, _, _ = select.select([server.stdout], [], [], PATIENCE)
    assert ready, "the server said nothing"
    return json.loads(server.stdout.readline())


def posted(address: str, token: str, message: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        address,
        json.dumps(message).encode(),
        {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        },
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def test_a_backup_goes_to_the_folder_that_is_named_and_a_bad_one_is_told(
    run: Run, home: Path
) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    told = run("backup", home / "Dropbox" / "mine")
    made = Path(told.out.strip())
    assert made.parent == home / "Dropbox" / "mine"
    assert (stat.S_IMODE(made.stat().st_mode), stat.S_IMODE(made.parent.stat().st_mode)) == (
        0o600, 0o700,
    )  # fmt: skip
    assert "Dropbox carries what is in that folder to other machines" in told.err
    (home / "taken").write_text("mine")
    told = run("backup", home / "taken")
    assert (told.code, told.out, len(told.err.splitlines())) == (1, "", 1)
    assert "No backup could be made in" in told.err


def test_what_was_there_before_putting_back_is_in_the_list_of_backups_too(run: Run) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    backup = Path(run("backup").out.strip())
    run("import", SHAPES / "26_merge_trap.jsonl")
    assert run("restore", backup).code == 0
    names = sorted(path.name.split("-", 3)[-1] for path in places.backup_folder().iterdir())
    assert [name for name in names if name.endswith("restore.db")] != []
    assert run("restore", max(places.backup_folder().glob("*-restore.db"))).code == 0
    assert run("doctor", "--json").json["facts"]["rows"]["memory"] == 9


def test_the_server_sees_to_the_backups_while_it_runs(run: Run, home: Path) -> None:
    run("import", SHAPES / "16_dangling.jsonl")
    server = started("serve", "--port", "0", env={**os.environ, places.HOME_VARIABLE: str(home)})
    assert server.stdout is not None
    try:
        assert json.loads(server.stdout.readline())["address"]
        made: list[Path] = []
        while not made and server.poll() is None:
            select.select([server.stdout], [], [], 0.1)
            made = [*places.backup_folder().glob("memories-*-daily.db")]
        assert len(made) == 1
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
