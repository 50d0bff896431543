"""The one vocabulary of kinds, and how each dialect speaks of it."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What sort of statement a memory is."""

    FACT = "fact"
    CONSTRAINT = "constraint"
    LESSON = "lesson"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    PROFILE = "profile"
    PRACTICE = "practice"
    WORK = "work"
    REFERENCE = "reference"
    INTERFACE = "interface"
    PITFALL = "pitfall"
    DECISION = "decision"
    MEASUREMENT = "measurement"
    CHRONICLE = "chronicle"
    AGENT = "agent"
    UNSORTED = "unsorted"


NATIVE, MEMCORE, MEMO_DE, MEMO_EN, BRAIN = "native", "memcore", "memo-de", "memo-en", "brain"
VOCABULARIES = (NATIVE, MEMCORE, MEMO_DE, MEMO_EN, BRAIN)

# One row a kind, one column a vocabulary. A dialect's own words each stand in a row of their own
# kind; elsewhere the nearest word stands. A word that makes a memory mandatory ("constraint") is
# never borrowed, since showing must not change what a reader would do.
_TABLE: dict[Kind, tuple[str, str, str, str, str]] = {
    Kind.FACT: ("fact", "reference", "gemischt", "unsorted", "arbeit"),
    Kind.CONSTRAINT: ("constraint", "feedback", "entscheidung", "decision", "entscheidung"),
    Kind.LESSON: ("lesson", "feedback", "fallstrick", "pitfall", "erfahrung"),
    Kind.PREFERENCE: ("preference", "user", "arbeitsweise", "workflow", "erfahrung"),
    Kind.PROCEDURE: ("procedure", "feedback", "arbeitsweise", "workflow", "erfahrung"),
    Kind.PROFILE: ("preference", "user", "gemischt", "unsorted", "erfahrung"),
    Kind.PRACTICE: ("procedure", "feedback", "arbeitsweise", "workflow", "erfahrung"),
    Kind.WORK: ("fact", "project", "verlauf", "history", "arbeit"),
    Kind.REFERENCE: ("fact", "reference", "schnittstelle", "interface", "arbeit"),
    Kind.INTERFACE: ("fact", "reference", "schnittstelle", "interface", "arbeit"),
    Kind.PITFALL: ("lesson", "feedback", "fallstrick", "pitfall", "erfahrung"),
    Kind.DECISION: ("fact", "project", "entscheidung", "decision", "entscheidung"),
    Kind.MEASUREMENT: ("fact", "reference", "messwert", "measurement", "arbeit"),
    Kind.CHRONICLE: ("fact", "project", "verlauf", "history", "arbeit"),
    Kind.AGENT: ("fact", "reference", "gemischt", "unsorted", "agent"),
    Kind.UNSORTED: ("fact", "reference", "gemischt", "unsorted", "arbeit"),
}

_OWN: dict[str, dict[str, Kind]] = {
    NATIVE: {k.value: k for k in list(Kind)[:5]},
    MEMCORE: {
        "user": Kind.PROFILE,
        "feedback": Kind.PRACTICE,
        "project": Kind.WORK,
        "reference": Kind.REFERENCE,
    },
    MEMO_DE: {
        "schnittstelle": Kind.INTERFACE,
        "fallstrick": Kind.PITFALL,
        "entscheidung": Kind.DECISION,
        "messwert": Kind.MEASUREMENT,
        "arbeitsweise": Kind.PRACTICE,
        "verlauf": Kind.CHRONICLE,
        "gemischt": Kind.UNSORTED,
    },
    MEMO_EN: {
        "interface": Kind.INTERFACE,
        "pitfall": Kind.PITFALL,
        "decision": Kind.DECISION,
        "measurement": Kind.MEASUREMENT,
        "workflow": Kind.PRACTICE,
        "history": Kind.CHRONICLE,
        "unsorted": Kind.UNSORTED,
    },
    BRAIN: {
        "arbeit": Kind.WORK,
        "entscheidung": Kind.DECISION,
        "erfahrung": Kind.LESSON,
        "agent": Kind.AGENT,
    },
}


def words(vocabulary: str) -> tuple[str, ...]:
    """The words of one vocabulary, in its own order."""
    return tuple(_OWN[vocabulary])


def word(kind: Kind, vocabulary: str) -> str:
    """How `vocabulary` shows `kind`: its own word, or the nearest one."""
    return _TABLE[kind][VOCABULARIES.index(vocabulary)]


def kind(word: str, vocabulary: str) -> Kind:
    """The kind that a vocabulary's own word stands for; KeyError for a word it does not have."""
    return _OWN[vocabulary][word]


def shown_as(word: str, vocabulary: str) -> frozenset[Kind]:
    """Every kind that `vocabulary` shows by `word`: what a filter by that word must find."""
    column = VOCABULARIES.index(vocabulary)
    return frozenset(k for k, row in _TABLE.items() if row[column] == word)
