"""What a person should know about where and how the store rests, although it works."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence worth following; `code` and `facts` let the window word it anew."""

    code: str
    sentence: str
    facts: dict[str, str] = field(default_factory=dict[str, str])
