"""What the person does with entities, each as a named deed that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from remembrancer.core.entity import Entity, Relation, Scope, ScopeRecord
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.entities.words import quoted
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.graph import NewEntity, Triple

Done = Callable[[Any], None]
Failed = Callable[[RemembrancerError], None]


class EntityDeeds:
    """The deeds of one widget; nothing is called back once that widget is gone."""

    def __init__(self, bench: Workbench, owner: QObject) -> None:
        self._bench = bench
        self._owner = owner
        self._library = bench.library

    def create(self, name: str, type_: str, done: Done, failed: Failed) -> None:
        """Create an entity; a name that is taken fails with a Conflict."""

        def work() -> Entity:
            made = self._library.graph.create([NewEntity(name, type_)], **WINDOW)
            if not made:
                sentence = translate("Entities", "An entity named {0} is there already.")
                raise Conflict(sentence.format(quoted(name)), code="name_taken")
            return made[0]

        self._do(translate("Entities", "Create {0}").format(quoted(name)), work, done, failed)

    def change(self, entity: Entity, name: str, type_: str, done: Done, failed: Failed) -> None:
        """Give an entity another name or type."""
        if name != entity.name:
            title = translate("Entities", "Rename {0} to {1}").format(
                quoted(entity.name), quoted(name)
            )
        else:
            title = translate("Entities", "Change the type of {0}").format(quoted(name))
        self._do(
            title,
            lambda: self._library.graph.change(
                entity.name, new_name=name, new_type=type_, **WINDOW
            ),
            done,
            failed,
        )

    def delete(self, entity: Entity, done: Done, failed: Failed) -> None:
        """Delete an entity with its memories and relations."""
        title = translate("Entities", "Delete {0}").format(quoted(entity.name))
        self._do(title, lambda: self._library.graph.delete([entity.name], **WINDOW), done, failed)

    def set_scope(
        self, seen: ScopeRecord, scope: Scope, members: list[str], done: Done, failed: Failed
    ) -> None:
        """Set the scope that the person agreed to, unless it changed since it was `seen`."""
        title = translate("Entities", "Set the scope of {0}").format(quoted(seen.entity))
        self._do(
            title,
            lambda: self._library.scopes.set(
                seen.entity,
                scope,
                members=members if scope is Scope.GROUP else (),
                expected=seen.revision,
                confirmed=True,
                **WINDOW,
            ),
            done,
            failed,
        )

    def relate(self, wanted: Triple, ghosts: bool, done: Done, failed: Failed) -> None:
        """Link two entities; without `ghosts` a missing end fails with NotFound."""
        title = translate("Entities", "Relate {0} to {1}").format(
            quoted(wanted.source), quoted(wanted.target)
        )
        self._do(
            title,
            lambda: self._library.graph.relate(
                [wanted], ghosts=ghosts, strict=not ghosts, **WINDOW
            ),
            done,
            failed,
        )

    def unrelate(self, relation: Relation, failed: Failed) -> None:
        """Remove a relation."""
        title = translate("Entities", "Remove the relation of {0} to {1}").format(
            quoted(relation.source), quoted(relation.target)
        )
        wanted = Triple(relation.source, relation.target, relation.type)
        self._do(
            title, lambda: self._library.graph.unrelate([wanted], **WINDOW), lambda _: None, failed
        )

    def _do(self, name: str, work: Callable[[], object], done: Done, failed: Failed) -> None:
        self._bench.deeds.do(name, work, done, failed, self._owner)
