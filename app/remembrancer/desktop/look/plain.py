"""Foreign text made safe to show: short enough, breakable, and with nothing hidden in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate

SHOWN_CHARACTERS = 20_000
UNBROKEN_CHARACTERS = 2_000
LINE_CHARACTERS = 400

# An emoji may carry a variation selector and be joined to the next one: that hides nothing.
_PICTURE = "[\u2190-\u27bf\u2934-\u2935\u2b05-\u2b55\U0001f000-\U0001faff]"
_SIGN = "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299]"
_HARMLESS = (
    f"(?<={_PICTURE})\ufe0f?\u200d(?={_PICTURE})|(?<={_PICTURE})\ufe0f(?!\ufe0f)"
    f"|(?<={_SIGN})\ufe0f(?!\ufe0f)"
)
# Characters without a shape of their own, those that turn the direction of text, those that Qt
# uses for itself inside a document, and halves of a surrogate pair, which no font can show.
_HIDDEN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffc\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_UNSEEN = re.compile(f"(?P<harmless>{_HARMLESS})|{_HIDDEN}")
_RUN = re.compile(r"[^ \t\n]+")

_SPELLED_OUT = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")


def reveal(text: str) -> str:
    """`text` with each hidden character spelled out, such as ⟨U+202E⟩, and \\n as line ends."""
    return _UNSEEN.sub(_spell_out, text.replace("\r\n", "\n").replace("\r", "\n"))


def _spell_out(found: re.Match[str]) -> str:
    return found[0] if found["harmless"] else f"⟨U+{ord(found[0]):04X}⟩"


def spelled_out(text: str) -> Iterator[tuple[int, int]]:
    """Where hidden characters were spelled out: starts and lengths in UTF-16 units."""
    done = at = 0
    for found in _SPELLED_OUT.finditer(text):
        at += units(text[done : found.start()])
        done = found.start()
        yield at, len(found[0])


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


def breakable(text: str, mark: str = "\n") -> str:
    """`text` with `mark` put in after each 2,000 characters of a run without a blank."""
    return _RUN.sub(lambda run: mark.join(_pieces(run[0])), text)


def _pieces(run: str) -> list[str]:
    step = UNBROKEN_CHARACTERS
    return [run[start : start + step] for start in range(0, len(run), step)]


def _cut_sentence(total: int) -> str:
    sentence = translate("Look", "Only the beginning is shown here: the text has {0} characters.")
    return sentence.format(number(total))


def number(count: int) -> str:
    """A whole number as the reader's country writes it."""
    return QLocale().toString(count)


def one_line(text: str, limit: int = LINE_CHARACTERS) -> str:
    """`text` as one line of at most `limit` characters, revealed, its blanks drawn together."""
    line = " ".join(reveal(text[: limit * 2]).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def tooltip(text: str) -> str:
    """`text` for a tooltip: whatever markup it holds is shown, not followed."""
    import html  # the first picture has no tooltip

    shown = html.escape(reveal(text[: SHOWN_CHARACTERS // 10]))
    # Without a tag around it Qt might take escaped text for plain and show the escapes.
    return f'<div style="white-space: pre-wrap">{shown}</div>' if text else ""


def units(text: str) -> int:
    """The length of `text` as Qt counts it, in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)
