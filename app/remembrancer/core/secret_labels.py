"""Values that a label makes credentials: `password: x`, "Kennwort ist x", "x is the key"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from remembrancer.core.secret_judges import (
    MARKER,
    Judge,
    chosen,
    grouped,
    listed,
    mixed,
    plain,
    random,
    solid,
)
from remembrancer.core.secret_spans import Rule, Span, Window, trimmed

# Labels that leave no other meaning than a credential, and those that need a value that looks so.
_STRONG = (
    r"pass(?:w(?:ords?|ort|örter|d)|phrases?|code)|kennw(?:ort|örter)|mot de passe|contraseña"
    r"|(?<![^\W_])(?:passwd|pwd?|psk|losung(?:swort)?|bindpw)"
    r"|(?-i:(?<=[a-z])(?:PW|Pw|pw|Pwd|Pass|Psk))|api[-_ ]?keys?|access[-_ ]?tokens?"
    r"|private[-_ ]?key|secret[-_ ]?key|secrets?"
)
_WEAK = (
    r"tokens?|pass|geheim(?:nis|wort|code|zahl|nummer)|credentials?|"
    r"schl(?:ü|ue)ssel|zugangs(?:code|daten)|login|anmeldung|anmeldedaten|community|seed|otp|authkey"
    r"|(?:access|auth\w{0,12}|client|encryption|signing|session|(?:pre-?)?shared|wi-?fi|wlan|wpa\d?"
    r"|licen[cs]e|product|master|storage|account|service|app\w{0,8}|deploy|webhook|subscription"
    r"|consumer|md5|local|bgp|ospf|ntp|ipsec|vpn|radius|tacacs|network|security|hmac|aes|admin|user"
    r"|root|bot|write|read|ingest|integration|instrumentation|project|team|device|hub|link|install"
    r"|lizenz|produkt|sicherheits|aktivierungs|activation|serial|cd|recovery|bitlocker)"
    r"[-_ ]?(?:keys?|secret|schl(?:ü|ue)ssel)|key(?= (?:is|was|to|for|below)|:)"
    r"|(?<=[\"'])auth(?=[\"'])"
    r"|(?:recovery|backup|notfall|wiederherstellungs|sicherheits|einmal|2fa|mfa|scratch|ersatz)"
    r"[-_ ]?codes?"
)
# The letters that any label begins with stand in front: most places are passed over by them.
LABEL = re.compile(
    rf"(?i)(?=[abcdeghiklmnoprstuvwz2])(?:(?P<strong>{_STRONG})|(?<![^\W_])(?:{_WEAK})|(?<=[a-zäöü_-])(?:token|schlüssel))"
    r"(?:e?s|en|er)?(?:[-_]?\d{1,2}(?!\w))?(?:_(?:value|plain|base64|b64|hash|enc|encrypted|string|str))?"
    r"(?![^\W\d])"
)
_HINTS = (
    *("pass", "pw", "key", "secret", "token", "kennw", "psk", "losung", "geheim", "zugang", "schl"),
    *("credential", "login", "anmeld", "community", "seed", "otp", "code", "contrase", "auth"),
)
_NOT_BEFORE = re.compile(
    r"(?i)(?:public|öffentlich\w*|oeffentlich\w*|primary|foreign|host|csrf|no|kein\w*|without|ohne"
    r"|error|exit|status|country|zip|source|fehler|quell|access[-_ ]?log)[-_ ]?$"
    r"|\[REDACTED:\w*$"
)

_B = r"[^\S\n]"
_OF = rf"(?:{_B}{{0,2}}\([^()\n]{{1,40}}\))?"
_FREE = rf"(?:[,]?{_B}{{1,2}}(?:\([^()\n]{{1,30}}\)|[\w.'’/+&-]{{1,24}}[\"”“]?)){{1,7}}?"
_SIGN = (
    rf"(?:{_B}{{0,8}}(?:[:=：]|:=|=>)(?![=:>]){_B}{{0,8}}|{_B}{{1,8}}(?:->|→|=>|⇒|\|){_B}{{1,8}})"
    r"(?:\*\*|__)?" + rf"{_B}{{0,8}}(?:!!?\w{{1,12}}{_B})?"
)
# What closes a label: quotes, brackets of a subscript, a tag, an attribute with its value's name.
_SHUT = r"(?:[\"'`*_\])]{1,4}|<\\?/?(?:td|th|b|strong|dt|label|span|p|string|key)>){0,4}"
_NAMED = (
    r"(?:[\"'][^\S\n]{0,4}[,)]?\s{0,12}[\"']?|\n[ \t]{0,24})"
    r"(?:value|val|content|default|wert)[\"']?\s{0,4}[:=]\s{0,4}"
)
_TAG = r"(?:[^<>\[\n]{0,60}>(?:<!\[CDATA\[)?|(?:</\w{1,12}>\s{0,8}<\w{1,12}>){1,2})"
_NOW = (
    r"(?:(?:now|currently|jetzt|nun|neu|aktuell|derzeit|still|also|immer noch|dann|simply|einfach)"
    rf"{_B}{{1,2}}){{0,2}}"
)
_VERB = (
    rf"{_B}{{1,3}}(?:(?:is|ist|lautet|hei(?:ß|ss)t|was|war|wäre|be|sei|are|equals|remains|bleibt|als"
    rf"|(?:(?:was|is|has been|have been|got|wurde|wird|to be){_B})?(?:changed|set|reset|updated"
    rf"|rotated|ge(?:ä|ae)ndert|gesetzt|umgestellt|zurückgesetzt|erneuert){_B}(?:to|auf|zu)|auf|to|into)"
    rf"|(?:—|–|-|->|→)){_B}{{1,3}}{_NOW}(?:(?:as|wie){_B}(?:follows|folgt){_B}?:{_B})?"
)
_VALUE = (
    r"(?:\\?\"(?P<a>(?:[^\"\\\n]|\\[^\"\n]){1,512}+)\\?\"|'(?P<b>(?:[^'\\\n]|\\.){1,512}+)'"
    r"|[`„“«](?P<c>[^`“”»\n]{1,512}+)[`“”»]|(?P<v>[^\s<|]\S*))"
)
_TAGGED = r"(?P<v>[^\s<>]{4,512})"
_NEXT = (
    rf"{_B}{{0,4}}[:=]?(?:\*\*)?{_B}{{0,4}}\r?\n(?:{_B}*\r?\n)?(?:```\w*\r?\n|{_B}{{0,8}}[-*>•]{_B})?"
    rf"{_B}{{0,8}}[\"'`]?(?P<v>[^\s\"'`|]{{6,256}})[\"'`]?{_B}*(?=\r?\n|\Z)"
)


class _Way(NamedTuple):
    """How a value may follow a label; `weak` and `strong` judge it, by the label."""

    pattern: re.Pattern[str]
    weak: Judge
    strong: Judge


def _way(pattern: str, weak: Judge, strong: Judge) -> _Way:
    return _Way(re.compile(f"(?i){pattern}"), weak, strong)


def _firm(value: str) -> bool:
    return solid(value) or (chosen(value) and not mixed(value))


_LISTED = rf"{_B}{{0,4}}[:=]?{_B}{{0,4}}\r?\n\s{{0,8}}(?:[-*]{_B})?"
_ANY = rf"(?:{_SHUT}{_OF}|{_FREE})(?:{_SIGN}|{_VERB}|{_B}{{1,3}}|{_LISTED})[\"'`]?"
_GROUPS = (
    r"(?P<v>(?-i:(?:[a-z0-9]{4}[ -]){3,15}[a-z0-9]{4}"
    r"|(?:[A-Z0-9]{4,6}[ -]){3,15}[A-Z0-9]{4,6}))(?!\w)"
)
_LONE = r"(?=\"?[,;.]?\s*(?:\r?\n|\Z)|[\"'`“”])"
_WAYS = (
    _way(rf"{_ANY}{_GROUPS}", grouped, grouped),
    _way(rf"{_SHUT}{_OF}{_SIGN}{_VALUE}", mixed, chosen),
    _way(rf"{_SHUT}{_OF}{_SIGN}{_VALUE}{_LONE}", mixed, plain),
    _way(rf"{_SHUT}{_NAMED}{_VALUE}", mixed, mixed),
    _way(rf"{_TAG}{_TAGGED}", mixed, mixed),
    _way(rf"[\"']{_B}?,{_B}?{_VALUE}", solid, solid),
    _way(rf"{_B}?\({_B}?(?=[\"']){_VALUE}", solid, solid),
    _way(rf"{_SHUT}{_OF}{_VERB}{_VALUE}", mixed, chosen),
    _way(rf"[\"'`*]{{0,3}}{_B}{{1,8}}{_VALUE}", solid, solid),
    _way(rf"{_FREE}(?:{_SIGN}|{_VERB}){_VALUE}", solid, _firm),
    _way(_NEXT, random, solid),
    _way(rf"{_FREE}{_NEXT}", random, solid),
)
_TOKEN = re.compile(r"\n|(?<=\s)[\"'`“„(]{0,2}(?P<v>[^\s\"'`“”<>]+)")
_CODES = re.compile(
    rf"(?i)(?=[rbnwse2mo])(?:recovery|backup|notfall|wiederherstellungs|sicherheits|einmal|2fa|mfa|scratch|ersatz|otp"
    rf"|rettungs|reset|one-?time|emergency)[-_ ]?(?:codes?|keys?|schl(?:ü|ue)ssel"
    rf"|kennw(?:ort|örter)){_ANY}"
    r"(?:[-*•]\s|\d{1,2}[.)]\s)?(?P<v>\w{4,10}(?:-\w{4,10}){0,5}"
    r"(?:(?:[ ]?[,;|][ ]?|[ ]{1,3}|\s{0,4}\n\s{0,4})"
    r"(?:(?:[-*•]|\d{1,2}[.)])\s)?(?=\w{0,9}\d)\w{4,10}(?:-\w{4,10}){0,5}){0,29})"
)
_BEFORE = re.compile(
    rf"(?i)(?:^|[\s(])[\"'`„“]?(?P<v>[^\s\"'`„“”(]{{6,256}})[\"'`“”]?{_B}(?:is|ist|as|als|was|war|=|—|–|-|\()"
    rf"{_B}{{0,2}}(?:[\w'’äöü-]{{1,16}}[ -]){{0,5}}[\wäöü-]{{0,16}}$"
)


def _found(window: Window) -> Iterator[Span]:
    """The values of all labels in the window, with as much as two for each."""
    text = window.text
    for label in LABEL.finditer(text, window.start, window.end):
        if label.start() >= window.until:
            return
        if _NOT_BEFORE.search(text[max(0, label.start() - 40) : label.start()]):
            continue
        yield from _behind(label, window)
        yield from _in_front(label)


def _behind(label: re.Match[str], window: Window) -> Iterator[Span]:
    strong = label["strong"] is not None
    for way in _WAYS:
        match = way.pattern.match(window.text, label.end(), window.end)
        if match and (way.strong if strong else way.weak)(match[match.lastgroup or 0]):
            yield trimmed(match)
            return
    for token in islice(_TOKEN.finditer(window.text, label.end(), label.end() + 120), 9):
        if "\n" in token[0] or MARKER.search(window.text, label.end(), token.end()):
            return
        if token["v"] and random(token["v"]):
            yield trimmed(token)
            return


def _in_front(label: re.Match[str]) -> Iterator[Span]:
    text, end = label.string, label.start()
    start = max(0, end - 160, text.rfind("\n", max(0, end - 160), end) + 1)
    match = _BEFORE.search(text[start:end])
    if match and solid(match["v"]):
        first, last = trimmed(match)
        yield start + first, start + last


def _codes(window: Window) -> Iterator[Span]:
    for match in _CODES.finditer(window.text, window.start, window.end):
        if match.start() >= window.until:
            return
        if listed(match["v"]):
            yield trimmed(match)


_RESCUES = (
    *("recover", "backup", "notfall", "wiederh", "sicherheit", "einmal", "2fa", "mfa"),
    *("scratch", "ersatz", "otp", "rettung", "reset", "one", "emergency"),
)
RULES = (
    Rule("labelled_secret", _HINTS, _found),
    Rule("labelled_secret", _RESCUES, _codes),
)
