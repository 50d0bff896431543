"""The editor: saves against the revision seen, and never over what somebody else wrote since."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core import diff
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.core.secrets import mask
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.labels import Banner, Card, Label, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory import secret_question
from remembrancer.desktop.memory.form import MemoryForm
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.one_path import Secrets

_NAMES = 5_000
_LOOKED_AT = 2_000  # characters of a text of which a deed is named


class MemoryEditor(QWidget):
    """Edits one memory or writes a new one. `saved` gives the memory, `cancelled` gives up."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._seen: Memory | None = None
        self._theirs: Memory | None = None
        self._verified = False
        self._build()
        self._connect()

    @property
    def memory(self) -> Memory | None:
        """The memory that is edited, as it was when seen; None for a new one."""
        return self._seen

    def edit(self, memory: Memory) -> None:
        """Edit a memory."""
        self._open(memory)
        self._seen = memory
        self.heading.setText(translate("Editor", "Edit m-{0}").format(memory.id))
        self.verify_button.show()

    def write_new(self, entity: str | None = None) -> None:
        """Write a new memory, about an entity when one is named."""
        self._open(Draft(content="", entity=entity, source="you", confidence=0.8))
        self._seen = None
        self.heading.setText(translate("Editor", "New memory"))
        self.verify_button.hide()

    def is_dirty(self) -> bool:
        """Whether there are words that were not saved."""
        return self.form.is_dirty()

    def changed_elsewhere(self, memory: Memory) -> None:
        """Say that somebody changed the memory meanwhile; what was typed stays."""
        if self._seen is None or memory.revision == self._seen.revision:
            return
        if not self.is_dirty():
            self.edit(memory)
            return
        self._theirs = memory
        said = translate("Editor", "{0} changed this memory while you were editing.")
        buttons = (
            ("compare", translate("Editor", "Compare")),
            ("theirs", translate("Editor", "Take theirs")),
            ("mine", translate("Editor", "Keep mine")),
        )
        self.banner.show_message(Message("warning", said.format(memory.author), buttons=buttons))
        self.banner.show()

    def save(self, *, verified: bool = False, secrets: Secrets = Secrets.REFUSE) -> None:
        """Save what was typed, as a deed that can be undone; a secret in it is asked about."""
        self._verified = verified
        if self._seen is None:
            self._remember(secrets)
        else:
            self._revise(self._seen, verified, secrets)

    def _open(self, memory: Memory | Draft) -> None:
        self._theirs = None
        self.banner.hide()
        self.form.fill(memory)
        self.views.choose("write")
        self._turn("write")
        self.form.content.setFocus()
        self._bench.background.run(
            lambda: [e.name for e in self._bench.library.map.entities(limit=_NAMES)],
            self.form.offer_entities,
            owner=self,
        )

    def _remember(self, secrets: Secrets) -> None:
        draft = self.form.draft()
        name = translate("Editor", "Remember “{0}”").format(_short(draft.title or draft.content))
        desk = self._bench.library.memories
        self._bench.deeds.do(
            name, lambda: desk.remember(draft, secrets=secrets, **WINDOW), self._done,
            self._failed, owner=self,
        )  # fmt: skip

    def _revise(self, seen: Memory, verified: bool, secrets: Secrets) -> None:
        edit: Edit = self.form.edit()
        if verified:
            edit["verified"] = True
        if not edit:
            self.saved.emit(seen)
            return
        name = translate("Editor", "Edit “{0}”").format(_short(seen.headline()))
        desk = self._bench.library.memories

        doing: dict[str, Any] = {"expected": seen.revision, "secrets": secrets, **WINDOW}
        self._bench.deeds.do(
            name, lambda: desk.revise(seen.id, edit, **doing), self._done, self._failed, self
        )

    def _done(self, memory: Memory) -> None:
        self.form.fill(memory)
        self._seen = memory
        self.saved.emit(memory)

    def _failed(self, error: RemembrancerError) -> None:
        if isinstance(error, Conflict) and error.code == "memory_changed" and self._seen:
            self.changed_elsewhere(self._bench.library.memories.get(self._seen.id))
            return
        self.banner.show_message(secret_question.asked(error))

    def _answered(self, key: str) -> None:
        theirs = self._theirs
        if key in secret_question.ANSWERS:
            self.banner.hide()
            self.save(verified=self._verified, secrets=secret_question.ANSWERS[key])
        elif theirs is None or key == secret_question.BACK:
            self.banner.hide()
            self.form.content.setFocus()
        elif key == "compare":
            self._compare(theirs)
        elif key == "theirs":
            self.edit(theirs)
        else:
            self._keep_mine(theirs)

    def _keep_mine(self, theirs: Memory) -> None:
        """Go on from their revision with the person's words: saving then overwrites knowingly."""
        mine = self.form.edit()
        self._seen, self._theirs = theirs, None
        self.form.rebase(theirs, mine)
        self.banner.hide()
        self.save()

    def _compare(self, theirs: Memory) -> None:
        rows = diff.compare(theirs.content, self.form.content.stored_text())
        yours = translate("Editor", "yours, not saved")
        self.difference.show_rows(rows, f"r{theirs.revision} · {theirs.author}", yours)
        self.pages.setCurrentWidget(self.difference)

    def _turn(self, key: str) -> None:
        if key == "preview":
            self.preview.show_markdown(self.form.content.stored_text())
        self.pages.setCurrentWidget(self.form if key == "write" else self.preview)

    def _build(self) -> None:
        self.heading = Label("", "title")
        self.banner = Banner()
        self.banner.hide()
        self.form = MemoryForm()
        self.preview = SafeBrowser(translate("Editor", "Preview"))
        self.difference = DiffView()
        self.views = SegmentedControl(
            [
                ("write", translate("Editor", "Write")),
                ("preview", translate("Editor", "Preview")),
            ],
            name=translate("Editor", "What the editor shows"),
        )
        self.pages = QStackedWidget()
        for page in (self.form, self.preview, self.difference):
            self.pages.addWidget(page)
        self.save_button = KeyButton("save", translate("Editor", "Save"), "⌃↵", primary=True)
        self.verify_button = KeyButton("check", translate("Editor", "Save as verified"))
        self.cancel_button = KeyButton("x", translate("Editor", "Cancel"), "Esc")
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.views)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.save_button, self.verify_button, self.cancel_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(24, 18, 24, 18)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.banner)
        column.addWidget(self.pages, 1)
        column.addLayout(buttons)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(8, 16, 18, 14)
        outer.addWidget(card)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _connect(self) -> None:
        self.views.chosen.connect(self._turn)
        self.banner.pressed.connect(self._answered)
        self.banner.dismissed.connect(self.banner.hide)
        self.save_button.clicked.connect(lambda: self.save())
        self.verify_button.clicked.connect(lambda: self.save(verified=True))
        self.cancel_button.clicked.connect(self.cancelled)
        self._bench.actions.bind("memory.save", self, self.save)
        self._bench.actions.bind("memory.save_verified", self, lambda: self.save(verified=True))
        self._bench.actions.bind("memory.cancel", self, self.cancelled.emit)


def _short(text: str) -> str:
    line = mask(text.strip()[:_LOOKED_AT])[0].split("\n", 1)[0]
    return line if len(line) <= 48 else line[:47].rstrip() + "…"
