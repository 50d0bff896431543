"""How a text is shown: short enough, breakable, with nothing hidden in it; and edited exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from remembrancer.core.sign_names import sign_name

SHOWN_CHARACTERS = 20_000
UNBROKEN_CHARACTERS = 2_000
LINE_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 4_000
FORMATTED_CHARACTERS = 12_000
MEANT_SIGNS, PART_LINES = 1_200, 5_000  # of one part
LEAST_PART = 1_000

# An emoji may carry a variation selector and be joined to the next one: that hides nothing.
_PICTURE = "[\u2190-\u27bf\u2934-\u2935\u2b05-\u2b55\U0001f000-\U0001faff]"
_SIGN = "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299]"
_HARMLESS = (
    f"(?<={_PICTURE})\ufe0f?\u200d(?={_PICTURE})|(?<={_PICTURE})\ufe0f(?!\ufe0f)"
    f"|(?<={_SIGN})\ufe0f(?!\ufe0f)"
)
# Characters without a shape of their own, those that turn the direction of text, those that the
# window uses for itself inside a document, and halves of a surrogate pair, which no font can show.
_HIDDEN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffc\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_UNSEEN = re.compile(f"(?P<harmless>{_HARMLESS})|{_HIDDEN}")
_SPELLED = 9  # characters of one that is spelled out
_RUN = re.compile(r"[^ \n]+")
# What may mean something in Markdown, and is dear to lay out where there is much of it.
_MEANT = re.compile(r"[*_`\[\]!|>#~&<\n\t]|- ")
_SPELLED_OUT = re.compile(r"⟨(?:U\+[0-9A-F]{4,6}|TAG .|[A-Z]{2,5}\d{0,3})⟩")
# What ends a line inside a document of the window, though not in a text.
# Codes that no text uses by agreement, then such as no letters were given yet.
_SIGNS = (range(0xFDD2, 0xFDF0), range(0x40000, 0x80000))
_ODD_ENDS = ("\u2029", "\ufdd0", "\ufdd1")


def reveal(text: str) -> str:
    """`text` with each hidden character spelled out, such as ⟨RLO⟩, and \\n as line ends."""
    return _UNSEEN.sub(_spell_out, text.replace("\r\n", "\n").replace("\r", "\n"))


def _spell_out(found: re.Match[str]) -> str:
    return found[0] if found["harmless"] else f"⟨{sign_name(found[0])}⟩"


def spelled_out(text: str) -> Iterator[tuple[int, int]]:
    """Where hidden characters were spelled out: starts and lengths in UTF-16 units."""
    done = at = 0
    for found in _SPELLED_OUT.finditer(text):
        at += units(text[done : found.start()])
        done = found.start()
        yield at, len(found[0])


def breakable(text: str, mark: str = "\n", step: int = UNBROKEN_CHARACTERS) -> str:
    """`text` with `mark` put in after each `step` characters of a run without a blank."""
    return _RUN.sub(lambda run: mark.join(_pieces(run[0], step)), text)


def _pieces(run: str, step: int) -> list[str]:
    return [run[start : start + step] for start in range(0, len(run), step)]


def one_line(text: str, limit: int = LINE_CHARACTERS) -> str:
    """`text` as one line of at most `limit` characters, revealed, its blanks drawn together."""
    line = " ".join(reveal(text[: limit * 2]).split())
    cut = len(line) > limit or len(text) > limit * 2
    return f"{line[: limit - 1]}…" if cut else line


def longest_run(text: str) -> int:
    """The characters of the longest run of `text` without a blank."""
    return max((found.end() - found.start() for found in _RUN.finditer(text)), default=0)


def units(text: str) -> int:
    """The length of `text` in UTF-16 units, as the window counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


def parts(text: str, size: int = SHOWN_CHARACTERS) -> list[tuple[int, int]]:
    """Where the parts of `text` begin and end that are shown one at a time, at least one.

    A part has at most `size` characters, fewer where many of them have to be spelled out. It ends
    with a line where its last quarter holds a line's end, else with a word, else anywhere.
    """
    found, start = list[tuple[int, int]](), 0
    if len(text) - len(_UNSEEN.sub("", text)) > size // _SPELLED:
        size //= _SPELLED
    while len(text) - start > size:
        end = _good_end(text, start, start + size)
        found.append((start, end))
        start = end
    return [*found, (start, len(text))]


def plain_parts(text: str) -> list[tuple[int, int]]:
    """The parts of a text that is shown as it is written: at most some thousand lines each."""
    return parts(text, _thin(text, text.count("\n"), SHOWN_CHARACTERS, PART_LINES))


def formatted_parts(text: str) -> list[tuple[int, int]]:
    """The parts of a text that is shown as Markdown: smaller where it is thick with its signs."""
    # The cells of a table are dearer than anything else.
    meant = len(_MEANT.findall(text)) + text.count("|")
    return parts(text, _thin(text, meant, FORMATTED_CHARACTERS, MEANT_SIGNS))


def _thin(text: str, dear: int, size: int, most: int) -> int:
    """How long parts of `text` may be so that each holds about `most` of its `dear` things."""
    return size if not dear else max(min(size, len(text) * most // dear), LEAST_PART)


def _good_end(text: str, start: int, end: int) -> int:
    least = end - (end - start) // 4
    for mark in ("\n", " "):
        place = text.rfind(mark, least, end)
        if place >= 0:
            return place + 1
    return end


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of lines of one text: the usual one, and a stand-in for each of the odd ones.

    In the window every end is a line's end; before an odd one stands a sign that the text does
    not hold, so that the text comes out of the window as it went in.
    """

    usual: str
    usual_sign: str
    odd: tuple[tuple[str, str], ...]

    def shown(self, text: str) -> str:
        """`text` as the window holds it, each line ended by \\n."""
        signs = (*self.odd, (self.usual, self.usual_sign))
        # The longest first: "\r\n" is one end, not two.
        for end, sign in sorted(signs, key=lambda pair: -len(pair[0])):
            text = text.replace(end, sign)
        for _, sign in self.odd:
            text = text.replace(sign, f"{sign}\n")
        return text.replace(self.usual_sign, "\n")

    def stored(self, shown: str) -> str:
        """The text of which `shown` is what the window holds by now."""
        text = shown.replace("\n", self.usual)
        for end, sign in self.odd:
            # A sign whose line was joined with the next one stands for nothing any more.
            text = text.replace(sign + self.usual, end).replace(sign, "")
        return text


def ends(text: str) -> Ends:
    """What ends the lines of `text`, the most frequent end being the usual one."""
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    usual = max(counts, key=lambda end: counts[end])
    others = [end for end in counts if counts[end] and end != usual]
    others += [end for end in _ODD_ENDS if end in text]
    signs = _unused(text)
    return Ends(usual, next(signs), tuple((end, next(signs)) for end in others))


def _unused(text: str) -> Iterator[str]:
    """Signs that nobody exchanges and that `text` does not hold."""
    held = set(text)
    return (sign for code in chain(*_SIGNS) if (sign := chr(code)) not in held)


def editable(shown: str, size: int = SHOWN_CHARACTERS) -> Iterator[tuple[str, bool]]:
    """`shown` in pieces of at most `size` characters, and whether a line is broken behind each.

    Such a break is for the eye alone: no line is longer than 4,000 characters then, nor a run
    without a blank much longer than 2,000.
    """
    done = at = 0
    for line in shown.split("\n"):
        end = at + len(line)
        while end - at > PARAGRAPH_CHARACTERS:
            at = _good_end(shown, at, at + _step(shown, at))
            yield from _sized(shown[done:at], True, size)
            done = at
        at = end + 1
    yield from _sized(shown[done:], False, size)


def _sized(piece: str, broken: bool, size: int) -> Iterator[tuple[str, bool]]:
    while len(piece) > size:
        yield piece[:size], False
        piece = piece[size:]
    yield piece, broken


def _step(text: str, at: int) -> int:
    """How far a line may go on: less where it is a run without a blank, which is dear to lay."""
    run = _RUN.match(text, at)
    long = run is not None and run.end() - at > UNBROKEN_CHARACTERS
    return UNBROKEN_CHARACTERS if long else PARAGRAPH_CHARACTERS
