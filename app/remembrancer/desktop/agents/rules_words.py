"""The rules of an agent's policy in whole sentences: what passes, what waits, what is refused."""

from __future__ import annotations

from collections.abc import Sequence

from remembrancer.core.author import Access
from remembrancer.core.entity import Scope
from remembrancer.core.rules import Rule, Verdict
from remembrancer.desktop.look.plain import translate

VERDICTS = {
    Verdict.PASS: "let through",
    Verdict.HOLD: "hold for me",
    Verdict.REFUSE: "refuse",
}
SCOPES = {
    Scope.DEVICE: "of one entity",
    Scope.GROUP: "of a group",
    Scope.SHARED: "shared by all",
}

# verdict -> of everything, of a kind {0}, of a scope {1}, of both
_SAID = {
    Verdict.PASS: (
        "Everything passes.",
        "Memories of the kind “{0}” pass.",
        "What is {1} passes.",
        "Memories of the kind “{0}” that are {1} pass.",
    ),
    Verdict.HOLD: (
        "Everything waits for you.",
        "Memories of the kind “{0}” wait for you.",
        "What is {1} waits for you.",
        "Memories of the kind “{0}” that are {1} wait for you.",
    ),
    Verdict.REFUSE: (
        "Everything is refused.",
        "Memories of the kind “{0}” are refused.",
        "What is {1} is refused.",
        "Memories of the kind “{0}” that are {1} are refused.",
    ),
}
# access -> what holds where no rule does: without any rule, and after some
_REST = {
    Access.READ: ("It only reads.", "It only reads."),
    Access.PROPOSE: ("Whatever it changes waits for you.", "Everything else waits for you."),
    Access.WRITE: ("Whatever it changes passes.", "Everything else passes."),
}


def verdict(given: Verdict) -> str:
    """What becomes of a deed, as a choice."""
    return translate("Rules", VERDICTS[given])


def scope(given: Scope) -> str:
    """Whom something applies to, as a choice and inside of a sentence."""
    return translate("Rules", SCOPES[given])


def said(access: Access, rules: Sequence[Rule]) -> str:
    """What an agent may do, in sentences; the first rule that covers a change decides."""
    none, rest = (translate("Rules", text) for text in _REST[access])
    if access is Access.READ or not rules:
        return none
    told: list[str] = []
    for place, rule in enumerate(rules):
        told.append(_sentence(rule))
        if rule.kind is None and rule.scope is None:
            if place + 1 < len(rules):
                told.append(translate("Rules", "The rules after that never count."))
            return " ".join(told)
    return " ".join((*told, rest))


def _sentence(rule: Rule) -> str:
    form = (rule.kind is not None) + 2 * (rule.scope is not None)
    text = translate("Rules", _SAID[rule.verdict][form])
    return text.format(rule.kind or "", "" if rule.scope is None else scope(rule.scope))
