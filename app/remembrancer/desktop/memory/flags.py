"""Badges of a memory that holds hidden characters or reads like an order to a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QWidget

from remembrancer.core.hidden import Flag, FlagKind, flags
from remembrancer.core.memory import Memory
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.badges import Badge
from remembrancer.desktop.look.plain import tooltip, translate

_KEPT = 512  # memories of which the flags are remembered while lists are painted
_NAMED = 12


@dataclass(frozen=True)
class _Seen:
    """The texts of a memory, known by their digest while lists are painted again and again."""

    digest: int
    texts: tuple[str, ...] = field(compare=False)


@lru_cache(maxsize=_KEPT)
def _flags(seen: _Seen) -> tuple[Flag, ...]:
    return tuple(flag for text in seen.texts for flag in flags(text))


def found(memory: Memory) -> tuple[Flag, ...]:
    """The flags of a memory's texts; the same texts are looked through once."""
    texts = (memory.title, memory.content, memory.key or "", memory.source, *memory.tags)
    return _flags(_Seen(hash(texts), texts))


def badges(memory: Memory) -> tuple[str, ...]:
    """The words of a memory's badges on a card, where there is little room."""
    kinds = {flag.kind for flag in found(memory)}
    short = {
        FlagKind.HIDDEN: translate("Flags", "hidden"),
        FlagKind.ORDER: translate("Flags", "order"),
    }
    return tuple(word for kind, word in short.items() if kind in kinds)


def names(memory: Memory, kind: FlagKind) -> str:
    """What was flagged: "ZWSP ×3, RLO", or the sorts of orders."""
    counted = Counter(flag.name for flag in found(memory) if flag.kind is kind)
    shown = [f"{name} ×{n}" if n > 1 else name for name, n in counted.most_common(_NAMED)]
    return ", ".join(shown) + (" …" if len(counted) > _NAMED else "")


def _word(kind: FlagKind) -> str:
    if kind is FlagKind.HIDDEN:
        return translate("Flags", "Hidden characters")
    return translate("Flags", "Reads like an order")


class FlagBadge(Badge):
    """One badge, on a ground of warning."""

    def colors(self) -> tuple[QColor, QColor]:
        worn = theme.current()
        return worn.color("warn"), worn.color("warnbg")


class FlagBadges(QWidget):
    """The badges of one memory; nothing where there is nothing to flag."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badges = {kind: FlagBadge() for kind in FlagKind}
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for badge in self.badges.values():
            line.addWidget(badge)
        self.hide()

    def show_memory(self, memory: Memory) -> None:
        """Show the badges of a memory; pointing at one tells what was found."""
        kinds = {flag.kind for flag in found(memory)}
        for kind, badge in self.badges.items():
            badge.setText(_word(kind))
            told = names(memory, kind) if kind in kinds else ""
            badge.setToolTip(tooltip(told))
            badge.setAccessibleDescription(told)
            badge.setVisible(kind in kinds)
        self.setVisible(bool(kinds))
