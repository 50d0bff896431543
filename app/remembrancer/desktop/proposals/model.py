"""The proposals of the list: cards that come and go while the others stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.core.clock import Clock
from remembrancer.core.hidden import FlagKind
from remembrancer.core.journal import Subject
from remembrancer.desktop import words as times
from remembrancer.desktop.look.cards import CARD_ROLE, CardFace
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.proposals import words
from remembrancer.desktop.proposals.reading import Entry

_Index = QModelIndex | QPersistentModelIndex


def face(entry: Entry, now: int) -> CardFace:
    """A proposal as a card."""
    proposal, subject = entry.proposal, entry.proposal.subject
    icon, tone = words.look(subject)
    reason = words.would(proposal)
    if proposal.decided_at is not None:
        reason, tone, icon = words.state(proposal)
    memory = subject.subject is Subject.MEMORY
    kind = str(subject.after.get("kind") or "") if memory else str(subject.subject)
    about = str(subject.after.get("entity") or "") if memory else ""
    return CardFace(
        kind=kind,
        title=proposal.label(),
        reason=reason,
        reason_tone=tone,
        reason_icon=icon,
        agent=proposal.author,
        age=times.age(proposal.decided_at or proposal.created_at, now),
        badges=(*_badges(entry), *([about] if about else [])),
        kind_text=kind if memory else translate("Proposals", kind),
    )


def _badges(entry: Entry) -> tuple[str, ...]:
    said = (
        (entry.stale, translate("Proposals", "changed since")),
        (FlagKind.HIDDEN in entry.flagged, translate("Flags", "hidden")),
        (FlagKind.ORDER in entry.flagged, translate("Flags", "order")),
    )
    return tuple(text for there, text in said if there)


class ProposalModel(QAbstractTableModel):
    """One column of cards."""

    def __init__(self, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._entries: list[Entry] = []

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these: what is no longer among them goes, what is new comes in at its place."""
        wanted = {e.proposal.id: e for e in entries}
        for row in reversed(range(len(self._entries))):
            if self._entries[row].proposal.id not in wanted:
                self.remove(row)
        kept = [e.proposal.id for e in self._entries]
        present = set(kept)
        if kept != [i for i in wanted if i in present]:
            self.beginResetModel()
            self._entries = list(entries)
            self.endResetModel()
            return
        self._let_in(entries, present)

    def remove(self, row: int) -> None:
        """Take one card out of the list."""
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._entries[row]
        self.endRemoveRows()

    def entry(self, row: int) -> Entry | None:
        """What stands at a row."""
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def row_of(self, proposal_id: int) -> int:
        """Where a proposal stands; -1 when it is not shown."""
        return next((n for n, e in enumerate(self._entries) if e.proposal.id == proposal_id), -1)

    def a_revision(self) -> int:
        """The first row of which a text would change; -1 when there is none."""
        subjects = (e.proposal.subject for e in self._entries)
        revised = (n for n, c in enumerate(subjects) if c.base and "content" in c.fields())
        return next(revised, -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        maker = _ROLES.get(role)
        return maker(face(self._entries[index.row()], self._clock())) if maker else None

    def _let_in(self, entries: Sequence[Entry], present: set[int]) -> None:
        for row, entry in enumerate(entries):
            if entry.proposal.id not in present:
                self.beginInsertRows(QModelIndex(), row, row)
                self._entries.insert(row, entry)
                self.endInsertRows()
            elif self._entries[row] != entry:
                self._entries[row] = entry
                self.dataChanged.emit(self.index(row, 0), self.index(row, 0))


_ROLES: dict[int, Callable[[CardFace], Any]] = {
    Qt.ItemDataRole.DisplayRole: lambda card: card.title,
    Qt.ItemDataRole.AccessibleTextRole: lambda card: card.spoken(),
    CARD_ROLE: lambda card: card,
}
