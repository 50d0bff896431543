"""The vocabularies agents may speak, one file each, and the table that names them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from remembrancer.agents.dialect import Dialect
    from remembrancer.service.library import Library


def _made_by(module: str, name: str) -> Callable[[Library], Dialect]:
    """What makes a dialect; its module, which loads mcp, is imported at the first use."""

    def make(library: Library) -> Dialect:
        made = getattr(import_module(f"{__name__}.{module}"), name)
        return cast("Callable[[Library], Dialect]", made)(library)

    return make


# A dialect's name -> what makes it over a library.
DIALECTS: dict[str, Callable[[Library], Dialect]] = {
    "native": _made_by("native", "Native"),
    "memcore": _made_by("memcore", "Memcore"),
    "knowledge_graph": _made_by("knowledge_graph", "KnowledgeGraph"),
    "memo": _made_by("memo", "Memo"),
    "brain": _made_by("brain", "Brain"),
}
