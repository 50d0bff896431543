"""The licences of everything that the program is made of, as texts to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from remembrancer.places import resource

_BUNDLED = (
    ("Remembrancer", "MIT", ("LICENSE",)),
    ("Lucide icons", "ISC", ("icons", "LICENSE")),
    ("Inter", "OFL-1.1", ("fonts", "LICENSE-Inter.txt")),
    ("JetBrains Mono", "OFL-1.1", ("fonts", "LICENSE-JetBrainsMono.txt")),
)
_QT = """\
Qt and PySide6 (Qt for Python), including Shiboken

Copyright (C) The Qt Company Ltd. and other contributors.

Remembrancer uses Qt and PySide6 under the GNU Lesser General Public License, version 3
(LGPL-3.0-only). Both are used unmodified and are linked dynamically: they lie beside the program
as libraries of their own, and you may replace them by other compatible versions. Nothing in the
terms of Remembrancer forbids to modify it for your own use, or to study it in order to find
errors in such modifications.

The texts of the licences: https://www.gnu.org/licenses/lgpl-3.0.html and
https://www.gnu.org/licenses/gpl-3.0.html

The sources: https://download.qt.io/official_releases/qt/ and
https://download.qt.io/official_releases/QtForPython/
"""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_FILE = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Licence:
    """One part of the program: its name, the short name of its licence, the whole text."""

    name: str
    licence: str
    text: str


def licences() -> list[Licence]:
    """Every part with its licence: our own, what lies beside the program, then the libraries."""
    own = [Licence(name, short, _read(*where)) for name, short, where in _BUNDLED]
    return [*own, Licence("Qt and PySide6", "LGPL-3.0", _QT), *_libraries()]


def _libraries() -> Iterator[Licence]:
    """The libraries that we name as needed, as far as they are installed as packages."""
    for name in sorted(_needed(), key=str.lower):
        if name.lower().startswith("pyside6"):
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        yield Licence(name, _short(found), _texts(found))


def _needed() -> set[str]:
    try:
        lines = distribution("remembrancer").requires or []
    except PackageNotFoundError:
        return set()
    found = (_NAME.match(line) for line in lines)  # of the extras too: who has them may read them
    return {match[0] for match in found if match}


def _short(found: Distribution) -> str:
    given = _field(found, "License-Expression") or _field(found, "License")
    first = given.strip().split("\n")[0]
    return first if 0 < len(first) <= 80 else ""


def _texts(found: Distribution) -> str:
    """The licence files of a package, the one at the top first."""
    files = [f for f in found.files or () if _FILE.search(str(f)) and "dist-info" in str(f)]
    texts = [file.read_text() for file in sorted(files, key=lambda f: len(f.parts))]
    home = _field(found, "Home-page")
    return "\n\n".join(text for text in texts if text) or f"{_short(found)}\n{home}".strip()


def _field(found: Distribution, name: str) -> str:
    return next(iter(found.metadata.get_all(name) or ()), "")


def _read(*where: str) -> str:
    try:
        return resource(*where).read_text(encoding="utf-8")
    except OSError:
        return ""
