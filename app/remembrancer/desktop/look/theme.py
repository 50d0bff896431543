"""Which theme the window wears: its colours, the switch between themes, and word of a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.look import sheet, tokens


@dataclass(frozen=True)
class Theme:
    """The colours of one theme: by token, by kind (ink and ground), and eight categories."""

    name: str
    tokens: Mapping[str, str]
    kinds: Mapping[str, tuple[str, str]]
    categories: tuple[str, ...]

    def color(self, token: str) -> QColor:
        """The colour that `token` names. Raises KeyError for a name that no theme has."""
        return QColor(self.tokens[token])

    def kind(self, word: str) -> tuple[QColor, QColor]:
        """Ink and ground of a kind; an unknown kind looks like `unsorted`."""
        ink, ground = self.kinds.get(word, self.kinds["unsorted"])
        return QColor(ink), QColor(ground)

    def category(self, number: int) -> QColor:
        """The colour of category `number`; there are eight, then they come again."""
        return QColor(self.categories[number % len(self.categories)])


THEMES: dict[str, Theme] = {
    "light": Theme("light", tokens.LIGHT, tokens.LIGHT_KINDS, tokens.LIGHT_CATEGORIES),
    "dark": Theme("dark", tokens.DARK, tokens.DARK_KINDS, tokens.DARK_CATEGORIES),
}


# Set on an application that began with the Fusion style: asking for it again would hand the style
# to Python, which takes longer than everything else about a theme.
FUSION = "began with Fusion"


class _Wardrobe(QObject):
    """Holds the theme that is worn, and tells when it changes."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.worn = THEMES["light"]
        self.following: QApplication | None = None

    def put_on(self, app: QApplication, theme: Theme) -> None:
        self.worn = theme
        if not app.property(FUSION):
            app.setStyle("Fusion")
            app.setProperty(FUSION, True)
        app.setPalette(_palette(theme))
        app.setStyleSheet(sheet.sheet(theme.tokens))
        self.changed.emit(theme)

    def follow(self, app: QApplication) -> None:
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(
            self.scheme_changed, type=Qt.ConnectionType.UniqueConnection
        )
        self.following = app
        self.scheme_changed(hints.colorScheme())

    def scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        if self.following:
            dark = scheme == Qt.ColorScheme.Dark
            self.put_on(self.following, THEMES["dark" if dark else "light"])


_wardrobe = _Wardrobe()


def current() -> Theme:
    """The theme that is worn now."""
    return _wardrobe.worn


def apply(app: QApplication, name: str) -> None:
    """Wear the theme `name` ("light" or "dark") and stop following the desktop.

    Qt's own colour scheme setting has no effect on several platforms, so the palette is ours.
    Raises KeyError for an unknown name.
    """
    theme = THEMES[name]
    _wardrobe.following = None
    _wardrobe.put_on(app, theme)


def follow_system(app: QApplication) -> None:
    """Wear what the desktop prefers, now and after each change; light where it does not say."""
    _wardrobe.follow(app)


def watch(callback: Callable[[Theme], None]) -> None:
    """Call `callback` with the new theme after each switch.

    Blocks that paint themselves ask `current()` and need no call; this is for what keeps colours.
    A bound method of a QObject is let go together with its object.
    """
    _wardrobe.changed.connect(callback)


_ROLES = {
    QPalette.ColorRole.Window: "bg",
    QPalette.ColorRole.Base: "panel",
    QPalette.ColorRole.AlternateBase: "bg",
    QPalette.ColorRole.Button: "btn",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.ToolTipBase: "panel",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.BrightText: "onaccent",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "onaccent",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.PlaceholderText: "faint",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Light: "panel",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "selline",
}


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, theme.color(token))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color("faint"))
    return palette
