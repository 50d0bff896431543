"""Credentials in texts; every one here is made up at run time, so none stands in this file."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.core.secrets import Secret, find, is_credential, mask

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
CHANCE = random.Random(20)


def noise(length: int, alphabet: str = LETTERS) -> str:
    """Random characters, among them letters and digits."""
    body = "".join(CHANCE.choice(alphabet) for _ in range(length - 2))
    return body[:5] + "7" + body[5:] + "3"


def password() -> str:
    return noise(6) + CHANCE.choice("!$%&#+") + noise(6)


def block(name: str) -> str:
    lines = "\n".join(noise(64) for _ in range(4))
    return f"-----BEGIN {name}-----\n{lines}\n-----END {name}-----"


def written(text: str) -> str:
    """The text after masking."""
    return mask(text)[0]


SHAPES = [
    ("github_token", "gh" + "p_" + noise(36)),
    ("github_token", "github" + "_pat_" + noise(22) + "_" + noise(59)),
    ("gitlab_token", "gl" + "pat-" + noise(20)),
    ("aws_key", "AK" + "IA" + noise(16, string.ascii_uppercase)),
    ("openai_anthropic_key", "sk" + "-" + noise(48)),
    ("openai_anthropic_key", "sk" + "-ant-api03-" + noise(90)),
    ("google_key", "AI" + "za" + noise(35)),
    ("google_key", "ya" + "29." + noise(60)),
    ("slack_token", "xo" + "xb-" + noise(12, string.digits) + "-" + noise(24)),
    ("telegram_token", noise(9, string.digits) + ":AA" + noise(33)),
    ("stripe_key", "sk" + "_live_" + noise(24)),
    ("jwt", ".".join(["ey" + "J" + noise(30), "ey" + "J" + noise(50), noise(43)])),
    ("npm_token", "np" + "m_" + noise(36)),
    ("pypi_token", "py" + "pi-AgE" + noise(90)),
    ("huggingface_token", "h" + "f_" + noise(34)),
    ("vendor_token", "S" + "G." + noise(22) + "." + noise(43)),
    ("vendor_token", "do" + "p_v1_" + noise(64, HEX)),
    ("vendor_token", "h" + "vs." + noise(30)),
    ("private_key", "AGE-SECRET" + "-KEY-1" + noise(58, string.ascii_uppercase + string.digits)),
    ("crypt_hash", "$6" + "$" + noise(8) + "$" + noise(86)),
    ("crypt_hash", "$2" + "b$12$" + noise(53)),
    ("prefixed_token", "acme" + "_live_" + noise(40)),
]


@pytest.mark.parametrize(("kind", "secret"), SHAPES)
def test_a_credential_is_known_by_its_shape(kind: str, secret: str):
    text = f"The bot uses {secret} for pushes."
    assert mask(text) == (f"The bot uses [REDACTED:{kind}] for pushes.", (kind,))
    assert find(text) == (Secret(13, 13 + len(secret), kind),)
    assert is_credential(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("password: §", "labelled_secret"),
        ("Password = §", "labelled_secret"),
        ("PASSWD=§", "labelled_secret"),
        ("api-key: §", "labelled_secret"),
        ("API_KEY=§", "labelled_secret"),
        ("the api key:  §", "labelled_secret"),
        ("access token = '§'", "labelled_secret"),
        ("private_key: §", "labelled_secret"),
        ("client_secret: §", "labelled_secret"),
        ('{"password": "§", "port": 22}', "labelled_secret"),
        ("**Password:** §", "labelled_secret"),
        ("`password`: `§`", "labelled_secret"),
        ("password (NAS): §", "labelled_secret"),
        ("password：§", "labelled_secret"),
        ("Passwort für den Router: §", "labelled_secret"),
        ("Kennwort: „§“", "labelled_secret"),
        ("Das Passwort lautet § und gilt bis Mai", "labelled_secret"),
        ("password is § for the NAS", "labelled_secret"),
        ("password changed to § yesterday", "labelled_secret"),
        ("WLAN-Schlüssel: §", "labelled_secret"),
        ("use § as the password", "labelled_secret"),
        ("Password:\n- §", "labelled_secret"),
        ("/ppp secret add name=vpn1 password=§ service=l2tp", "labelled_secret"),
        ("login root / §", "login"),
        ("Authorization: Basic §+/=", "auth_header"),
        ("curl -H 'Authorization: Bearer §'", "auth_header"),
        ("send bearer §, please", "bearer_token"),
        ("Cookie: theme=dark; session=§", "cookie"),
        ("postgres://app:§@db.internal:5432/prod", "conn_string"),
        ("redis://:§@cache:6379/0", "conn_string"),
        ("AccountName=acme;AccountKey=§§;EndpointSuffix=x", "conn_string"),
        ("https://cam.example/snapshot?user=admin&pwd=§", "conn_string"),
        ("crypto isakmp key § address 203.0.113.7", "device_config"),
        ("snmp-server community § RO", "device_config"),
        ("sshpass -p § ssh root@host", "command_line"),
    ],
)
def test_a_credential_is_known_by_its_place(text: str, kind: str):
    secret = noise(14)
    full = text.replace("§", secret)
    masked, kinds = mask(full)
    assert secret not in masked
    assert kinds == (kind,)
    around = [part for part in text.split("§") if part]
    assert masked.startswith(around[0].rstrip("+/="))
    assert is_credential(full)


def test_labels_and_their_surroundings_stay():
    secret = password()
    text = f'Router: password "{secret}", api_key={noise(12)}. Then reboot.'
    assert written(text) == (
        'Router: password "[REDACTED:labelled_secret]", '
        "api_key=[REDACTED:labelled_secret]. Then reboot."
    )


def test_the_whole_of_a_quoted_value_is_masked():
    assert written('password: "four plain words here" on NAS') == (
        'password: "[REDACTED:labelled_secret]" on NAS'
    )


def test_kinds_are_named_once_in_the_order_they_stand():
    text = f"a password: {password()} b {SHAPES[0][1]} c password: {password()}"
    assert mask(text)[1] == ("labelled_secret", "github_token")


@pytest.mark.parametrize("value", ["none", "swordfish", "x", "<later>", "see"])
@pytest.mark.parametrize(
    "label", ["secret", "Password", "PRIVATE-KEY", "api key", "apikey", "access_token", "passwd"]
)
def test_any_value_behind_these_labels_is_refused(label: str, value: str):
    for sign in (": ", "=", " = "):
        assert is_credential(f"x {label}{sign}{value}")


@pytest.mark.parametrize("label", ["secret", "Password", "api key", "access_token", "passphrase"])
def test_a_word_that_stands_alone_behind_a_label_is_masked(label: str):
    for sign in (": ", "=", " = "):
        assert written(f"x {label}{sign}swordfish\ny") == (
            f"x {label}{sign}[REDACTED:labelled_secret]\ny"
        )
        assert not find(f"x {label}{sign}none\ny")


def test_german_labels_take_values_of_four_characters_and_more():
    assert find("Passwort: Mond")
    assert find("Kennwort=abcd")
    assert not find("Passwort: abc")


@pytest.mark.parametrize("name", ["RSA PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_a_private_key_goes_from_its_header_to_its_last_line(name: str):
    key = block(name)
    assert written(f"for the host:\n{key}\nkeep it") == (
        "for the host:\n[REDACTED:private_key]\nkeep it"
    )
    escaped = key.replace("\n", "\\n")
    assert written(f"'{escaped}' kept") == "'[REDACTED:private_key]' kept"


def test_a_cut_off_private_key_goes_to_the_next_blank_line_or_the_end():
    cut = block("OPENSSH PRIVATE KEY")[:150]
    assert written(f"a\n{cut}\n\nb") == "a\n[REDACTED:private_key]\n\nb"
    assert written(f"a\n{cut}") == "a\n[REDACTED:private_key]"


def test_a_cut_off_private_key_does_not_take_the_next_block_along():
    certificate = block("CERTIFICATE")
    cut = block("PRIVATE KEY")[:100]
    assert written(f"{cut}\n{certificate}").endswith(certificate)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The password policy requires 12 characters.",
        "Das Passwort wird alle 90 Tage geändert.",
        "Passwort vergessen? Bitte an den Administrator wenden.",
        "Kennwort ist beim Kunden hinterlegt",
        "The secret of good tests is small steps.",
        "api key rotation happens monthly",
        "Token limit reached after 8000 tokens; max_tokens: 4096",
        "use bearer authentication for the API",
        "Basic: simple layout",
        "login: use the SSO page",
        "Key: value pairs are sorted",
        "SELECT password_hash FROM users WHERE id = ?",
        "token = request.headers.get('Authorization')",
        "secretName: db-credentials",
        "VLAN 120 auf Port 7, Gateway 10.1.2.1, MAC 00:1A:2B:3C:4D:5E",
        "see https://example.org:8443/path?x=1 and mail a@example.org",
        "git@github.com:acme/app.git",
        "postgres://app:${PASSWORD}@db/prod",
        'secret: "", password: {}, api key: ****',
        "no enable password",
        "/user set admin group=read",
        "test-http2-max-session-memory-leak-in-the-pool",
        f"fixed in commit {noise(40, HEX)} on main",
        f"sha256:{noise(64, HEX)}",
        f"trace_id={noise(32, HEX)}",
        f"data:image/png;base64,{noise(120)}",
        f"[Peer]\nPublicKey = {noise(43)}=",
        block("CERTIFICATE"),
        block("PUBLIC KEY"),
    ],
)
def test_ordinary_texts_are_left_alone(text: str):
    assert mask(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "Bearer authentication",
        "secret:\n\nnone",
        "-----BEGIN" + " RSA PRIVATE KEY-----",
        "password: ****",
    ],
)
def test_refusing_is_stricter_than_masking(text: str):
    assert is_credential(text)


@pytest.mark.parametrize("text", ["no secrets here", "the secret: ", "nosecret at all", "bearer x"])
def test_ordinary_texts_are_not_refused(text: str):
    assert not is_credential(text)


@pytest.mark.parametrize("offset", [49_000, 49_140, 49_152, 65_500, 65_536, 131_000, 190_000])
def test_a_long_text_is_searched_to_its_end(offset: int):
    words = "plain words of a long memory, "
    start = (words * 10_000)[:offset]
    text = f"{start} {SHAPES[0][1]} and password: {password()} {words * 400}"
    masked = f"{start} [REDACTED:github_token] and password: [REDACTED:labelled_secret] "
    assert written(text) == masked + words * 400


def test_a_value_longer_than_what_is_searched_at_once_is_masked_as_a_whole():
    assert written(f"password={noise(150_000)} end") == "password=[REDACTED:labelled_secret] end"


TEMPLATES = [
    "password: § ",
    'api_key="§" ',
    "Authorization: Bearer § ",
    "https://u:§@host/x ",
    "§ ",
    "Passwort (NAS): §.\n",
    "login root / § ",
    "token is §; ",
    "set passwd ENC §\n",
]


@settings(deadline=None)  # the first search makes the rules ready
@given(st.lists(st.sampled_from(TEMPLATES)), st.sampled_from([s for _, s in SHAPES] + ["Ab3$xY7z"]))
def test_what_was_masked_is_neither_found_nor_refused_again(parts: list[str], secret: str):
    once = written("".join(parts).replace("§", secret))
    assert mask(once) == (once, ())
    assert not is_credential(once)


@settings(deadline=None)  # the first search makes the rules ready
@given(st.text(alphabet='paswordkeytn:=/@-_. "\n1aB$|'))
def test_finds_are_in_order_and_apart_in_any_text(text: str):
    ends = [0]
    for secret in find(text):
        assert ends[-1] <= secret.start < secret.end <= len(text)
        ends.append(secret.end)


@pytest.mark.parametrize("text", ['password = "§"', "api_key: '§'", 'the secret: "§".'])
def test_the_closing_quote_stays_at_the_end_of_a_text(text: str):
    assert written(text.replace("§", noise(14))) == text.replace("§", "[REDACTED:labelled_secret]")


@pytest.mark.parametrize("marker", ["[REDACTED]", "[REDACTED:labelled_secret]", "[REDACTED:jwt]"])
@pytest.mark.parametrize(
    "text",
    [
        "password: §",
        'api_key="§"',
        "Authorization: Bearer §",
        "https://u:§@host/x",
        "Kennwort (NAS): §.",
        "login root / §",
        "Passwort lautet § und gilt",
    ],
)
def test_both_markers_pass_as_masked_already(text: str, marker: str):
    full = text.replace("§", marker)
    assert mask(full) == (full, ())
    assert not is_credential(full)


@pytest.mark.parametrize(
    "text", ["password: [REDACTED", "password: [REDACTED-", "secret=[redacted]"]
)
def test_what_only_looks_like_a_marker_is_refused(text: str):
    assert is_credential(text)
