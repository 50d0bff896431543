"""Search by meaning: what it does, what it needs, its switch, its model, and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QWidget

from remembrancer.core.author import PERSON
from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.fields import CopyIcon, row
from remembrancer.desktop.look import fonts
from remembrancer.desktop.look.buttons import Choice, KeyButton
from remembrancer.desktop.look.labels import Banner, Label, Message, Symbol
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.settings import meaning_words as words
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.settings.meaning_bar import MeaningBar
from remembrancer.desktop.workbench import Workbench
from remembrancer.service import meaning_settings
from remembrancer.service.meaning import MeaningState, Standing

PAUSE = 500  # milliseconds at least between two looks at how far it is
SHORTEST = 12  # letters of a model's name that are in sight at least
MOVING = (Standing.LOADING, Standing.MAKING)

_ADJUST = QComboBox.SizeAdjustPolicy


@dataclass(frozen=True)
class Found:
    """What there is to show: the models that are installed, the choice, and where it stands."""

    models: tuple[str, ...]
    on: bool
    model: str
    state: MeaningState


class _Ear(QObject):
    """Carries what is told on the thread that works over to the window's.

    It has no parent: who tells holds on to it, and may tell something after the section is gone.
    """

    heard = Signal()


class MeaningSection(Section):
    """Nothing is loaded before the person switches it on; `deaf` ends the listening."""

    def __init__(self, bench: Workbench) -> None:
        told = translate(
            "Meaning",
            "Finds memories that say the same in other words or in another language. It runs on "
            "this machine, and nothing is sent anywhere.",
        )
        super().__init__(translate("Meaning", "Search by meaning"), told)
        self._bench = bench
        self.on = QCheckBox(translate("Meaning", "Search by meaning as well as by words"))
        self.on.setAccessibleName(self.on.text())
        self.installed = Label("", "small", wrap=True)
        self.model = Choice([], translate("Meaning", "Model"))
        self.command = _command()
        self.state = Label("", wrap=True)
        self.again = KeyButton("rotate-ccw", translate("Meaning", "Try again"))
        self.bar = MeaningBar()
        self.result = Banner()
        self._mark = Symbol("circle", "faint", 16)
        self._look = QTimer(self, singleShot=True, interval=PAUSE)
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Show what is installed, what is chosen, and how far it is now."""
        self._bench.background.run(self._read, self._show, owner=self)

    def deaf(self) -> None:
        """Hear no more of the work."""
        self._stop_listening()
        self._look.stop()

    def _build(self) -> None:
        label = Label(translate("Meaning", "Model"))
        label.setBuddy(self.model)
        # Long names must not make the column wider than it is.
        self.model.setSizeAdjustPolicy(_ADJUST.AdjustToMinimumContentsLengthWithIcon)
        self.model.setMinimumContentsLength(SHORTEST)
        self._choosing = _wide(row(label, self.model, gap=12), 1)
        self._missing = self._built_missing()
        self.column.addWidget(self.on)
        self.column.addWidget(self._choosing)
        self.column.addWidget(self.installed)
        for part in self._missing:
            self.column.addWidget(part)
        self.column.addWidget(_wide(row(self._mark, self.state, self.again), 1))
        self.column.addWidget(self.bar)
        self.column.addWidget(self.result)
        for part in (self._choosing, self.installed, *self._missing, self.again, self.bar):
            part.hide()

    def _built_missing(self) -> tuple[QWidget, QWidget]:
        """What stands there while no model is installed: what to do, and the command for it."""
        told = translate(
            "Meaning",
            "No model is installed. This command installs one, where Remembrancer itself is "
            "installed; its weights come with it. Then open Settings again.",
        )
        copy = CopyIcon(lambda: words.COMMAND, translate("Meaning", "Copy the command"))
        return Label(told, wrap=True), row(self.command, copy, gap=4)

    def _connect(self) -> None:
        self.on.clicked.connect(self._switch)
        self.model.activated.connect(lambda _row: self._choose(self.model.current()))
        self.again.clicked.connect(lambda: self._switch(True))
        self._look.timeout.connect(self.refresh)
        ear = _Ear()
        ear.heard.connect(self._soon)
        self._stop_listening = self._bench.library.meaning.listen(lambda *_: ear.heard.emit())

    def _read(self) -> Found:
        meaning, settings = self._bench.library.meaning, meaning_settings.now()
        models = meaning.models()
        best = next(iter(models), "")
        chosen = settings.model if settings.model in models else best
        return Found(models, settings.on, chosen, meaning.state)

    def _show(self, found: Found) -> None:
        self.on.setChecked(found.on)
        # What was switched on elsewhere, or before a model was taken away, can be switched off.
        self.on.setEnabled(bool(found.models) or found.on)
        self._show_models(found)
        self._show_state(found.state)

    def _show_models(self, found: Found) -> None:
        self._choosing.setVisible(len(found.models) > 1)
        self.installed.setVisible(bool(found.models))
        for part in self._missing:
            part.setVisible(not found.models)
        if not found.models:
            return
        self.installed.setText(words.installed(found.models))
        if [self.model.itemData(at) for at in range(self.model.count())] != [*found.models]:
            self.model.clear()
            for name in found.models:
                self.model.addItem(words.model(name), name)
        if self.model.current() != found.model:
            self.model.choose(found.model)

    def _show_state(self, state: MeaningState) -> None:
        moving = state.standing in MOVING
        self._mark.show_icon(*words.mark(state))
        self.state.setText(words.state(state))
        self.again.setVisible(state.standing is Standing.FAILED)
        self.bar.show_share(state.done, state.total)
        self.bar.setVisible(moving)
        if moving:  # the end of loading is not told, nor that it failed
            self._soon()

    def _soon(self) -> None:
        if self.isVisible() and not self._look.isActive():
            self._look.start()

    def _switch(self, on: bool) -> None:
        self._change(lambda: self._bench.library.meaning.switch(on, PERSON))

    def _choose(self, model: str) -> None:
        self._change(lambda: self._bench.library.meaning.choose(model, PERSON))

    def _change(self, work: Callable[[], None]) -> None:
        self.result.hide()
        self._bench.background.run(work, lambda _none: self.refresh(), self._failed, owner=self)

    def _failed(self, error: RemembrancerError) -> None:
        self.result.show_message(Message("bad", str(error)))
        self.refresh()


def _wide(line: QWidget, place: int) -> QWidget:
    """A row in which the widget at `place` takes the room that is left."""
    layout = line.layout()
    assert isinstance(layout, QHBoxLayout)
    layout.setStretch(place, 1)
    return line


def _command() -> QLineEdit:
    """The command, to be selected with the keyboard or the mouse and not to be changed."""
    line = QLineEdit(words.COMMAND)
    line.setReadOnly(True)
    line.setFont(fonts.font(12, mono=True))
    line.setAccessibleName(translate("Meaning", "Command that installs a model"))
    line.setCursorPosition(0)
    return line
