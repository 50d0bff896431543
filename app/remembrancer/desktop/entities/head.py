"""The head of an entity: its name, what it is, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from remembrancer.core.entity import Scope
from remembrancer.desktop import words as times
from remembrancer.desktop.actions import Actions
from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.form import EntityForm
from remembrancer.desktop.entities.reading import Portrait
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.labels import Badge, Banner, ElidedLabel, Label, Message, Symbol
from remembrancer.desktop.look.plain import one_line, translate

_ALIKE = "alike"
# action, whether its button belongs to a ghost, whether it is the one that matters most
_BUTTONS = (
    ("entity.memory", False, True),
    ("entity.create", True, True),
    ("entity.edit", False, False),
    ("entity.graph", None, False),
    ("entity.delete", False, False),
)


class EntityHead(QWidget):
    """Badges, name, hints and buttons. `pressed` tells the action of a button,

    `alike` the id of a look-alike to go to.
    """

    pressed = Signal(str)
    alike = Signal(int)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._alike = 0
        self._ghost = Symbol("ghost", "muted", 22)
        self._name = ElidedLabel(role="title")
        self._type, self._scope = Badge(), Badge()
        self._facts = Label(role="small")
        self.form = EntityForm(translate("Entities", "Save"))
        self.hint = Banner()
        self.trouble = Banner()
        self.buttons = {i: self._button(actions, i, main) for i, _, main in _BUTTONS}
        self._build()
        self.hint.pressed.connect(lambda _key: self.alike.emit(self._alike))

    def show_portrait(self, portrait: Portrait) -> None:
        """Show what the entity is."""
        entity = portrait.entity
        self._name.setText(entity.name)
        self._ghost.setVisible(entity.ghost)
        self._type.setText(
            translate("Entities", "ghost") if entity.ghost else words.type_name(entity.type)
        )
        self._scope.setText(_scope_text(portrait))
        self._scope.setVisible(entity.scope is not Scope.DEVICE)
        created = translate("Entities", "since {0}").format(times.full_moment(entity.created_at))
        self._facts.setText(created)
        for id_, ghost, _ in _BUTTONS:
            self.buttons[id_].setVisible(ghost is None or ghost == entity.ghost)
        self._show_hint(portrait)

    def edit(self, portrait: Portrait, types: list[str]) -> None:
        """Let the person change name and type."""
        self._pages.setCurrentIndex(1)
        self._row.setVisible(False)
        self.form.start(portrait.entity.name, portrait.entity.type, types)

    def end_edit(self) -> None:
        """Show the name again."""
        self._pages.setCurrentIndex(0)
        self._row.setVisible(True)

    @property
    def editing(self) -> bool:
        """Whether the person changes name or type."""
        return self._pages.currentIndex() == 1

    def _build(self) -> None:
        facts = QHBoxLayout()
        facts.setSpacing(8)
        facts.addWidget(self._type)
        facts.addWidget(self._scope)
        facts.addStretch(1)
        facts.addWidget(self._facts)
        name = QWidget()
        line = QHBoxLayout(name)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        line.addWidget(self._ghost)
        line.addWidget(self._name, 1)
        self._pages = _CurrentOnly()
        self._pages.addWidget(name)
        self._pages.addWidget(self.form)
        self._row = QWidget()
        flow = FlowLayout(self._row, 8)
        for button in self.buttons.values():
            flow.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 0)
        column.setSpacing(10)
        column.addLayout(facts)
        column.addLayout(self._pages)
        column.addWidget(self.trouble)
        column.addWidget(self.hint)
        column.addWidget(self._row)

    def _button(self, actions: Actions, id_: str, main: bool) -> KeyButton:
        spec = actions.specs[id_]
        words_ = translate("Actions", spec.name)
        button = KeyButton(spec.icon, words_, actions.key(id_), primary=main)
        button.clicked.connect(lambda: self.pressed.emit(id_))
        return button

    def _show_hint(self, portrait: Portrait) -> None:
        if portrait.entity.ghost:
            sentence = translate(
                "Entities", "Relations mention this name, but nobody has created it."
            )
            self.hint.show_message(Message("info", sentence, dismissible=False, icon="ghost"))
        elif portrait.alike:
            self._alike = portrait.alike[0].id
            listed = ", ".join(words.quoted(e.name) for e in portrait.alike[:3])
            sentence = translate("Entities", "Another name looks the same: {0}").format(listed)
            look = (_ALIKE, translate("Entities", "Look at it"))
            self.hint.show_message(Message("warning", sentence, buttons=(look,), icon="copy"))
        else:
            self.hint.hide()


class _CurrentOnly(QStackedLayout):
    """Pages, as high as the one that is shown."""

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return shown.sizeHint() if shown else QSize()

    def minimumSize(self) -> QSize:
        shown = self.currentWidget()
        return shown.minimumSizeHint() if shown else QSize()


def _scope_text(portrait: Portrait) -> str:
    if portrait.entity.scope is Scope.SHARED:
        return translate("Entities", "shared with everybody")
    members = portrait.scope.members
    if len(members) == 1:
        return translate("Entities", "group with {0}").format(one_line(members[0], 30))
    return translate("Entities", "group of {0}").format(len(members))
