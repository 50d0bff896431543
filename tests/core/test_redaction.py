"""Credentials replaced without their kind, and the codes that are told beside the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.core.redaction import codes_told, redact, told
from remembrancer.core.secrets import is_credential, mask

TOKEN = "gh" + "p_" + "aB3dE6" * 6  # put together at run time, so that none stands in this file
PASSWORD = "corr" + "ect7horse"


def test_the_kind_is_told_beside_the_text():
    assert redact(f"use {TOKEN}, always") == ("use [REDACTED], always", ("github_token",))
    assert redact("use nothing") == ("use nothing", ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("password: §", "line"),
        ("  api_key = '§'  ", "line"),
        ("- **Password:** §", "line"),
        ("a\r\nclient secret: §\r\nb", "line"),
        ("password: § for the NAS", "inline"),
        ("port: 80, password: §", "inline"),
        ("/ppp secret add password=§", "inline"),
    ],
)
def test_a_labelled_secret_stands_on_its_own_line_or_within_one(text: str, code: str):
    assert redact(text.replace("§", PASSWORD))[1] == (f"labelled_secret_{code}",)


def test_codes_stand_once_in_their_order():
    text = f"password: {PASSWORD}\n{TOKEN}\npassword: {PASSWORD}"
    assert redact(text)[1] == ("labelled_secret_line", "github_token")


@given(st.lists(st.sampled_from(["github_token", "labelled_secret_line", "jwt"]), unique=True))
def test_codes_are_read_from_the_sentence_about_them(codes: list[str]):
    assert codes_told(told(codes)) == codes
    assert codes_told(None) == codes_told("because") == []


TEMPLATES = [
    "password: § ",
    'api_key="§" ',
    "Authorization: Bearer § ",
    "https://u:§@host/x ",
    "§ ",
    "Passwort (NAS): §.\n",
    "login root / § ",
    "token is §; ",
    "use § as the password\n",
    "set passwd ENC §\n",
]


@settings(deadline=None)  # the first search makes the rules ready
@given(st.lists(st.sampled_from(TEMPLATES)), st.sampled_from([TOKEN, PASSWORD, "Ab3$xY7z"]))
def test_what_was_redacted_is_neither_found_nor_refused_again(parts: list[str], secret: str):
    once = redact("".join(parts).replace("§", secret))[0]
    assert redact(once) == (once, ())
    assert mask(once) == (once, ())
    assert not is_credential(once)


@settings(deadline=None)  # the first search makes the rules ready
@given(st.lists(st.sampled_from(TEMPLATES)), st.sampled_from([TOKEN, PASSWORD]))
def test_both_markers_stand_at_the_same_places(parts: list[str], secret: str):
    text = "".join(parts).replace("§", secret)
    masked, kinds = mask(text)
    for kind in kinds:
        masked = masked.replace(f"[REDACTED:{kind}]", "[REDACTED]")
    assert redact(text)[0] == masked
