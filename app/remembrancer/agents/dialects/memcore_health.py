"""The self-test of the memcore dialect, on a store of its own that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.core.keyed import Entry, Found, Place, Written
from remembrancer.core.memory import Memory, Status
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

_PLACE, _NAME = Place("_healthcheck"), "probe"
_CONTENT = "healthcheck alpha bravo charlie"
_DOING: Doing = {"author": Author("healthcheck", AuthorKind.AGENT), "origin": "healthcheck"}
# Put together here, so that no file of ours holds what looks like a credential.
_SECRETS = "\n".join(
    [
        "before " + "gh" + "p_" + "A" * 36 + " between",
        "password: " + "OnlyLetters" * 2,
        "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
        "b64line" * 8,
        "",
        "after",
    ]
)
_CODES = {"github_token", "labelled_secret_line", "private_key"}


def examine(read_store: Callable[[], object]) -> list[dict[str, Any]]:
    """The checks with their outcome; `read_store` asks the real store a question."""
    with (
        tempfile.TemporaryDirectory(prefix="remembrancer-healthcheck-") as folder,
        Library.open(Path(folder) / "probe.db") as library,
    ):
        probe = _Probe(library, read_store)
        return [_outcome(name, check) for name, check in probe.checks().items()]


def _outcome(name: str, check: Callable[[], tuple[bool, str]]) -> dict[str, Any]:
    try:
        ok, detail = check()
    except RemembrancerError as error:
        ok, detail = False, type(error).__name__
    return {"check": name, "ok": ok, "detail": detail}


class _Probe:
    """The checks in their order; each stands on what those before it left."""

    def __init__(self, library: Library, read_store: Callable[[], object]) -> None:
        self._library = library
        self._read_store = read_store

    def checks(self) -> dict[str, Callable[[], tuple[bool, str]]]:
        """The checks by their names."""
        return {
            "write": self._writes,
            "read": self._reads,
            "search_and": self._finds_all_words,
            "search_or_fallback": self._finds_some_words,
            "history": self._keeps_history,
            "optimistic_conflict": self._refuses_stale_writes,
            "archive_restore": self._archives_and_restores,
            "secret_guard_redacts": self._redacts,
            "delete": self._deletes,
        }

    def _writes(self) -> tuple[bool, str]:
        return self._write(_CONTENT).memory.id > 0, ""

    def _reads(self) -> tuple[bool, str]:
        self._read_store()
        return self._entry().content == _CONTENT, ""

    def _finds_all_words(self) -> tuple[bool, str]:
        found = self._search("healthcheck alpha")
        return found.strict and len(found.hits) == 1, f"{len(found.hits)} hits"

    def _finds_some_words(self) -> tuple[bool, str]:
        found = self._search("healthcheck zzznotarealword")
        mode = "and" if found.strict else "or_fallback"
        return not found.strict and len(found.hits) == 1, f"mode={mode}, hits={len(found.hits)}"

    def _keeps_history(self) -> tuple[bool, str]:
        written = self._write(f"{_CONTENT} delta").memory
        rows = len(self._library.memories.history(written.id, _DOING["author"])) - 1
        return rows == 1, f"{rows} row(s)"

    def _refuses_stale_writes(self) -> tuple[bool, str]:
        before = self._entry()
        try:
            self._write(f"{_CONTENT} stale", expected_at=0)
        except Conflict:
            return self._entry() == before, ""
        return False, "a stale write was accepted"

    def _archives_and_restores(self) -> tuple[bool, str]:
        keyed = self._library.keyed
        keyed.archive(_PLACE, _NAME, "healthcheck archive", **_DOING)
        hidden = not self._search("healthcheck alpha").hits
        kept = self._entry().status is Status.ARCHIVED
        keyed.restore(_PLACE, _NAME, "healthcheck restore", **_DOING)
        return hidden and kept and self._entry().status is Status.ACTIVE, ""

    def _redacts(self) -> tuple[bool, str]:
        written = self._write(_SECRETS, "guard-probe")
        stored = written.memory.content
        gone = not any(part in stored for part in ("AAAA", "OnlyLetters", "b64line"))
        around = all(part in stored for part in ("before ", " between", "password: ", "after"))
        known = set(written.redacted) >= _CODES
        return gone and around and known, f"redacted={sorted(written.redacted)}"

    def _deletes(self) -> tuple[bool, str]:
        self._library.memories.delete(self._entry().id, **_DOING)
        return self._library.keyed.get(_PLACE, _NAME) is None, ""

    def _write(self, content: str, name: str = _NAME, expected_at: int | None = None) -> Written:
        entry = Entry(_PLACE, name, "reference", content, "probe")
        return self._library.keyed.write(
            entry, expected_at=expected_at, secrets=Secrets.REDACT, **_DOING
        )

    def _entry(self) -> Memory:
        found = self._library.keyed.get(_PLACE, _NAME)
        if found is None:
            raise RemembrancerError("The entry of the self-test is not there.")
        return found

    def _search(self, query: str) -> Found:
        return self._library.keyed.search(query, _PLACE, 5)
