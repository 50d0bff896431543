"""What may be done with the memory that is chosen in the list: buttons, keys, and the question."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from remembrancer.core.memory import Memory, Status
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.memory.desk import Decision, MemoryDesk
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.backups_cleaning import Cleaned

_IN_BACKUPS = (
    "Backups and text exports that hold it keep it until they are thinned out. On your wish each "
    "backup is written anew without it, and the text exports are made anew. Files that you copied "
    "elsewhere are not touched."
)


class ChosenMemory:
    """Binds the deeds to the desk; `after` is told what became of the memory, `gone` its id."""

    def __init__(
        self,
        bench: Workbench,
        owner: QWidget,
        desk: MemoryDesk,
        after: Callable[[Memory], None],
        gone: Callable[[int], None],
    ) -> None:
        self._bench, self._owner, self._desk = bench, owner, desk
        self._after, self._gone = after, gone
        rows = (
            ("memory.edit", desk.edit),
            ("memory.verify", self.verify),
            ("memory.archive", self.archive),
            ("memory.revive", self.revive),
            ("memory.pin", self.pin),
            ("memory.delete", self.delete),
        )
        desk.add_buttons(owner, rows)
        desk.shown.connect(self._name_buttons)
        bench.actions.bind("memory.compare", owner, desk.detail.compare)
        bench.actions.bind("memory.purge", owner, self.purge)
        bench.actions.bind("memory.why", owner, self.why)
        spec = bench.actions.specs["memory.why"]
        self.ask_why = IconButton(spec.icon, spec.name, flat=True)
        self.ask_why.clicked.connect(self.why)
        desk.detail.corner.addWidget(self.ask_why)

    def verify(self) -> None:
        """Say that the chosen memory is still true."""
        self._decide(self._desk.decisions.verify, Status.ACTIVE)

    def archive(self) -> None:
        """Hide the chosen memory from every default view."""
        self._decide(self._desk.decisions.archive, Status.ACTIVE)

    def revive(self) -> None:
        """Bring an archived or deleted memory back."""
        self._decide(self._desk.decisions.revive, Status.ARCHIVED, Status.DELETED)

    def pin(self) -> None:
        """Pin the chosen memory, or let it loose."""
        self._decide(self._desk.decisions.pin, Status.ACTIVE)

    def delete(self) -> None:
        """Make a tombstone of the chosen memory; undo brings it back."""
        memory = self._desk.memory
        if memory is not None and memory.status is not Status.DELETED:
            self._desk.decide(self._desk.decisions.delete, lambda after: self._gone(after.id))

    def why(self) -> None:
        """Go to what becomes of the chosen memory when an agent asks."""
        memory = self._desk.memory
        if memory is not None and not self._desk.editing:
            self._bench.go("recall", explain=memory.id)

    def purge(self) -> None:
        """Ask, then forget the chosen memory for good."""
        memory = self._desk.memory
        if memory is None:
            return
        asked = "Forget m-{0} and its history for good? This cannot be undone."
        box = Question(
            translate("Memories", "Forget for good"),
            translate("Memories", asked).format(memory.id),
            self._owner,
        )
        box.explain(translate("Memories", _IN_BACKUPS))
        everywhere = QCheckBox(translate("Memories", "Forget it in the backups too"))
        box.setCheckBox(everywhere)
        yes = box.addButton(translate("Memories", "Forget"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        yes.clicked.connect(lambda: self._forget(memory, everywhere.isChecked()))
        box.open()

    def _forget(self, memory: Memory, everywhere: bool) -> None:
        def done(cleaned: Cleaned | None) -> None:
            self._gone(memory.id)
            if cleaned is not None:
                self._bench.tell(*_cleaned(cleaned))

        self._desk.decisions.purge(memory, done, backups=everywhere)

    def _decide(self, decision: Decision, *standing: Status) -> None:
        memory = self._desk.memory
        if memory is not None and memory.status in standing:
            self._desk.decide(decision, self._after)

    def _name_buttons(self, memory: Memory) -> None:
        active = memory.status is Status.ACTIVE
        buttons = self._desk.buttons
        buttons["memory.verify"].setVisible(active)
        buttons["memory.archive"].setVisible(active)
        buttons["memory.revive"].setVisible(not active)
        buttons["memory.delete"].setVisible(memory.status is not Status.DELETED)
        pin = ("pin-off", "Unpin") if memory.pinned else ("pin", "Pin")
        buttons["memory.pin"].set_label(translate("Memories", pin[1]), pin[0])


def _cleaned(cleaned: Cleaned) -> tuple[str, str]:
    """What is said of the backups after a memory was forgotten there too, and its tone."""
    told = translate("Memories", "Forgotten. Backups written anew: {0}; text exports: {1}.")
    sentence = told.format(cleaned.rewritten, cleaned.texts)
    if not cleaned.left:
        return sentence, "ok"
    names = ", ".join(path.name for path in cleaned.left)
    left = translate("Memories", "These could not be read and may still hold it: {0}")
    return f"{sentence} {left.format(names)}", "warning"
