"""One MCP server for one dialect: tools, resources, prompts; both protocol eras."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server import Server

from remembrancer import __version__
from remembrancer.agents.asking import boundary
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.discretion import keep_messages_out_of_the_log
from remembrancer.agents.notices import Notices
from remembrancer.agents.prompt_requests import PromptRequests
from remembrancer.agents.requests import Ground
from remembrancer.agents.resource_requests import ResourceRequests
from remembrancer.agents.tool_requests import ToolRequests
from remembrancer.agents.who import Who
from remembrancer.agents.work import Workers

if TYPE_CHECKING:
    from remembrancer.service.library import Library


def make_server(
    dialect: Dialect, library: Library, workers: Workers, who: Who, notices: Notices
) -> Server[Any]:
    """A server whose calls run in threads; one can serve many connections at a time."""
    keep_messages_out_of_the_log()
    ground = Ground(dialect, library, workers, who, notices)
    tools, resources, prompts = (
        ToolRequests(ground),
        ResourceRequests(ground),
        PromptRequests(ground),
    )
    schemas = {tool.name: tool.input_schema for tool in dialect.tools}
    some = bool(dialect.prompts())  # what is not handled is not announced
    server: Server[Any] = Server(
        "remembrancer",
        version=__version__,
        title=dialect.title,
        instructions=dialect.instructions,
        get_tool_input_schema=schemas.get,
        on_list_tools=tools.listed,
        on_call_tool=tools.call,
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_subscribe_resource=resources.subscribe,
        on_unsubscribe_resource=resources.unsubscribe,
        on_subscriptions_listen=resources.listen,
        on_list_prompts=prompts.listed if some else None,
        on_get_prompt=prompts.get if some else None,
        on_completion=prompts.complete if some or dialect.templates() else None,
    )
    # Not the SDK's own, which measures calls for others: nothing here is told to anybody.
    server.middleware[:] = [boundary(dialect, who)] if dialect.asks else []
    notices.watch(dialect.changed)
    return server
