"""Nothing in the window reads stored text as markup: neither in the code nor when it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

DESKTOP = Path(__file__).parents[2] / "app" / "remembrancer" / "desktop"
FILES = sorted(DESKTOP.rglob("*.py"))

# what may make or be one, and where it stands; all else goes through these
KEPT = {
    "QLabel": {"look/labels.py", "look/badges.py"},
    "QTextBrowser": {"look/browser.py"},
    "QTextEdit": {"look/diff_side.py"},
    "QTextDocument": {"look/markdown.py"},
    "QMessageBox": {"look/question.py"},
    "QStringListModel": {"fields.py"},
    "QInputDialog": set[str](),
    "QErrorMessage": set[str](),
    "QSystemTrayIcon": set[str](),
    "QGraphicsTextItem": set[str](),
    "QStaticText": set[str](),
}
NEVER = ("setHtml", "insertHtml", "appendHtml", "toHtml", "setWhatsThis", "setSource")


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                name = node.func.id if isinstance(node.func, ast.Name) else name
                yield file.relative_to(DESKTOP).as_posix(), node, name


def _bases() -> Iterator[tuple[str, str]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                for base in node.bases:
                    yield file.relative_to(DESKTOP).as_posix(), ast.unparse(base)


def test_labels_boxes_and_browsers_are_made_by_the_safe_ones_alone() -> None:
    made = [(name, where) for where, _, name in _calls() if name in KEPT]
    made += [(base, where) for where, base in _bases() if base in KEPT]
    assert [(name, where) for name, where in made if where not in KEPT[name]] == []


def test_nobody_gives_html_to_a_widget() -> None:
    assert [(where, name) for where, _, name in _calls() if name in NEVER] == []


def test_only_links_and_folders_of_ours_are_handed_to_the_desktop() -> None:
    openers = {where for where, _, name in _calls() if name == "openUrl"}
    assert openers <= {"look/links.py", "settings/places_section.py"}


def test_no_text_is_set_that_the_safe_ones_do_not_know_as_plain() -> None:
    """Tooltips are escaped, or words of ours alone."""
    bad = [
        f"{where}: {ast.unparse(call)}"
        for where, call, name in _calls()
        if name in ("setToolTip", "showText") and not _is_safe(call)
    ]
    # The graph writes a tooltip that its own words module has escaped.
    assert [b for b in bad if not b.startswith("graph/canvas.py")] == []


def _is_safe(call: ast.Call) -> bool:
    text = ast.unparse(call)
    ours = "translate(" in text and ".format(" not in text
    literal = all(isinstance(a, ast.Constant) for a in call.args)
    return "tooltip(" in text or ours or literal


def test_every_label_and_box_is_plain_from_its_beginning() -> None:
    for name in ("look/labels.py", "look/badges.py", "look/question.py"):
        assert "setTextFormat(Qt.TextFormat.PlainText)" in (DESKTOP / name).read_text("utf-8")
