"""The desk for stays: clients that are known again although their host was started anew."""

from __future__ import annotations

import hashlib

from remembrancer.core.clock import DAY
from remembrancer.core.stay import Stay
from remembrancer.service.desk import Ground
from remembrancer.store.stays import Stays

AGE = 7 * DAY  # microseconds of silence after which a stay is forgotten
MOST_OF_ONE = 128  # stays of one agent
MOST = 1_024  # stays in all


class StaysDesk:
    """Keeps stays under the digest of their sessions; no deed of anybody, so no journal line.

    Whoever reads the file learns no session from it, and a session alone opens nothing: only its
    own agent, with its token, finds it again.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._stays = Stays(ground.store.connections)

    def find(self, session: bytes, agent_id: int) -> Stay | None:
        """The stay of that session, if it is that agent's and not forgotten."""
        return self._stays.find(_digest(session), agent_id, self._ground.clock() - AGE)

    def keep(self, session: bytes, stay: Stay) -> None:
        """Keep how a stay is now; nobody waits for it."""
        digest, since = _digest(session), self._ground.clock() - AGE

        def work() -> None:
            self._stays.put(digest, stay)
            self._stays.thin(stay.agent_id, since, MOST_OF_ONE, MOST)

        self._ground.store.post(work)

    def forget(self, session: bytes) -> None:
        """Keep it no more; nobody waits for it."""
        digest = _digest(session)
        self._ground.store.post(lambda: self._stays.drop(digest))


def _digest(session: bytes) -> bytes:
    return hashlib.sha256(session).digest()
