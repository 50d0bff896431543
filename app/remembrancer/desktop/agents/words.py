"""Policies, dialects and secrets in the words of the window."""

from __future__ import annotations

from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import Access, Agent
from remembrancer.core.rules import read
from remembrancer.desktop.look.plain import translate
from remembrancer.service.connecting import HTTP, PASTE, STDIO, VARIABLE, ClientConfig, Secret

# What each vocabulary is for.
_DIALECTS: dict[str, str] = {
    "native": "Remembrancer's own tools",
    "knowledge_graph": "Drop-in for the reference knowledge graph server",
    "memcore": "Documents with a history, by scope and name",
    "memo": "Short notes by tag, in German or English",
    "brain": "One select tool and its three siblings, in German",
}

LANGUAGES = {"en": "English", "de": "German"}
TWO_LANGUAGES = frozenset({"memo"})  # the dialects whose texts an agent may have in either

ACCESS = {Access.READ: "read", Access.WRITE: "read and write", Access.PROPOSE: "propose"}


def may(agent: Agent) -> str:
    """What an agent may do, in one word, and how many rules say more: who may write may read."""
    if agent.revoked_at is not None:
        return translate("Agents", "revoked")
    word, rules = translate("Agents", agent.access.value), len(read(agent.rules))
    if not rules or agent.access is Access.READ:
        return word
    return translate("Agents", "{0}, rules: {1}").format(word, rules)


def dialects() -> list[tuple[str, str]]:
    """The vocabularies that an agent may be given: name, and name with what it is for."""
    return [(name, dialect(name)) for name in DIALECTS]


def dialect(name: str) -> str:
    """A dialect with what it is for."""
    told = _DIALECTS.get(name)
    return f"{name} — {translate('Agents', told)}" if told else name


def spoken(agent: Agent) -> str:
    """An agent's dialect, with its language where the dialect has two."""
    if agent.dialect not in TWO_LANGUAGES:
        return agent.dialect
    return f"{agent.dialect} · {language(agent.language)}"


def language(code: str) -> str:
    """A language by its name."""
    return translate("Agents", LANGUAGES.get(code, code))


def budget(characters: int | None) -> str:
    """How long an answer may be."""
    if characters is None:
        return translate("Agents", "as long as they are")
    return translate("Agents", "up to {0} characters").format(f"{characters:,}")


def cost(characters: int) -> str:
    """What an agent pays for knowing its tools."""
    return translate("Agents", "tools: {0} characters").format(f"{characters:,}")


def way(how: str) -> str:
    """How a client reaches the library."""
    words = {STDIO: "Command (stdio)", HTTP: "Address (HTTP)"}
    return translate("Agents", words[how])


def about_secret(config: ClientConfig, known: bool) -> str:
    """Where the token comes from, as a sentence that says what to do; `known`: its file is."""
    if config.secret is Secret.VARIABLE:
        text = "The client reads the token from {0}. Set it where the client is started."
        return translate("Agents", text).format(VARIABLE)
    if config.secret is Secret.ASKED:
        return translate("Agents", "The client asks for the token when it first connects.")
    if config.secret is Secret.PASTED and known:
        text = "The token stands in this file. Copying fills it in; keep the file private."
        return translate("Agents", text)
    if config.secret is Secret.PASTED:
        text = "Put the token of an agent where {0} stands; a new agent or a new token gives one."
        return translate("Agents", text).format(PASTE)
    return translate("Agents", "No token is needed: the command runs as you.")
