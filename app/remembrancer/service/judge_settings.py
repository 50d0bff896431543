"""How the judge is set up: by the environment, else by what the person chose in the window.

The choice lies beside the settings of this machine, not in the store: a store that came from
somebody else brings no judge along. The key lies in a file of its own, readable by this user alone,
and belongs to one address: it goes into no export and no backup, and is never sent anywhere else.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

from remembrancer import places
from remembrancer.core import judging, names
from remembrancer.core.errors import BadValue, Refused
from remembrancer.core.judging import JudgeState, Standing
from remembrancer.service.judge_address import Address

ADDRESS, MODEL, KEY, OFF = (f"MEMORY_FC_{end}" for end in ("URL", "MODELL", "SCHLUESSEL", "AUS"))
MODEL_LIMIT = 200  # characters
KEY_LIMIT = 8_000  # characters

_KEPT_AS = {ADDRESS: "address", MODEL: "model", OFF: "off"}
_LARGEST = 20_000  # bytes; a larger file is none of ours
_VISIBLE = re.compile(r"[\x21-\x7e]*")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds that things may take or last, and characters of a memory that are sent."""

    probe: float = 3  # asking for the models; 0 leaves it out
    frist: float = 20  # one question
    budget: float = 25  # the questions of one call
    sperre: float = 300  # not asking after a failure
    sperre_kurz: float = 15  # not asking after a refused connection
    zeichen: float = judging.NOTE_LENGTH

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Bounds:
        """The bounds that MEMORY_FC_PROBE and so on set; what is no sensible number is ignored."""
        found = {f.name: environment.get(f"MEMORY_FC_{f.name.upper()}", "") for f in fields(cls)}
        return cls(**{n: v for n, text in found.items() if (v := _number(n, text)) is not None})


_RANGES = {"probe": (0, 60), "zeichen": (20, 2_000), "sperre": (0, 86_400)}
_USUAL_RANGE = (0.01, 600)


def _number(name: str, text: str) -> float | None:
    low, high = _RANGES.get(name, _USUAL_RANGE)
    try:
        value = float(text)
    except ValueError:
        return None
    return min(value, high) if math.isfinite(value) and value >= low else None


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """What is set; `fixed` are the variables that the environment decides. The key is not here."""

    address: str
    model: str
    off: bool
    has_key: bool
    fixed: frozenset[str]
    bounds: Bounds

    def state(self) -> JudgeState:
        """Where a judge set up like this stands, without regard to how it answered."""
        missing = [n for n, v in ((ADDRESS, self.address), (MODEL, self.model)) if not v]
        if missing:
            return JudgeState(Standing.NOT_SET_UP, tuple(missing))
        if self.off:
            return JudgeState(Standing.SWITCHED_OFF)
        if Address.found(self.address) is None:
            return JudgeState(Standing.UNUSABLE, (ADDRESS,))
        return JudgeState(Standing.READY)


class SettingsShelf:
    """Reads the settings afresh each time, and keeps what the person changes."""

    def now(self) -> JudgeSettings:
        """The settings as they count at this moment."""
        given = {n: v for n in (ADDRESS, MODEL, KEY, OFF) if (v := os.environ.get(n, "").strip())}
        kept = _chosen()
        address, model, off = (given.get(n) or kept[n] for n in (ADDRESS, MODEL, OFF))
        key = KEY in given or bool(_kept_key(address))
        bounds = Bounds.of(os.environ)
        return JudgeSettings(address, model, bool(off), key, frozenset(given), bounds)

    def key(self, settings: JudgeSettings) -> str:
        """The key for the address of `settings`; empty where there is none that can be sent."""
        key = os.environ.get(KEY, "").strip() or _kept_key(settings.address)
        return key if _VISIBLE.fullmatch(key) else ""

    def keep_address(self, text: str) -> None:
        """Keep an address, checked; the key of a former one is forgotten. Empty takes it away."""
        address = _free(ADDRESS, text)
        if address:
            Address.of(address)
        former = self.now().address
        self._keep(ADDRESS, address)
        if _key_file(former) != _key_file(address):
            _forget_key(former)

    def keep_model(self, text: str) -> None:
        """Keep the id of a model; empty takes it away."""
        model = names.text(_free(MODEL, text), "name of the model", MODEL_LIMIT, empty=True)
        if not model.isprintable():
            raise BadValue("The name of the model holds a character that cannot be seen.")
        self._keep(MODEL, model)

    def keep_off(self, off: bool) -> None:
        """Keep whether the judge is switched off."""
        self._keep(OFF, _free(OFF, "1" if off else ""))

    def keep_key(self, text: str) -> None:
        """Keep a key for the present address, in a file of its own; empty forgets it."""
        key = _free(KEY, text)
        if not _VISIBLE.fullmatch(key) or len(key) > KEY_LIMIT:
            raise BadValue("This cannot be a key: a key has only plain letters, digits and signs.")
        file = _key_file(self.now().address)
        if not key:
            _forget_key(self.now().address)
        elif file is None:
            raise BadValue("Give the address first: a key is kept for one address.")
        else:
            places.private_folder(file.parent)
            places.write_private(file, key + "\n")

    def _keep(self, name: str, value: str) -> None:
        kept = {_KEPT_AS[n]: v for n, v in {**_chosen(), name: value}.items()}
        places.private_folder(_file().parent)
        places.write_private(_file(), json.dumps(kept, ensure_ascii=False) + "\n")


def _file() -> Path:
    return places.settings_folder() / "judge.json"


def _chosen() -> dict[str, str]:
    """What the person chose, by variable; what cannot be read was not chosen."""
    try:
        with open(_file(), "rb") as stream:
            found: object = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        found = {}
    kept = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    values = {n: kept.get(at) for n, at in _KEPT_AS.items()}
    return {n: v if isinstance(v, str) else "" for n, v in values.items()}


def _free(name: str, text: str) -> str:
    """`text` without blanks around it, unless the environment decides about this setting."""
    if os.environ.get(name, "").strip():
        raise Refused(f"{name} in the environment decides this.", code="environment")
    return text.strip()


def _key_file(address: str) -> Path | None:
    """The file of the key for an address; None where the address can have none."""
    found = Address.found(address)
    if found is None:
        return None
    mark = hashlib.sha256(found.origin.encode("utf-8")).hexdigest()[:16]
    return places.token_folder() / f"judge-{mark}.key"


def _kept_key(address: str) -> str:
    file = _key_file(address)
    if file is None:
        return ""
    try:
        with open(file, "rb") as stream:
            return stream.read(KEY_LIMIT).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _forget_key(address: str) -> None:
    file = _key_file(address)
    if file is not None:
        with suppress(OSError):
            file.unlink(missing_ok=True)
