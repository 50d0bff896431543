"""How the judge is set up, by the person and by the environment, and where its key stays."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from judge_server import MODEL, JudgeServer, set_up
from remembrancer import places
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import BadValue, Refused
from remembrancer.core.judging import Standing, Word
from remembrancer.core.memory import Memory
from remembrancer.service.judge import JudgeDesk
from remembrancer.service.judge_address import Address
from remembrancer.service.library import Library

KEY = "sk-example-1234567890"
AGENT = Author("robin", AuthorKind.AGENT)


def test_the_person_sets_it_up_and_the_environment_overrides(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(models=[MODEL]) as server:
        judge.set_address(server.address, PERSON)
        judge.set_model(f" {MODEL} ", PERSON)
        assert judge.hints(memories[0], memories[1:2]) == {2: Word.CONTRADICTION}
        judge.switch(False, PERSON)
        assert judge.state().standing is Standing.SWITCHED_OFF
        judge.switch(True, PERSON)
        monkeypatch.setenv("MEMORY_FC_MODELL", "another")
        settings = judge.settings()
        assert (settings.model, settings.fixed) == ("another", {"MEMORY_FC_MODELL"})
        with pytest.raises(Refused, match="MEMORY_FC_MODELL in the environment"):
            judge.set_model("third", PERSON)
        monkeypatch.delenv("MEMORY_FC_MODELL")
        judge.set_model("", PERSON)
        assert judge.state().settings == ("MEMORY_FC_MODELL",)


def test_only_the_person_sets_it_up(judge: JudgeDesk) -> None:
    for change in (
        lambda: judge.set_address("http://127.0.0.1:1", AGENT),
        lambda: judge.set_model("m", AGENT),
        lambda: judge.set_key(KEY, AGENT),
        lambda: judge.switch(False, AGENT),
    ):
        with pytest.raises(Refused, match="Only the person may set up the judge"):
            change()
    assert judge.settings().address == ""


def test_the_key_is_sent_and_kept_apart_from_the_store(
    judge: JudgeDesk, memories: list[Memory], library: Library, tmp_path: Path
) -> None:
    with JudgeServer() as server:
        judge.set_address(server.address, PERSON)
        judge.set_model(MODEL, PERSON)
        judge.set_key(KEY + "\n", PERSON)
        assert judge.hints(memories[0], memories[1:2]) == {2: Word.CONTRADICTION}
        assert {e.headers["Authorization"] for e in server.exchanges} == {f"Bearer {KEY}"}
    (file,) = places.token_folder().iterdir()
    assert file.read_text() == KEY + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    backup = library.backups.make(folder=tmp_path / "backups").path
    library.transfer.send_out(tmp_path / "all.jsonl")
    for written in (backup, tmp_path / "all.jsonl", library.path):
        assert KEY.encode() not in written.read_bytes()
    assert KEY not in repr(judge.settings())
    judge.set_key("", PERSON)
    assert not judge.settings().has_key
    assert list(places.token_folder().iterdir()) == []


def test_a_key_is_never_sent_to_another_address(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as first, JudgeServer() as second:
        judge.set_address(first.address, PERSON)
        judge.set_key(KEY, PERSON)
        set_up(monkeypatch, second.address)
        assert not judge.settings().has_key
        judge.hints(memories[0], memories[1:2])
        monkeypatch.delenv("MEMORY_FC_URL")
        assert judge.settings().has_key
        judge.set_address(second.address, PERSON)
        judge.hints(memories[0], memories[1:2])
        assert "Authorization" not in second.exchanges[-1].headers
        judge.set_address(first.address, PERSON)
        assert not judge.settings().has_key


def test_a_key_of_the_environment_goes_before_a_kept_one(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as server:
        judge.set_address(server.address, PERSON)
        judge.set_key(KEY, PERSON)
        set_up(monkeypatch, server.address, SCHLUESSEL="other-key")
        judge.hints(memories[0], memories[1:2])
        assert server.questions[0].headers["Authorization"] == "Bearer other-key"


def test_a_key_stands_in_no_error_and_no_log(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    with pytest.raises(BadValue) as wrong:
        judge.set_key(f"{KEY} {KEY}", PERSON)
    assert KEY not in str(wrong.value)
    with JudgeServer([lambda e: e.reply(401, e.headers["Authorization"].encode())]) as server:
        set_up(monkeypatch, server.address, SCHLUESSEL=KEY)
        judge.pairs(memories)
        judge.hints(memories[0], memories[1:])
        judge.trial()
        monkeypatch.setenv("MEMORY_FC_SCHLUESSEL", f"{KEY}\r\nX-Other: 1")
        judge.trial()
        assert "Authorization" not in server.exchanges[-1].headers
    assert KEY not in caplog.text


def test_a_key_needs_an_address(judge: JudgeDesk) -> None:
    with pytest.raises(BadValue, match="Give the address first"):
        judge.set_key(KEY, PERSON)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("ftp://host", "begins with http:// or https://"),
        ("localhost:11434", "begins with http:// or https://"),
        ("http://", "begins with http:// or https://"),
        ("my server", "one word without blanks"),
        ("http://host\\evil", "one word without blanks"),
        ("http://host:99999", "a host or a port that cannot be"),
        ("http://[::1", "a host or a port that cannot be"),
        ("http://ann:secret@host", "without a user"),
        ("http://host/?key=1", "without a user"),
        ("http://host/ä", "plain letters only"),
    ],
)
def test_an_address_that_cannot_be_is_named_in_a_sentence(
    judge: JudgeDesk, monkeypatch: pytest.MonkeyPatch, address: str, sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        judge.set_address(address, PERSON)
    set_up(monkeypatch, address)
    assert judge.state().standing is Standing.UNUSABLE
    assert judge.state().words("en") == "MEMORY_FC_URL cannot be used"


@pytest.mark.parametrize(
    ("address", "here", "secure"),
    [
        ("http://127.0.0.1:11434", True, False),
        ("http://LOCALHOST/v1", True, False),
        ("https://[::1]:8080/openai/", True, True),
        ("https://api.example.org/v1", False, True),
        ("http://127.0.0.1.example.org", False, False),
        ("http://192.168.0.7", False, False),
    ],
)
def test_an_address_tells_whether_texts_leave_the_machine(
    address: str, here: bool, secure: bool
) -> None:
    found = Address.of(address)
    assert (found.stays_here, found.secure) == (here, secure)
    assert found.path.endswith("/v1")
