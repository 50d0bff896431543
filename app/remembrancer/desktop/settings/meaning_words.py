"""The sentences of the section on meaning: where it stands, and what the models are called."""

from __future__ import annotations

from collections.abc import Sequence

from remembrancer.core.models import BOTH, E5, USE
from remembrancer.desktop.look.plain import number, translate
from remembrancer.service.meaning import MeaningState, Standing

COMMAND = 'pip install "remembrancer[meaning]"'


def state(found: MeaningState) -> str:
    """Where it stands, in a sentence."""
    if found.standing is Standing.MAKING:
        return _making(found)
    if found.standing is Standing.READY:
        return _ready(found.done)
    return {
        Standing.OFF: translate("Meaning", "Off: memories are found by their words alone"),
        Standing.NOT_INSTALLED: translate("Meaning", "Switched on, but no model is installed"),
        Standing.LOADING: translate("Meaning", "The model is being loaded…"),
        Standing.FAILED: translate(
            "Meaning", "The model could not be used. Memories are still found by their words."
        ),
    }[found.standing]


def mark(found: MeaningState) -> tuple[str, str]:
    """The icon and the tone that stand before that sentence."""
    return {
        Standing.OFF: ("circle", "faint"),
        Standing.NOT_INSTALLED: ("circle-alert", "warn"),
        Standing.LOADING: ("circle-dot", "accent"),
        Standing.MAKING: ("circle-dot", "accent"),
        Standing.READY: ("circle-check", "ok"),
        Standing.FAILED: ("circle-alert", "bad"),
    }[found.standing]


def model(name: str) -> str:
    """What a model is called here; of one that is not known, its own name."""
    return {
        BOTH: translate("Meaning", "Both together, finds most"),
        E5: translate("Meaning", "E5 small, about 100 languages"),
        USE: translate("Meaning", "Universal Sentence Encoder, 16 languages"),
    }.get(name, name)


def installed(models: Sequence[str]) -> str:
    """Which model is installed; where there is a choice, what another choice means."""
    if len(models) == 1:
        return translate("Meaning", "Installed model: {0}").format(model(models[0]))
    return translate("Meaning", "The first is the best. Another one reads all memories anew.")


def _making(found: MeaningState) -> str:
    if found.total == 1:
        return translate("Meaning", "{0} of 1 memory read").format(found.done)
    words = translate("Meaning", "{0} of {1} memories read")
    return words.format(number(found.done), number(found.total))


def _ready(memories: int) -> str:
    if memories == 0:
        return translate("Meaning", "Ready: there is no memory yet")
    if memories == 1:
        return translate("Meaning", "Ready: 1 memory can be found by what it means")
    words = translate("Meaning", "Ready: {0} memories can be found by what they mean")
    return words.format(number(memories))
