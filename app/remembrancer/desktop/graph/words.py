"""What is said about a node: in a tooltip, and to a screen reader."""

from __future__ import annotations

from remembrancer.desktop.graph.state import GraphState
from remembrancer.desktop.look.plain import number, one_line, tooltip, translate

_LONGEST = 200


def describe(state: GraphState, node: int) -> list[str]:
    """A node in a few short lines of plain text: name, type and scope, how much it holds."""
    scene = state.scene
    name = one_line(scene.names[node], _LONGEST)
    links = translate("Graph", "Links: {0}").format(number(int(scene.degrees[node])))
    if scene.ghosts[node]:
        return [name, translate("Graph", "Mentioned only; nobody created it"), links]
    sort = [scene.type_names[scene.types[node]], scene.scope_names[scene.scopes[node]]]
    memories = translate("Graph", "Memories: {0}").format(number(int(scene.memories[node])))
    lines = [name, " · ".join(one_line(word, 60) for word in sort if word), f"{memories} · {links}"]
    if scene.pinned[node]:
        lines.append(translate("Graph", "Pinned in its place"))
    return [line for line in lines if line]


def tooltip_of(state: GraphState, node: int) -> str:
    """The description for a tooltip; markup in names is shown, not followed."""
    return tooltip("\n".join(describe(state, node)))


def spoken(state: GraphState, node: int) -> str:
    """The description in one sentence for a screen reader."""
    return ", ".join(describe(state, node))
