"""What the fifth version of the file adds: the vector of meaning of each memory that has one.

A vector goes with its memory, and as soon as it no longer says what the memory says.
"""

from __future__ import annotations

VECTORS = """
CREATE TABLE vector (
  memory_id INTEGER PRIMARY KEY, model TEXT NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL
) STRICT;
CREATE TRIGGER vector_delete AFTER DELETE ON memory BEGIN
  DELETE FROM vector WHERE memory_id = old.id;
END;
CREATE TRIGGER vector_update AFTER UPDATE OF title, content, status ON memory
  WHEN old.title <> new.title OR old.content <> new.content OR new.status = 'deleted' BEGIN
  DELETE FROM vector WHERE memory_id = old.id;
END;
"""
