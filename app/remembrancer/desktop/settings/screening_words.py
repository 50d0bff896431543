"""What the section for secrets says: where one stands, of which sort it is, how far a scan is."""

from __future__ import annotations

from remembrancer.core.clock import SECOND
from remembrancer.core.journal import Subject
from remembrancer.core.screening import Finding
from remembrancer.desktop import words
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.service.long_reading import Standing
from remembrancer.service.screening import ScanState

_FIELDS = {
    "content": "text",
    "title": "title",
    "key": "key",
    "source": "source",
    "tags": "tags",
    "archived_reason": "reason",
    "name": "name",
    "type": "type",
    "history": "earlier revisions",
    "proposal": "proposal",
    "entity": "entity",
    "client_name": "client",
    "client_version": "client",
}
_MOST = 3  # places that are named


def place(finding: Finding) -> str:
    """Where a secret stands: "m-12: text, earlier revisions"."""
    named = dict.fromkeys(translate("Secrets", _FIELDS.get(p, p)) for p in finding.places)
    shown = ", ".join(list(named)[:_MOST]) + (" …" if len(named) > _MOST else "")
    return f"{subject(finding)}: {shown}"


def subject(finding: Finding) -> str:
    """What a secret stands in, in a few words."""
    if finding.subject is Subject.MEMORY:
        return f"m-{finding.subject_id}"
    name = {
        Subject.ENTITY: translate("Secrets", "Entity {0}"),
        Subject.RELATION: translate("Secrets", "Relation {0}"),
        Subject.AGENT: translate("Secrets", "Agent {0}"),
    }[finding.subject]
    return name.format(one_line(finding.label, 40) or finding.subject_id)


def sort(kind: str) -> str:
    """The sort of a secret in words: "github token"."""
    return kind.replace("_", " ")


def when(finding: Finding) -> str:
    """When the subject was last written."""
    return words.full_moment(finding.at or None)


def mark(state: ScanState) -> tuple[str, str]:
    """(icon, tone) of a state."""
    if state.standing is Standing.FAILED:
        return "circle-alert", "bad"
    if state.findings:
        return "triangle-alert", "warn"
    return ("shield-check", "ok") if state.standing is Standing.DONE else ("shield", "faint")


def told(state: ScanState, now: int) -> str:
    """How far it is, and what was found."""
    found = number(len(state.findings))
    if state.standing is Standing.NEVER:
        return translate("Secrets", "Not scanned yet")
    if state.standing is Standing.UNDER_WAY:
        said = translate("Secrets", "{0} of {1} looked at, {2} found")
        return said.format(number(state.done), number(state.total), found)
    if state.standing is Standing.FAILED:
        return translate("Secrets", "The scan could not go on; the store could not be read.")
    if state.standing is Standing.STOPPED:
        said = translate("Secrets", "Stopped after {0} of {1}, {2} found")
        return said.format(number(state.done), number(state.total), found)
    age = words.age((state.at or now) // SECOND * SECOND, now)
    if state.more:
        return translate("Secrets", "More than {0} found; mask these, then scan again").format(
            found
        )
    if state.findings:
        return translate("Secrets", "{0} found ({1})").format(found, age)
    return translate("Secrets", "Nothing found that looks like a secret ({0})").format(age)


def sealed(texts: int) -> str:
    """What can still be brought back."""
    if texts == 1:
        return translate("Secrets", "1 masked text can still be brought back.")
    said = translate("Secrets", "{0} masked texts can still be brought back.")
    return said.format(number(texts))


def masked(count: int) -> str:
    """What was done."""
    if count == 1:
        return translate("Secrets", "1 secret masked, in its history too.")
    said = translate("Secrets", "{0} secrets masked, in their history too.")
    return said.format(number(count))
