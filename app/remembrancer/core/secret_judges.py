"""Whether what stands in a suspicious place looks like a credential."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from remembrancer.core.secret_letters import breaks, is_word, strangeness

Judge: TypeAlias = Callable[[str], bool]

# What stands for a masked credential: `[REDACTED:kind]`, or the bare `[REDACTED]`.
MARKER = re.compile(r"\[REDACTED[:\]]")
_PLACEHOLDER = re.compile(
    r"(?is)[*•.x_#?-]+|[<$\[({].*|%\w+%.*|\.\.\..*|(?:f?[\"'].*)?|[\w-]{0,12}\.\.\.+|!vault.*"
    r"|\d+(?:s|ms|min|h|d|kb|mb|gb|bit|bits|px|%|st|nd|rd|th|mal|tage|zeichen)"
    r"|(?:none|null|nil|true"
    r"|false|yes|no|ja|nein|not|nicht|required|optional|string|str|int|bytes|any|changed|change[-_]?me"
    r"|siehe|see|wird|wurde|liegt|beim?|per|hinterlegt|example|placeholder|your|redacted|await|new"
    r"|lambda|self|this|os|config|process|request|getpass|function|is|in|the|a|an|der|die|das|ein"
    r"|eine|and|or|if|for|to|at|on|of|von|auf|mit|und|oder|wie|fehlt|leer|empty|missing|unknown"
    r"|unset|default|undefined|void|bool|boolean|object|text|char|value|const|var|let|final|public"
    r"|private|static|return|import|stored|saved|expired|wrong|invalid|enter|use|ask|frag|bitte"
    r"|please|same|gute?r?|later|immer|never|always|random|varchar|nullable|hidden|number|integer"
    r"|secret|password|passwort|token|kennwort|credentials?|passphrase|key|keys|tokens|user|username"
    r"|admin-?passwort|bearer|basic|oauth|jwt|type|list|dict|tuple|set|array|nachgereicht|unbekannt"
    r"|geheim|vergessen|falsch|richtig|notwendig|erforderlich|optional|pflicht\w*|min|max|id|name)"
    r"(?:[^\w].*|_.*)?"
)
_STARS = re.compile(r"[*•.#_\"'(){}\[\]<>,;-]+")
_CODE = re.compile(
    r"[A-Za-z_][\w.]{0,80}[(\[{]|->|=>|::|&&|\|\||[$%{]\{|\$\(|\\[a-z]\\|^\$[A-Za-z_]\w*\W*$"
    r"|^(?:f|r|b|rb|u)?[\"']|[\w:]`\w|\\f[A-Z]|\\[wdsS-]|\\\*\(|^&?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
)
_WORDS = re.compile(r"[^\W\d_]+(?:[-'/_.+&:,|][^\W\d_]+)*")
_STEM = re.compile(r"(?i)pass|token|secret|key|pwd|kennwort|schl(?:ü|ue)ssel|credential|auth|user")
# Dates, times, numbers, versions, addresses, paths, files, identifiers of things.
_KNOWN = re.compile(
    r"(?i)[+-]?\d[\d.,:/%€$-]*(?:[tT]\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?)?|v?\d+(?:\.\w+)+"
    r"|[a-z][a-z0-9+.-]{1,20}://.*|(?:[~.]{0,2}|[a-z]:)[\\/](?:[\w.~-]+[\\/])*[\w.~-]*"
    r"|[\w.-]+/[\w./-]*|[\w-]{1,40}\.(?:py|md|txt|js|ts|json|ya?ml|toml|html?|rst|cfg|ini|conf|pem|crt"
    r"|kdbx|com|org|net|de|io)|(?:[0-9a-f]{2}[:-]){3,}[0-9a-f]{2}|(?-i:[a-z_]{3,}=(?:[\d.]*|[a-z_]*))|0x[0-9a-f]+(?:-0x[0-9a-f]+)?|//.*|[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|rfc-?\d+|sha-?\d+|hs\d+|(?:cve|ghsa)-.*|@\w+|#\w+|:\w+:?.*|<.*>|&\w+;?|--?[a-z][\w-]*=?.*"
)
_UUID = re.compile(r"(?i)\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_NAME = re.compile(r"(?:(?:[A-Z]?[a-z]+|[A-Z]+s?)\d{0,4}|\d+[A-Za-z]?|)")
_ASKED = re.compile(r"\D*\?")
_BLANK = re.compile(r"\s")
_LITTLE = r"(?:the|your|a|is|are|of|to|for|in|an|der|die|das|ist|und|and|or|oder|not|mit|with|von)"
_SENTENCE = re.compile(
    r"\b(?:the|are|for|and|not|with|does|has|was|der|die|das|und|ist|ein|eine|mit|auf|nicht|den|dem|wird)\b"
)
_PHRASE = re.compile(
    rf"(?:(?!{_LITTLE}\b)[a-zäöüß]{{2,12}} ){{2,11}}(?!{_LITTLE}\b)[a-zäöüß]{{2,12}}"
)
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d{4,5}")
_HYPHENS = re.compile(r"(?:[A-Za-zäöüß]{3,12}[-_.]){3,9}[A-Za-zäöüß]{3,12}")
_SORTS = [re.compile(sort) for sort in (r"[a-z]", r"[A-Z]", r"[0-9]", r"[^\w\s]")]
_END = ".,;:!)\\\"'`*}]>…"


def anything(value: str) -> bool:
    """Anything but what stands in place of a credential, or of nothing."""
    return not MARKER.match(value) and not _STARS.fullmatch(value)


def odd(value: str) -> bool:
    """Not a word or several, a placeholder or a piece of a program."""
    core = _core(value)
    if len(core) < 4 or _BLANK.search(core) or MARKER.search(core) or _ASKED.fullmatch(core):
        return False
    path = core.count("/") > 1 and _ordinary(core)
    return not (path or _PLACEHOLDER.fullmatch(core) or _plain(core) or _CODE.search(core))


def mixed(value: str) -> bool:
    """Odd, of several sorts of characters, and neither a known notation nor a programmer's name."""
    core = _core(value)
    if len(core) < 6 or not odd(core) or _KNOWN.fullmatch(core) or _named_for_it(core):
        return False
    if sorts(core) < 2 and not (core.isalnum() and strangeness(core) > 0.6):
        return False
    return entropy(core) >= 2.2


def solid(value: str) -> bool:
    """Mixed, and not a mere name with a number; without one of letters that make no word."""
    core = _core(value)
    if not mixed(value) or _ordinary(core):
        return False
    if any(map(str.isdigit, core)):
        return True
    return len(core) >= 10 and strangeness(core) >= 0.65 and breaks(core) >= 3


def random(value: str) -> bool:
    """So mixed that nobody would write it for another purpose."""
    core = _core(value)
    if (
        len(core) < 8
        or not core.isascii()
        or not solid(core)
        or _UUID.fullmatch(core)
        or _HEX.fullmatch(core)
    ):
        return False
    if ("/" in core[1:] and "." in core) or core.count("-") > 3 or core.count("/") > 3:
        return False
    changes = breaks(core)
    if changes < 3 or changes < 0.22 * min(len(core), 24) or strangeness(core) < 0.5:
        return False
    return sorts(core) >= 3 or (len(core) >= 10 and changes >= 4) or len(core) >= 20


def keyed(value: str) -> bool:
    """Random behind a short prefix such as `abc_`, not a name made of words and numbers."""
    longest = max(re.split("[_-]", value), key=len)
    digits = sum(map(str.isdigit, longest))
    if len(longest) < 16 or not digits or (digits < 3 and len(longest) < 24):
        return False
    return entropy(longest) >= 3.3 and strangeness(longest) >= 0.5 and sorts(longest) >= 2


def bare(value: str) -> bool:
    """A long token that stands for itself: letters of both sizes and digits, mixed all over."""
    if not random(value) or sorts(value) < 3 or entropy(value) < 3.9:
        return False
    digits = sum(map(str.isdigit, value))
    return digits >= 2 and breaks(value) >= 0.4 * len(value) and value.count("_") < 4


def chosen(value: str) -> bool:
    """Mixed, or a phrase of words, four and more where hyphens join them."""
    core = _core(value)
    words = _HYPHENS.fullmatch(core) or _PHRASE.fullmatch(core)
    return mixed(value) or (bool(words) and not _STEM.search(core))


def listed(value: str) -> bool:
    """Codes in a row, such as `7f3e-dfc9, 67a6-4cb1`: as long as one another, and no words."""
    codes = re.split(r"[\s,;|]+(?:(?:[-*•]|\d{1,2}[.)])\s+)?", value.strip(" ,;|\n"))
    same = len({len(code) for code in codes}) == 1 and len(codes[0]) >= (6 if len(codes) > 1 else 8)
    odd_ones = sum(any(map(str.isdigit, code)) for code in codes)
    return same and odd_ones * 2 >= len(codes) and not any(map(_DATE.fullmatch, codes))


def grouped(value: str) -> bool:
    """Groups of four that are no words, such as `qxvm 7krw zpqd hhtl`."""
    groups = value.split()
    strange = sum(not group.isalpha() or not is_word(group) for group in groups)
    return strange * 2 > len(groups) and not value.replace(" ", "").isdigit()


def sown(value: str) -> bool:
    """The words of a seed phrase, not of a sentence."""
    return not _SENTENCE.search(value)


def plain(value: str) -> bool:
    """A word or a number somebody might have chosen, where the place leaves no other meaning."""
    core = _core(value)
    if len(core) < 4 or MARKER.search(core) or _PLACEHOLDER.fullmatch(core) or _CODE.search(core):
        return False
    if _BLANK.search(core):
        return bool(_PHRASE.fullmatch(core)) and not _STEM.search(core)
    if core.startswith(("/", "~/", "./", "../")):
        return False
    return not _named_for_it(core) and not _STARS.fullmatch(core) and "__" not in core


def sorts(value: str) -> int:
    """How many sorts of characters: small and capital letters, digits, signs."""
    return sum(bool(sort.search(value)) for sort in _SORTS)


def entropy(value: str) -> float:
    """Bits per character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def _core(value: str) -> str:
    core = value[:256].rstrip(_END)
    bang = value[len(core) : len(core) + 1] == "!" and core[-1:].isdigit()
    return core + "!" if bang else core


def _plain(core: str) -> bool:
    """One word or several; letters of mixed sizes that are like no word are none."""
    if not _WORDS.fullmatch(core):
        return False
    strange = len(core) >= 10 and strangeness(core) >= 0.65 and breaks(core) >= 3
    return not strange or bool(re.search(r"[-'/_.+&]", core))


def _named_for_it(core: str) -> bool:
    """`token1`, `DB_PASSWORD`: a name for a credential, not one."""
    return bool(_STEM.search(core)) and bool(re.fullmatch(r"[\w.-]+", core)) and _ordinary(core)


def _ordinary(core: str) -> bool:
    """Words, numbers and words with a number, such as `SHA256` or `python-3.11`, in a row."""
    parts = re.split(r"[-_./:,@+~'()]", core)
    return all(map(_readable, parts)) or _camel(core)


def _camel(core: str) -> bool:
    """Words and numbers, each word with a capital, such as `getUserName2`."""
    runs = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+", core)
    return "".join(runs) == core and all(map(_readable, runs)) and len(runs) * 3 <= len(core)


def _readable(part: str) -> bool:
    """A number, or a word, in one size of letters, with a number or without."""
    if not _NAME.fullmatch(part):
        return len(part) >= 6 and _camel(part)
    letters = re.sub(r"\d", "", part)
    acronym = letters.isupper() and len(letters) <= 6
    return len(letters) <= 4 or acronym or is_word(letters)
