"""The one analyser: the words a text gives to the index, and the words a query asks it for.

The same folding serves both sides. Every expression made here is accepted by FTS5, and finds its
words with the tokenizer `unicode61`, since folded words hold letters, digits and `_` only.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import islice, pairwise

QUERY_WORDS = 16
_QUERY_LENGTH = 8_000  # characters of a query that are looked at
_WORD_LENGTH = 100  # a longer word has no stem; in a query it is cut, and the star finds it still
_PARTS = 8

_ENGLISH = """
    a about above after again against all am an and any are aren as at be because been before being
    below between both but by can cannot could couldn d did didn do does doesn doing don done down
    during each few for from further had has have having he her here hers herself him himself his
    how i if in into is isn it its itself just ll me might more most must my myself no nor not now
    of off on once only or other ought our ours ourselves out over own re s same shall she should
    shouldn so some such t than that the their theirs them themselves then there these they this
    those through to too under until up upon us ve very was wasn we were what when where which while
    who whom whose why will with won would wouldn you your yours yourself yourselves
"""
# Folded as the words are: without accents, and also spelled with ae, oe, ue.
_GERMAN = """
    aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf
    aus bei beim bis bist da dabei dafuer dafur damit danach dann daran darauf daraus darin darueber
    daruber das dass davon dazu dein deine deinem deinen deiner dem den denen denn der deren des
    dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
    einen einer eines er es etwas euch euer eure eurem euren fuer fur gegen gewesen hab habe haben
    haette hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ins
    ist ja jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kannst kein keine
    keinem keinen keiner koennen koennte konnen konnte konnten machen man manche mehr mein meine
    meinem meinen meiner mich mir mit muessen muss mussen musste nach nicht nichts noch nun nur ob
    oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollen
    sollte sondern sonst ueber uber um und uns unser unsere unserem unseren unter vom von vor war
    waren warum was weil weiter welche welchem welchen welcher welches wem wen wenn wer werde werden
    wessen wie wieder will wir wird wo wollen womit worden wozu wuerde wuerden wurde wurden zu zum
    zur zwar zwischen
"""
_STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN}".split())
_ONLY_ENGLISH = frozenset(_ENGLISH.split()).difference(_GERMAN.split())
_ONLY_GERMAN = frozenset(_GERMAN.split()).difference(_ENGLISH.split())

# Scripts that put no blanks between words: kana, Han, Hangul, Bopomofo, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ec6\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
)
# Patterns are compiled at their first use: with these many characters that takes some time.
_UNIT = rf"(?P<run>[{_UNSPACED}]+)|(?P<word>[^\W{_UNSPACED}]+)"
_SIGN = rf"[{_UNSPACED}]"
_RUN = rf"{_SIGN}+"
_LETTERS = r"[^\W_]+"
_HYPHENATED = r"(?<!\w)[^\W\d_]++(?:[-‐][^\W\d_]++){1,3}(?!\w)"
_WORD = r"\w+"
_UMLAUT = r"(?i)[äöüß]|[aou]\u0308"
_STROKED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# What is neither word, blank nor ASCII: accents and invisible characters hide here.
_ODD = r"[^\w\s!-~]"
_DROPPED = frozenset({"Mn", "Mc", "Me", "Cf"})
_VOICING = "\u3099\u309a"  # marks of kana: they make another letter, not an accent

_SPELLED = r"(?<![aeq])([aou])e"
_SHORT = 4  # letters of a word that is taken as it is spelled

_LANGUAGES = ("english", "german")
_LOCAL = threading.local()


def stems(text: str) -> str:
    """What the index gets for `text`: folded words and, where it differs, the stem of each.

    Identifiers give their parts as well, hyphenated words their joined form, and scripts without
    blanks every character and every pair of neighbours. Words are separated by one blank.
    """
    plain = _plain(text)
    languages = _voted(text, plain)
    return " ".join(form for word in _indexed(plain) for form in _forms(word, languages))


def terms(query: str) -> tuple[str, ...]:
    """The first 16 different words of a query, folded and in order; () when it is only symbols."""
    return tuple(islice(_asked(_plain(query[:_QUERY_LENGTH])), QUERY_WORDS))


def match_expression(query: str) -> str | None:
    """An FTS5 expression for whatever somebody typed, None when it holds nothing to search for.

    Any one of the words is enough, as a prefix, in its own form or its English or German stem.
    Words that say nothing, like articles, are left out as long as others remain.
    """
    text = query[:_QUERY_LENGTH]
    plain = _plain(text)
    asked = _asked(plain)
    telling = [word for word in asked if word not in _STOP_WORDS] or list(asked)
    chosen = telling[:QUERY_WORDS]
    spelled_out = _spelled_out(text) if chosen else {}
    wanted = [asked[word] for word in chosen]
    wanted += islice(_joined(plain), QUERY_WORDS if chosen else 0)
    wanted += [spelled_out[word] for word in chosen if word in spelled_out]
    choose = _shortest if len(chosen) > 1 else _all
    parts = (part for word in wanted for part in (word, *_parts(word)))
    alternatives = dict.fromkeys(form for part in parts for form in choose(part))
    return " OR ".join(f'"{form}"*' for form in alternatives) or None


def spoken(text: str) -> str:
    """The folded words of `text` in its order, separated by blanks, without any stems.

    Identifiers are split at `_`; every sign of a script without blanks is a word.
    """
    plain = _plain(text).casefold()
    apart = plain if plain.isascii() else re.sub(_SIGN, r" \g<0> ", plain)
    return " ".join(re.findall(_LETTERS, apart))


def searched(query: str, most: int) -> dict[str, tuple[str, ...]]:
    """The first `most` different words of a query, each with every form the index may have it in.

    The word itself stands first among its forms, then its stems, then its other spellings.
    Single letters are left out, single digits and signs of scripts without blanks are not.
    """
    text = query[:_QUERY_LENGTH].replace("_", " ")
    words = [word for word in _asked(_plain(text)) if not _is_letter(word)][:most]
    spelled = _spelled_out(text) if words and not text.isascii() else {}
    return {word: _spellings(word, spelled.get(word)) for word in words}


def _spellings(word: str, spelled_out: str | None) -> tuple[str, ...]:
    """The forms of a word, also with ae, oe, ue for its umlauts and the other way round."""
    contracted = re.sub(_SPELLED, r"\1", word) if len(word) > _SHORT else word
    others = (spelled_out or word, contracted)
    return tuple(dict.fromkeys((*_all(word), *(form for each in others for form in _all(each)))))


def is_filler(word: str) -> bool:
    """Whether a folded word says nothing by itself, like articles in English and German."""
    return word in _STOP_WORDS


def likenesses(text: str) -> dict[str, str]:
    """What texts are compared by: the common stem of every word, with the first word that has it.

    A word and its inflected forms have one stem here, in whatever language the text is. Words of
    one or two letters are left out, those with digits are not; scripts without blanks give couples.
    """
    found: dict[str, str] = {}
    for word in _compared(_plain(text).casefold()):
        found.setdefault(_likeness(word), word)
    return found


def forms(word: str) -> tuple[str, ...]:
    """Every form under which the index may have a folded word, the word itself first."""
    return _all(word)


def _compared(folded: str) -> list[str]:
    apart = folded if folded.isascii() else re.sub(_RUN, _in_couples, folded)
    words = re.findall(_LETTERS, apart)
    return [w[:_WORD_LENGTH] for w in words if len(w) > 2 or not w.isalpha() or _unspaced(w)]


def _unspaced(word: str) -> bool:
    return re.match(_SIGN, word) is not None


def _in_couples(run: re.Match[str]) -> str:
    return f" {' '.join(_couples(run[0]) or run[0])} "


@lru_cache(maxsize=131_072)
def _likeness(word: str) -> str:
    """The German stem's English stem: not a word of either, but the same for all its forms."""
    return _stemmer("english")(_stemmer("german")(word))


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and not _unspaced(word)


def _all(word: str) -> tuple[str, ...]:
    """Every form: of a word that is asked for alone, the texts with that very form come first."""
    return _forms(word, _LANGUAGES)


def _shortest(word: str) -> list[str]:
    """The forms that find all the others find: more of them would give a word with many forms
    more weight than the words beside it.
    """
    forms = _all(word)
    return [form for form in forms if not any(form.startswith(f) for f in forms if f != form)]


def _plain(text: str) -> str:
    """`text` in compatible characters, without accents and invisible signs, its case kept."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text).translate(_STROKED)
    return unicodedata.normalize("NFC", re.sub(_ODD, _unmarked, apart))


def _unmarked(sign: re.Match[str]) -> str:
    dropped = unicodedata.category(sign[0]) in _DROPPED and sign[0] not in _VOICING
    return "" if dropped else sign[0]


def _indexed(plain: str) -> Iterator[str]:
    """Every word, part and pair of signs a text is found by, in its case."""
    for unit in re.finditer(_UNIT, plain):
        if run := unit["run"]:
            yield from run
            yield from _couples(run)
        elif (word := unit["word"]).strip("_"):
            yield word
            yield from _parts(word)
    yield from _joined(plain)


def _asked(plain: str) -> dict[str, str]:
    """The different words of a query, folded, each with its first form as it was typed."""
    asked: dict[str, str] = {}
    for unit in re.finditer(_UNIT, plain):
        run = unit["run"]
        words = (_couples(run) if len(run) > 1 else [run]) if run else [unit["word"]]
        for word in words:
            if word.strip("_"):
                asked.setdefault(word.casefold()[:_WORD_LENGTH], word[:_WORD_LENGTH])
    return asked


def _couples(run: str) -> list[str]:
    return [a + b for a, b in pairwise(run)]


def _joined(plain: str) -> Iterator[str]:
    """Hyphenated words in one: who writes wi-fi is found by who asks for wifi, and vice versa."""
    for found in re.finditer(_HYPHENATED, plain):
        words = re.findall(_WORD, found[0].casefold())
        if found[0].isascii() or all(unit["word"] for unit in re.finditer(_UNIT, found[0])):
            yield "".join(words)


def _parts(word: str) -> list[str]:
    """The parts of a camelCase or snake_case identifier, [] for any other word."""
    if len(word) > _WORD_LENGTH:
        return []
    if "_" not in word and (word.islower() or word.istitle() or word.isupper()):
        return []
    starts = [i for i in range(1, len(word)) if _begins_part(word, i)]
    pieces = [word[a:b] for a, b in pairwise([0, *starts, len(word)])]
    parts = [part for piece in pieces for part in piece.split("_") if len(part) > 1]
    return [part for part in parts if part != word][:_PARTS]


def _begins_part(word: str, at: int) -> bool:
    """Whether a hump rises here: fooBar, HTTPServer; plurals like APIs and names like IPv6 not."""
    following = word[at + 1 : at + 3]
    inner = len(following) == 2 and following.isalpha() and following.islower()
    return word[at].isupper() and (not word[at - 1].isupper() or inner)


def _forms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The folded word, and the stems that differ from it."""
    if len(word) > _WORD_LENGTH:  # a blob, which would only fill the cache
        return (word.casefold(),)
    return _natural_forms(word, languages)


@lru_cache(maxsize=32_768)
def _natural_forms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    folded = word.casefold()
    return tuple(dict.fromkeys((folded, *(_stemmer(language)(folded) for language in languages))))


def _spelled_out(text: str) -> dict[str, str]:
    """Folded words that were typed with umlauts, each in its spelling with ae, oe, ue."""
    words = re.findall(_WORD, unicodedata.normalize("NFC", text).casefold())
    spellings = ((word, word.translate(_SPELLED_OUT)) for word in words)
    return {_plain(word): _plain(spelled) for word, spelled in spellings if word != spelled}


def _voted(text: str, plain: str) -> tuple[str, ...]:
    """The language a text is in by its stop words and umlauts; both when these do not tell."""
    words = re.findall(_WORD, plain.casefold())
    english = len([word for word in words if word in _ONLY_ENGLISH])
    german = len([word for word in words if word in _ONLY_GERMAN])
    german += 0 if text.isascii() else len(re.findall(_UMLAUT, text))
    if english == german:
        return _LANGUAGES
    return ("english",) if english > german else ("german",)


def _stemmer(language: str) -> Callable[[str], str]:
    """This thread's Snowball stemmer; one must not serve two threads at once."""
    stem = getattr(_LOCAL, language, None)
    if stem is None:
        stem = import_module("Stemmer").Stemmer(language).stemWord
        setattr(_LOCAL, language, stem)
    return stem
