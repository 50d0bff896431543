"""Folding: one spelling for what is written in several, before words are looked at."""

from __future__ import annotations

import re
import unicodedata

# Scripts that put no blanks between words: kana, Han, Hangul, Bopomofo, Thai, Lao, Burmese, Khmer.
UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ec6\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
)
_STROKED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
# What is neither word, blank nor ASCII: accents and invisible characters hide here.
_ODD = r"[^\w\s!-~]"
_DROPPED = frozenset({"Mn", "Mc", "Me", "Cf"})
_VOICING = "\u3099\u309a"  # marks of kana: they make another letter, not an accent


def plain(text: str) -> str:
    """`text` in compatible characters, without accents and invisible signs, its case kept."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text).translate(_STROKED)
    return unicodedata.normalize("NFC", re.sub(_ODD, _unmarked, apart))


def _unmarked(sign: re.Match[str]) -> str:
    dropped = unicodedata.category(sign[0]) in _DROPPED and sign[0] not in _VOICING
    return "" if dropped else sign[0]
