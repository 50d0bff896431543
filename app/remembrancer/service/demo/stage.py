"""Where the demonstration is played: a clock that is set to each scene, and the verbs of scenes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from remembrancer.core.author import PERSON, Access, Agent, Author
from remembrancer.core.clock import DAY, SECOND
from remembrancer.core.entity import Scope
from remembrancer.core.errors import Waiting
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Status
from remembrancer.core.recall import Question
from remembrancer.core.rules import Rule, Verdict
from remembrancer.service.demo.script import Scene
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.transfer import IMPORTER

MINUTE = 60 * SECOND
OLD = "old-laptop"  # an agent that is let in no more
_CLIENTS = {"claude-code": "2.0.14", "cursor": "1.7.3"}
_ASKED = (
    ("core-sw", "firmware"),
    ("core-sw", "vlan uplink"),
    ("shop-api", "deploy"),
    ("shop-api", "database migration"),
    ("checkout", "payment"),
    ("homeassistant", "heating"),
    (None, "backup restore"),
)


class Stage:
    """Plays scenes in one library, inside one transaction of it."""

    def __init__(self, now: int) -> None:
        self._now = now
        self._at = now - 200 * DAY
        self._labels: dict[str, int] = {}
        self._agents: dict[str, Agent] = {}
        self._held = False

    def clock(self) -> int:
        """The time of the present scene; every look moves it a little."""
        self._at += 1_700
        return min(self._at, self._now)

    def enter(self, library: Library) -> None:
        """Begin: the agents are let in."""
        self._library = library
        you = Doing(author=PERSON, origin="window")
        for name in (*_CLIENTS, OLD):
            self._agents[name] = library.agents.add(name, **you)[0]

    def play(self, scene: Scene) -> None:
        """Let one scene happen, some minutes after the one before on a busy day."""
        minutes = 3 + len(scene.text) % 23
        self._at = max(self._at + minutes * MINUTE, self._now - int(scene.days * DAY))
        verb = getattr(self, f"_{scene.verb}")
        verb(scene, self._doing(scene))

    def play_held(self, scene: Scene) -> None:
        """The same, where an agent may only propose."""
        self._held = True
        with suppress(Waiting):
            self.play(scene)
        self._held = False

    def leave(self) -> None:
        """End: policies as they are now, and what was asked for lately."""
        self._at = self._now - DAY // 8
        you = Doing(author=PERSON, origin="window")
        cursor = self._agents["cursor"]
        self._library.agents.change(
            cursor.id, access=Access.PROPOSE, dialect="knowledge_graph", entity=None, **you
        )
        claude = self._agents["claude-code"]
        self._library.agents.change(
            claude.id, access=claude.access, dialect=claude.dialect, entity=None,
            rules=(Rule(Verdict.HOLD, Kind.CONSTRAINT), Rule(Verdict.HOLD, None, Scope.SHARED)),
            **you,
        )  # fmt: skip
        for name, version in _CLIENTS.items():
            self._library.agents.seen(self._agents[name].id, name, version)
        author = self._author("claude-code")
        for entity, words in _ASKED:
            self._library.recall.serve(Question(words, entity), author)

    def _author(self, name: str) -> Author:
        if name in self._agents:
            return self._agents[name].author(name)
        return IMPORTER if name == "import" else PERSON

    def _doing(self, scene: Scene) -> Doing:
        origin = {"you": "window", "import": "import"}.get(scene.author, "native")
        author = self._author(scene.author)
        if self._held and not author.is_person:
            author = replace(author, access=Access.PROPOSE)
        return Doing(author=author, origin=origin)

    # --- verbs

    def _entities(self, scene: Scene, doing: Doing) -> None:
        rows = [line.split(" | ") for line in scene.lines]
        self._library.graph.create([NewEntity(name, type_) for name, type_ in rows], **doing)

    def _relations(self, scene: Scene, doing: Doing) -> None:
        rows = [line.split(" | ") for line in scene.lines]
        links = [Triple(source, target, type_) for source, type_, target in rows]
        self._library.graph.relate(links, ghosts=True, **doing)

    def _scope(self, scene: Scene, doing: Doing) -> None:
        name, scope = scene.words
        self._library.scopes.set(
            name, Scope(scope), members=scene.lines, expected=0, confirmed=True, **doing
        )

    def _remember(self, scene: Scene, doing: Doing) -> None:
        *entity_words, kind = scene.words
        entity = " ".join(entity_words)
        options = scene.options
        draft = Draft(
            scene.text, None if entity == "unfiled" else entity, options.get("key"),
            options.get("title", ""), Kind(kind), options.get("source", scene.author),
            float(options.get("conf", "0.5")), "pinned" in options, self._expiry(options),
            int(options["review"]) if "review" in options else None, _tags(options),
        )  # fmt: skip
        self._labels[scene.label] = self._library.memories.remember(draft, **doing).id

    def _revise(self, scene: Scene, doing: Doing) -> None:
        edit = Edit(content=scene.text)
        if "conf" in scene.options:
            edit["confidence"] = float(scene.options["conf"])
        reason = scene.options.get("reason")
        self._library.memories.revise(self._meant(scene), edit, reason=reason, **doing)

    def _verify(self, scene: Scene, doing: Doing) -> None:
        memory = self._library.memories.get(self._meant(scene))
        if memory.status is Status.ACTIVE:
            self._library.memories.verify(memory.id, **doing)

    def _revoke(self, scene: Scene, doing: Doing) -> None:
        self._library.agents.revoke(self._agents[scene.words[0]].id, **doing)

    def _archive(self, scene: Scene, doing: Doing) -> None:
        self._library.memories.archive(self._meant(scene), why=scene.options["why"], **doing)

    def _delete(self, scene: Scene, doing: Doing) -> None:
        self._library.memories.delete(self._meant(scene), **doing)

    def _postpone(self, scene: Scene, doing: Doing) -> None:
        self._library.memories.postpone(self._meant(scene), int(scene.options["days"]), **doing)

    def _supersede(self, scene: Scene, doing: Doing) -> None:
        edit = Edit(
            status=Status.ARCHIVED,
            superseded_by=self._labels[scene.words[1]],
            archived_reason="Superseded",
        )
        self._library.memories.revise(self._meant(scene), edit, **doing)

    def _meant(self, scene: Scene) -> int:
        return self._labels[scene.words[0]]

    def _expiry(self, options: dict[str, str]) -> int | None:
        given = options.get("expires")
        if given is None:
            return None
        days = int(given.removesuffix("ago").removesuffix("ahead"))
        return self._now + (-days if given.endswith("ago") else days) * DAY


def _tags(options: dict[str, str]) -> tuple[str, ...]:
    return tuple(tag for tag in options.get("tags", "").split(",") if tag)
