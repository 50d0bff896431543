"""What the second version of the file adds: every three letters in a row, for literal search.

Three letters are a token, and only where it stands is kept (no place within the text), which makes
the index a third as large. What was deleted leaves its pages at once.
"""

from __future__ import annotations

SECOND = """
CREATE VIRTUAL TABLE memory_letters USING fts5 (
  content, content = 'memory', content_rowid = 'id', tokenize = 'trigram', detail = none,
  columnsize = 0
);
CREATE TRIGGER memory_letters_insert AFTER INSERT ON memory BEGIN
  INSERT INTO memory_letters (rowid, content) VALUES (new.id, new.content);
END;
CREATE TRIGGER memory_letters_delete AFTER DELETE ON memory BEGIN
  INSERT INTO memory_letters (memory_letters, rowid, content)
    VALUES ('delete', old.id, old.content);
END;
CREATE TRIGGER memory_letters_update AFTER UPDATE OF content ON memory
  WHEN old.content <> new.content BEGIN
  INSERT INTO memory_letters (memory_letters, rowid, content)
    VALUES ('delete', old.id, old.content);
  INSERT INTO memory_letters (rowid, content) VALUES (new.id, new.content);
END;
INSERT INTO memory_letters (memory_letters) VALUES ('rebuild');

CREATE VIRTUAL TABLE entity_letters USING fts5 (
  name, type, content = 'entity', content_rowid = 'id', tokenize = 'trigram', detail = none,
  columnsize = 0
);
CREATE TRIGGER entity_letters_insert AFTER INSERT ON entity BEGIN
  INSERT INTO entity_letters (rowid, name, type) VALUES (new.id, new.name, new.type);
END;
CREATE TRIGGER entity_letters_delete AFTER DELETE ON entity BEGIN
  INSERT INTO entity_letters (entity_letters, rowid, name, type)
    VALUES ('delete', old.id, old.name, old.type);
END;
CREATE TRIGGER entity_letters_update AFTER UPDATE OF name, type ON entity
  WHEN old.name <> new.name OR old.type <> new.type BEGIN
  INSERT INTO entity_letters (entity_letters, rowid, name, type)
    VALUES ('delete', old.id, old.name, old.type);
  INSERT INTO entity_letters (rowid, name, type) VALUES (new.id, new.name, new.type);
END;
INSERT INTO entity_letters (entity_letters) VALUES ('rebuild');
"""

# SQLite knows these from 3.42 on.
DELETE_AT_ONCE = """
INSERT INTO memory_letters (memory_letters, rank) VALUES ('secure-delete', 1);
INSERT INTO entity_letters (entity_letters, rank) VALUES ('secure-delete', 1);
"""
