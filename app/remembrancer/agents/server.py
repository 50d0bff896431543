"""One MCP server for one dialect: its tools, the journal as a resource, both protocol eras."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from remembrancer import __version__
from remembrancer.agents.answers import answered, well_formed_text
from remembrancer.agents.arguments import Arguments
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.journal_resource import JOURNAL, journal_text
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Visit
from remembrancer.agents.who import Context, Who
from remembrancer.agents.work import Workers
from remembrancer.core.errors import RemembrancerError

if TYPE_CHECKING:
    from remembrancer.service.library import Library

_CACHED = 60_000  # milliseconds for which a client need not ask for the tools again


def make_server(
    dialect: Dialect, library: Library, workers: Workers, who: Who, notices: Notices
) -> Server[Any]:
    """A server whose calls run in threads; one can serve many connections at a time."""
    handlers = _Handlers(dialect, library, workers, who, notices)
    schemas = {tool.name: tool.input_schema for tool in dialect.tools}
    return Server(
        "remembrancer",
        version=__version__,
        title=dialect.title,
        instructions=dialect.instructions,
        get_tool_input_schema=schemas.get,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_resource_templates,
        on_read_resource=handlers.read_resource,
        on_subscribe_resource=handlers.subscribe,
        on_unsubscribe_resource=handlers.unsubscribe,
        on_subscriptions_listen=handlers.listen,
    )


class _Handlers:
    """What the server does with each kind of request."""

    def __init__(
        self, dialect: Dialect, library: Library, workers: Workers, who: Who, notices: Notices
    ) -> None:
        self._dialect = dialect
        self._library = library
        self._workers = workers
        self._who = who
        self._notices = notices
        self._arguments = {
            id(tool): Arguments(tool.input_schema, dialect.trimmed.get(tool.name, frozenset()))
            for tool in dialect.tools
        }

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        caller = self._who.caller(await self._arrived(context))
        tools = list(self._dialect.offered(caller))
        return types.ListToolsResult(tools=tools, ttl_ms=_CACHED, cache_scope="private")

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        visit = await self._arrived(context)
        caller = self._who.caller(visit)
        arguments = self._arguments[id(self._tool(params.name, caller))]

        def call() -> types.CallToolResult:
            checked = arguments.check(params.arguments or {})
            return self._dialect.call(params.name, checked, caller)

        def failed(error: RemembrancerError) -> types.CallToolResult:
            return self._dialect.failed(params.name, error, caller)

        with self._who.presence.request(visit):
            return await self._workers.run(answered, call, failed)

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        caller = self._who.caller(await self._arrived(context))
        return types.ListResourcesResult(resources=self._resources(caller))

    async def list_resource_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        caller = self._who.caller(await self._arrived(context))
        resource = self._resource(params.uri, caller)
        text = await self._workers.run(self._read, resource.uri, caller)
        contents = types.TextResourceContents(
            uri=resource.uri, mime_type=resource.mime_type, text=well_formed_text(text)
        )
        return types.ReadResourceResult(contents=[contents])

    async def subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        visit = await self._arrived(context)
        visit.uris.add(self._resource(params.uri, self._who.caller(visit)).uri)
        visit.push = context.session
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        visit = await self._arrived(context)
        visit.uris.discard(params.uri)
        visit.push = visit.push if visit.uris else None
        return types.EmptyResult()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        with self._who.presence.request(await self._arrived(context)):
            return await self._notices.listen(context, params)

    async def _arrived(self, context: Context) -> Visit:
        visit = self._who.visit(context)
        if not visit.announced:
            await self._workers.run(self._who.announce, visit)
        return visit

    def _tool(self, name: str, caller: Caller) -> types.Tool:
        for tool in self._dialect.offered(caller):
            if tool.name == name:
                return tool
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {well_formed_text(name)}")

    def _resources(self, caller: Caller) -> list[types.Resource]:
        # The journal names every entity, so an agent locked to one does not see it.
        journal = () if caller.author.entity else (JOURNAL,)
        return [*journal, *self._dialect.resources()]

    def _resource(self, uri: str, caller: Caller) -> types.Resource:
        for resource in self._resources(caller):
            if resource.uri == uri:
                return resource
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": well_formed_text(uri)})

    def _read(self, uri: str, caller: Caller) -> str:
        if uri == JOURNAL.uri:
            return journal_text(self._library)
        return self._dialect.read(uri, caller)
