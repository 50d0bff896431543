"""What is answered to requests about resources: the journal, the dialect's own, and entities."""

from __future__ import annotations

from collections.abc import Sequence

from mcp import types
from mcp.shared.exceptions import MCPError

from remembrancer.agents.answers import well_formed_text
from remembrancer.agents.caller import Caller
from remembrancer.agents.discretion import discreet
from remembrancer.agents.journal_resource import JOURNAL, journal_text
from remembrancer.agents.requests import Ground
from remembrancer.agents.who import Context

MOST_LISTENED = 1_000  # resources that one subscription may name
LONGEST_TOLD = 1_000  # characters of a URI that is told back


class ResourceRequests:
    """Lists, reads and announces resources, each only to those who may know of it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def listed(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The journal, the dialect's own, and those of its templates that are worth listing."""
        caller = await self._ground.caller(context)
        recent = await self._ground.workers.run(self._ground.dialect.recent, caller)
        return types.ListResourcesResult(resources=[*self._fixed(caller), *recent])

    async def templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The patterns behind which there are more."""
        await self._ground.arrived(context)
        found = list(self._ground.dialect.templates())
        return types.ListResourceTemplatesResult(resource_templates=found)

    async def read(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text of one resource."""
        caller = await self._ground.caller(context)
        contents = await self._ground.workers.run(self._contents, params.uri, caller)
        return types.ReadResourceResult(contents=[contents])

    async def subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """An earlier client wants to hear of changes of a resource."""
        visit = await self._ground.arrived(context)
        caller = self._ground.who.caller(visit)
        resource = await self._ground.workers.run(self._at, params.uri, caller)
        await self._ground.notices.expect()
        visit.uris.add(resource.uri)
        visit.push = context.session
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """It wants to hear of them no more."""
        visit = await self._ground.arrived(context)
        visit.uris.discard(params.uri)
        visit.push = visit.push if visit.uris else None
        return types.EmptyResult()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """A 2026 client listens, to the resources it may know of; what is agreed to is told it."""
        visit = await self._ground.arrived(context)
        wanted = params.notifications
        uris = (wanted.resource_subscriptions or [])[:MOST_LISTENED]
        known = await self._ground.workers.run(self._known, uris, self._ground.who.caller(visit))
        agreed = wanted.model_copy(update={"resource_subscriptions": known or None})
        with self._ground.who.presence.request(visit):
            return await self._ground.notices.listen(
                context, params.model_copy(update={"notifications": agreed})
            )

    # --- in a worker thread

    def _known(self, uris: Sequence[str], caller: Caller) -> list[str]:
        return [uri for uri in uris if self._found(uri, caller) is not None]

    def _contents(self, uri: str, caller: Caller) -> types.TextResourceContents:
        resource = self._at(uri, caller)
        if uri == JOURNAL.uri:
            text = journal_text(self._ground.library)
        else:
            text = self._ground.dialect.read(uri, caller)
        return types.TextResourceContents(
            uri=uri, mime_type=resource.mime_type, text=well_formed_text(text)
        )

    def _at(self, uri: str, caller: Caller) -> types.Resource:
        resource = self._found(uri, caller)
        if resource is not None:
            return resource
        told = {"uri": discreet(well_formed_text(uri))[:LONGEST_TOLD]}
        raise MCPError(types.INVALID_PARAMS, "Resource not found", told)

    def _found(self, uri: str, caller: Caller) -> types.Resource | None:
        for resource in self._fixed(caller):
            if resource.uri == uri:
                return resource
        return self._ground.dialect.resource_at(uri, caller)

    def _fixed(self, caller: Caller) -> list[types.Resource]:
        # The journal names every entity, so an agent locked to one does not see it.
        journal = () if caller.author.entity else (JOURNAL,)
        return [*journal, *self._ground.dialect.resources()]
