"""Credentials in a text: where they stand, and the text without them.

Every pattern has a bounded look-ahead, so the time grows with the length of a text and with nothing
else. Beside a label a false alarm is better than a stored password; without one it is worse.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

_WINDOW = 65_536  # characters that are searched at once
_OVERLAP = 16_384  # what two windows share: the longest look-ahead of any rule
# What stands for a masked credential: `[REDACTED:kind]`, or the bare `[REDACTED]`.
_MARKER = re.compile(r"\[REDACTED[:\]]")

_Span: TypeAlias = tuple[int, int]
_Judge: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential in a text, as a half-open range of characters, and its kind."""

    start: int
    end: int
    kind: str


def find(text: str) -> tuple[Secret, ...]:
    """The credentials in `text`, in order, none overlapping another; labels are not part of them.

    What `mask` left behind, or a bare `[REDACTED]`, is not found again.
    """
    found: list[tuple[int, int, int, str]] = []
    for window in _windows(text):
        found += ((*span, -1, "private_key") for span in _key_blocks(window))
        low = text[window.start : window.end].lower()
        for rank, rule in enumerate(_rules()):
            if any(hint in low for hint in rule.hints):
                found += ((*span, rank, rule.kind) for span in _spans(rule, window))
    return _merged(sorted(found))


def mask(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with `[REDACTED:kind]` in place of each credential, and the kinds, each one once."""
    secrets = find(text)
    pieces: list[str] = []
    last = 0
    for secret in secrets:
        pieces += text[last : secret.start], f"[REDACTED:{secret.kind}]"
        last = secret.end
    return "".join([*pieces, text[last:]]), tuple(dict.fromkeys(s.kind for s in secrets))


def is_credential(text: str) -> bool:
    """Whether `text` is refused where credentials are not even kept masked.

    That is what `find` finds, and besides any value at all behind a label, in a later line too, any
    long word behind `Bearer` and the mere header of a private key. What `mask` left behind passes.
    """
    return bool(_refused().search(text)) or bool(find(text))


# Judges: whether what stands in a suspicious place looks like a credential.

_PLACEHOLDER = (
    r"(?is)[*•.x_#?-]+|[<$\[({].*|%.*%|\.\.\..*|(?:f?[\"'].*)?|sk-\.*|!vault.*|(?:none|null|nil|true"
    r"|false|yes|no|ja|nein|not|nicht|required|optional|string|str|int|bytes|any|changed|changeme"
    r"|siehe|see|wird|liegt|beim?|per|hinterlegt|example|placeholder|your|redacted|await|new|lambda"
    r"|self|os|config|process|request|getpass|function)(?:[^\w].*|_.*)?"
)
_STARS = r"[*•.#_\"'(){}\[\]<>,;-]+"
_CODE = r"[A-Za-z_][\w.]{0,80}[(\[]|->|=>|::"
_WORDS = r"[^\W\d_]+(?:[-'/_.][^\W\d_]+)*"
_SORTS = (r"[a-z]", r"[A-Z]", r"[0-9]", r"[^\w\s]")


def _any(value: str) -> bool:
    """Anything but what stands in place of a credential, or of nothing."""
    return not _MARKER.match(value) and not re.fullmatch(_STARS, value)


def _four(value: str) -> bool:
    return len(value) >= 4 and _any(value)


def _odd(value: str) -> bool:
    """Not a word or several, a placeholder or a piece of a program."""
    core = value[:256].rstrip(".,;:!)")
    plain = any(re.fullmatch(pattern, core) for pattern in (_WORDS, _PLACEHOLDER, r".*\?"))
    marked = plain or _MARKER.search(core)
    return len(core) >= 4 and not marked and not re.search(_CODE, core)


def _mixed(value: str) -> bool:
    """Odd, and of several sorts of characters."""
    core = value[:256].rstrip(".,;:!)")
    return _odd(core) and len(core) >= 6 and _sorts(core) >= 2 and _entropy(core) >= 2.2


def _random(value: str) -> bool:
    """So mixed that nobody would write it for another purpose."""
    core = value[:256].rstrip(".,;:!)")
    if not _mixed(core) or ("/" in core[1:] and "." in core):
        return False
    digits = sum(c.isdigit() for c in core)
    if _sorts(core) >= 3 and digits and len(core) >= 8 and _entropy(core) >= 2.8:
        return True
    return len(core) >= 20 and digits >= 3 and _entropy(core) >= 3.3 and core.count("-") < 3


def _keyed(value: str) -> bool:
    """Random behind a short prefix such as `abc_`, not a name made of words and numbers."""
    longest = max(re.split("[_-]", value), key=len)
    return len(longest) >= 16 and _random(longest) and _entropy(longest) >= 3.3


def _sorts(value: str) -> int:
    return sum(bool(re.search(sort, value)) for sort in _SORTS)


def _entropy(value: str) -> float:
    """Bits per character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


# Rules: the kind, the judge, the hints (a text that holds none of them, in lower case, is not
# searched) and the pattern. The credential is the named group that matched, or the whole match.

_JUDGES = {judge.__name__[1:]: judge for judge in (_any, _four, _odd, _mixed, _random, _keyed)}
_SHAPES = r"""
github_token any ghp_,gho_,ghu_,ghs_,ghr_ gh[oprsu]_[A-Za-z0-9]{30,}
github_token any github_pat_ github_pat_\w{30,}
gitlab_token any glpat-,gldt-,glrt-,glcbt-,glptt-,glsoat-,glft- gl[a-z]{2,4}-[\w-]{20,}
aws_key any akia,asia,abia,acca (?<![A-Za-z0-9])A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])
openai_anthropic_key mixed sk- (?<![\w-])sk-[\w-]{32,}
google_key any aiza,ya29.,gocspx- AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}
slack_token any xox,xapp- xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}
slack_token any hooks.slack.com hooks\.slack\.com/\w{4,12}/(?P<v>[\w/-]{20,})
telegram_token mixed : (?<!\w)\d{8,10}:[\w-]{30,}
stripe_key any sk_,rk_ (?<![A-Za-z0-9])[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}
stripe_key any whsec_ whsec_[\w+/=-]{24,}
jwt any eyj (?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}
npm_token any npm_ npm_[A-Za-z0-9]{36}
pypi_token any pypi- pypi-[\w-]{50,}
huggingface_token any hf_ (?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}
vendor_token any sg. (?<!\w)SG\.[\w-]{16,}\.[\w-]{30,}
vendor_token any do,shp,dapi do[opr]_v1_[a-f0-9]{64}|shp[a-z]{2}_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}
vendor_token any xkeysib-,rubygems_ xkeysib-[a-f0-9]{64}-\w{16}|rubygems_[a-f0-9]{48}
vendor_token any dckr_pat_,tskey- dckr_pat_[\w-]{27,}|tskey-[\w-]{20,}
vendor_token any hvs.,hvb.,dp. (?<![\w.])(?:hv[sb]|dp\.[a-z]{2,5})\.[\w-]{24,}
vendor_token any .atlasv1. \w{14}\.atlasv1\.[\w-]{50,}
vendor_token mixed . (?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}
vendor_token any nrak-,pmak-,eaaa,sq0 (?:NRAK|PMAK)-[\w-]{24,}|EAAA[\w-]{50,}|sq0[a-z]{3}-[\w-]{22,}
vendor_token any sk,key- (?<![\w-])(?:SK|key-)[0-9a-f]{32}(?!\w)
vendor_token any -us,8q~ (?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)|\w{3}8Q~[\w.~-]{30,}
private_key any age-secret-key- AGE-SECRET-KEY-1[0-9A-Z]{50,}
private_key any private-lines: Private-Lines: \d{1,4}\r?\n(?P<v>(?:[\w+/=]{4,80}(?:\r?\n|\Z)){1,99})
wireguard_key any key (?i)(?:private|preshared)-?key\s{0,4}=\s{0,4}"?(?P<v>[\w+/]{43}=)
crypt_hash any $ \$(?:[15-9]|14|2[abxy]|g?y|argon2i?d?|scrypt|pbkdf2[\w-]{0,12})\$[\w./$,=+-]{20,}
crypt_hash any sha},pbkdf2_ \{S?SHA\}[\w+/=]{20,}|pbkdf2_\w{3,9}\$\d{3,9}\$[\w+/=.$-]{20,}
auth_header mixed authorization (?i)authorization["':= ]{1,4}(?:[a-z]{5,9} )?(?P<v>[\w+/=.~-]{12,})
bearer_token any bearer (?i)(?<!\w)bearer[^\S\n]{1,8}(?!authenti|authori)(?P<v>[\w.~+/=-]{12,})
cookie mixed cookie (?i)cookie["']?:[^\n]{0,100}?(?:sess|sid|auth|token|jwt)[\w.-]{0,20}=
    (?P<v>[\w%+/=.-]{12,})
conn_string any :// ://[^\s/:@"'<>]{0,128}:(?!\$\{|\{\{|\*\*)(?P<v>[^\s/"'<>]{1,256})@
conn_string any :// ://(?P<v>[\w-]{20,})@
conn_string any key=,sig= (?i)(?:AccountKey|SharedAccessKey|[?&]sig)=(?P<v>[^;&\s"']{20,})
conn_string any pwd= (?i)[;?&\s]pwd=(?P<v>[^;&\s"']{3,256})
seed_phrase any phrase,words (?i)(?:recovery|seed|backup)[- ](?:phrase|words)[:= ]{1,3}
    (?P<v>(?:[a-z]{3,9} ){11,23}[a-z]{3,9})
device_config odd password,secret,key,community (?im)^[ \t]{0,8}(?:enable[ ](?:secret|password)
    |username[ ]\S{1,64}[ ](?:privilege[ ]\d{1,2}[ ])?(?:secret|password)|key-string
    |(?:tacacs|radius)-server[ ](?:host[ ]\S{1,64}[ ])?key|neighbor[ ]\S{1,64}[ ]password
    |crypto[ ]isakmp[ ]key|ppp[ ]chap[ ]password|snmp-server[ ]community
    |pre-shared-key(?:[ ]local|[ ]remote)?)[ ]{1,3}(?:\d{1,2}[ ]{1,3})?(?P<v>\S{4,})
device_config odd community (?i)/snmp community (?:add|set)[^\n]{0,100}? name="?(?P<v>[^\s"]{3,})
device_config mixed set (?i)\bset (?:passw(?:or)?d|psksecret|passphrase|secret|key)[ ]
    (?:ENC[ ])?"?(?P<v>[^\s"]{6,})
device_config mixed key,secret,psk,password (?i)\b(?:pre-shared-(?:secret|key)|wpa-psk
    |shared-secret|(?:auth|priv|encrypted)-password|encryption-key)[ ]{1,3}
    (?:(?:ascii(?:-text)?|hex|plain-?text|cipher|simple|\d)[ ]){0,2}"?(?P<v>[^\s"]{6,})
command_line odd sshpass (?i)sshpass -p ?["']?(?P<v>[^\s"']{4,})
command_line odd curl (?i)curl [^\n]{0,100}?(?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?P<v>[^\s"']{4,})
command_line odd --pass (?i)--pass(?:word|wd)?[ =]["']?(?P<v>[^\s"']{4,})
pin any pin,puk,tan,code,kombination (?i)(?<![^\W_])(?:pin|puk\d?|tan|(?:t(?:ü|ue)r|alarm|zugangs
    |sicherheits|entsperr|unlock|gate|safe|tresor|door)[- ]?(?:code|pin|kombination))
    (?:[ ]?[:=][ ]?|[ ](?:is|ist|lautet)[ ])(?P<v>\d{4,10})(?!\w)
prefixed_token keyed - (?<![\w/.+=@-])(?P<v>(?!(?:sha\d*|md5|h1|commit|build|sri|blob|image|file
    |sess|req|trace|msg|chatcmpl|call|toolu|run|thread|asst|evt|in|uuid|id|img|s3|etag|v\d)[_-])
    (?:[a-z][a-z0-9]{1,9}[_-]){1,3}[A-Za-z0-9_-]{28,250})(?![\w/.-])
"""

# Labels, and what may stand between a label and its value.
_NATIVE = r"password|passwd|private[-_ ]?key|api[-_ ]?key|access[-_ ]?token|secret"
_LABEL = (
    r"(?<![^\W_])(?:pass(?:word|wort|wd|phrase|code)?|pwd?|kennwort|losung(?:swort)?|psk|token|secret"
    r"|geheim(?:nis|wort|code)|zugangs(?:code|daten)|credentials?|api[-_ ]?key|mot de passe"
    r"|(?:[a-zäöü]{2,14}-?)?schl(?:ü|ue)ssel|(?:secret|access|auth|client|encryption|signing"
    r"|session|(?:pre-?)?shared|authentication|wifi|wlan|wpa2?-psk)[-_ ]?(?:key|secret|token))"
)
_BLANK = r"[^\S\n]"
_OF = (
    rf"(?:{_BLANK}{{0,2}}\([^()\n]{{1,40}}\)|{_BLANK}(?:für|fuer|for|of|von|vom|des|der|zum|zur|on)"
    rf"{_BLANK}(?:[\w.-]{{1,24}}{_BLANK}){{0,2}}[\w.-]{{1,24}})?"
)
_SIGN = (
    rf"(?:\*\*|__|[\"'`])?{_BLANK}{{0,8}}[:=：]{{1,2}}>?{_BLANK}{{0,8}}(?:\*\*|__)?{_BLANK}{{0,8}}"
)
_VERB = (
    rf"{_BLANK}{{1,3}}(?:is|ist|lautet|was|war|->|→|(?:(?:was|is|has been|wurde){_BLANK})?"
    rf"(?:changed|set|reset|updated|ge(?:ä|ae)ndert|gesetzt){_BLANK}(?:to|auf)){_BLANK}{{1,3}}"
)
_VALUE = (
    r"(?:\"(?P<a>(?:[^\"\\\n]|\\.){1,512})\"|'(?P<b>(?:[^'\\\n]|\\.){1,512})'"
    r"|[`„“«](?P<c>[^`“”»\n]{1,512})[`“”»]|(?P<v>\S+))"
)
_WORD = r"[\"'`„“(]?(?P<v>[^\s\"'`“”|)]{6,256})"
_PAIRED = r"[\"'`]?(?P<v>[^\s\"'`|()/@<>:]{6,64})"
_USER = r"\b(?:login|zugang\w{0,6}|credentials|user(?:name)?|benutzer(?:name)?|root|admin)\b"


class _Rule(NamedTuple):
    kind: str
    hints: list[str]
    pattern: re.Pattern[str]
    judge: _Judge


class _Window(NamedTuple):
    """A stretch of a text; matches that begin at `until` or later are the next window's."""

    text: str
    start: int
    end: int
    until: int


@cache
def _rules() -> tuple[_Rule, ...]:
    """All rules; where several find the same credential, the first one names it."""
    table = [
        "".join(map(str.strip, entry.splitlines())).split(" ", 3)
        for entry in re.split(r"\n(?=\S)", _SHAPES.strip())
    ]
    rules = [
        _Rule(kind, hints.strip("-").split(","), re.compile(pattern), _JUDGES[judge])
        for kind, judge, hints, pattern in table
    ]
    return (*rules, *_labelled())


def _labelled() -> Iterator[_Rule]:
    """The rules for a value that a label makes a credential."""
    words = ["pass", "pw", "key", "secret", "token", "kennw", "psk"]
    more = [*words, "losung", "geheim", "zugang", "schl", "credential"]
    listed = r"\r?\n[^\S\n]{0,8}(?:[-*] )?"
    for hints, pattern, judge in (
        (words, rf"(?:{_NATIVE}){_OF}{_SIGN}{_VALUE}", _any),
        (words, rf"(?:passwort|kennwort|passphrase){_OF}{_SIGN}{_VALUE}", _four),
        (words, rf"(?:{_NATIVE}){_SIGN}{listed}{_WORD}", _mixed),
        (more, rf"{_LABEL}{_OF}(?:{_SIGN}|{_VERB}){_VALUE}", _mixed),
        (more, rf"{_LABEL}{_BLANK}{{1,3}}{_WORD}", _random),
    ):
        yield _Rule("labelled_secret", hints, re.compile(f"(?i){pattern}"), judge)
    pair = rf"(?i){_USER}[^\n]{{0,40}}?(?:/|\bpass\w{{0,4}}\b|\bpw\b)[\s:=/]{{0,4}}{_PAIRED}"
    yield _Rule("login", ["/", "pass", "pw"], re.compile(pair), _random)
    use = rf"(?i)\b(?:use|nimm|nutze|verwende) {_WORD}[\"'`“”]? (?:as|als)\b[^\n]{{0,20}}?{_LABEL}"
    yield _Rule("labelled_secret", more, re.compile(use), _mixed)


@cache
def _refused() -> re.Pattern[str]:
    no_marker = rf"(?!{_MARKER.pattern})"
    return re.compile(
        rf"(?i)\b(?:{_NATIVE})\s*[:=]\s*{no_marker}[\"']?{no_marker}[^\s\"']"
        r"|\bbearer\s+[\w.~+/-]{12}|-----BEGIN[^\n]{0,200}?PRIVATE KEY-----"
    )


def _windows(text: str) -> Iterator[_Window]:
    start = 0
    while start + _WINDOW < len(text):
        until = start + _WINDOW - _OVERLAP
        yield _Window(text, start, start + _WINDOW, until)
        start = until
    yield _Window(text, start, len(text), len(text))


_RUN = re.compile(r"\S*")
_CLOSERS = ".,;:)]}>\"'`*|"


def _spans(rule: _Rule, window: _Window) -> Iterator[_Span]:
    text = window.text
    for match in rule.pattern.finditer(text, window.start, window.end):
        if match.start() >= window.until:
            return
        group = match.lastgroup or 0
        if rule.judge(match[group]):
            start, end = match.span(group)
            if group == "v":
                end = start + len(match[group].rstrip(_CLOSERS) or match[group])
            if match.end() == window.end < len(text) and (rest := _RUN.match(text, end)):
                end = rest.end()  # the credential may go on behind the window
            yield start, end


_KEY_HEADER = re.compile(r"(?i)-----BEGIN[^\n]{0,80}?PRIVATE KEY(?: BLOCK)?-----")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def _key_blocks(window: _Window) -> Iterator[_Span]:
    """Private keys, header to last line; cut-off ones up to a blank line or the end."""
    text, at = window.text, window.start
    while header := _KEY_HEADER.search(text, at, window.end):
        if header.start() >= window.until:
            return
        at = _key_end(text, header.end())
        yield header.start(), at


def _key_end(text: str, body: int) -> int:
    limit = min(len(text), body + _OVERLAP)
    rule = text.find("-----", body, limit)
    if text.startswith("-----END", rule):
        close = text.find("-----", rule + 8, rule + 100)
        return close + 5 if close >= 0 else rule + 8
    blank = _BLANK_LINE.search(text, body, limit if rule < 0 else rule)
    return blank.start() if blank else limit if rule < 0 else rule


def _merged(found: list[tuple[int, int, int, str]]) -> tuple[Secret, ...]:
    """Overlapping finds made one, named by the first rule among them."""
    merged: list[tuple[int, int, int, str]] = []
    for start, end, rank, kind in found:
        if merged and start < merged[-1][1]:
            last = merged.pop()
            start, end = last[0], max(last[1], end)
            rank, kind = min((rank, kind), last[2:])
        merged.append((start, end, rank, kind))
    return tuple(Secret(start, end, kind) for start, end, _, kind in merged)
