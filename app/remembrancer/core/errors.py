"""Every failure that is expected, as a sentence a person or a model can act on.

RemembrancerError
├── BadValue        what was given cannot be a value of ours
├── NotFound        what was named is not there
├── Conflict        it changed since it was seen, or collides with something else
├── Refused         a rule or the author's policy says no
├── Waiting         it waits for the person, and nothing has changed yet
├── BadFile         a file that cannot be read as what it should be
└── StoreProblem    the store cannot do it now
    ├── StoreBusy       another process holds the lock
    ├── StoreFull       the disk or quota is full
    ├── StoreReadOnly   the file or folder may not be written
    ├── StoreDamaged    the file is not sound
    ├── StoreTooNew     written by a newer version of this program
    └── NotAStore       some other file stands at that path
"""

from __future__ import annotations


class RemembrancerError(Exception):
    """An expected failure: `str()` is the sentence, `code` names the case for rewording."""

    def __init__(self, sentence: str, code: str = "", **facts: object) -> None:
        super().__init__(sentence)
        self.code = code
        self.facts = facts


class BadValue(RemembrancerError):
    """What was given cannot be a value of ours."""


class NotFound(RemembrancerError):
    """What was named is not there."""


class Conflict(RemembrancerError):
    """It changed since it was seen, or collides with something else."""


class Refused(RemembrancerError):
    """A rule or the author's policy says no."""


class Waiting(RemembrancerError):
    """It waits for the person, and nothing has changed yet; `facts` name the `proposal`."""


class BadFile(RemembrancerError):
    """A file that cannot be read as what it should be."""


class StoreProblem(RemembrancerError):
    """The store cannot do it now."""


class StoreBusy(StoreProblem):
    """Another process holds the lock; trying again may succeed."""


class StoreFull(StoreProblem):
    """The disk or quota is full."""


class StoreReadOnly(StoreProblem):
    """The file or its folder may not be written."""


class StoreDamaged(StoreProblem):
    """The file is not sound."""


class StoreTooNew(StoreProblem):
    """The file was written by a newer version of this program."""


class NotAStore(StoreProblem):
    """Some other file stands at that path."""
