"""The page for a new entity, or for a ghost that is to be created."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.core.entity import Entity
from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.entities.deeds import EntityDeeds
from remembrancer.desktop.entities.form import EntityForm
from remembrancer.desktop.look.labels import Banner, Card, Label, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench


class NewEntityPage(Card):
    """Asks for name and type. `created` tells the id of the new entity."""

    created = Signal(int)
    cancelled = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._deeds = EntityDeeds(bench, self)
        self.form = EntityForm(translate("Entities", "Create"))
        self.form.setMaximumWidth(560)
        self.trouble = Banner()
        sentence = translate(
            "Entities",
            "An entity is what memories are about: a device, a project, a person. Its name is "
            "unique, and agents find it by exactly this name.",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 16)
        column.setSpacing(14)
        column.addWidget(Label(translate("Entities", "New entity"), "title"))
        column.addWidget(Label(sentence, "muted", wrap=True))
        column.addWidget(self.trouble)
        column.addWidget(self.form)
        column.addStretch(1)
        self.form.saved.connect(self._create)
        self.form.cancelled.connect(self.cancelled)

    def start(self, name: str, types: list[str]) -> None:
        """Begin anew, with the name of a ghost where there is one."""
        self.trouble.hide()
        self.form.start(name, "", types)

    def _create(self, name: str, type_: str) -> None:
        self._deeds.create(name, type_, self._done, self._failed)

    def _done(self, entity: Entity) -> None:
        self.created.emit(entity.id)

    def _failed(self, error: RemembrancerError) -> None:
        self.trouble.show_message(Message("bad", str(error)))
