"""The graph's colours, drawn from the theme that is worn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from remembrancer.desktop.look import theme

# Which of the theme's eight categories stand for fresh, ageing, old and stale.
_STALENESS = (2, 5, 1, 6)


@dataclass(frozen=True, slots=True)
class GraphColours:
    """Colours as #rrggbb: the ground, edges, ghosts, eight for groups, four from fresh to stale."""

    ground: str
    edge: str
    ghost: str
    accent: str
    palette: tuple[str, ...]
    staleness: tuple[str, ...]


def current() -> GraphColours:
    """The colours of the theme that is worn now."""
    return _of(theme.current().name)


@cache
def _of(name: str) -> GraphColours:
    worn = theme.THEMES[name]
    palette = tuple(worn.category(number).name() for number in range(8))
    return GraphColours(
        ground=worn.color("bg").name(),
        edge=worn.color("muted").name(),
        ghost=worn.color("muted").name(),
        accent=worn.color("accent").name(),
        palette=palette,
        staleness=tuple(palette[number] for number in _STALENESS),
    )
