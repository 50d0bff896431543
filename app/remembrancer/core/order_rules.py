"""What sounds like an order to a model rather than like a note, in two tongues, with points.

A phrase that nobody writes in a note has enough points alone; one that may stand in an ordinary
note needs a second one beside it. Patterns see lower case and never look further than a line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ENOUGH = 3


class Rule(NamedTuple):
    """A phrase: its name, its points, words of which one must stand in the text, the pattern."""

    name: str
    points: int
    hints: frozenset[str]
    pattern: re.Pattern[str]


_BEFORE = r"(?:previous|prior|earlier|preceding|above|foregoing|existing|original|initial|system)"
_ORDERS = r"(?:instructions?|directions|directives?|prompts?|guidelines|guardrails|commands?)"
_FRUEHER = r"(?:vorherige|bisherige|vorige|fr\u00fchere|obige|urspr\u00fcngliche|vorangegangene)"
_BEFEHLE = r"(?:anweisung|instruktion|befehl|vorgabe|regel|prompt|richtlinie)"
_WHOM = r"(?:the )?(?:user|human|person|owner|operator)"
_WEM = r"(?:dem|der|den|deinem|deiner)? ?(?:nutzer|benutzer|anwender|menschen|person|besitzer)"

_ROWS: tuple[tuple[str, int, str, str], ...] = (
    (
        "override", 3, "ignore,disregard,forget,override,bypass",
        rf"\b(?:ignore|disregard|forget|override|bypass)\b[^\n.]{{0,30}}?\b{_BEFORE}\b"
        rf"[^\n.]{{0,20}}?\b(?:{_ORDERS}|rules|context|messages?)\b",
    ),
    (
        "override", 3, "ignore,disregard,forget",
        rf"\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:your|the|these|those) (?:own )?"
        rf"{_ORDERS}\b",
    ),
    (
        "override", 3, "ignore,disregard,forget",
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: that)?"
        r"(?: was| has been| you were)? (?:above|before|told|said|instructed)\b",
    ),
    (
        "override", 3, "ignorier,vergiss,missacht,umgeh,\u00fcbergeh,setz",
        rf"\b(?:ignorier\w{{0,3}}|vergiss|missachte\w?|umgehe?|\u00fcbergehe?)\b[^\n.]{{0,30}}?"
        rf"\b(?:{_FRUEHER}[rns]?|deine[rn]?|system)\b[^\n.]{{0,20}}?\b{_BEFEHLE}(?:e?n|s)?\b",
    ),
    (
        "override", 3, "vergiss,ignorier",
        r"\b(?:vergiss|ignorier\w{0,3}) alles,? (?:was|bisherige|vorherige|davor)\b",
    ),
    (
        "command", 3, "you must,you shall",
        r"(?:^|[.!?:;]\s{1,3}|\n)you (?:must|shall) (?:now|immediately|always)\b[, ]",
    ),
    ("command", 2, "you must", r"\byou must (?:now|immediately)\b"),
    ("command", 3, "from now on", r"\bfrom now on,? you (?:are|must|will|shall|should|only)\b"),
    ("command", 2, "you are now", r"\byou are now (?:an? |in |the |my |free|dan\b|unrestricted)"),
    (
        "command", 3, "du ",
        r"\bdu (?:musst|sollst|wirst) (?:jetzt|nun|ab sofort|ab jetzt|von nun an)\b"
        r"|\b(?:ab (?:jetzt|sofort)|von nun an) (?:bist|musst|wirst|sollst) du\b",
    ),
    ("command", 2, "du bist", r"\bdu bist (?:jetzt|nun|ab sofort) (?:eine?|der|die|das|im|frei)\b"),
    ("command", 2, "instruction", r"\b(?:new|updated|real|secret) instructions?\s?:"),
    ("command", 2, "anweisung", r"\b(?:neue|aktualisierte|geheime) anweisung(?:en)?\s?:"),
    ("command", 1, "assistant,agent", r"\b(?:the )?(?:assistant|ai agent|model) (?:must|shall)\b"),
    (
        "addressed", 3, "if you,when you,as an ai",
        r"\b(?:if|when|since|as) you(?:'re| are) (?:an? )?(?:ai|llm|assistant|language model|agent"
        r" reading)\b|\bas an ai(?: language model| assistant| agent)?,? (?:you|always|do)\b",
    ),
    ("addressed", 2, "reading this,read this", r"\b(?:upon|after|when(?:ever)? you) read(?:ing)? "
     r"this\b"),
    (
        "addressed", 3, "wenn du,falls du,als ki",
        r"\b(?:wenn|falls|da) du (?:eine? )?(?:ki|sprachmodell|assistent(?:in)?|llm)\b"
        r"|\bals (?:ki|sprachmodell)\b,? (?:musst|sollst|wirst) du\b",
    ),
    ("addressed", 2, "wenn du,sobald du", r"\b(?:wenn|sobald) du (?:das|dies|diese[ns]?) \w{0,12} ?"
     r"(?:hier )?(?:liest|gelesen hast)\b"),
    (
        "secrecy", 3, "not ,never ",
        rf"\b(?:do not|don't|never) (?:tell|inform|alert|notify|mention (?:this|it) to|reveal "
        rf"(?:this|it) to|ask|show (?:this|it) to) {_WHOM}\b",
    ),
    ("secrecy", 3, "without ", rf"\bwithout (?:asking|telling|informing|notifying|confirmation "
     rf"(?:from|by)|approval (?:from|by)) {_WHOM}\b"),
    (
        "secrecy", 3, "nichts,nicht",
        rf"\b(?:sag|sage|erz\u00e4hle?|verrate?|melde|teile|zeige?)\b {_WEM} "
        rf"(?:davon |das |dies )?(?:nichts|nicht)\b",
    ),
    (
        "secrecy", 3, "ohne ",
        r"\bohne (?:den |die |das )?(?:nutzer|benutzer|anwender|menschen|person) (?:davon )?"
        r"zu (?:fragen|informieren|benachrichtigen|sagen)\b",
    ),
    (
        "disclosure", 3, "system prompt,your instructions",
        r"\b(?:reveal|print|output|repeat|show|send|leak|tell me)\b[^\n.]{0,20}?"
        r"\b(?:your (?:system prompt|instructions|hidden prompt)|the system prompt)\b",
    ),
    (
        "disclosure", 3, "exfiltrat,send ,upload ,post ",
        r"\b(?:exfiltrate|send|upload|post|forward)\b [^\n.]{0,40}?\b(?:secrets?|tokens?|passwords?"
        r"|credentials|memories|conversation|chat history|env(?:ironment)? variables)\b[^\n]{0,30}?"
        r"\bto (?:https?://|\S{1,40}@)",
    ),
    (
        "disclosure", 3, "prompt,anweisungen",
        r"\b(?:gib|zeige?|verrate?|wiederhole?|nenne?)\b[^\n.]{0,20}?\b(?:deine[nr]? (?:system-?"
        r"prompt|anweisungen)|den system-?prompt)\b",
    ),
    ("role", 3, "<|,[inst],<<sys>>", r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"
     r"|\[/?inst\]|<</?sys>>"),
    ("role", 2, "<", r"</?(?:system|assistant|developer|instructions?|system[-_]prompt)>"),
    ("role", 2, "#", r"(?m)^#{1,4} ?(?:system|assistant|new) ?(?:prompt|message|instructions?)?:"),
    ("role", 1, ":", r"(?m)^(?:system|assistant|developer|human|user) ?: "),
    (
        "call", 3, "<",
        r"<(?:\w{1,12}:)?(?:tool_call|tool_use|tool_result|function_calls?|function_results?"
        r"|invoke)\b[^\n>]{0,100}>",
    ),
    ("call", 3, "tool_calls,arguments", r"[\"'](?:tool_calls|tool_use)[\"']\s?:|\{\s?[\"']name[\"']"
     r"\s?:\s?[\"']\w{1,60}[\"'],\s?[\"'](?:arguments|input|parameters)[\"']\s?:\s?\{"),
    ("frame", 3, "reference data from memory", r"reference data from memory, written by"),
    ("frame", 3, "safety: memories describe", r"safety: memories describe"),
)  # fmt: skip

RULES = tuple(
    Rule(name, points, frozenset(hints.split(",")), re.compile(pattern))
    for name, points, hints, pattern in _ROWS
)
_HINTS = tuple(frozenset[str]().union(*(rule.hints for rule in RULES)))


def worth_trying(low: str) -> list[Rule]:
    """The rules of which a hint stands in a text in lower case."""
    there = {hint for hint in _HINTS if hint in low}
    return [rule for rule in RULES if not rule.hints.isdisjoint(there)] if there else []
