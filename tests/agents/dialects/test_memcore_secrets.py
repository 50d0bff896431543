"""Secrets are masked in every text and told by their codes; all else comes back as it was."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agents.dialects.memcore_phrases import get, rows, told, write, wrote
from agents.dialects.speaking import Speaker, limited
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.secrets import find
from remembrancer.service.library import Library

# Put together at run time, so that none stands in this file.
TOKEN = "gh" + "p_" + "aB3dE6" * 6
PASSWORD = "corr" + "ect7horse"
KEY = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + "b64line" * 8


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


def everything(library: Library) -> str:
    """Every line of the journal and every memory, as text."""
    return repr(library.journal.newest(1_000)) + library.path.read_bytes().decode("latin-1")


@pytest.mark.parametrize(
    ("content", "stored", "codes"),
    [
        (f"use {TOKEN} here", "use [REDACTED] here", ["github_token"]),
        (f"a\npassword: {PASSWORD}\nb", "a\npassword: [REDACTED]\nb", ["labelled_secret_line"]),
        (f"  passwd = '{PASSWORD}'", "  passwd = '[REDACTED]'", ["labelled_secret_line"]),
        (f"mot de passe : {PASSWORD}", "mot de passe : [REDACTED]", ["labelled_secret_line"]),
        (
            f"the password: {PASSWORD} is old",
            "the password: [REDACTED] is old",
            ["labelled_secret_inline"],
        ),
        (f"x\n{KEY}\n\ny", "x\n[REDACTED]\n\ny", ["private_key"]),
        (
            f"postgres://app:{PASSWORD}@db/prod",
            "postgres://app:[REDACTED]@db/prod",
            ["conn_string"],
        ),
        (f"{TOKEN} {TOKEN}", "[REDACTED] [REDACTED]", ["github_token"]),
        (
            f"{TOKEN}\npassword: {PASSWORD}\nso password={PASSWORD}, yes",
            "[REDACTED]\npassword: [REDACTED]\nso password=[REDACTED], yes",
            ["github_token", "labelled_secret_line", "labelled_secret_inline"],
        ),
    ],
)
def test_a_secret_is_replaced_and_what_surrounds_it_stays(
    memcore: Speaker, content: str, stored: str, codes: list[str]
) -> None:
    answer = write(memcore, "web", "port", content)
    assert answer == {"ok": True, "id": 1, "redacted": codes}
    assert get(memcore, "web", "port")["content"] == stored
    [event] = rows(memcore, "events")
    assert (event["outcome"], event["reason"]) == ("redacted", "secret_redacted")
    assert json.loads(event["details_json"]) == {"redacted": codes}


def test_what_was_masked_is_written_back_as_it_is(memcore: Speaker) -> None:
    write(memcore, "web", "port", f"password: {PASSWORD}\n{TOKEN}")
    stored = get(memcore, "web", "port")["content"]
    assert write(memcore, "web", "port", stored) == {"ok": True, "id": 1}
    assert get(memcore, "web", "port")["content"] == stored
    assert told(memcore, limit=1) == ["memory_update web/port ok -"]


def test_every_text_is_looked_at(memcore: Speaker, library: Library) -> None:
    arguments = {
        "scope": f"web {TOKEN}",
        "name": f"port-{TOKEN}",
        "content": "80",
        "description": f"password: {PASSWORD}",
    }
    answer = write(memcore, **arguments)
    assert sorted(answer["redacted"]) == ["github_token", "labelled_secret_line"]
    shown = get(memcore, arguments["scope"], arguments["name"])
    assert (shown["scope"], shown["name"]) == ("web [REDACTED]", "port-[REDACTED]")
    assert shown["description"] == "password: [REDACTED]"
    at = {"scope": arguments["scope"], "name": arguments["name"]}
    for verb in ("archive", "restore"):
        reason = f"because {TOKEN}"
        answer = memcore(f"memory_{verb}", **at, reason=reason)
        assert answer == {"ok": True, "redacted": ["github_token"]}
        assert rows(memcore, "events", **at)[0]["reason"] == "because [REDACTED]"
    assert write(memcore, **arguments)["id"] == 1
    kept = everything(library)
    assert TOKEN not in kept
    assert PASSWORD not in kept


def test_a_description_that_masking_made_too_long_is_cut(memcore: Speaker) -> None:
    long = "pin: 4711 " + "d" * 490
    assert write(memcore, "web", "port", "80", description=long)["ok"]
    shown = get(memcore, "web", "port")["description"]
    assert (len(shown), shown[:17], shown[-1]) == (500, "pin: [REDACTED] d", "…")


def test_a_refused_write_leaves_no_secret_either(memcore: Speaker, library: Library) -> None:
    wrote(memcore, "web", "port", "80")
    write(memcore, "web", "port", TOKEN, expected_updated_at="x")
    assert TOKEN not in everything(library)


def test_an_entity_made_in_the_same_call_is_not_said_to_be_masked(
    memcore: Speaker, library: Library
) -> None:
    write(memcore, "web", "port", TOKEN)
    assert [(x.deed, x.outcome) for x in library.journal.newest()] == [
        ("remember", "redacted"),
        ("create entity", None),
    ]


TEXTS = st.text(min_size=1, max_size=60).filter(
    lambda t: bool(t.strip()) and "\0" not in t and not any(0xD800 <= ord(c) < 0xE000 for c in t)
)


@given(scope=TEXTS, name=TEXTS, content=TEXTS, description=TEXTS)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_is_written_is_read_back(
    memcore: Speaker, scope: str, name: str, content: str, description: str
) -> None:
    texts: dict[str, Any] = {"content": content, "description": description}
    assume(not any(find(text) for text in (scope, name, content, description)))
    answer = write(memcore, scope, name, content + f"\n{scope}/{name}", description=description)
    assume("with exactly this content" not in answer.get("error", ""))
    assert answer["ok"], answer
    shown = get(memcore.as_(limited(budget=None)), scope, name)
    assert shown["id"] == answer["id"]
    assert shown["scope"] == unicodedata.normalize("NFC", scope)
    assert shown["name"] == name
    assert shown["content"] == f"{texts['content']}\n{scope}/{name}"
    assert shown["description"] == description
