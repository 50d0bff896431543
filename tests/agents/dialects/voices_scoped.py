"""The vocabularies that file by scopes, tags or places."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from mcp.types import CallToolResult

from agents.dialects.voices import WORD, Denied, Seen, Voice, texts
from remembrancer.core import crossing, kinds
from remembrancer.core.memory import Memory


class MemcoreVoice(Voice):
    """Scopes and slugs; the lock is the time of the last change."""

    hides = revives = True
    _count = 0

    def write(self, entity: str | None, text: str) -> None:
        self._count += 1
        self._write(crossing.memcore_scope(entity), f"n-{self._count}", text, "feedback", "kurz")

    def view(self, entity: str | None) -> list[Seen]:
        scope = crossing.memcore_scope(entity)
        rows = [self._got(scope, row["name"]) for row in self._listed(scope)]
        return [
            Seen(r["content"], r["scope"], r["type"], r["description"], r["name"]) for r in rows
        ]

    def read(self, memory: Memory) -> str | None:
        return self._got(crossing.memcore_scope(memory.entity), crossing.slug(memory))["content"]

    def beside(self, text: str, said: str) -> list[str]:
        self._write(said, text, said, "user", text)
        [row] = self._listed(said)
        assert self._got(said, text)["content"] == said
        return [row["name"], row["description"]]

    def behind(self, memory: Memory) -> list[str]:
        scope = crossing.memcore_scope(memory.entity)
        found = [row["name"] for row in self._listed(scope, archived=True)]
        return [self._got(scope, name, include_archived=True)["content"] for name in found]

    def revise(self, memory: Memory, text: str) -> None:
        scope, name = crossing.memcore_scope(memory.entity), crossing.slug(memory)
        seen = self._got(scope, name)
        self._write(
            scope, name, text, seen["type"], seen["description"],
            expected_updated_at=seen["updated_at"],
        )  # fmt: skip

    def hide(self, memory: Memory) -> None:
        self._change("memory_archive", memory)

    def revive(self, memory: Memory) -> None:
        self._change("memory_restore", memory)

    def expected(self, memory: Memory, type_: str) -> Seen:
        scope = crossing.memcore_scope(memory.entity)
        word = kinds.word(memory.kind, kinds.MEMCORE)
        return Seen(memory.content, scope, word, memory.title, crossing.slug(memory))

    def _write(
        self, scope: str, name: str, text: str, type_: str, description: str, **more: Any
    ) -> None:
        said = self(
            "memory_write", scope=scope, name=name, content=text, type=type_,
            description=description, **more,
        )  # fmt: skip
        _ok(said)

    def _change(self, tool: str, memory: Memory) -> None:
        scope, name = crossing.memcore_scope(memory.entity), crossing.slug(memory)
        _ok(self(tool, scope=scope, name=name, reason="so"))

    def _listed(self, scope: str, **more: Any) -> list[dict[str, Any]]:
        return self("memory_list", scope=scope, limit=200, **more)["result"]

    def _got(self, scope: str, name: str, **more: Any) -> dict[str, Any]:
        found = self.result("memory_get", {"scope": scope, "name": name, **more})
        return json.loads(texts(found)[0])


class MemoVoice(Voice):
    """Texts with tags, in one of two languages."""

    hides = True

    def __init__(self, name: str, ask: Callable[[str, dict[str, Any]], CallToolResult]) -> None:
        super().__init__(name, ask)
        german = name.endswith("de")
        self._vocabulary = kinds.MEMO_DE if german else kinds.MEMO_EN
        self._words = _GERMAN if german else _ENGLISH

    def write(self, entity: str | None, text: str) -> None:
        kind = kinds.word(kinds.Kind.PITFALL, self._vocabulary)
        self._said("remember", text=text, tags=entity or "", kind=kind)

    def view(self, entity: str | None) -> list[Seen]:
        return self._found(entity or "")

    def beside(self, text: str, said: str) -> list[str]:
        told = self._said("remember", text=said)
        id_ = re.findall(r"#(\d+)", told)[0]
        self._said("forget", ids=id_, reason=text)
        return [self._entries([id_])[0]["superseded"]["reason"]]

    def behind(self, memory: Memory) -> list[str]:
        return [each.text for each in self._found(memory.entity or "", hidden=True)]

    def revise(self, memory: Memory, text: str) -> None:
        tags = " ".join(crossing.memo_tags(memory))
        self._said("remember", text=text, tags=tags, supersedes=f"#{memory.id}")

    def hide(self, memory: Memory) -> None:
        self._said("forget", ids=f"#{memory.id}", reason="alt")

    def expected(self, memory: Memory, type_: str) -> Seen:
        word = kinds.word(memory.kind, self._vocabulary)
        return Seen(crossing.memo_text(memory), kind=word, tags=crossing.memo_tags(memory))

    def read(self, memory: Memory) -> str | None:
        return next(iter(self._entries([str(memory.id)])), {"text": None})["text"]

    def _found(self, tag: str, *, hidden: bool = False) -> list[Seen]:
        """What a recall finds of texts that hold the word every test text begins with."""
        told = self._said(
            "recall", query=WORD, limit=50, tag=tag, kind=self._words["all"],
            include_superseded=hidden,
        )  # fmt: skip
        ids = re.findall(r"(?m)^#(\d+)", told)
        return [
            Seen(entry["text"], kind=entry["kind"], tags=tuple(entry["tags"]))
            for entry in self._entries(ids)
        ]

    def _entries(self, ids: list[str]) -> list[dict[str, Any]]:
        if not ids:
            return []
        tool, full = self._words.get("show", "show"), self._words.get("full", "full")
        return self(tool, **{"ids": ",".join(ids), full: True})["entries"]

    def _said(self, tool: str, **arguments: Any) -> str:
        own = {self._words.get(name, name): value for name, value in arguments.items()}
        result = self.result(self._words.get(tool, tool), own)
        told = "\n".join(texts(result))
        if result.is_error or told.startswith(("Fehler", "Error")):
            raise Denied(told)
        return told


class BrainVoice(Voice):
    """Records by scope."""

    deletes = True

    def write(self, entity: str | None, text: str) -> None:
        scope = crossing.brain_scope(entity, "modul")
        place = {"scope_typ": scope.typ, "scope_modul": scope.modul, "scope_ID": scope.id}
        self("insert_brain_memory", titel="kurz", inhalt=text, memory_typ="entscheidung", **place)

    def view(self, entity: str | None) -> list[Seen]:
        if entity is None:
            rows = self("select_brain_memory", scope_typ="global")["datensaetze"]
        else:
            scope = crossing.brain_scope(entity, "")
            rows = self("select_brain_memory", scope_modul=scope.modul, scope_ID=scope.id)
            rows = rows["datensaetze"]
        return [Seen(r["inhalt"], _place(r), r["memory_typ"], r["titel"]) for r in rows]

    def read(self, memory: Memory) -> str | None:
        rows = self("select_brain_memory", ID=memory.id)["datensaetze"]
        return next((row["inhalt"] for row in rows), None)

    def beside(self, text: str, said: str) -> list[str]:
        [made] = self("insert_brain_memory", titel=text, inhalt=said)["datensaetze"]
        rows = self("select_brain_memory", ID=made["ID"], detailgrad="stammdaten")["datensaetze"]
        return [row["titel"] for row in rows]

    def behind(self, memory: Memory) -> list[str]:
        rows = self("select_brain_memory", ID=memory.id)["datensaetze"]
        return [r["inhalt"] for r in rows if r["status"] == "archiviert"]

    def revise(self, memory: Memory, text: str) -> None:
        self("update_brain_memory", ID=memory.id, revision=memory.revision, inhalt=text)

    def delete(self, memory: Memory) -> None:
        self("delete_brain_memory", ID=memory.id, revision=memory.revision)

    def expected(self, memory: Memory, type_: str) -> Seen:
        place = crossing.brain_scope(memory.entity, type_)
        return Seen(memory.content, place, kinds.word(memory.kind, kinds.BRAIN), memory.title)


_GERMAN = {
    "forget": "vergessen", "show": "zeige", "kind": "art", "supersedes": "ersetzt",
    "reason": "grund", "tag": "marke", "full": "voll", "include_superseded": "mit_veraltet",
    "all": "alle",
}  # fmt: skip
_ENGLISH = {"all": "all"}


def _ok(said: Any) -> None:
    said = said.get("result", said)
    if not said["ok"]:
        raise Denied(json.dumps(said))


def _place(record: dict[str, Any]) -> crossing.BrainScope:
    return crossing.BrainScope(record["scope_typ"], record["scope_modul"], record["scope_ID"])
