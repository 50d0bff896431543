"""What the bridge and the host's local door agree on; loads nothing, because a client waits."""

from __future__ import annotations

LANGUAGES = ("en", "de")
PROTOCOL = 1  # of the bridge and the host, not of MCP
STDIO = "stdio"  # the agent that all clients on standard input and output are
