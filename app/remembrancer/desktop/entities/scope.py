"""The scope of an entity: to whom its memories apply, and the sentence that sharing needs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from remembrancer.core.entity import Scope, ScopeRecord
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.deeds import EntityDeeds
from remembrancer.desktop.entities.name_edit import NameEdit
from remembrancer.desktop.look import paint
from remembrancer.desktop.look.buttons import IconButton, KeyButton, SegmentedControl
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.labels import Banner, Label, Message
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.workbench import Workbench

_APPLY, _CANCEL, _REFRESH = "apply", "cancel", "refresh"


class ScopeView(QWidget):
    """Shows a scope and drafts another one; nothing happens before the person agrees.

    What others change meanwhile does not reach a draft: agreeing to it then is a conflict, which
    is told, with a way to see the present state. `changed_elsewhere` asks for that state.
    """

    changed_elsewhere = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._deeds = EntityDeeds(bench, self)
        self._record = ScopeRecord("", Scope.DEVICE, 0, ())
        self._members: list[str] = []
        self._memories = 0
        self.choice = SegmentedControl(
            (
                (Scope.DEVICE, translate("Entities", "Only itself")),
                (Scope.GROUP, translate("Entities", "A group")),
                (Scope.SHARED, translate("Entities", "Everybody")),
            ),
            translate("Entities", "Scope"),
        )
        self.banner = Banner()
        self.member = NameEdit(
            bench,
            translate("Entities", "Name of a member"),
            translate("Entities", "Add a member by name"),
        )
        self.add = KeyButton("plus", translate("Entities", "Add"), "↵")
        self._explained = Label(role="muted", wrap=True)
        self._group = QWidget()
        self._count = Label(role="caption")
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips, 8)
        self._build()
        self._connect()

    # --- what the detail asks

    @property
    def drafting(self) -> bool:
        """Whether the person has chosen something that is not so yet."""
        return (self.scope, self._members) != (self._record.scope, list(self._record.members))

    @property
    def scope(self) -> Scope:
        """The scope that is chosen, true or not yet."""
        return Scope(self.choice.current())

    def members(self) -> list[str]:
        """The members that are listed, true or not yet."""
        return list(self._members)

    def show_scope(self, record: ScopeRecord, memories: int, *, anew: bool = False) -> None:
        """Show a scope; a draft for the same entity stays, unless it is to begin `anew`."""
        same = record.entity == self._record.entity
        self._memories = memories
        if same and not anew and (self.drafting or record == self._record):
            return
        self._record = record
        self._discard()
        self.member.clear()

    def focus_choice(self) -> None:
        """Put the keyboard on the scope that holds."""
        for segment in self.choice.findChildren(QAbstractButton):
            if segment.isChecked():
                segment.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- inside

    def _build(self) -> None:
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._chips.setSizePolicy(policy)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.member, 1)
        line.addWidget(self.add)
        group = QVBoxLayout(self._group)
        group.setContentsMargins(0, 4, 0, 0)
        group.setSpacing(10)
        group.addWidget(self._count)
        group.addWidget(self._chips)
        group.addLayout(line)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 14, 12, 0)
        column.setSpacing(12)
        column.addWidget(Label(translate("Entities", "Its memories apply to"), "heading"))
        column.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._explained)
        column.addWidget(self.banner)
        column.addWidget(self._group)
        column.addStretch(1)

    def _connect(self) -> None:
        self.choice.chosen.connect(lambda _key: self._drafted())
        self.member.returnPressed.connect(self._add)
        self.member.textChanged.connect(lambda text: self.add.setEnabled(bool(text.strip())))
        self.add.setEnabled(False)
        self.add.clicked.connect(self._add)
        self.banner.pressed.connect(self._answered)
        self.banner.dismissed.connect(self._discard)

    def _add(self) -> None:
        name = self.member.text()
        if not name.strip():
            return
        self.member.clear()
        if name not in self._members:
            self._members = sorted([*self._members, name])
            self._drafted()

    def _remove(self, name: str) -> None:
        self._members = [m for m in self._members if m != name]
        self.member.setFocus(Qt.FocusReason.OtherFocusReason)
        self._drafted()

    def _discard(self) -> None:
        self.choice.choose(self._record.scope)
        self._members = list(self._record.members)
        self._drafted()

    def _drafted(self) -> None:
        """Show the draft, with the sentence to agree to where it says something new."""
        scope = self.scope
        self._group.setVisible(scope is Scope.GROUP)
        self._explained.setText(_EXPLAINED[scope]())
        self._fill_members()
        if scope is not Scope.GROUP and self._record.scope is scope:
            self._members = list(self._record.members)
        if not self.drafting:
            self.banner.hide()
            return
        sentence = words.sharing(self._record.entity, self._memories, scope, self._members)
        yes = (
            translate("Entities", "Share")
            if scope is not Scope.DEVICE
            else translate("Entities", "Keep to itself")
        )
        cancel = translate("Entities", "Cancel")
        tone = "info" if scope is Scope.DEVICE else "warning"
        buttons = ((_APPLY, yes), (_CANCEL, cancel))
        self.banner.show_message(Message(tone, sentence, buttons=buttons, dismissible=False))

    def _fill_members(self) -> None:
        while item := self._flow.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for name in self._members:
            self._flow.addWidget(self._member(name))
        self._chips.setVisible(bool(self._members))
        self._chips.updateGeometry()
        text = translate("Entities", "MEMBERS  {0}").format(number(len(self._members)))
        self._count.setText(text)

    def _member(self, name: str) -> QWidget:
        chip = _Member(name)
        chip.remove.clicked.connect(lambda: self._remove(name))
        return chip

    def _answered(self, key: str) -> None:
        if key == _CANCEL:
            self._discard()
        elif key == _REFRESH:
            self.changed_elsewhere.emit()
        else:
            self._deeds.set_scope(self._record, self.scope, self._members, self._done, self._failed)

    def _done(self, record: ScopeRecord) -> None:
        if record.entity == self._record.entity:
            self.show_scope(record, self._memories, anew=True)

    def _failed(self, error: RemembrancerError) -> None:
        cancel = (_CANCEL, translate("Entities", "Cancel"))
        refresh = (_REFRESH, translate("Entities", "Show what it is now"))
        buttons = (refresh,) if isinstance(error, Conflict) else (cancel,)
        self.banner.show_message(Message("bad", str(error), buttons=buttons, dismissible=False))


class _Member(QFrame):
    """A member of a group, with a cross that takes it out."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        remove = translate("Entities", "Take {0} out of the group").format(words.quoted(name))
        self.remove = IconButton("x", remove, flat=True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 1, 1, 1)
        row.setSpacing(0)
        row.addWidget(Label(one_line(name, 60)))
        row.addWidget(self.remove)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 8, fill="btn", line="line")
        painter.end()


_EXPLAINED = {
    Scope.DEVICE: lambda: translate(
        "Entities", "They apply to this entity alone. That is so until you say otherwise."
    ),
    Scope.GROUP: lambda: translate(
        "Entities", "They apply to this entity and to the members listed here."
    ),
    Scope.SHARED: lambda: translate(
        "Entities", "They apply to every entity; agents are given them everywhere."
    ),
}
