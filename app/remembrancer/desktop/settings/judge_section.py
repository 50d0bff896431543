"""The judge: which server is asked how two memories stand, exactly what it is sent, and a trial."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit

from remembrancer.core.author import PERSON, Author
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.judging import JudgeState, Standing
from remembrancer.desktop.background import UNEXPECTED
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import IconButton, KeyButton
from remembrancer.desktop.look.labels import Banner, Label, Message, Symbol
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.settings import judge_words as words
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.settings.judge_trial import JudgeTrial
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.judge import Trial
from remembrancer.service.judge_settings import ADDRESS, KEY, MODEL, OFF, JudgeSettings

SECOND = 1_000  # milliseconds


class JudgeSection(Section):
    """Address, model and key, kept when the field is left; the key is never shown again."""

    def __init__(self, bench: Workbench) -> None:
        told = translate(
            "Judge",
            "A language model can say how two memories stand to each other, for agents that speak "
            "memo. Nobody is asked before an address and a model are given.",
        )
        super().__init__(translate("Judge", "Judge"), told)
        self._bench = bench
        self.trial = JudgeTrial()
        self._state = JudgeState(Standing.NOT_SET_UP, (ADDRESS, MODEL))
        self.address = _line(translate("Judge", "Address of the server"))
        self.model = _line(translate("Judge", "Model"))
        self.key = _line(translate("Judge", "Key"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.forget = IconButton("trash-2", translate("Judge", "Forget the key"), flat=True)
        self.off = QCheckBox(translate("Judge", "Off: nobody is asked and nothing is sent"))
        self.off.setAccessibleName(self.off.text())
        self.fixed = Label("", "small", wrap=True)
        self.leaving = Label("", tone="warn", wrap=True)
        self.sent = [Label("", "muted", wrap=True) for _ in range(words.SENTENCES)]
        self.state = Label()
        self.attempt = KeyButton("plug-zap", translate("Judge", "Try it"))
        self.result = Banner()
        self._mark = Symbol("circle", "faint", 16)
        self._tick = QTimer(self, interval=SECOND)
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Show what is set and where the judge stands now."""
        self._bench.background.run(self._read, self._show, owner=self)

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        lines = (
            (translate("Judge", "Address"), self.address, self.address),
            (translate("Judge", "Model"), self.model, self.model),
            (translate("Judge", "Key"), self.key, row(self.key, self.forget, gap=4)),
        )
        for at, (text, field, shown) in enumerate(lines):
            label = Label(text)
            label.setBuddy(field)
            grid.addWidget(label, at, 0)
            grid.addWidget(shown, at, 1)
        self.address.setPlaceholderText("http://127.0.0.1:11434")
        self.model.setPlaceholderText(translate("Judge", "as the server calls it"))
        for part in (self.fixed, self.leaving):
            part.hide()
        self.column.addLayout(grid)
        self.column.addWidget(self.fixed)
        self.column.addWidget(self.leaving)
        self.column.addWidget(self.off)
        self.column.addWidget(row(self._mark, self.state, 1, self.attempt))
        self.column.addWidget(self.result)
        self.column.addWidget(Label(translate("Judge", "What is sent, and when"), "caption"))
        self.column.addLayout(_points(self.sent))

    def _connect(self) -> None:
        for field in (self.address, self.model, self.key):
            field.editingFinished.connect(self._save)
        self.forget.clicked.connect(self._forget)
        self.off.clicked.connect(self._switch)
        self.attempt.clicked.connect(self._try)
        self.trial.ended.connect(self._end)
        self._tick.timeout.connect(self._count_down)

    def _read(self) -> tuple[JudgeSettings, JudgeState]:
        judge = self._bench.library.judge
        return judge.settings(), judge.state()

    def _show(self, found: tuple[JudgeSettings, JudgeState]) -> None:
        settings, state = found
        _fill(self.address, settings.address, ADDRESS in settings.fixed)
        _fill(self.model, settings.model, MODEL in settings.fixed)
        self._show_key(settings)
        self.off.setChecked(settings.off)
        self.off.setEnabled(OFF not in settings.fixed)
        named = [n for n in (ADDRESS, MODEL, KEY, OFF) if n in settings.fixed]
        sentence = translate("Judge", "Set by the environment and not to be changed here: {0}")
        _say(self.fixed, sentence.format(", ".join(named)) if named else "")
        _say(self.leaving, words.leaving(settings.address))
        for label, sentence in zip(self.sent, words.sent(settings), strict=True):
            label.setText(sentence)
        self._show_state(state)

    def _show_key(self, settings: JudgeSettings) -> None:
        fixed = KEY in settings.fixed
        _fill(self.key, "", fixed)
        if fixed:
            hint = translate("Judge", "set by the environment")
        elif settings.has_key:
            hint = translate("Judge", "one is kept; type another to replace it")
        else:
            hint = translate("Judge", "none is kept")
        self.key.setPlaceholderText(hint)
        self.key.setAccessibleDescription(hint)
        self.forget.setEnabled(settings.has_key and not fixed)

    def _show_state(self, state: JudgeState) -> None:
        self._state = state
        self._mark.show_icon(*words.mark(state))
        self.state.setText(words.state(state))
        may_try = state.standing in (Standing.READY, Standing.LOCKED)
        self.attempt.setEnabled(may_try and not self.trial.busy)
        if state.standing is Standing.LOCKED:
            self._tick.start()
        else:
            self._tick.stop()

    def _count_down(self) -> None:
        if self._state.seconds > 1:
            self._show_state(JudgeState(Standing.LOCKED, seconds=self._state.seconds - 1))
        else:
            self._tick.stop()
            self.refresh()

    def _save(self) -> None:
        """Keep what was typed since it was kept last."""
        judge = self._bench.library.judge
        self._keep(self.address, translate("Judge", "Address of the judge"), judge.set_address)
        self._keep(self.model, translate("Judge", "Model of the judge"), judge.set_model)
        if self.key.text():
            self._keep(self.key, translate("Judge", "Key of the judge"), judge.set_key)

    def _keep(self, field: QLineEdit, name: str, keep: Callable[[str, Author], None]) -> None:
        if not field.isModified():
            return
        text = field.text()
        field.setModified(False)

        def failed(error: RemembrancerError) -> None:
            field.setModified(True)  # it is not kept, and so not replaced by what is
            self._failed(error)

        self._change(name, lambda: keep(text, PERSON), failed)

    def _forget(self) -> None:
        judge = self._bench.library.judge
        self._change(translate("Judge", "Forget the key"), lambda: judge.set_key("", PERSON))

    def _switch(self, off: bool) -> None:
        judge = self._bench.library.judge
        name = translate("Judge", "Switch the judge")
        self._change(name, lambda: judge.switch(not off, PERSON))

    def _change(
        self,
        name: str,
        work: Callable[[], None],
        failed: Callable[[RemembrancerError], None] | None = None,
    ) -> None:
        self.result.hide()

        def done(_nothing: None) -> None:
            self.refresh()

        self._bench.deeds.do(name, work, done, failed or self._failed, owner=self)

    def _failed(self, error: RemembrancerError) -> None:
        self._say("bad", str(error))

    def _try(self) -> None:
        self._save()
        # Behind what is being kept, so that it is tried as it was typed.
        self._bench.background.run(lambda: None, self._begin, owner=self)

    def _begin(self, _nothing: None) -> None:
        typed = (self.address, self.model, self.key)
        if self.trial.busy or any(field.isModified() for field in typed):
            return  # what could not be kept cannot be tried; the reason is shown
        self.attempt.setEnabled(False)
        self._say("info", translate("Judge", "Asking…"))
        self.trial.begin(self._bench.library.judge)

    def _end(self, found: Trial | None) -> None:
        self._say(*(("bad", UNEXPECTED) if found is None else words.trial(found)))
        self.refresh()

    def _say(self, tone: str, sentence: str) -> None:
        self.result.show_message(Message(tone, sentence))


def _line(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    return line


def _points(labels: list[Label]) -> QGridLayout:
    """Sentences one below the other, each behind a dot."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(1, 1)
    for at, label in enumerate(labels):
        grid.addWidget(Label("•", "muted"), at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label, at, 1)
    return grid


def _fill(field: QLineEdit, text: str, fixed: bool) -> None:
    """Show a setting, unless the person is typing another; one that is fixed can only be read."""
    field.setReadOnly(fixed)
    if not field.isModified() and field.text() != text:
        field.setText(text)
        field.setCursorPosition(0)


def _say(label: Label, sentence: str) -> None:
    label.setText(sentence)
    label.setVisible(bool(sentence))
