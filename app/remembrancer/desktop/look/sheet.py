"""The style sheet of Qt's own widgets, filled with the colours of a theme."""

from __future__ import annotations

import re
from collections.abc import Mapping

from remembrancer.places import resource

# `$name` stands for the colour of a token. Blocks that paint themselves need nothing here.
_SHEET = """
QLabel[tone="text"] { color: $text } QLabel[tone="muted"] { color: $muted }
QLabel[tone="faint"] { color: $faint } QLabel[tone="accent"] { color: $accent }
QLabel[tone="accenttext"] { color: $accenttext } QLabel[tone="warn"] { color: $warn }
QLabel[tone="bad"] { color: $bad } QLabel[tone="ok"] { color: $ok }
QPushButton { background: $btn; border: 1px solid $line; border-radius: 7px;
  padding: 6px 12px; color: $text }
QPushButton:hover { background: $hover } QPushButton:pressed { background: $track }
QPushButton:focus { border: 2px solid $accent; padding: 5px 11px }
QPushButton:disabled { color: $faint; background: $bg }
QPushButton:default { background: $accent; border-color: $accent; color: $onaccent;
  font-weight: 600 }
QPushButton:default:hover, QPushButton:default:pressed { background: $pressed }
QLineEdit, QPlainTextEdit, QTextEdit { background: $panel; border: 1px solid $line;
  border-radius: 8px; color: $text; selection-background-color: $accent;
  selection-color: $onaccent; placeholder-text-color: $faint }
QLineEdit { padding: 7px 10px } QPlainTextEdit, QTextEdit { padding: 4px }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 1px solid $accent }
QDateEdit { background: $panel; border: 1px solid $line; border-radius: 8px; padding: 6px 8px;
  color: $text; selection-background-color: $accent; selection-color: $onaccent }
QDateEdit:focus { border: 1px solid $accent } QDateEdit:disabled { color: $faint }
QDateEdit::drop-down { border: none; width: 22px }
QDateEdit::down-arrow { image: url("$more"); width: 14px; height: 14px }
QTextBrowser, QTextBrowser:focus { background: transparent; border: none; padding: 0 }
DiffSide, DiffSide:focus { border: none; border-radius: 0; padding: 0 }
CardList, Timeline { background: transparent; border: none; outline: 0;
  selection-background-color: transparent }
CardList::item:selected, Timeline::item:selected { background: transparent }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px }
QScrollBar::handle { background: $track; border-radius: 3px }
QScrollBar::handle:hover { background: $selline }
QScrollBar::handle:vertical { min-height: 36px } QScrollBar::handle:horizontal { min-width: 36px }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0 }
QScrollBar::add-page, QScrollBar::sub-page { background: none }
QCheckBox::indicator, QRadioButton::indicator, TickList::indicator { width: 15px; height: 15px;
  border: 1px solid $faint; background: $panel }
QCheckBox::indicator, TickList::indicator { border-radius: 4px }
QRadioButton::indicator { border-radius: 8px }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent }
QCheckBox::indicator:checked, TickList::indicator:checked { border-color: $accent;
  background: $tick; image: url("$check") }
QRadioButton::indicator:checked { border-color: $accent; background: qradialgradient(cx: 0.5,
  cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 $accent, stop: 0.5 $accent, stop: 0.6 $panel) }
QCheckBox:focus, QRadioButton:focus { color: $accent }
QTabBar { qproperty-drawBase: 0; qproperty-expanding: 0 }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent;
  padding: 6px 2px 7px 2px; margin-right: 20px; color: $muted; font-weight: 500 }
QTabBar::tab:hover { color: $text }
QTabBar::tab:selected { color: $accent; border-bottom-color: $accent; font-weight: 600 }
QTabBar::tab:focus { border-bottom: 3px solid $accent; padding-bottom: 6px }
QTabWidget::pane { border: none; border-top: 1px solid $line }
QMenu { background: $panel; border: 1px solid $line; padding: 5px }
QMenu::item { padding: 6px 26px 6px 12px; border-radius: 6px; color: $text }
QMenu::item:selected { background: $accentbg; color: $accenttext }
QMenu::item:disabled { color: $faint } QMenu::icon { padding-left: 8px }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px }
QToolTip { background: $panel; color: $text; border: 1px solid $line; padding: 5px 7px }
QSplitter::handle { background: transparent }
"""


def sheet(colors: Mapping[str, str]) -> str:
    """The style sheet in `colors` (token -> "#rrggbb"). Raises KeyError for a missing token."""
    # The tick is black wherever it is drawn from a file, so it stands on a light ground.
    files = {"check": "check.svg", "more": "chevron-down.svg"}
    icons = {name: resource("icons", file).as_posix() for name, file in files.items()}
    words = {**colors, **icons}
    return re.sub(r"\$(\w+)", lambda found: words[found[1]], _SHEET)
