"""The left side of the place: search, types, and the list of entities."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.model import EntityModel
from remembrancer.desktop.entities.reading import Wanted
from remembrancer.desktop.entities.rows import EntityRows
from remembrancer.desktop.fields import SearchBox
from remembrancer.desktop.look.buttons import ChipRow, KeyButton
from remembrancer.desktop.look.chips import ChipSpec
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.workbench import Workbench

MOST_TYPES = 7
_ALL = "all"
_TYPE = "type:"


class Finder(QWidget):
    """Finds entities. `chosen` tells the id of the one that the person came to, 0 for none.

    `new_wanted` asks for a new entity, `entered` wants the keyboard to go to the chosen one, and
    `types_read` tells the types that there are.
    """

    chosen = Signal(int)
    entered = Signal()
    new_wanted = Signal()
    types_read = Signal(list)

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.known_types: list[str] = []
        self.model = EntityModel(bench.library, bench.background, self)
        self.search = SearchBox(
            translate("Entities", "Search names and types"),
            translate("Entities", "Search entities"),
        )
        self.types = ChipRow(name=translate("Entities", "Types"))
        self.rows = EntityRows(translate("Entities", "Entities"))
        self._count = Label(role="small")
        self._empty = EmptyState("layers", "")
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self.read_types()
        self.model.show(Wanted())

    # --- what the pane asks

    def seek(self) -> None:
        """Put the keyboard into the search box."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def search_for(self, text: str) -> None:
        """Look for `text` among all types, as if the person had typed it."""
        self.types.choose(_ALL)
        self.search.setText(text)
        self._ask()

    def choose(self, entity_id: int) -> bool:
        """Choose the row of an entity without telling; False when it is not in the list."""
        row = self.model.row_of(entity_id)
        if row < 0:
            return False
        if self.rows.currentIndex().row() != row or not self.rows.selectionModel().hasSelection():
            self._silent = True
            self.rows.choose_row(row)
            self._silent = False
        return True

    def forget_choice(self) -> None:
        """Let no row be chosen."""
        self._silent = True
        self.rows.clearSelection()
        self.rows.setCurrentIndex(QModelIndex())
        self._silent = False

    def read_types(self) -> None:
        """Read the types and the number of entities anew."""
        self._bench.background.run(self._bench.library.map.types, self._show_types, owner=self)

    # --- inside

    def _build(self) -> None:
        self._silent = False
        actions = self._bench.actions
        new = KeyButton("plus", translate("Entities", "New entity"), actions.key("entity.new"))
        new.clicked.connect(self.new_wanted)
        self.rows.setModel(self.model)
        self._pages.addWidget(self.rows)
        self._pages.addWidget(self._empty)
        head = QHBoxLayout()
        head.addWidget(Label(translate("Entities", "Entities"), "pane"))
        head.addWidget(self._count)
        head.addStretch(1)
        head.addWidget(new)
        above = QVBoxLayout()
        above.setContentsMargins(16, 0, 12, 0)
        above.setSpacing(10)
        above.addLayout(head)
        above.addWidget(self.search)
        above.addWidget(self.types)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 14, 0, 0)
        column.setSpacing(10)
        column.addLayout(above)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _text: self._ask())
        self.search.to_the_list.connect(self.rows.begin)
        self.types.chosen.connect(lambda _key: self._ask())
        self.rows.selectionModel().currentChanged.connect(self._came_to)
        self.rows.opened.connect(self.entered)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(self._bench.problem)
        self._empty.pressed.connect(self._empty_pressed)

    def _ask(self) -> None:
        key = self.types.keys_on()[0] if self.types.keys_on() else _ALL
        type_ = None if key == _ALL else key.removeprefix(_TYPE)
        wanted = Wanted(self.search.text().strip(), type_)
        if wanted != self.model.wanted:
            self.model.show(wanted)

    def _came_to(self, current: QModelIndex) -> None:
        entity = self.model.entity(current.row())
        if not self._silent:
            self.chosen.emit(entity.id if entity else 0)

    def _show_types(self, found: list[tuple[str, int]]) -> None:
        total = sum(count for _, count in found)
        kept = found[:MOST_TYPES]
        chips = [ChipSpec(_TYPE + t, one_line(words.type_name(t), 24), count) for t, count in kept]
        self.types.set_chips([ChipSpec(_ALL, translate("Entities", "All"), total), *chips])
        self.types.setVisible(len(found) > 1)
        self._count.setText(words.entities(total) if total else "")
        self.known_types = [t for t, _ in found if t]
        self.types_read.emit(self.known_types)
        self.rows.painted.number_types([t for t, _ in found])
        self.rows.viewport().update()

    def _loaded(self) -> None:
        wanted = self.model.wanted
        self._pages.setCurrentIndex(0 if self.model.rowCount() else 1)
        if wanted == Wanted():
            self._empty.show_state(
                "layers",
                translate("Entities", "No entities yet"),
                translate(
                    "Entities",
                    "An entity is what memories are about: a device, a project, a person.",
                ),
                translate("Entities", "New entity"),
            )
        else:
            self._empty.show_state(
                "search",
                translate("Entities", "Nothing found"),
                translate("Entities", "No name or type holds these words."),
                translate("Entities", "Show all entities"),
            )

    def _empty_pressed(self) -> None:
        if self.model.wanted == Wanted():
            self.new_wanted.emit()
        else:
            self.search_for("")
