"""The fields of a memory as a form: what is typed becomes a draft or an edit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QDateEdit,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QWidget,
)

from remembrancer.core.clock import SECOND
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.desktop.fields import NameModel, NumberBox
from remembrancer.desktop.look.chips import Choice
from remembrancer.desktop.look.exact_edit import ExactEdit
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate


class MemoryForm(QWidget):
    """Every field that a person may edit; `changed` after each change by hand."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make_fields()
        self._lay_out()
        self._filling = False
        self._listen()

    def fill(self, memory: Memory | Draft) -> None:
        """Show the fields of a memory or a draft."""
        self._filling = True
        self.title.setText(memory.title)
        self.content.show_text(memory.content)
        self.entity.setText(memory.entity or "")
        self.key.setText(memory.key or "")
        self.kind.choose(memory.kind)
        self.source.setText(memory.source)
        self.confidence.setValue(round(memory.confidence * 100))
        self.tags.setText(", ".join(memory.tags))
        self.pinned.setChecked(memory.pinned)
        self.expires.setChecked(memory.expires_at is not None)
        self.expiry.setEnabled(memory.expires_at is not None)
        self.expiry.setDate(_date(memory.expires_at))
        self.interval.setValue(memory.review_days or 0)
        self._before = self._fields()
        self._filling = False

    def rebase(self, memory: Memory, edit: Edit) -> None:
        """Stand on another revision of the memory, with `edit` typed over it."""
        self.fill(memory)
        stored = self._before
        self.fill(replace(memory, **edit))
        self._before = stored

    def offer_entities(self, names: list[str]) -> None:
        """Offer these names while an entity is typed."""
        self._names.setStringList(names)

    def edit(self) -> Edit:
        """Only what differs from what was filled in."""
        now = self._fields()
        changed = {k: v for k, v in now.items() if self._before.get(k) != v}
        return Edit(**changed)  # pyright: ignore[reportArgumentType]

    def draft(self) -> Draft:
        """Everything, as a new memory."""
        return Draft(**self._fields())  # pyright: ignore[reportArgumentType]

    def is_dirty(self) -> bool:
        """Whether something was changed by hand."""
        return bool(self.edit())

    def _fields(self) -> dict[str, object]:
        tags = (t.strip() for t in self.tags.text().split(","))
        return {
            "title": self.title.text(),
            "content": self.content.stored_text(),
            "entity": self.entity.text().strip() or None,
            "key": self.key.text().strip() or None,
            "kind": Kind(self.kind.current()),
            "source": self.source.text(),
            "confidence": round(self.confidence.value() / 100, 4),
            "tags": tuple(t for t in tags if t),
            "pinned": self.pinned.isChecked(),
            "expires_at": _moment(self.expiry.date()) if self.expires.isChecked() else None,
            "review_days": self.interval.value() or None,
        }

    def _make_fields(self) -> None:
        say = translate
        self.title = _line(say("Form", "Title"), say("Form", "Optional; else the first line"))
        self.content = ExactEdit()
        self.content.setAccessibleName(say("Form", "Content"))
        self.content.setPlaceholderText(say("Form", "What is to be remembered, in Markdown"))
        self.content.setTabChangesFocus(True)
        self.entity = _line(say("Form", "Entity"), say("Form", "What it is about; empty: unfiled"))
        self._names = NameModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.entity.setCompleter(completer)
        self.key = _line(say("Form", "Key"), say("Form", "Optional, like wan.provider"))
        self.kind = Choice([(k.value, k.value) for k in Kind], say("Form", "Kind"))
        self.source = _line(say("Form", "Source"), say("Form", "Where it is known from"))
        self.tags = _line(say("Form", "Tags"), say("Form", "Separated by commas"))
        self._make_numbers()

    def _make_numbers(self) -> None:
        say = translate
        self.confidence = NumberBox(0, 100, 50, say("Form", "Confidence in per cent"), step=5)
        self.confidence.setSuffix(" %")
        self.pinned = QCheckBox(say("Form", "Pinned: every applicable recall holds it"))
        self.expires = QCheckBox(say("Form", "Expires on"))
        self.expiry = QDateEdit()
        self.expiry.setCalendarPopup(True)
        self.expiry.setAccessibleName(say("Form", "Day of expiry"))
        self.expiry.setDisplayFormat("d MMM yyyy")
        self.interval = NumberBox(0, 3_650, 0, say("Form", "Review interval in days"))
        self.interval.setFixedWidth(160)
        self.interval.setSuffix(say("Form", " days"))
        self.interval.setSpecialValueText(say("Form", "as in Settings"))

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(9)
        when = QHBoxLayout()
        when.setSpacing(10)
        when.addWidget(self.expires)
        when.addWidget(self.expiry)
        when.addStretch(1)
        numbers = QHBoxLayout()
        numbers.setSpacing(12)
        numbers.addWidget(self.kind, 1)
        numbers.addWidget(Label(translate("Form", "Confidence"), "muted"))
        numbers.addWidget(self.confidence)
        rows = (
            (translate("Form", "Title"), self.title),
            (translate("Form", "Content"), self.content),
            (translate("Form", "Entity"), self.entity),
            (translate("Form", "Kind"), numbers),
            (translate("Form", "Key"), self.key),
            (translate("Form", "Source"), self.source),
            (translate("Form", "Tags"), self.tags),
            (translate("Form", "Review every"), self.interval),
            ("", when),
            ("", self.pinned),
        )
        for name, field in rows:
            form.addRow(Label(name, "muted"), field)

    def _listen(self) -> None:
        for line in (self.title, self.entity, self.key, self.source, self.tags):
            line.textChanged.connect(self._tell)
        self.content.textChanged.connect(self._tell)
        self.kind.currentIndexChanged.connect(self._tell)
        self.confidence.valueChanged.connect(self._tell)
        self.interval.valueChanged.connect(self._tell)
        self.pinned.toggled.connect(self._tell)
        self.expires.toggled.connect(self.expiry.setEnabled)
        self.expires.toggled.connect(self._tell)
        self.expiry.dateChanged.connect(self._tell)

    def _tell(self) -> None:
        if not self._filling:
            self.changed.emit()


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def _date(at: int | None) -> QDate:
    if at is None:
        return QDate.currentDate().addMonths(3)
    then = datetime.fromtimestamp(at / SECOND, UTC)
    return QDate(then.year, then.month, then.day)


def _moment(date: QDate) -> int:
    then = datetime(date.year(), date.month(), date.day(), tzinfo=UTC)
    return int(then.timestamp()) * SECOND
