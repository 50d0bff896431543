"""Whether memories are searched by meaning on this machine, and with which model.

The choice lies beside the settings of this machine, not in the store: a store that came from
somebody else starts nothing here.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from remembrancer import places

_LARGEST = 20_000  # bytes; a larger file is none of ours


@dataclass(frozen=True, slots=True)
class MeaningSettings:
    """What the person chose; without a model it is the best one that is installed."""

    on: bool = False
    model: str = ""


def now() -> MeaningSettings:
    """The settings as they count at this moment; what cannot be read was not chosen."""
    try:
        with open(_file(), "rb") as stream:
            found: object = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        found = {}
    kept = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    model = kept.get("model")
    return MeaningSettings(kept.get("on") is True, model if isinstance(model, str) else "")


def keep(settings: MeaningSettings) -> None:
    """Keep the settings for this machine; raises OSError when that cannot be done."""
    places.private_folder(_file().parent)
    places.write_private(_file(), json.dumps(asdict(settings), ensure_ascii=False) + "\n")


def _file() -> Path:
    return places.settings_folder() / "meaning.json"
