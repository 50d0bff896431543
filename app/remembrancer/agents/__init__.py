"""How agents come in: the only room that knows mcp, starlette and uvicorn.

Only `host`, `caller` and `presence` may be imported before the first paint; the rest loads mcp.
"""
