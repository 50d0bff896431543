"""Deeds, origins and fields in the words of the journal's place."""

from __future__ import annotations

from remembrancer.core.journal import Deed
from remembrancer.desktop.look.plain import number, one_line, translate

# deed -> (one, several)
_DONE: dict[Deed, tuple[str, str]] = {
    Deed.REMEMBER: ("remembered a memory", "remembered {0} memories"),
    Deed.REVISE: ("revised a memory", "revised {0} memories"),
    Deed.VERIFY: ("verified a memory", "verified {0} memories"),
    Deed.ARCHIVE: ("archived a memory", "archived {0} memories"),
    Deed.REVIVE: ("brought a memory back", "brought {0} memories back"),
    Deed.POSTPONE: ("put a memory off", "put {0} memories off"),
    Deed.SUPERSEDE: ("superseded a memory", "superseded {0} memories"),
    Deed.DELETE: ("deleted a memory", "deleted {0} memories"),
    Deed.RESTORE: ("restored a memory", "restored {0} memories"),
    Deed.PURGE: ("forgot a memory for good", "forgot {0} memories for good"),
    Deed.CREATE_ENTITY: ("created an entity", "created {0} entities"),
    Deed.CHANGE_ENTITY: ("changed an entity", "changed {0} entities"),
    Deed.DELETE_ENTITY: ("deleted an entity", "deleted {0} entities"),
    Deed.RESTORE_ENTITY: ("restored an entity", "restored {0} entities"),
    Deed.SET_SCOPE: ("set a scope", "set {0} scopes"),
    Deed.RELATE: ("made a relation", "made {0} relations"),
    Deed.UNRELATE: ("removed a relation", "removed {0} relations"),
    Deed.ADD_AGENT: ("let an agent in", "let {0} agents in"),
    Deed.CHANGE_AGENT: ("changed an agent", "changed {0} agents"),
    Deed.REVOKE_AGENT: ("revoked an agent", "revoked {0} agents"),
    Deed.ATTEMPT: ("was refused a change", "was refused {0} changes"),
    Deed.PROPOSE: ("proposed a change", "proposed {0} changes"),
    Deed.ACCEPT: ("accepted a proposal", "accepted {0} proposals"),
    Deed.REFUSE: ("refused a proposal", "refused {0} proposals"),
    Deed.KEEP_BOTH: ("kept both of a pair", "kept both of {0} pairs"),
    Deed.ASK_AGAIN: ("left a pair open again", "left {0} pairs open again"),
}

# deed -> what is said where it is done to one thing that has a name
_NAMED: dict[Deed, str] = {
    Deed.CREATE_ENTITY: "created “{0}”",
    Deed.CHANGE_ENTITY: "changed “{0}”",
    Deed.DELETE_ENTITY: "deleted “{0}”",
    Deed.RESTORE_ENTITY: "restored “{0}”",
    Deed.SET_SCOPE: "set the scope of “{0}”",
    Deed.ADD_AGENT: "let “{0}” in",
    Deed.CHANGE_AGENT: "changed the agent “{0}”",
    Deed.REVOKE_AGENT: "revoked “{0}”",
}

# deed -> what is said of it where an entity was deleted and this went along
_BELONGS: dict[Deed, tuple[str, str]] = {
    Deed.DELETE: ("its memory", "its {0} memories"),
    Deed.UNRELATE: ("its relation", "its {0} relations"),
}

_ORIGINS = {
    "window": "window",
    "undo": "undo",
    "import": "import",
    "command line": "command line",
}

_FIELDS = {
    "name": "Name",
    "type": "Type",
    "members": "Members",
    "entity": "Entity",
    "key": "Key",
    "title": "Title",
    "kind": "Kind",
    "source": "Source",
    "confidence": "Confidence",
    "pinned": "Pinned",
    "tags": "Tags",
    "status": "Status",
    "archived_reason": "Why archived",
    "superseded_by": "Superseded by",
    "expires_at": "Expires",
    "verified_at": "Verified",
    "verified_by": "Verified by",
    "postponed_until": "Put off until",
    "review_days": "Review every (days)",
    "scope": "Scope",
    "access": "Access",
    "dialect": "Dialect",
    "language": "Language",
    "answer_budget": "Answer budget",
    "revoked_at": "Revoked",
}


def done(deed: Deed, count: int, name: str = "") -> str:
    """What was done, how often; to what, where that is one thing with a `name`."""
    one, several = _DONE[deed]
    if count == 1 and name and deed in _NAMED:
        return translate("Activity", _NAMED[deed]).format(one_line(name, 60))
    if count == 1:
        return translate("Activity", one)
    return translate("Activity", several).format(number(count))


def belongs(deed: Deed, count: int) -> str:
    """What went along with an entity; empty for deeds that stand for themselves."""
    if deed not in _BELONGS:
        return ""
    one, several = _BELONGS[deed]
    if count == 1:
        return translate("Activity", one)
    return translate("Activity", several).format(number(count))


def origin(value: str) -> str:
    """Through which door a call came."""
    return translate("Activity", _ORIGINS[value]) if value in _ORIGINS else one_line(value, 40)


def field(name: str) -> str:
    """The name of a field."""
    return translate("Activity", _FIELDS.get(name, name))


def fields() -> tuple[str, ...]:
    """The fields that are compared, in the order in which they are shown."""
    return tuple(_FIELDS)
