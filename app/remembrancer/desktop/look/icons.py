"""Line icons in any colour and size, drawn from the bundled SVG files and kept once drawn."""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap

from remembrancer.desktop.look import theme
from remembrancer.places import resource

FALLBACK = "circle"

_AGENT_ICONS = {
    "claude-code": "terminal",
    "codex": "terminal",
    "gemini-cli": "terminal",
    "cursor": "mouse-pointer-2",
    "api": "braces",
    "import": "import",
    "importer": "import",
    "you": "user",
    "person": "user",
}


def exists(name: str) -> bool:
    """Whether the icon `name` is among the bundled ones."""
    return resource("icons", f"{name}.svg").is_file()


def for_agent(agent: str) -> str:
    """The icon that stands beside the name of an agent."""
    return _AGENT_ICONS.get(agent, "bot")


def pixmap(
    name: str, color: QColor | str, px: int, dpr: float = 0.0, stroke: float = 1.75
) -> QPixmap:
    """The icon `name` as `px` logical pixels, its lines `stroke` of 24 units wide.

    `dpr` is the device pixel ratio of where it is drawn; 0 takes that of the application. An
    unknown name gives a plain circle, so that a word from outside never breaks a painter.
    """
    ratio = dpr or _application_ratio()
    return _pixmap(name, QColor(color).name(), px, ratio, stroke)


def icon(name: str, token: str = "muted", px: int = 18) -> QIcon:
    """The icon `name` for Qt's own widgets; its colour follows the theme by `token`."""
    return QIcon(_ThemedEngine(name, token, px))


def _application_ratio() -> float:
    app = QGuiApplication.instance()
    return app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0


@cache
def _source(name: str) -> str:
    known = name if exists(name) else FALLBACK
    return resource("icons", f"{known}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _pixmap(name: str, color: str, px: int, dpr: float, stroke: float) -> QPixmap:
    drawn = QPixmap(QSize(px, px) * dpr)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    _draw(painter, name, color, stroke)
    painter.end()
    drawn.setDevicePixelRatio(dpr)
    return drawn


def _draw(painter: QPainter, name: str, color: str, stroke: float) -> None:
    # QtSvg is loaded with the first icon rather than with the program.
    from PySide6.QtSvg import QSvgRenderer

    svg = _source(name).replace("currentColor", color)
    svg = svg.replace('stroke-width="2"', f'stroke-width="{stroke}"')
    QSvgRenderer(QByteArray(svg.encode())).render(painter)


class _ThemedEngine(QIconEngine):
    """Draws an icon in the colour that its token has at that moment."""

    def __init__(self, name: str, token: str, px: int) -> None:
        super().__init__()
        self._look = (name, token, px)

    def clone(self) -> QIconEngine:
        return _ThemedEngine(*self._look)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._tinted(size.height(), 1.0, mode)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        return self._tinted(round(size.height() / scale), scale, mode)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        drawn = self._tinted(side, painter.device().devicePixelRatioF(), mode)
        left = rect.left() + (rect.width() - side) // 2
        painter.drawPixmap(left, rect.top() + (rect.height() - side) // 2, drawn)

    def _tinted(self, px: int, dpr: float, mode: QIcon.Mode) -> QPixmap:
        name, token, _ = self._look
        color = theme.current().color(token)
        if mode == QIcon.Mode.Disabled:
            color = _half_way(color, theme.current().color("panel"))
        return pixmap(name, color, px, dpr)


def _half_way(one: QColor, other: QColor) -> QColor:
    return QColor.fromRgbF(
        (one.redF() + other.redF()) / 2,
        (one.greenF() + other.greenF()) / 2,
        (one.blueF() + other.blueF()) / 2,
    )
