"""The rules of an agent's policy: which of its deeds pass, wait for the person, or are refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind

NONE = "[]"  # rules, as they are written


class Verdict(StrEnum):
    """What becomes of a deed."""

    PASS = "pass"
    HOLD = "hold"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an agent's policy; a `kind` or `scope` of None stands for every one.

    A rule with a kind speaks of memories alone.
    """

    verdict: Verdict
    kind: Kind | None = None
    scope: Scope | None = None


def written(rules: Iterable[Rule]) -> str:
    """Rules as JSON, as they are stored."""
    return json.dumps([[r.verdict, r.kind, r.scope] for r in rules])


def read(text: str) -> tuple[Rule, ...]:
    """The rules that `written` made this of; raises BadValue for anything else."""
    try:
        rows = cast("list[list[Any]]", json.loads(text))
        return tuple(
            Rule(Verdict(v), k and Kind(k), s and Scope(s))  # pyright: ignore[reportArgumentType]
            for v, k, s in rows
        )
    except (ValueError, TypeError) as error:
        raise BadValue("These are no rules of an agent's policy.", code="rules") from error
