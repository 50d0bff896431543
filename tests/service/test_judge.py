"""The judge, asked over a real connection: what is sent, what is answered, and when nobody asks."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from judge_server import MODEL, Act, Exchange, JudgeServer, Seconds, set_up
from notation import build
from remembrancer import places
from remembrancer.core.author import PERSON
from remembrancer.core.judging import Outcome, PairVerdict, Standing, Word
from remembrancer.core.memory import Memory
from remembrancer.service.judge import JudgeDesk, Trial
from remembrancer.service.judge_endpoint import Failure
from remembrancer.service.library import Library


def told(verdicts: list[PairVerdict]) -> list[str]:
    """Verdicts as text: `1-2 agreed progress progress`."""
    words = [
        (v.first.value if v.first else "-", v.second.value if v.second else "-") for v in verdicts
    ]
    return [
        f"{v.a}-{v.b} {v.outcome.value} {first} {second}"
        for v, (first, second) in zip(verdicts, words, strict=True)
    ]


def test_a_pair_is_asked_about_in_both_directions(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(["FORTSCHRITT", "Fortschritt."]) as server:
        set_up(monkeypatch, server.address)
        assert told(judge.pairs(memories[:2])) == ["1-2 agreed progress progress"]
        there, back = (q.prompt for q in server.questions)
    assert "Erste Notiz: 4 GB\nZweite Notiz: 8 GB" in there
    assert "Erste Notiz: 8 GB\nZweite Notiz: 4 GB" in back
    assert judge.state().standing is Standing.READY


def test_answers_that_differ_or_are_missing_are_told_apart(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = ["WIDERSPRUCH", "FORTSCHRITT", "kein Widerspruch", "UNABHAENGIG", "Hm.", "Nein."]
    with JudgeServer(script) as server:
        set_up(monkeypatch, server.address)
        assert told(judge.pairs(memories[:3])) == [
            "1-2 disagreed contradiction progress",
            "1-3 one_way - independent",
            "2-3 none - -",
        ]


def test_five_pairs_are_asked_about_and_the_others_named(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as server:
        set_up(monkeypatch, server.address)
        verdicts = judge.pairs(memories)
        assert len(server.questions) == 10
        assert server.probes == 1
    assert [(v.a, v.b) for v in verdicts[:5]] == [(1, 2), (1, 3), (1, 4), (1, 5), (2, 3)]
    assert [v.outcome for v in verdicts] == [Outcome.AGREED] * 5 + [Outcome.NOT_ASKED] * 5


def test_pairs_with_the_same_note_are_neither_asked_about_nor_counted(
    judge: JudgeDesk, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(library, "a: two disks; b: two disks; c: one disk")
    found = [m for n in (1, 2, 3) if (m := library.memories.get(n)) is not None]
    with JudgeServer() as server:
        set_up(monkeypatch, server.address)
        outcomes = [v.outcome for v in judge.pairs(found)]
        assert len(server.questions) == 4
    assert outcomes == [Outcome.SAME_NOTE, Outcome.AGREED, Outcome.AGREED]


def test_the_question_holds_the_two_notes_and_nothing_else_of_the_memories(
    judge: JudgeDesk, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(library, f"walrus/colour: {'x' * 900}; walrus: is grey")
    found = [m for n in (1, 2) if (m := library.memories.get(n)) is not None]
    with JudgeServer() as server:
        set_up(monkeypatch, server.address + "/v1/")
        judge.pairs(found)
        question = server.questions[0]
    assert question.path == "/v1/chat/completions"
    assert set(question.body) == {"model", "messages", "max_tokens", "temperature", "stream"}
    assert (question.body["model"], question.body["max_tokens"]) == (MODEL, 16)
    assert question.body["temperature"] == 0
    assert question.prompt.count("x" * 200) == 1
    assert "x" * 201 not in question.prompt
    assert "walrus" not in question.prompt
    assert "colour" not in question.prompt
    assert "Authorization" not in question.headers


def test_each_older_memory_is_asked_about_once_before_the_new_one(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(["FORTSCHRITT", "Weiß nicht", "WIDERSPRUCH"]) as server:
        set_up(monkeypatch, server.address)
        hints = judge.hints(memories[4], memories[:3])
        assert "Erste Notiz: 4 GB\nZweite Notiz: is blue" in server.questions[0].prompt
        assert len(server.questions) == 3
    assert hints == {1: Word.PROGRESS, 3: Word.CONTRADICTION}


def test_without_address_or_model_nobody_is_contacted(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as server:
        monkeypatch.setenv("MEMORY_FC_URL", server.address)
        assert judge.state().words("en") == "not set up, without MEMORY_FC_MODELL"
        assert judge.hints(memories[0], memories[1:]) == {}
        assert told(judge.pairs(memories[:2])) == ["1-2 none - -"]
        assert judge.trial() == Trial(failure=Failure.UNREACHABLE)
        monkeypatch.setenv("MEMORY_FC_MODELL", MODEL)
        monkeypatch.setenv("MEMORY_FC_AUS", "1")
        assert judge.state().standing is Standing.SWITCHED_OFF
        assert judge.hints(memories[0], memories[1:]) == {}
        assert server.exchanges == []


def test_a_server_without_the_model_is_not_asked_for_five_minutes(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch, seconds: Seconds
) -> None:
    with JudgeServer(models=["another"]) as server:
        set_up(monkeypatch, server.address)
        assert judge.hints(memories[0], memories[1:]) == {}
        assert (server.probes, server.questions) == (1, [])
        assert judge.state().words("de") == "nach einem Fehlschlag noch 300 s gesperrt"
        server.models = [MODEL]
        seconds.at += 299.5
        assert judge.hints(memories[0], memories[1:]) == {}
        assert server.probes == 1
        assert judge.state().seconds == 1
        seconds.at += 0.5
        assert len(judge.hints(memories[0], memories[1:])) == 4
        assert server.probes == 2


def test_a_refused_connection_is_tried_again_after_fifteen_seconds(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch, seconds: Seconds
) -> None:
    with JudgeServer() as server:
        nobody = server.address
    set_up(monkeypatch, nobody)
    assert judge.hints(memories[0], memories[1:]) == {}
    assert judge.state().seconds == 15
    seconds.at += 15
    assert judge.state().standing is Standing.READY


def fail(status: int) -> Act:
    return lambda exchange: exchange.reply(status, b"{}")


def broken(body: bytes) -> Act:
    return lambda exchange: exchange.reply(200, body)


def elsewhere(exchange: Exchange) -> None:
    exchange.reply(307, b"", Location=f"http://{exchange.headers['Host']}/other")


def hang_up(exchange: Exchange) -> None:
    exchange.handler.close_connection = True


@pytest.mark.parametrize(
    ("act", "failure", "status"),
    [
        (fail(401), Failure.STATUS, 401),
        (fail(500), Failure.STATUS, 500),
        (elsewhere, Failure.REDIRECT, 307),
        (broken(b"<html>hello</html>"), Failure.UNREADABLE, 0),
        (broken(b"[" * 200_000), Failure.UNREADABLE, 0),
        (broken(b'{"choices": []}'), Failure.UNREADABLE, 0),
        (broken(b'{"choices": [{"message": "FORTSCHRITT"}]}'), Failure.UNREADABLE, 0),
        (broken(b'"FORTSCHRITT"'), Failure.UNREADABLE, 0),
        (broken(b" " * 300_000 + b"{}"), Failure.TOO_LONG, 0),
        (hang_up, Failure.UNREACHABLE, 0),
    ],
)
def test_an_answer_that_is_none_is_silence_and_locks(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch,
    act: Act, failure: Failure, status: int,
) -> None:  # fmt: skip
    with JudgeServer([act]) as server:
        set_up(monkeypatch, server.address)
        assert judge.hints(memories[0], memories[1:]) == {}
        assert len(server.questions) == 1
        assert judge.state().seconds == 300
        assert judge.trial() == Trial(failure=failure, status=status)
        assert (len(server.questions), server.probes) == (2, 2)


def test_a_model_that_says_nothing_is_not_locked(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer([lambda e: e.say(None)]) as server:
        set_up(monkeypatch, server.address)
        assert told(judge.pairs(memories[:2])) == ["1-2 none - -"]
        assert judge.state().standing is Standing.READY


@pytest.mark.parametrize("act", [Exchange.trickle, lambda e: e.released.wait()])
def test_a_slow_answer_is_cut_off_and_locks(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    before = set(threading.enumerate())
    with JudgeServer([act]) as server:
        set_up(monkeypatch, server.address, FRIST="0.3")
        assert judge.hints(memories[0], memories[1:3]) == {}
        assert len(server.questions) == 1
        assert judge.state().seconds == 300
    left = {t for t in threading.enumerate() if t.name == "judge-question"} - before
    for thread in left:
        thread.join(10)
    assert not any(t.is_alive() for t in left)


def test_a_slow_list_of_models_is_cut_off_and_locks(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(models=Exchange.trickle) as server:
        set_up(monkeypatch, server.address, PROBE="0.3")
        assert judge.hints(memories[0], memories[1:3]) == {}
        assert server.questions == []
        assert judge.state().seconds == 300


def test_the_probe_can_be_left_out(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(models=[]) as server:
        set_up(monkeypatch, server.address, PROBE="0")
        assert judge.hints(memories[0], memories[1:2]) == {2: Word.CONTRADICTION}
        assert server.probes == 0


def test_the_questions_of_one_call_end_with_its_budget(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch, seconds: Seconds
) -> None:
    def slowly(exchange: Exchange) -> None:
        seconds.at += 13
        exchange.say("FORTSCHRITT")

    with JudgeServer([slowly]) as server:
        set_up(monkeypatch, server.address)
        assert judge.hints(memories[0], memories[1:]) == {2: Word.PROGRESS, 3: Word.PROGRESS}
        assert len(server.questions) == 2
        assert judge.state().standing is Standing.READY
        assert len(judge.pairs(memories[:3])) == 3
        assert len(server.questions) == 8


def test_bounds_come_from_the_environment_and_nonsense_is_ignored(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch, seconds: Seconds
) -> None:
    with JudgeServer([fail(500)]) as server:
        set_up(monkeypatch, server.address, SPERRE="60", SPERRE_KURZ="nan", ZEICHEN="-1")
        judge.hints(memories[0], memories[1:])
        assert judge.state().seconds == 60
    bounds = judge.settings().bounds
    assert (bounds.sperre_kurz, bounds.zeichen, bounds.frist) == (15, 200, 20)
    seconds.at += 60
    assert judge.trial() == Trial(failure=Failure.REFUSED)
    assert judge.state().seconds == 15


def test_another_address_or_model_begins_afresh(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(["FORTSCHRITT"]) as server:
        set_up(monkeypatch, server.address, MODELL="missing")
        assert judge.hints(memories[0], memories[1:2]) == {}
        monkeypatch.setenv("MEMORY_FC_MODELL", MODEL)
        assert judge.hints(memories[0], memories[1:2]) == {2: Word.PROGRESS}


def test_a_trial_asks_about_sentences_of_ours_and_ends_the_lock(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer([fail(503), "FORTSCHRITT"]) as server:
        set_up(monkeypatch, server.address)
        judge.hints(memories[0], memories[1:])
        assert judge.state().standing is Standing.LOCKED
        assert judge.trial() == Trial(Word.PROGRESS)
        assert judge.state().standing is Standing.READY
        asked = server.questions[-1].prompt
        assert "4 GB Speicher" in asked
        assert not any(f": {m.content}\n" in asked for m in memories)


def test_no_proxy_of_the_environment_is_asked(
    judge: JudgeDesk, memories: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as proxy, JudgeServer() as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.address)
        set_up(monkeypatch, server.address)
        assert judge.hints(memories[0], memories[1:2]) == {2: Word.CONTRADICTION}
        assert proxy.exchanges == []


def test_hints_never_raise(
    judge: JudgeDesk,
    memories: list[Memory],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with JudgeServer() as server:
        set_up(monkeypatch, server.address)
        broken: Any = None
        assert judge.hints(memories[0], [broken]) == {}
    assert "The judge could not be asked" in caplog.text


@pytest.mark.parametrize("text", ["", "[]", "{", '{"address": 7}', "\0", "[" * 10_000])
def test_a_settings_file_that_cannot_be_read_chooses_nothing(judge: JudgeDesk, text: str) -> None:
    folder = places.settings_folder()
    folder.mkdir(parents=True)
    (folder / "judge.json").write_text(text, encoding="utf-8")
    assert judge.settings().address == ""


def test_a_store_brings_no_judge_along(judge: JudgeDesk, library: Library) -> None:
    judge.set_address("http://127.0.0.1:9", PERSON)
    held = library.path.read_bytes()
    assert b"127.0.0.1:9" not in held


def test_a_library_has_a_judge(library: Library, judge: JudgeDesk) -> None:
    assert library.judge.state() == judge.state()
