"""How much a run of letters is like a word: by how often its pairs stand in English and German."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

# One word for each first letter, one digit for each second letter, a to z: 5 is as often as chance
# has it, each step a factor of about 1.8. Counted over words of both languages and of programs.
_PAIRS = (
    "15651354403767040767532231",
    "73338222640722620653601041",
    "60326109506521710536400030",
    "63349322800423620553622020",
    "53564443502648241876333410",
    "72337720800622710646600031",
    "61119035602525520664600011",
    "71028101701645700646503030",
    "54646450003658640477140203",
    "80218100504102730231801020",
    "71228232601614720667603021",
    "72258220802622720156520051",
    "85138100701362670154500010",
    "62577482604314520167431013",
    "34551443303668450865535201",
    "70227404601602750746501040",
    "22030100210314213532902000",
    "73448342704354730566522042",
    "52728225703432550268512030",
    "71328216800422630665502044",
    "45545543402668250776000000",
    "71009010800021710110011000",
    "80238205800315600652402200",
    "53637513700440470348311451",
    "54546422501566580477233033",
    "61119022800322610015705031",
)
_PLAIN = str.maketrans("äöüßàáâçèéêíîñóôùú", "aousaaaceeeiinoouu")
_LIKELY = 4.5  # of the mean digit: 98 words of a hundred are above it, and two random runs in ten
_RUN = re.compile(r"[A-ZÄÖÜ]?[a-zà-ÿ]+|[A-ZÄÖÜ]+|[0-9]+")


@lru_cache(maxsize=4096)
def is_word(run: str) -> bool:
    """Whether a run of letters could be a word; one of two or three has to look like one less."""
    low = run.lower().translate(_PLAIN)
    pairs = [_digit(a, b) for a, b in pairwise(low)]
    return sum(pairs) >= len(pairs) * (_LIKELY if len(run) > 3 else 3.3)


def _digit(first: str, second: str) -> int:
    if "a" <= first <= "z" and "a" <= second <= "z":
        return int(_PAIRS[ord(first) - 97][ord(second) - 97])
    return 5  # a letter of another language says nothing


def strangeness(value: str) -> float:
    """The share of the letters of `value`, 0 to 1, that stand in no run that is like a word."""
    runs = [run for run in _RUN.findall(value) if not run.isdigit()]
    words = sum(len(run) for run in runs if len(run) >= 4 and is_word(run))
    return 1 - words / (sum(map(len, runs)) or 1)


def breaks(value: str) -> int:
    """How often the sort of character changes within `value`; a capital and its word are one."""
    return max(0, len(_RUN.findall(value)) + len(_SIGN.findall(value)) - 1)


_SIGN = re.compile(r"[^\w]|_")
