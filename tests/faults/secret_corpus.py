"""Texts with secrets that are made up at run time, and texts without any, to measure by."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from faults.secret_corpus_forms import CLEAN, FORMS

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
_WORDS = [
    "lampe",
    "tisch",
    "wolke",
    "anker",
    "ziegel",
    "kranich",
    "garten",
    "hafen",
    "ofen",
    "pinsel",
    "lantern",
    "bridge",
    "copper",
    "meadow",
    "pepper",
    "rocket",
    "violet",
    "winter",
    "puzzle",
    "harbor",
    "candle",
    "forest",
    "silver",
    "tunnel",
]


@dataclass(frozen=True, slots=True)
class Case:
    """A text that holds `secret` (none where it is empty); `held_out` from all tuning or not."""

    form: str
    group: str
    text: str
    secret: str
    held_out: bool


def cases(seed: int = 7) -> Iterator[Case]:
    """Every form with every phrasing of it; every other form is held out, as a whole."""
    made = Maker(random.Random(seed))
    for place, (head, body) in enumerate(FORMS.items()):
        group, form, sorts = head.split(" | ")
        for turn, line in enumerate(body.strip().splitlines()):
            secret = made.secret(sorts.split(), turn)
            text = made.filled(line).replace("§", secret)
            yield Case(form, group, text, secret, place % 2 == 1)


def clean(seed: int = 8) -> Iterator[Case]:
    """Texts in which nothing is a secret; every other group of them is held out."""
    made = Maker(random.Random(seed))
    for place, (group, body) in enumerate(CLEAN.items()):
        for line in body.strip().splitlines():
            yield Case(group, group, made.filled(line), "", place % 2 == 1)


class Maker:
    """Values of many sorts, all from one source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._sorts: dict[str, Callable[[], str]] = {
            "pw": self._password,
            "human": self._human,
            "words": lambda: "-".join(self._words(4)),
            "phrase": lambda: " ".join(self._words(12)),
            "jwt": self._jwt,
            "uuid": lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
            "pem": self._pem,
            "pem1": lambda: self._pem().replace("\n", "\\n"),
            "pemcut": lambda: self._pem()[:180],
            "basic": lambda: base64.b64encode(f"admin:{self._password()}".encode()).decode(),
            "app": lambda: " ".join(self.noise(4, string.ascii_lowercase) for _ in range(4)),
            "codes": lambda: ", ".join(
                self.noise(4, HEX) + "-" + self.noise(4, HEX) for _ in "xxx"
            ),
            "totp": lambda: " ".join(self.noise(4, BASE32).lower() for _ in range(8)),
            "licence": lambda: "-".join(self.noise(5, UPPER) for _ in range(5)),
            "crypt": lambda: f"$6${self.noise(8)}${self.noise(86)}",
            "bcrypt": lambda: f"$2y$10${self.noise(53)}",
            "junos": lambda: f"$9${self.noise(22)}",
            "huawei": lambda: f"%^%#{self.noise(26)}%^%#",
            "xor": lambda: "{xor}" + self._base64(18),
            "vault": lambda: "AES256:" + self._base64(32),
        }

    def secret(self, sorts: list[str], turn: int) -> str:
        """A secret of the sort whose turn it is: a name, `letters:count`, or text with `<...>`."""
        return self.filled(sorts[turn % len(sorts)], whole=True)

    def filled(self, text: str, *, whole: bool = False) -> str:
        """`text` with what stands in `<...>` made; `whole` where it is itself one such sort."""
        if whole and "<" not in text:
            return self._one(text)
        head, mark, rest = text.partition("<")
        if not mark:
            return text.replace("¶", "\n")
        sort, end, tail = rest.partition(">")
        if not end or not (sort in self._sorts or sort.partition(":")[0] in _NAMED):
            return head.replace("¶", "\n") + "<" + self.filled(rest)
        return head.replace("¶", "\n") + self._one(sort) + self.filled(tail)

    def _one(self, sort: str) -> str:
        if sort in self._sorts:
            return self._sorts[sort]()
        name, _, count = sort.partition(":")
        if name == "b64":
            return self._base64(int(count))
        return self.noise(int(count), _NAMED[name])

    def noise(self, count: int, letters: str = LETTERS) -> str:
        return "".join(self.chance.choice(letters) for _ in range(count))

    def _base64(self, count: int) -> str:
        return base64.b64encode(self.chance.randbytes(count)).decode()

    def _words(self, count: int) -> list[str]:
        return [self.chance.choice(_WORDS) for _ in range(count)]

    def _password(self) -> str:
        signs = self.chance.choice("!$%&#?+*=")
        return self.noise(6) + signs + self.noise(3) + self.chance.choice(string.digits)

    def _human(self) -> str:
        word = self.chance.choice(_WORDS).capitalize()
        return f"{word}{self.chance.randrange(100, 9999)}{self.chance.choice('!?#$')}"

    def _jwt(self) -> str:
        head = self._url64(json.dumps({"alg": "HS256", "typ": "JWT"}))
        body = self._url64(json.dumps({"sub": self.noise(10), "iat": 1_760_000_000}))
        return f"{head}.{body}.{self.noise(43, LETTERS + '_-')}"

    def _url64(self, text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _pem(self) -> str:
        kind = self.chance.choice(["RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED "]) + "PRIVATE KEY"
        lines = "\n".join(map(self._base64, [48] * 5))
        return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"


_NAMED = {
    "an": LETTERS,
    "up": UPPER,
    "lo": LOWER,
    "hex": HEX,
    "HEX": HEX.upper(),
    "b32": BASE32,
    "num": string.digits,
    "az": string.ascii_lowercase,
    "url": LETTERS + "_-",
    "b64": "",
}
