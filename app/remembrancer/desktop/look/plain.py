"""Foreign text made safe to show: short enough, breakable, and with nothing hidden in it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from remembrancer.core.display import (
    LINE_CHARACTERS,
    SHOWN_CHARACTERS,
    UNBROKEN_CHARACTERS,
    breakable,
    one_line,
    reveal,
    spelled_out,
    units,
)

__all__ = [
    "LINE_CHARACTERS",
    "SHOWN_CHARACTERS",
    "UNBROKEN_CHARACTERS",
    "breakable",
    "display_text",
    "menu_text",
    "number",
    "one_line",
    "reveal",
    "spelled_out",
    "tooltip",
    "translate",
    "units",
]

translate = QCoreApplication.translate


def display_text(text: str) -> str:
    """`text` as a widget may show it: revealed, breakable, and of bounded length.

    At most 20,000 characters are shown, with a sentence at the end where that is not all. A run
    of more than 2,000 characters without a blank gets line breaks, since laying out a long run
    takes Qt minutes.
    """
    revealed = reveal(text[:SHOWN_CHARACTERS])
    whole = len(text) <= SHOWN_CHARACTERS and len(revealed) <= SHOWN_CHARACTERS
    shown = breakable(revealed[:SHOWN_CHARACTERS])
    return shown if whole else f"{shown}\n\n{_cut_sentence(len(text))}"


def _cut_sentence(total: int) -> str:
    sentence = translate("Look", "Only the beginning is shown here: the text has {0} characters.")
    return sentence.format(number(total))


def number(count: int) -> str:
    """A whole number as the reader's country writes it."""
    return QLocale().toString(count)


def menu_text(text: str, limit: int = 80) -> str:
    """`text` for a menu or a button: one line, and an & in it gives no key."""
    return one_line(text, limit).replace("&", "&&")


def tooltip(text: str) -> str:
    """`text` for a tooltip: whatever markup it holds is shown, not followed."""
    import html  # the first picture has no tooltip

    shown = html.escape(breakable(reveal(text[: SHOWN_CHARACTERS // 10]), step=120))
    # Without a tag around it Qt might take escaped text for plain and show the escapes.
    return f'<div style="white-space: pre-wrap">{shown}</div>' if text else ""
