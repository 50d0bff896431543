"""Memo in either language behind its English names: what memo's tests say over and over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents.dialects.speaking import Speaker, limited, text_of
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialects.memo import Memo
from remembrancer.agents.dialects.memo_tools import ENGLISH, PARAMETERS
from remembrancer.core import kinds
from remembrancer.service.library import Library

LANGUAGES = ("de", "en")
OWN = "pi"
_TOOLS = {english: german for german, english in ENGLISH.items()}
_NAMES = {english: german for german, english in PARAMETERS.items()}


@dataclass(frozen=True)
class Notes:
    """One caller of memo, who says everything in English and is answered in its language."""

    speaker: Speaker
    language: str

    @property
    def german(self) -> bool:
        return self.language == "de"

    def as_(self, **policy: Any) -> Notes:
        """The same dialect for a caller under a policy."""
        caller = limited(language=self.language, **policy)
        return replace(self, speaker=self.speaker.as_(caller))

    def session(self, name: str) -> Notes:
        """The same caller in another session."""
        caller = self.speaker.caller
        other = Caller(caller.author, name, caller.answer_budget, caller.language)
        return replace(self, speaker=self.speaker.as_(other))

    def say(self, german: str, english: str) -> str:
        """The one of two texts that this caller is told."""
        return german if self.german else english

    def kind(self, word: str) -> str:
        """The word for a kind, given in English."""
        known = kinds.words(kinds.MEMO_EN)
        return kinds.words(self.vocabulary)[known.index(word)]

    @property
    def vocabulary(self) -> str:
        return kinds.MEMO_DE if self.german else kinds.MEMO_EN

    def __call__(self, tool: str, **arguments: Any) -> str:
        """The text of an answer that is no error."""
        return self.speaker.text(*self._own(tool), **self._given(arguments))

    def facts(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of an answer that is no error."""
        result = self.speaker.result(*self._own(tool), self._given(arguments))
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        return result.structured_content

    def refused(self, tool: str, **arguments: Any) -> str:
        """The sentence of an answer that is an error."""
        result = self.speaker.result(*self._own(tool), self._given(arguments))
        assert result.is_error, text_of(result)
        prefix = self.say("Fehler: ", "Error: ")
        assert text_of(result).startswith(prefix)
        return text_of(result).removeprefix(prefix)

    def keep(self, text: str, tags: str = "", **more: Any) -> int:
        """Remember a text and return its id."""
        return self.facts("remember", text=text, tags=tags, **more)["id"]

    def _own(self, tool: str) -> tuple[str]:
        return (_TOOLS[tool] if self.german else tool,)

    def _given(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {_NAMES[n] if self.german else n: value for n, value in arguments.items()}


def notes(library: Library, language: str) -> Notes:
    """A caller of memo that may write."""
    return Notes(Speaker(Memo(library, OWN), limited(language=language)), language)


def lines(text: str) -> list[str]:
    """The lines of an answer."""
    return text.splitlines()
