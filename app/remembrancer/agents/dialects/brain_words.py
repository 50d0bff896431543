"""The sentences of the brain dialect, which speaks German."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from remembrancer.agents.discretion import discreet
from remembrancer.agents.wording import listed
from remembrancer.core.crossing import BRAIN_SCOPES, GLOBAL
from remembrancer.core.errors import (
    RemembrancerError,
    StoreBusy,
    StoreFull,
    StoreProblem,
    StoreReadOnly,
)
from remembrancer.core.kinds import BRAIN
from remembrancer.core.kinds import words as kind_words

PREFIX = "Fehler: "
_NAMED = 30  # ids that are told one by one


def _cut(word: str) -> str:
    """A word of the caller's, told back."""
    return discreet(word)[:80]


def number(value: int) -> str:
    """A number as German writes it."""
    return f"{value:,}".replace(",", ".")


def unknown_blocks(names: Sequence[str], allowed: Sequence[str]) -> str:
    """What was asked for in detailgrad and is no block."""
    shown = listed([_cut(name) for name in names[:20]])
    return f"detailgrad kennt {shown} nicht; es gibt {listed(allowed)}."


def unknown_kind(word: str) -> str:
    """A memory_typ that does not exist."""
    return f"memory_typ {listed([_cut(word)])} gibt es nicht; erlaubt: {listed(kind_words(BRAIN))}."


def unknown_scope(word: str) -> str:
    """A scope_typ that does not exist."""
    return (
        f"scope_typ {listed([_cut(word)])} gibt es nicht; erlaubt: {listed(BRAIN_SCOPES)} und der "
        "Typ einer vorhandenen Entität."
    )


def wrong_search(word: str, allowed: str) -> str:
    """A suchtyp other than the one there is."""
    return f"suchtyp {listed([_cut(word)])} gibt es hier nicht; erlaubt: {listed([allowed])}."


def foreign_agent(given: int, own: int | None) -> str:
    """Writing in the name of somebody else."""
    mine = "du hast keine" if own is None else f"deine ist {own}"
    return f"Geschrieben wird nur unter der eigenen agent_ID ({mine}), nicht unter {given}."


def no_place(typ: str) -> str:
    """A scope that names nothing."""
    return (
        f"scope_typ {listed([_cut(typ)])} braucht scope_modul oder scope_ID; "
        f"nur {listed([GLOBAL])} steht allein."
    )


SLASH = (
    "scope_modul darf keinen Schrägstrich enthalten; was danach kommt, gehört in scope_ID. Nichts "
    "wurde geändert."
)
BAD_NAME = (
    "scope_modul und scope_ID dürfen zusammen höchstens 1.000 Zeichen haben und nicht leer sein."
)
MANY = (
    "Zum Filter passen noch mehr Einträge, die nicht alle angesehen wurden. Rufe "
    "select_brain_memory mit engerem Filter auf (query, memory_typ, scope)."
)
REASON_TOO_LONG = "grund darf höchstens 2.000 Zeichen haben."


def locked(typ: str, modul: str, id_: str) -> str:
    """A deed outside of the one entity that the caller may touch."""
    place = {"scope_typ": typ, "scope_modul": modul, **({"scope_ID": id_} if id_ else {})}
    own = ", ".join(f"{name}={listed([value])}" for name, value in place.items())
    return f"Diese Verbindung schreibt nur unter {own}; nichts wurde geändert."


def masked(kinds: Iterable[str]) -> str:
    """Credentials that were not kept."""
    return f"Zugangsdaten wurden unkenntlich gemacht und nicht gespeichert: {', '.join(kinds)}."


def was_there(id_: int, archived: bool) -> str:
    """An insert that met its own content."""
    state = "archiviert" if archived else "unverändert"
    return (
        f"Diesen Inhalt gibt es in diesem scope schon als ID {id_} ({state}); titel und memory_typ "
        "dieses Aufrufs gelten nicht. Zum Ändern: update_brain_memory."
    )


def cut(id_: int, full: int, shown: int) -> str:
    """A text that is longer than an answer."""
    return (
        f"Der Inhalt von ID {id_} hat {number(full)} Zeichen und ist nach {number(shown)} "
        "abgeschnitten; so nicht zurückschreiben. Ganz zeigt ihn kein Aufruf dieses Agenten: Der "
        "Mensch sieht ihn im Fenster oder erlaubt längere Antworten."
    )


def left(ids: Sequence[int], more: bool) -> str:
    """How many records are missing in an answer, and the calls that get them."""
    if not ids:
        return MANY if more else ""
    count = f"{'Mindestens ' if more else ''}{number(len(ids))}"
    named = ", ".join(map(str, ids[:_NAMED])) + (" …" if len(ids) > _NAMED or more else "")
    return (
        f"{count} weitere Einträge passen zum Filter und fehlen hier. Rufe select_brain_memory mit "
        f"engerem Filter auf (query, memory_typ, scope) oder einzeln mit ID: {named}."
    )


def sentence(error: RemembrancerError) -> str:
    """An error in German; of the store's file no path is told."""
    if isinstance(error, StoreProblem):
        return next(text for kind, text in _STORE if isinstance(error, kind))
    if error.code in _SENTENCES:
        return _SENTENCES[error.code](error.facts)
    if error.code == "arguments":
        return f"Die Argumente passen nicht. {error}"
    return str(error)


_STORE: tuple[tuple[type[StoreProblem], str], ...] = (
    (StoreBusy, "Der Speicher wird gerade von einem anderen Programm beschrieben; gleich nochmal."),
    (StoreFull, "Der Datenträger des Speichers ist voll; der Mensch muss Platz schaffen."),
    (StoreReadOnly, "Der Speicher lässt sich nicht beschreiben; der Mensch muss das ändern."),
    (StoreProblem, "Der Speicher konnte es nicht ausführen; der Mensch muss nachsehen."),
)

_SENTENCES: dict[str, Callable[[dict[str, Any]], str]] = {
    "read_only": lambda _: "Diese Verbindung darf nur lesen; nichts wurde geändert.",
    "propose_only": lambda _: (
        "Diese Verbindung darf nur vorschlagen, und das lässt sich nicht vorschlagen; nichts wurde "
        "geändert."
    ),
    "memory": lambda _: "Diesen Eintrag gibt es nicht.",
    "memory_changed": lambda facts: (
        f"Der Eintrag wurde inzwischen geändert und steht bei revision {facts['revision']}; lies "
        "ihn neu, dann ändere ihn."
    ),
    "content_elsewhere": lambda facts: (
        f"Diesen Inhalt gibt es in diesem scope schon als ID {facts['id']}; ändere jenen Eintrag."
    ),
    "other_type": lambda facts: (
        f"Den scope {listed([facts['name']])} gibt es schon mit scope_typ "
        f"{listed([facts['type']])}; nimm diesen. Nichts wurde geändert."
    ),
}
