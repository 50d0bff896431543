"""The notation of the demonstration: scenes that begin with `@`, a time, who, and what happens.

    @ DAYS AUTHOR remember ENTITY KIND [as:LABEL] [key:K] [conf:0.8] [ok:DAYS] [tags:a,b] ...
    the text of the memory

`DAYS` counts back from the present. `ok` says when the person found a memory still true.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_OPTIONS = frozenset(
    {"as", "key", "title", "conf", "ok", "tags", "source", "review", "expires", "why", "reason"}
    | {"days"}
)


@dataclass(frozen=True)
class Scene:
    """One thing that somebody did `days` before the present; `lines` belong to it."""

    days: float
    author: str
    verb: str
    words: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict[str, str])
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What was said."""
        return "\n".join(self.lines)

    @property
    def label(self) -> str:
        """By what later scenes call the memory that this one makes."""
        return self.options.get("as") or f"{' '.join(self.words)}/{self.text}"

    def later_checks(self) -> Iterator[Scene]:
        """The verification that `ok` asks for."""
        if "ok" in self.options:
            yield Scene(float(self.options["ok"]), "you", "verify", (self.label,))


def scenes(part: str) -> list[Scene]:
    """The scenes of one part of the story, in its order; the parts lie beside this file."""
    script = Path(__file__).with_name(f"{part}.txt").read_text(encoding="utf-8")
    return [_scene(part) for part in f"\n{script.strip()}".split("\n@ ")[1:]]


def _scene(part: str) -> Scene:
    head, *lines = part.rstrip().split("\n")
    days, author, verb, *rest = shlex.split(head)
    words: list[str] = []
    options: dict[str, str] = {}
    for token in rest:
        name, colon, value = token.partition(":")
        if colon and name in _OPTIONS:
            options[name] = value
        elif token == "pinned":
            options["pinned"] = "yes"
        else:
            words.append(token)
    return Scene(float(days), author, verb, tuple(words), options, tuple(lines))
