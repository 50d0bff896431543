"""Proposals in words: what a change would do, where a proposal stands, what a deed is called."""

from __future__ import annotations

from remembrancer.core.journal import Deed, Subject
from remembrancer.core.proposal import FOLLOWS, Change, Proposal, ProposalState
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.look.plain import number, one_line, translate

_SHORT = 60

# deed -> (what it would be, in a word; the icon; the tone)
_DEEDS: dict[Deed, tuple[str, str, str]] = {
    Deed.REMEMBER: ("New memory", "sparkles", "ok"),
    Deed.REVISE: ("Revision", "pencil", "muted"),
    Deed.VERIFY: ("Verification", "circle-check", "ok"),
    Deed.ARCHIVE: ("Archiving", "archive", "warn"),
    Deed.REVIVE: ("Bringing back", "archive-restore", "ok"),
    Deed.POSTPONE: ("Putting off", "clock", "muted"),
    Deed.SUPERSEDE: ("Superseding", "git-merge", "warn"),
    Deed.DELETE: ("Deletion", "trash-2", "bad"),
    Deed.RESTORE: ("Restoring", "rotate-ccw", "ok"),
    Deed.CREATE_ENTITY: ("New entity", "plus", "ok"),
    Deed.CHANGE_ENTITY: ("Change of an entity", "pencil", "muted"),
    Deed.DELETE_ENTITY: ("Deletion of an entity", "trash-2", "bad"),
    Deed.RESTORE_ENTITY: ("Restoring an entity", "rotate-ccw", "ok"),
    Deed.SET_SCOPE: ("Scope", "share-2", "warn"),
    Deed.RELATE: ("New relation", "link", "ok"),
    Deed.UNRELATE: ("Removal of a relation", "unlink", "bad"),
}


def field(name: str) -> str:
    """The name of a field."""
    return translate("Proposals", "Text") if name == "content" else phrases.field(name)


def deed(change: Change) -> str:
    """What a change is, in a word or two."""
    made = change.base is None and change.subject is Subject.MEMORY
    return translate("Proposals", _DEEDS[Deed.REMEMBER if made else change.deed][0])


def look(change: Change) -> tuple[str, str]:
    """The icon and the tone of a change."""
    made = change.base is None and change.subject is Subject.MEMORY
    _, icon, tone = _DEEDS[Deed.REMEMBER if made else change.deed]
    return icon, tone


def would(proposal: Proposal) -> str:
    """What a proposal would do, as a line of its card."""
    if len(proposal.changes) > 1:
        text = translate("Proposals", "{0} changes in one call")
        return text.format(number(len(proposal.changes)))
    change = proposal.subject
    names = [field(name) for name in change.fields() if name not in FOLLOWS]
    if change.subject is Subject.MEMORY and change.base is not None and not change.removal:
        text = translate("Proposals", "{0}: {1}")
        return text.format(deed(change), ", ".join(names)) if names else deed(change)
    return deed(change)


def label(change: Change) -> str:
    """What a change is about, in one line."""
    kept = change.after
    if change.subject is Subject.RELATION:
        return f"{kept.get('source')} → {kept.get('type')} → {kept.get('target')}"
    name = kept.get("title") or kept.get("name") or kept.get("content") or ""
    return one_line(str(name).strip().split("\n", 1)[0], 160)


def state(proposal: Proposal) -> tuple[str, str, str]:
    """(what became of it, tone, icon) of a decided proposal."""
    if proposal.state is ProposalState.ACCEPTED:
        return translate("Proposals", "Accepted"), "ok", "circle-check"
    if proposal.reason:
        text = translate("Proposals", "Refused: {0}")
        return text.format(one_line(proposal.reason, 120)), "warn", "circle-x"
    return translate("Proposals", "Refused"), "warn", "circle-x"


def accepting(proposal: Proposal) -> str:
    """The name of the deed, as undo shows it."""
    return translate("Proposals", "Accept “{0}”").format(one_line(proposal.label(), _SHORT))


def refusing(proposal: Proposal) -> str:
    """The name of the deed, as undo shows it."""
    return translate("Proposals", "Refuse “{0}”").format(one_line(proposal.label(), _SHORT))


def accepting_all(count: int) -> str:
    """The name of the deed, as undo shows it."""
    return translate("Proposals", "Accept {0} proposals").format(number(count))


def refusing_all(count: int) -> str:
    """The name of the deed, as undo shows it."""
    return translate("Proposals", "Refuse {0} proposals").format(number(count))
