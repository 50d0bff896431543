"""What the person is asked before all memories of an entity apply to others too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from remembrancer.agents.dialect import Question
from remembrancer.agents.dialects.budget import compact
from remembrancer.core.entity import Scope
from remembrancer.core.errors import RemembrancerError

TOOL = "memory_set_scope"
_NAMED = 12


def sharing(tool: str, arguments: dict[str, Any], error: RemembrancerError) -> Question | None:
    """The question whose answer a refused call lacks; None when it failed for another reason."""
    if tool != TOOL or error.code != "confirm":
        return None
    name = _shown(arguments["entityName"])
    if arguments["scope"] == Scope.SHARED:
        whom = "every entity"
    else:
        whom = _members(sorted(set(arguments["members"])))
    message = (
        f"Share all memories of {name} with {whom}? They then apply there too: those of today and "
        "all that will come."
    )
    return Question(message, {**arguments, "confirmSharing": True})


def _members(names: Sequence[str]) -> str:
    if not names:
        return "the members of a group that has none yet"
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(_shown(name) for name in names[:_NAMED]) + more


def _shown(name: str) -> str:
    """A name in quotes, which cannot look like a part of the question."""
    return compact(
        "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    )
