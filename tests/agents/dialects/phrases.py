"""What native's tests say over and over."""

from __future__ import annotations

from typing import Any

from agents.dialects.speaking import Speaker

NOT_FOUND = "Entity not found; scope never substitutes another device"
CREDENTIAL = "Memory is not a credential vault"


def create(native: Speaker, *names: str) -> None:
    entities = [{"name": name, "entityType": "device"} for name in names]
    native.text("memory_create_entities", entities=entities)


def remember(native: Speaker, entity: str, content: str, **more: Any) -> dict[str, Any]:
    return native("memory_remember", entityName=entity, content=content, **more)


def revise(native: Speaker, seen: dict[str, Any], **more: Any) -> dict[str, Any]:
    return native("memory_revise", id=seen["id"], expectedRevision=seen["revision"], **more)


def scope(native: Speaker, entity: str, to: str, revision: int, *members: str, **more: Any) -> Any:
    arguments = {"entityName": entity, "scope": to, "expectedRevision": revision, **more}
    return native("memory_set_scope", members=list(members), **arguments)


def contents(answer: dict[str, Any]) -> list[str]:
    return [item["content"] for item in answer["items"]]
