"""What the command palette offers: every action with its key, and why one is not possible now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from remembrancer.core.filters import Filter, from_query
from remembrancer.core.query import parse
from remembrancer.desktop.actions import ActionSpec
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.service.library import Library

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window

_NATIVE = QKeySequence.SequenceFormat.NativeText
LIKE = 55.0  # of 100: how alike a name must be to what was typed
FOUND = 6  # memories, and as many entities
ITSELF = "view.palette"  # it is open already
# the first part of an action's id -> the place whose pane has it
_PLACE_OF = {
    "memory": "memories",
    "entity": "entities",
}
_EVERYWHERE = ("file", "edit", "go", "view", "help")


@dataclass(frozen=True)
class Row:
    """One line of the palette; where `hindrance` says why it is not possible, nothing happens."""

    id: str
    name: str
    group: str
    icon: str
    run: Callable[[], object]
    key: str = ""
    hindrance: str = ""

    def spoken(self) -> str:
        """The row in one line for a screen reader."""
        return ", ".join(part for part in (self.name, self.group, self.key, self.hindrance) if part)


def action_rows(window: Window) -> list[Row]:
    """A row for each action of the table, those of the present place first."""
    rows = [_row(window, spec) for spec in window.actions_table.specs.values() if spec.id != ITSELF]
    return sorted(rows, key=lambda row: bool(row.hindrance))


def ranked(rows: Iterable[Row], typed: str, used: Sequence[str]) -> list[Row]:
    """The rows that are like what was typed, the best first; without words the last used first."""
    if not typed.strip():
        return sorted(rows, key=lambda row: used.index(row.id) if row.id in used else len(used))
    from rapidfuzz import fuzz, utils

    def likeness(row: Row) -> float:
        told = f"{row.group} {row.name}"
        tidy = utils.default_process
        whole = fuzz.QRatio(typed, told, processor=tidy)
        near = max(fuzz.WRatio(typed, row.name, processor=tidy), whole)
        begins = 8 * row.name.casefold().startswith(typed.strip().casefold())
        inside = 100.0 * (typed.strip().casefold() in told.casefold())
        return max(near, inside) + begins - 3 * bool(row.hindrance)

    rated = [(likeness(row), number, row) for number, row in enumerate(rows)]
    return [row for rate, _, row in sorted(rated, key=lambda r: (-r[0], r[1])) if rate >= LIKE]


def found_rows(library: Library, go: Callable[..., None], typed: str) -> list[Row]:
    """Memories that hold what was typed (the newest without words), and entities of that name.

    Reads the store: not for the GUI thread.
    """
    words = typed.strip()
    chosen = from_query(parse(words), library.clock()) if words else Filter()
    ids = library.memories.ids(chosen)[:FOUND]
    memories = [library.memories.get(each) for each in ids]
    rows = [
        _found(f"memory:{m.id}", m.headline(120), translate("Palette", "Memory"), "library",
               lambda m=m: go("memories", memory_id=m.id))
        for m in memories
    ]  # fmt: skip
    entities = library.map.entities(words, limit=FOUND) if words else []
    rows += [
        _found(f"entity:{e.id}", e.name, translate("Palette", "Entity"), "layers",
               lambda e=e: go("entities", entity_id=e.id))
        for e in entities
    ]  # fmt: skip
    return rows


def _found(id_: str, name: str, group: str, icon: str, run: Callable[[], object]) -> Row:
    return Row(id_, one_line(name, 120), group, icon, run)


def _row(window: Window, spec: ActionSpec) -> Row:
    part = spec.id.split(".")[0]
    action = _action(window, spec.id)
    name = one_line(action.text() if action else translate("Actions", spec.name), 120)
    key = QKeySequence(next(iter(spec.keys), "")).toString(_NATIVE)
    run = action.trigger if action else _nothing
    hindrance = _hindrance(window, part, action)
    return Row(spec.id, name, _group(part), spec.icon, run, key, hindrance)


def _action(window: Window, id_: str) -> QAction | None:
    """The action of that id that the person could use now: of the window or the present pane."""
    where = window if id_.split(".")[0] in _EVERYWHERE else window.present()
    found = where.findChildren(QAction, id_)
    seen = [a for a in found if where is window or a.parent().isVisibleTo(where)]  # type: ignore[attr-defined]
    return next((a for a in seen if a.isEnabled()), next(iter(seen), None))


def _hindrance(window: Window, part: str, action: QAction | None) -> str:
    if action is not None and action.isEnabled():
        return ""
    place = _PLACE_OF.get(part, part)
    if part not in _EVERYWHERE and place != window.place:
        return translate("Palette", "Only in {0}").format(_group(part))
    if action is not None and action.objectName() == "edit.undo":
        return translate("Palette", "Nothing to undo")
    if action is not None and action.objectName() == "edit.redo":
        return translate("Palette", "Nothing to redo")
    return translate("Palette", "Not possible just now")


def _group(part: str) -> str:
    from remembrancer.desktop.menus import MENUS
    from remembrancer.desktop.window import PLACES

    if part in MENUS:
        return translate("Window", MENUS[part])
    place = PLACES.get(_PLACE_OF.get(part, part))
    return translate("Window", place[1]) if place else part.capitalize()


def _nothing() -> None:
    pass
