"""The sentences of the judge's section: where it stands, what came of a trial, what is sent."""

from __future__ import annotations

from remembrancer.core.judging import JudgeState, Standing, Word
from remembrancer.desktop.look.plain import translate
from remembrancer.service.judge import PAIRS, Trial
from remembrancer.service.judge_address import Address
from remembrancer.service.judge_endpoint import Failure
from remembrancer.service.judge_settings import ADDRESS, MODEL, JudgeSettings

SIMILAR = 3  # memories that a new one is compared with
SENTENCES = 5  # that say what is sent


def state(found: JudgeState) -> str:
    """Where the judge stands, in a sentence."""
    if found.standing is Standing.NOT_SET_UP:
        return _not_set_up(found.settings)
    return {
        Standing.READY: translate("Judge", "Ready"),
        Standing.SWITCHED_OFF: translate("Judge", "Switched off: nobody is asked"),
        Standing.UNUSABLE: translate("Judge", "The address cannot be used"),
        Standing.LOCKED: translate("Judge", "Left alone for another {0} s after a failure"),
    }[found.standing].format(found.seconds)


def _not_set_up(missing: tuple[str, ...]) -> str:
    if len(missing) == 1 and ADDRESS in missing:
        return translate("Judge", "Not set up: the address is missing")
    if len(missing) == 1 and MODEL in missing:
        return translate("Judge", "Not set up: the model is missing")
    return translate("Judge", "Not set up: address and model are missing")


def mark(found: JudgeState) -> tuple[str, str]:
    """The icon and the tone that stand before that sentence."""
    if found.standing is Standing.READY:
        return "circle-check", "ok"
    if found.standing in (Standing.LOCKED, Standing.UNUSABLE):
        return "circle-alert", "warn"
    return "circle", "faint"


def leaving(address: str) -> str:
    """A warning where texts would leave this machine; empty where they stay."""
    found = Address.found(address)
    if found is None or found.stays_here:
        return ""
    if found.secure:
        return translate("Judge", "This is another machine: the texts named below leave yours.")
    return translate(
        "Judge",
        "This is another machine: the texts named below, and the key, leave yours, and they are "
        "not encrypted on the way.",
    )


def sent(settings: JudgeSettings) -> list[str]:
    """Exactly what is sent, and when, one sentence each."""
    return [
        translate(
            "Judge",
            "When an agent remembers something by memo: the new memory beside each of up to {0} "
            "that resemble it.",
        ).format(SIMILAR),
        translate(
            "Judge",
            "When an agent checks memories by memo: up to {0} pairs of them, each pair both ways "
            "round.",
        ).format(PAIRS),
        translate(
            "Judge",
            "Of each memory its title or the beginning of its text, at most {0} characters, "
            "secrets masked. Nothing else of it: no dates, no ids, no entity, no tags.",
        ).format(int(settings.bounds.zeichen)),
        translate(
            "Judge",
            "With it the name of the model and the key. Before the first question the server is "
            "asked for its models.",
        ),
        translate("Judge", "A trial sends two sentences of ours and none of yours."),
    ]


def trial(found: Trial) -> tuple[str, str]:
    """The tone and the sentence for what came of a trial."""
    if found.failure is not None:
        return "bad", _failures()[found.failure].format(found.status)
    if found.word is None:
        return "warning", translate(
            "Judge",
            "It answered, but not with one of the three words it was given. A model that thinks "
            "aloud first cannot be used.",
        )
    sentence = translate("Judge", "It answered. Of two sentences of ours it says: {0}.")
    return "ok", sentence.format(_word(found.word))


def _word(word: Word) -> str:
    return {
        Word.CONTRADICTION: translate("Judge", "contradiction"),
        Word.PROGRESS: translate("Judge", "progress"),
        Word.INDEPENDENT: translate("Judge", "independent"),
    }[word]


def _failures() -> dict[Failure, str]:
    return {
        Failure.REFUSED: translate(
            "Judge", "Nobody listens at this address. Is the server running?"
        ),
        Failure.UNREACHABLE: translate(
            "Judge", "The server could not be reached, or it hung up. Check the address."
        ),
        Failure.LATE: translate("Judge", "The server took too long to answer."),
        Failure.STATUS: translate(
            "Judge", "The server refused with status {0}. Check the address, the model and the key."
        ),
        Failure.REDIRECT: translate(
            "Judge", "The server points elsewhere (status {0}). Give the address it points to."
        ),
        Failure.TOO_LONG: translate("Judge", "The server's answer was too long to be read."),
        Failure.UNREADABLE: translate(
            "Judge", "What answered does not speak the OpenAI protocol. Check the address."
        ),
        Failure.UNKNOWN_MODEL: translate(
            "Judge", "The server does not list this model. Check its name."
        ),
    }
