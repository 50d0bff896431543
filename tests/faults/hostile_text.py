"""Texts made to hurt a window, a store full of them, and how long the window stalls on each."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from faults.row import Row
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.memory import Draft, Edit
from remembrancer.desktop.application import make_application
from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

BOUND = 100.0  # milliseconds of the window's thread
ME: Doing = {"author": PERSON, "origin": "test"}
LIMIT = 200_000

_SHORT = {
    "tags": "<b>bold</b> <font size=7 color=red>big</font> &lt;i&gt; a < b && c > d",
    "script": "<script>alert(1)</script><iframe src='http://127.0.0.1:9/'></iframe>",
    "file picture": "<img src=file:///etc/hostname> ![p](file:///etc/hostname) ![q](/etc/hostname)",
    "net picture": "![p](http://127.0.0.1:9/p.png) <img src='http://127.0.0.1:9/q.png'>",
    "share": "![p](file://host.invalid/share/p.png) [l](\\\\host.invalid\\share) <smb://host.invalid>",
    "links": "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) <http://a.b/>",
    "nested tables": "<table><tr><td>" * 500,
    "bidi": "pay \u202eevil\u202c to \u2066bob\u2069 \u200f now",
    "zero width": "pass\u200bword\u2060 a\u00adb\ufeff",
    "combining": "a" + "\u0301" * 480,
    "right to left": "\u05e9\u05dc\u05d5\u05dd " * 40,
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 " * 40,
    "ampersands": "&File &&Edit &amp; A&B",
    "line ends": "one\rtwo\r\nthree\u2028four\u2029five\x0bsix\x85seven",
    "front matter": "---\ntitle: x\n---\n# body",
}
_LONG: dict[str, Callable[[int], str]] = {
    "one run": lambda n: "x" * n,
    "one line of words": lambda n: "word " * (n // 5),
    "lines": lambda n: "l\n" * (n // 2),
    "empty lines": lambda n: "\n" * (n - 1) + "x",
    "mixed line ends": lambda n: "a\rb\n" * (n // 4),
    "combining flood": lambda n: "a" + "\u0301" * (n - 1),
    "zero width flood": lambda n: "\u200b" * (n - 1) + "x",
    "bidi flood": lambda n: "\u202e\u202b" * (n // 2 - 1) + "x",
    "hebrew run": lambda n: "\u05d0\u05d1" * (n // 2),
    "han run": lambda n: "\u6f22" * n,
    "thai run": lambda n: "\u0e01" * n,
    "emoji flood": lambda n: "\U0001f600\u200d" * (n // 2),
    "tabs": lambda n: "\t" * (n - 1) + "x",
    "quotes": lambda n: ">" * (n - 1) + "x",
    "nested list": lambda n: "- " * (n // 2 - 1) + "x",
    "deep list": lambda n: "".join(f"{'  ' * d}- {d}\n" for d in range(200)) * max(1, n // 41_000),
    "stars": lambda n: "*a" * (n // 2),
    "brackets": lambda n: "![[" * (n // 3),
    "pipes": lambda n: "|a" * (n // 2) + "\n" + "|-" * (n // 2),
    "table rows": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * (n // 6 - 3),
    "links flood": lambda n: "[a](http://a.b/c) " * (n // 18),
    "pictures flood": lambda n: "![a](b.png) " * (n // 12),
    "fences": lambda n: "```x\ny\n" * (n // 7),
    "headings": lambda n: "# h\n" * (n // 4),
    "entities": lambda n: "&#8238;&lt;" * (n // 11),
    "html tables": lambda n: "<table><tr><td>" * (n // 15),
    "backticks": lambda n: "`a" * (n // 2),
    "references": lambda n: "".join(f"[r{i}]: http://a.b/{i}\n" for i in range(n // 24)),
}


def texts(size: int = LIMIT) -> dict[str, str]:
    """The catalogue: name -> text; the long ones have at most `size` characters."""
    return {**_SHORT, **{name: make(size)[:size] for name, make in _LONG.items()}}


def fill(library: Library, size: int = LIMIT) -> dict[str, int]:
    """Put the catalogue into a store, in every field that takes text; name -> id of the memory."""
    agent: Doing = {
        "author": Author(_SHORT["tags"][:60] + "\u202e", AuthorKind.AGENT),
        "origin": "native",
    }
    found = dict[str, int]()
    for name, text in texts(size).items():
        entity = _name(text)
        library.graph.create([NewEntity(entity, text[:190].strip() or "t")], **agent)
        draft = Draft(
            text,
            entity,
            key=text[:490].strip() or None,
            title="" if name in _LONG else text[:480],
            source=text[:1_990],
            tags=tuple(f"{number}{text[:150]}" for number in range(60)),
        )
        memory = library.memories.remember(draft, **agent)
        other = text[: len(text) // 2] + " changed " + text[len(text) // 2 + 9 :]
        edit = Edit(content=other[:LIMIT], title=draft.title[:400], tags=draft.tags[:30])
        library.memories.revise(memory.id, edit, expected=memory.revision, **agent)
        found[name] = memory.id
    names = [_name(text) for text in texts(size).values()]
    pairs = zip(names, names[1:], _SHORT.values(), strict=False)
    library.graph.relate([Triple(a, b, t[:190]) for a, b, t in pairs], ghosts=True, **agent)
    hub = [Triple(names[0], f"{n}{names[1]}"[:1_000], "to " + "y" * 190) for n in range(100)]
    library.graph.relate(hub, ghosts=True, **agent)
    library.scopes.set(names[0], Scope.SHARED, expected=0, confirmed=True, **ME)
    library.agents.add("<b>a<img src=x>&" + "x" * 40, entity=names[0], **ME)
    return found


def _name(text: str) -> str:
    flat = " ".join(text.split()) or "x"
    return (flat * (1_000 // len(flat) + 1))[:1_000].strip()


class Watch:
    """How long the window's own thread works at a stretch, in milliseconds of its own time."""

    def __init__(self) -> None:
        self.longest, self.where = 0.0, ""

    def step(self, where: str, do: Callable[[], object]) -> None:
        """Do one thing at a stretch."""
        start = time.thread_time()
        do()
        took = (time.thread_time() - start) * 1_000
        if took > self.longest:
            self.longest, self.where = took, where

    def rest(self, where: str, window: Window) -> None:
        """Let the window finish what is under way."""
        calm = 0
        while calm < 3:
            self.step(where, QApplication.processEvents)
            calm = calm + 1 if window.background.idle else 0
            if not calm:
                time.sleep(0.001)


def walk(window: Window, ids: dict[str, int], watch: Watch) -> Iterator[str]:
    """Open every memory in every place; gives the name of a view after it was gone through."""
    for place in PLACES:  # what is loaded or made once is no matter of texts
        window.go(place)
        watch.rest("first look", window)
    watch.longest = 0.0
    for view, look in _VIEWS.items():
        look(window, ids, watch)
        yield view
        watch.longest, watch.where = 0.0, ""


def _pane(window: Window, name: str) -> Any:
    """A pane, whose parts only its own module knows."""
    return window.pane(name)


def _list(window: Window, ids: dict[str, int], watch: Watch) -> None:
    watch.step("go", lambda: window.go("memories"))
    watch.rest("list", window)
    pane = _pane(window, "memories")
    bar = pane.list.verticalScrollBar()
    for place in range(0, bar.maximum() + 1, max(1, bar.maximum() // 20)):
        bar.setValue(place)
        watch.rest("list", window)


def _page(window: Window, ids: dict[str, int], watch: Watch) -> None:
    for name, id_ in ids.items():
        watch.step(name, lambda id_=id_: window.go("memories", memory_id=id_))
        watch.rest(name, window)
        pages = _pane(window, "memories").desk.detail.pages
        for key in ("plain", "facts", "preview"):
            watch.step(f"{name}: {key}", lambda key=key, pages=pages: pages.turn(key))
            watch.rest(f"{name}: {key}", window)
        watch.step(f"{name}: part", lambda pages=pages: pages.preview.turn_to(1))
        watch.rest(f"{name}: part", window)


def _difference(window: Window, ids: dict[str, int], watch: Watch) -> None:
    for name, id_ in ids.items():
        window.go("memories", memory_id=id_)
        watch.rest(name, window)
        detail = _pane(window, "memories").desk.detail
        watch.step(name, detail.compare)
        watch.rest(name, window)
        watch.step(name, detail.difference.next_change)
        watch.rest(name, window)


def _editor(window: Window, ids: dict[str, int], watch: Watch) -> None:
    for name, id_ in ids.items():
        window.go("memories", memory_id=id_)
        watch.rest(name, window)
        desk = _pane(window, "memories").desk
        watch.step(name, desk.edit)
        content = desk.editor.form.content
        watch.rest(name, window)
        while content.filling:
            watch.rest(name, window)
        watch.step(f"{name}: type", lambda content=content: content.insertPlainText("a"))
        watch.rest(f"{name}: type", window)
        watch.step(f"{name}: read", desk.editor.is_dirty)
        watch.step(f"{name}: undo", content.undo)
        watch.rest(f"{name}: undo", window)
        watch.step(f"{name}: cancel", desk.editor.cancelled.emit)
        watch.rest(f"{name}: cancel", window)


def _review(window: Window, ids: dict[str, int], watch: Watch) -> None:
    watch.step("go", lambda: window.go("review"))
    watch.rest("go", window)
    pane = _pane(window, "review").page("due")
    for row in range(pane.model.rowCount()):
        watch.step(str(row), pane.next)
        watch.rest(str(row), window)


def _graph(window: Window, ids: dict[str, int], watch: Watch) -> None:
    window.go("graph")
    watch.rest("graph", window)
    entities = window.library.map.entities(limit=12)
    for number, entity in enumerate(entities):
        watch.step(str(number), lambda e=entity: window.go("graph", entity_id=e.id))
        watch.rest(str(number), window)


def _entities(window: Window, ids: dict[str, int], watch: Watch) -> None:
    for number, entity in enumerate(window.library.map.entities(limit=60)):
        watch.step(str(number), lambda e=entity: window.go("entities", entity_id=e.id))
        watch.rest(str(number), window)


def _activity(window: Window, ids: dict[str, int], watch: Watch) -> None:
    watch.step("go", lambda: window.go("activity"))
    watch.rest("go", window)
    pane = _pane(window, "activity")
    rows = pane.column.rows
    for row in range(rows.model().rowCount()):
        watch.step(str(row), lambda row=row: rows.choose_row(row))
        watch.rest(str(row), window)


def _recall(window: Window, ids: dict[str, int], watch: Watch) -> None:
    for words in ("x", "bold", "changed", "word", "a b c"):
        watch.step(words, lambda words=words: window.go("recall", query=words))
        watch.rest(words, window)


def _agents(window: Window, ids: dict[str, int], watch: Watch) -> None:
    watch.step("go", lambda: window.go("agents"))
    watch.rest("go", window)


def _settings(window: Window, ids: dict[str, int], watch: Watch) -> None:
    watch.step("go", lambda: window.go("settings"))
    watch.rest("go", window)


_VIEWS: dict[str, Callable[[Window, dict[str, int], Watch], None]] = {
    "list": _list,
    "page": _page,
    "differences": _difference,
    "editor": _editor,
    "review": _review,
    "graph": _graph,
    "entities": _entities,
    "activity": _activity,
    "recall": _recall,
    "agents": _agents,
    "settings": _settings,
}


def measure(size: int = LIMIT) -> list[Row]:
    """The longest stall of each view over the catalogue, whose long texts have `size` characters.

    Milliseconds of processor time of the window's thread between two looks at its events.
    """
    app = make_application()
    fonts.load(app)
    theme.apply(app, "light")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REMEMBRANCER_HOME"] = folder
        with Library.open(Path(folder) / "hostile.db") as library:
            ids = fill(library, size)
            preferences = PreferenceFile()
            preferences.change(serve=False)
            window = Window(library, preferences)
            window.resize(1440, 900)
            window.show()
            watch = Watch()
            rows = [
                Row(
                    f"longest stall by hostile texts: {view}",
                    f"≤ {BOUND:.0f} ms",
                    f"{watch.longest:.0f} ms ({watch.where})",
                    watch.longest <= BOUND,
                )
                for view in walk(window, ids, watch)
            ]
            window.shut()
            window.hide()
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return rows
