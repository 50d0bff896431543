"""What merging and conflicts add to the file: former names, and pairs that are both kept.

`alias` leads from the name of an entity that was merged to the one it was merged into; it counts
while the former is a tombstone. `kept_both` are pairs that the person decided to leave as they are;
`mark` tells whether either has changed since.
"""

from __future__ import annotations

CONFLICTS = """
CREATE TABLE alias (
  former_id INTEGER PRIMARY KEY REFERENCES entity (id), name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entity (id), at INTEGER NOT NULL
) STRICT;
CREATE INDEX alias_name ON alias (name, at);
CREATE INDEX alias_entity ON alias (entity_id);

CREATE TABLE kept_both (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sort TEXT NOT NULL,
  one INTEGER NOT NULL, other INTEGER NOT NULL, mark BLOB NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_both_pair ON kept_both (sort, one, other);

CREATE INDEX memory_superseded ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
"""
