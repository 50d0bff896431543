"""Remembrancer: see, check and correct what AI agents remember.

The map of the house, from the ground up; each room imports only what stands above it here:

core/      what a memory is       values and pure functions
store/     where memories rest    the only room that knows Peewee and SQLite
formats/   how memories travel    a stream of bytes to core values and back, one file a format
service/   what may be done       the one path of every change; the only room that writes
agents/    how agents come in     the only room that knows mcp, starlette and uvicorn
desktop/   the window             the only room that knows PySide6

`__main__` chooses the door, `places` says where data, settings and backups live.
"""

__version__ = "0.1.0"
