"""The window: the rail, one pane at a time, the banner above it, and the menus."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.desktop import menus
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.rail import Rail, RailEntry
from remembrancer.desktop.preferences import PreferenceFile

# What stands behind the first picture is loaded after it: see `open_on`.
if TYPE_CHECKING:
    from remembrancer.core.errors import RemembrancerError
    from remembrancer.desktop.actions import Actions
    from remembrancer.desktop.background import Background
    from remembrancer.desktop.deeds import Deeds
    from remembrancer.desktop.feed import Changes, Feed
    from remembrancer.desktop.pane import Pane
    from remembrancer.desktop.serving import HostServing
    from remembrancer.desktop.workbench import Workbench
    from remembrancer.service.library import Library

# place -> (icon, name, module and class of its pane); a pane is imported when first opened.
PLACES: dict[str, tuple[str, str, str]] = {
    "review": ("inbox", "Review", "review.pane:ReviewPane"),
    "memories": ("library", "Memories", "memories.pane:MemoriesPane"),
    "graph": ("waypoints", "Graph", "graph.pane:GraphPane"),
    "entities": ("layers", "Entities", "entities.pane:EntitiesPane"),
    "activity": ("activity", "Activity", "activity.pane:ActivityPane"),
    "proposals": ("copy-check", "Proposals", "proposals.pane:ProposalsPane"),
    "recall": ("search", "Recall", "recall.pane:RecallPane"),
    "agents": ("bot", "Agents", "agents.pane:AgentsPane"),
    "settings": ("settings", "Settings", "settings.pane:SettingsPane"),
}
SAID = 6_000  # milliseconds for which a sentence that needs no answer stays


class Window(QMainWindow):
    """The main window; `open_on` a library gives it its places. Its threads end with it.

    `painted` is told once, when the window was first seen: what can wait begins then.
    """

    painted = Signal()
    actions_table: Actions
    library: Library
    background: Background
    feed: Feed
    deeds: Deeds
    serving: HostServing
    bench: Workbench

    def __init__(
        self, library: Library | None = None, preferences: PreferenceFile | None = None
    ) -> None:
        super().__init__()
        self.preferences = preferences or PreferenceFile()
        self.is_open = False
        self._panes: dict[str, Pane] = {}
        self._seen = False
        self._build()
        self._restore_geometry()
        if library is not None:
            self.open_on(library)

    def open_on(self, library: Library) -> None:
        """Give the window its library: from now on it shows it and hears of its changes."""
        from remembrancer.desktop.actions import Actions
        from remembrancer.desktop.background import Background
        from remembrancer.desktop.counting import count
        from remembrancer.desktop.deeds import Deeds
        from remembrancer.desktop.feed import Feed
        from remembrancer.desktop.serving import HostServing
        from remembrancer.desktop.workbench import Workbench

        self.library = library
        self.actions_table = Actions(self)
        self.background = Background(self.show_problem, self)
        self.feed = Feed(library, self)
        self.deeds = Deeds(library, self.background, self)
        self.serving = HostServing(library, self)
        self.bench = Workbench(
            library, self.background, self.feed, self.deeds, self.actions_table,
            self.preferences, self.go, self.tell, self.show_problem, self.serving,
        )  # fmt: skip
        self.is_open = True
        self._connect()
        place = self.preferences.now.place
        self.go(place if place in PLACES else "review")
        count(self)

    # --- going around

    def go(self, place: str, **what: object) -> None:
        """Show a place, opened on something in particular; stays when the present pane must."""
        pane = self.pane(place)
        if self.place and self.present() is not pane and not self.present().may_leave():
            self.rail.choose(self.place)
            return
        self.rail.choose(place)
        self.stack.setCurrentWidget(pane)
        pane.open(**what)
        self.preferences.change(place=place)

    def pane(self, place: str) -> Pane:
        """The pane of a place, made when it is not there yet."""
        if place not in self._panes:
            module, name = PLACES[place][2].split(":")
            made: Callable[[Workbench], Pane] = getattr(
                import_module(f"remembrancer.desktop.{module}"), name
            )
            self._panes[place] = made(self.bench)
            self.stack.addWidget(self._panes[place])
        return self._panes[place]

    @property
    def place(self) -> str:
        """Where the person is; empty before the library is open."""
        shown = self.stack.currentWidget()
        return next((p for p, pane in self._panes.items() if pane is shown), "")

    def present(self) -> Pane:
        """The pane that is shown."""
        return self._panes[self.place]

    # --- what is said

    def tell(self, sentence: str, tone: str = "info", *buttons: str) -> None:
        """Show a sentence above the panes; without buttons it goes by itself."""
        from remembrancer.desktop.look.labels import Message

        self.banner.show_message(Message(tone, sentence, buttons=tuple((b, b) for b in buttons)))
        self.banner.show()
        if buttons or tone in ("bad", "warning"):
            self._said.stop()
        else:
            self._said.start()

    def show_problem(self, error: RemembrancerError) -> None:
        """Show why something did not work."""
        self.tell(str(error), "bad")

    def start_serving(self) -> None:
        """Start the host, when the person wants one."""
        if self.preferences.now.serve:
            self.serving.start(self.preferences.now.port)

    # --- the window's own

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._seen:
            self._seen = True
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.place and not self.present().may_leave():
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        self.preferences.change(geometry=geometry)
        self.shut()
        super().closeEvent(event)

    def shut(self) -> None:
        """End the threads and timers that the window began."""
        if not self.is_open:
            return
        self.feed.close()
        self.serving.stop()
        for pane in self._panes.values():
            pane.close()
        self.background.close()

    def _build(self) -> None:
        self.setWindowTitle("Remembrancer")
        entries = [RailEntry(k, i, translate("Window", n)) for k, (i, n, _) in PLACES.items()]
        self.rail = Rail("Remembrancer", entries[:-1], entries[-1])
        self.stack = QStackedWidget()
        room = QWidget()
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.stack, 1)
        row = QHBoxLayout(room)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(self._column, 1)
        self.setCentralWidget(room)
        self.menus = menus.titles(self)
        self.rail.set_server("faint", translate("Window", "MCP server off"), ())

    def _connect(self) -> None:
        from remembrancer.desktop.renewing import Renewing
        from remembrancer.desktop.serving import tell_server
        from remembrancer.desktop.undoing import Undoing

        self._make_banner()
        menus.fill(self)
        self.rail.chosen.connect(lambda place: self.go(place))
        self.rail.server_pressed.connect(lambda: self.go("agents"))
        self.feed.changed.connect(self._changed)
        self.banner.dismissed.connect(self.banner.hide)
        self.undoing = Undoing(self)
        self.renewing = Renewing(self)
        tell_server(self.rail, self.serving)

    def _make_banner(self) -> None:
        from remembrancer.desktop.look.labels import Banner

        self.banner = Banner()
        self.banner.hide()
        self._column.insertWidget(0, self.banner)
        self._said = QTimer(self, singleShot=True, interval=SAID)
        self._said.timeout.connect(self.banner.hide)

    def _restore_geometry(self) -> None:
        self.resize(1280, 800)
        self.setMinimumSize(900, 600)
        if self.preferences.now.geometry:
            geometry = self.preferences.now.geometry.encode("ascii", "ignore")
            self.restoreGeometry(QByteArray.fromBase64(geometry))
        place = self.preferences.now.place
        self.rail.choose(place if place in PLACES else "review")

    def _changed(self, changes: Changes) -> None:
        from remembrancer.desktop.counting import count

        for pane in self._panes.values():
            pane.changed(changes)
        count(self)
        agents = any(x.author_kind == "agent" for x in changes.lines)
        self.rail.set_live("activity", agents and self.place != "activity")
