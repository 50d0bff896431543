"""Where memories rest: the only room that knows Peewee and SQLite."""
