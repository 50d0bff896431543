"""The facts about a memory beside its text, as a table of two columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QScrollArea, QWidget

from remembrancer.core.display import longest_run
from remembrancer.core.memory import Memory, Status
from remembrancer.desktop import words
from remembrancer.desktop.look.labels import LONGEST_RUN, Label
from remembrancer.desktop.look.plain import translate

_MOST = 1_000  # characters of one value


class Facts(QScrollArea):
    """Every field of a memory in words; what changed in a comparison can stand there as well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(translate("Facts", "Details"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Show names and values."""
        inner = QWidget()
        form = QFormLayout(inner)
        form.setContentsMargins(2, 8, 12, 8)
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(9)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for name, value in pairs:
            shown = value if len(value) <= _MOST else f"{value[:_MOST]}…"
            said = Label(shown, wrap=True)
            if longest_run(shown) <= LONGEST_RUN:  # others are painted, and cannot be chosen
                said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            said.setAccessibleName(f"{name}: {shown}")
            form.addRow(Label(name, "muted"), said)
        self.setWidget(inner)


def facts(
    memory: Memory, now: int, receipts: Sequence[tuple[str, int, int, int]]
) -> list[tuple[str, str]]:
    """The fields of a memory in words, and to whom it was served."""
    when = words.full_moment
    never = translate("Facts", "never")
    by = f" · {memory.verified_by}" if memory.verified_by else ""
    verified = never if memory.verified_at is None else when(memory.verified_at) + by
    expires = never if memory.expires_at is None else when(memory.expires_at)
    pairs = [
        (translate("Facts", "Entity"), memory.entity or translate("Facts", "unfiled")),
        (translate("Facts", "Scope"), memory.scope),
        (translate("Facts", "Key"), memory.key or "—"),
        (translate("Facts", "Source"), memory.source or "—"),
        (translate("Facts", "Confidence"), f"{memory.confidence:.0%}"),
        (translate("Facts", "Tags"), ", ".join(memory.tags) or "—"),
        (translate("Facts", "Written"), f"{when(memory.created_at)}"),
        (translate("Facts", "Last changed"), f"{when(memory.updated_at)} · {memory.author}"),
        (translate("Facts", "Last verified"), verified),
        (translate("Facts", "Last recalled"), _recalled(receipts)),
        (translate("Facts", "Review every"), _days(memory)),
        (translate("Facts", "Expires"), expires),
        (translate("Facts", "Served to agents"), _served(receipts, now)),
    ]
    if memory.postponed_until is not None and memory.postponed_until > now:
        pairs.append((translate("Facts", "Put off until"), when(memory.postponed_until)))
    if memory.status is not Status.ACTIVE:
        pairs.insert(0, (translate("Facts", "Standing"), _standing(memory)))
    return pairs


def _days(memory: Memory) -> str:
    if memory.review_days is None:
        return translate("Facts", "as in Settings")
    return translate("Facts", "{0} days").format(memory.review_days)


def _recalled(receipts: Sequence[tuple[str, int, int, int]]) -> str:
    if not receipts:
        return translate("Facts", "never")
    return words.full_moment(max(last for *_, last in receipts))


def _served(receipts: Sequence[tuple[str, int, int, int]], now: int) -> str:
    if not receipts:
        return translate("Facts", "never")
    return ", ".join(
        f"{agent} {served}× ({words.age(last, now)})" for agent, served, _, last in receipts[:5]
    )


def _standing(memory: Memory) -> str:
    if memory.status is Status.DELETED:
        return translate("Facts", "deleted")
    why = f": {memory.archived_reason}" if memory.archived_reason else ""
    return translate("Facts", "archived by {0}{1}").format(memory.archived_by or "?", why)
