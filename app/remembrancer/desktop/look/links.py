"""Links in foreign text: a web address opens once the person has seen it and agreed."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from remembrancer.desktop.look.plain import breakable, reveal, translate
from remembrancer.desktop.look.question import Question

WEB = ("http", "https")
LONGEST = 2_000  # characters of an address that can still be shown whole
_LINE = 72  # characters of an address in one line


def may_open(url: QUrl) -> bool:
    """Whether `url` is a web address that is what it seems: with a host, and without a name

    before the host, which would look like the host itself. Longer ones are never opened.
    """
    seems = url.isValid() and url.scheme() in WEB and bool(url.host()) and not url.userInfo()
    return seems and len(_whole(url)) <= LONGEST


def _whole(url: QUrl) -> str:
    # Letters that only look like others are spelled out in this form of the host's name.
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def ask(url: QUrl, parent: QWidget) -> Question | None:
    """Ask whether to open `url`, showing the whole of it; None for what is never opened."""
    if not may_open(url):
        return None
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    box = Question(
        translate("Links", "Open a web address"),
        translate("Links", "Open this page of {0} in the web browser?").format(host),
        parent,
    )
    box.explain(breakable(reveal(_whole(url)), step=_LINE))
    yes = box.addButton(translate("Links", "Open"), QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(translate("Links", "Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    yes.clicked.connect(lambda: QDesktopServices.openUrl(url))
    box.open()
    return box
