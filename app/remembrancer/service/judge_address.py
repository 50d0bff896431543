"""The address of a judge: which ones can be meant, and whether what is sent there stays here."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from remembrancer.core.errors import BadValue

ADDRESS_LIMIT = 1_000  # characters
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """Where an OpenAI-compatible server is; `path` begins with a slash and ends with /v1."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, text: str) -> Address:
        """The address in `text`, with or without /v1; BadValue says why it cannot be one."""
        if len(text) > ADDRESS_LIMIT or not re.fullmatch(r"[^\s\x00-\x20\x7f\\]+", text):
            raise BadValue("An address is one word without blanks, such as http://127.0.0.1:11434.")
        try:
            parts = urlsplit(text)
            scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
            host.encode("ascii" if ":" in host else "idna")
        except ValueError as wrong:
            raise BadValue("This address has a host or a port that cannot be.") from wrong
        if scheme not in _PORTS or not host:
            raise BadValue("Only an address that begins with http:// or https:// can be used.")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise BadValue("Give the address without a user, a question mark or a #.")
        path = parts.path.rstrip("/")
        if not path.isascii():
            raise BadValue("What follows the host in an address has plain letters only.")
        path = path if path.endswith("/v1") else path + "/v1"
        return cls(scheme, host, port or _PORTS[scheme], path)

    @classmethod
    def found(cls, text: str) -> Address | None:
        """The same, or None where `text` cannot be an address."""
        try:
            return cls.of(text)
        except BadValue:
            return None

    @property
    def origin(self) -> str:
        """Scheme, host and port: whom a key belongs to."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def secure(self) -> bool:
        """Whether what is sent there is encrypted on the way."""
        return self.scheme == "https"

    @property
    def stays_here(self) -> bool:
        """Whether it is on this machine, so that no text leaves it."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
