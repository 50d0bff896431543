"""The one table of everything the person can do: name, key, icon; menus and keys come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from remembrancer.desktop.look import icons


@dataclass(frozen=True)
class ActionSpec:
    """One row: `id` is "menu.verb"; `keys` in Qt's words; `letter` keys belong to one pane."""

    id: str
    name: str
    keys: tuple[str, ...] = ()
    icon: str = ""


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("file.import", "Import…", ("Ctrl+Shift+I",), "import"),
    ActionSpec("file.export", "Export…", ("Ctrl+Shift+E",), "download"),
    ActionSpec("file.backup", "Back up now", (), "shield-check"),
    ActionSpec("file.quit", "Quit", ("Ctrl+Q",), "x"),
    ActionSpec("edit.undo", "Undo", ("Ctrl+Z",), "undo-2"),
    ActionSpec("edit.redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo-2"),
    ActionSpec("edit.find", "Find", ("Ctrl+F",), "search"),
    ActionSpec("edit.new", "New memory…", ("Ctrl+N",), "plus"),
    ActionSpec("go.review", "Review", ("Ctrl+1",), "inbox"),
    ActionSpec("go.memories", "Memories", ("Ctrl+2",), "library"),
    ActionSpec("go.graph", "Graph", ("Ctrl+3",), "waypoints"),
    ActionSpec("go.entities", "Entities", ("Ctrl+4",), "layers"),
    ActionSpec("go.activity", "Activity", ("Ctrl+5",), "activity"),
    ActionSpec("go.proposals", "Proposals", ("Ctrl+6",), "copy-check"),
    ActionSpec("go.recall", "Recall", ("Ctrl+7",), "search"),
    ActionSpec("go.agents", "Agents", ("Ctrl+8",), "bot"),
    ActionSpec("go.settings", "Settings", ("Ctrl+,",), "settings"),
    ActionSpec("view.palette", "Command palette…", ("Ctrl+K", "Ctrl+Shift+P"), "search"),
    ActionSpec("view.area", "Next area", ("F6",), "columns-2"),
    ActionSpec("view.theme", "Switch light and dark", ("Ctrl+Shift+T",), "sun"),
    ActionSpec("help.keys", "Keyboard shortcuts", ("F1", "?"), "keyboard"),
    ActionSpec("help.about", "About Remembrancer", (), "info"),
    ActionSpec("review.verify", "Still true", ("V", "Y"), "check"),
    ActionSpec("review.edit", "Edit", ("E",), "pencil"),
    ActionSpec("review.archive", "Archive", ("A",), "archive"),
    ActionSpec("review.delete", "Delete", ("D", "Del"), "trash-2"),
    ActionSpec("review.later", "Later: a week", ("S", "L"), "clock"),
    ActionSpec("review.later_day", "A day", ("1",), "clock"),
    ActionSpec("review.later_month", "A month", ("3",), "clock"),
    ActionSpec("review.undo", "Undo the last decision", ("U",), "undo-2"),
    ActionSpec("review.stop", "Finish the session", ("Esc",), "circle-check"),
    ActionSpec("review.go_on", "Go on", ("Return", "Esc"), "arrow-right"),
    ActionSpec("review.undo_all", "Undo all of these", ("U",), "undo-2"),
    ActionSpec("review.next", "Next", ("N",), "chevron-down"),
    ActionSpec("review.previous", "Previous", ("P",), "chevron-up"),
    ActionSpec("memory.edit", "Edit", ("E",), "pencil"),
    ActionSpec("memory.verify", "Still true", ("Y",), "check"),
    ActionSpec("memory.archive", "Archive", ("A",), "archive"),
    ActionSpec("memory.revive", "Bring back", ("B",), "archive-restore"),
    ActionSpec("memory.pin", "Pin", ("I",), "pin"),
    ActionSpec("memory.delete", "Delete", ("Del",), "trash-2"),
    ActionSpec("memory.purge", "Forget for good…", ("Shift+Del",), "eye-off"),
    ActionSpec("memory.save", "Save", ("Ctrl+Return", "Ctrl+S"), "save"),
    ActionSpec("memory.save_verified", "Save as verified", ("Ctrl+Shift+Return",), "check"),
    ActionSpec("memory.cancel", "Cancel editing", ("Esc",), "x"),
    ActionSpec("memory.compare", "Compare revisions", ("C",), "git-compare"),
    ActionSpec("memory.why", "Why was this not served?", ("W",), "circle-help"),
    ActionSpec("graph.fit", "Show everything", ("0",), "maximize"),
    ActionSpec("graph.tidy", "Tidy up", (), "sparkles"),
    ActionSpec("entity.new", "New entity", ("N",), "plus"),
    ActionSpec("entity.edit", "Rename", ("E", "F2"), "pencil"),
    ActionSpec("entity.create", "Create this entity", ("C",), "plus"),
    ActionSpec("entity.memory", "New memory", ("M",), "plus"),
    ActionSpec("entity.graph", "Show in graph", ("G",), "waypoints"),
    ActionSpec("entity.relate", "Add a relation", ("R",), "link"),
    ActionSpec("entity.scope", "Scope", ("S",), "share-2"),
    ActionSpec("entity.delete", "Delete", ("Del",), "trash-2"),
    ActionSpec("activity.undo", "Undo this", ("U",), "undo-2"),
    ActionSpec("activity.open", "Open", ("O",), "arrow-right"),
    ActionSpec("activity.newest", "Show what is new", ("T",), "arrow-up"),
    ActionSpec("proposals.accept", "Accept", ("A",), "check"),
    ActionSpec("proposals.refuse", "Refuse", ("R",), "x"),
    ActionSpec("proposals.refuse_why", "Refuse with a reason…", ("Shift+R",), "message-square"),
    ActionSpec("proposals.edit", "Edit", ("E",), "pencil"),
    ActionSpec("proposals.next", "Next", ("N", "J"), "chevron-down"),
    ActionSpec("proposals.previous", "Previous", ("K", "P"), "chevron-up"),
    ActionSpec("proposals.tick", "Take or leave a change", ("Space",), "copy-check"),
    ActionSpec("proposals.all", "Choose all", ("Ctrl+A",), "list"),
    ActionSpec("proposals.accept_agent", "Accept all of this agent…", ("Ctrl+Shift+A",), "check"),
    ActionSpec("proposals.refuse_agent", "Refuse all of this agent…", ("Ctrl+Shift+R",), "x"),
    ActionSpec("proposals.submit", "Accept like this", ("Ctrl+Return",), "check"),
    ActionSpec("proposals.cancel", "Back", ("Esc",), "arrow-left"),
    ActionSpec("proposals.undo", "Take the decision back", ("U",), "undo-2"),
    ActionSpec("recall.reading", "What the agent reads", ("Alt+1",), "eye"),
    ActionSpec("recall.hit", "Why this memory", ("Alt+2",), "gauge"),
    ActionSpec("recall.other", "Why not another", ("Alt+3",), "circle-help"),
)


class Actions(QObject):
    """The table as QActions. A pane binds its own rows to itself; the window binds the rest."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.specs = {spec.id: spec for spec in ACTIONS}
        self._window: dict[str, QAction] = {}

    def bind(self, id_: str, owner: QWidget, slot: Callable[[], object]) -> QAction:
        """A QAction for row `id_` that works while the keyboard is within `owner`."""
        action = self._made(id_, owner, slot)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        owner.addAction(action)
        return action

    def bind_window(self, id_: str, window: QWidget, slot: Callable[[], object]) -> QAction:
        """A QAction for row `id_` that works everywhere in the window."""
        action = self._made(id_, window, slot)
        window.addAction(action)
        self._window[id_] = action
        return action

    def __getitem__(self, id_: str) -> QAction:
        return self._window[id_]

    def key(self, id_: str) -> str:
        """The first key of a row, for its button."""
        keys = self.specs[id_].keys
        return keys[0] if keys else ""

    def _made(self, id_: str, parent: QWidget, slot: Callable[[], object]) -> QAction:
        spec = self.specs[id_]
        action = QAction(spec.name, parent)
        action.setObjectName(id_)
        action.setShortcuts([QKeySequence(k) for k in spec.keys])
        if spec.icon:
            action.setIcon(icons.icon(spec.icon))
        action.triggered.connect(lambda _checked=False: slot())
        return action
