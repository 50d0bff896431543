"""What the person prefers, kept in one small file that is never trusted to be whole."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from remembrancer import places

THEMES = ("system", "light", "dark")
DEFAULT_PORT = 8757


@dataclass(frozen=True)
class Preferences:
    """Typed preferences; `geometry` is Qt's own text for the window's size and place."""

    theme: str = "system"
    port: int = DEFAULT_PORT
    serve: bool = True
    place: str = "review"
    geometry: str = ""
    splits: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    palette: list[str] = field(default_factory=list[str])  # actions, the last used first


class PreferenceFile:
    """Reads and writes the preferences; a damaged file means defaults, never a crash."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or places.settings_file()
        self.now = self._read()

    def change(self, **values: Any) -> Preferences:
        """Change some preferences and keep them."""
        changed = replace(self.now, **values)
        if changed != self.now:
            self.now = changed
            places.private_folder(self._path.parent)
            places.write_private(self._path, json.dumps(asdict(changed), indent=2) + "\n")
        return changed

    def _read(self) -> Preferences:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            return _from(kept)
        except FileNotFoundError:
            return Preferences()
        except (OSError, ValueError, TypeError, AttributeError):
            import logging  # rarely needed, and the first paint waits for what is loaded here

            log = logging.getLogger(__name__)
            log.warning("The settings in %s could not be read; defaults are used.", self._path)
            return Preferences()


def _from(kept: dict[str, Any]) -> Preferences:
    """The known preferences of the right sort; anything else keeps its default."""
    default = Preferences()
    found = {
        f.name: kept[f.name]
        for f in fields(Preferences)
        if f.name in kept and type(kept[f.name]) is type(getattr(default, f.name))
    }
    if found.get("theme") not in THEMES:
        found.pop("theme", None)
    if not 0 <= found.get("port", DEFAULT_PORT) <= 65_535:
        found.pop("port")
    if not all(isinstance(each, str) for each in found.get("palette", [])):
        found.pop("palette")
    return replace(default, **found)
