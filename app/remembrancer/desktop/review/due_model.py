"""The cards of what is due: why, and when it was written, verified and recalled."""

from __future__ import annotations

from array import array
from dataclasses import replace

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason
from remembrancer.desktop.look.cards import CardFace
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.review import why


class DueModel(MemoryModel):
    """Adds the three dates to the cards; how often a page of rows was served is read with it."""

    _served: dict[int, tuple[int, int] | None]

    def show(self, ids: array[int]) -> None:
        self._served = {}
        super().show(ids)

    def card(self, memory: Memory) -> CardFace:
        face = super().card(memory)
        now = self._library.clock()
        reasons = self._library.review.reasons(memory)
        other = memory.verified_by not in (None, PERSON.name)
        if reasons:
            face = replace(face, reason=why.short(reasons[0]))
        elif other:
            said = why.only_agent(memory)
            face = replace(face, reason=said, reason_tone="warn", reason_icon="bot")
        told = reasons[:1] != (Reason.NOT_VERIFIED,)
        dates = why.dates(memory, self._served.get(memory.id), now, verified=told)
        return replace(face, reason=f"{face.reason} · {dates}")

    def _page(self, number: int) -> list[Memory | None]:
        rows = super()._page(number)
        fresh = [m.id for m in rows if m is not None and m.id not in self._served]
        if fresh:
            found = self._library.review.served(fresh)
            self._served.update((i, found.get(i)) for i in fresh)
        return rows
