"""What the fourth version of the file adds: an index in three columns, and a table of its words.

`words` are a memory's own words, `stems` what they are compared by, `parts` those of compounds.
`word` holds every stem and part once; `word_letters` finds those that hold some letters in a row,
`word_near` those that differ in one letter: by a number for the word and for each of its forms
with a letter left out.
"""

from __future__ import annotations

FOURTH = """
ALTER TABLE memory ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE memory ADD COLUMN parts TEXT NOT NULL DEFAULT '';

DROP TRIGGER memory_index_insert;
DROP TRIGGER memory_index_delete;
DROP TRIGGER memory_index_update;
DROP TABLE memory_index;
CREATE VIRTUAL TABLE memory_index USING fts5 (
  words, stems, parts, content = 'memory', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER memory_index_insert AFTER INSERT ON memory BEGIN
  INSERT INTO memory_index (rowid, words, stems, parts)
    VALUES (new.id, new.words, new.stems, new.parts);
END;
CREATE TRIGGER memory_index_delete AFTER DELETE ON memory BEGIN
  INSERT INTO memory_index (memory_index, rowid, words, stems, parts)
    VALUES ('delete', old.id, old.words, old.stems, old.parts);
END;
CREATE TRIGGER memory_index_update AFTER UPDATE OF words, stems, parts ON memory
  WHEN old.words <> new.words OR old.stems <> new.stems OR old.parts <> new.parts BEGIN
  INSERT INTO memory_index (memory_index, rowid, words, stems, parts)
    VALUES ('delete', old.id, old.words, old.stems, old.parts);
  INSERT INTO memory_index (rowid, words, stems, parts)
    VALUES (new.id, new.words, new.stems, new.parts);
END;
INSERT INTO memory_index (memory_index) VALUES ('rebuild');

CREATE TABLE word (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE word_near (
  form INTEGER NOT NULL, word_id INTEGER NOT NULL, PRIMARY KEY (form, word_id)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE word_letters USING fts5 (
  term, content = 'word', content_rowid = 'id', tokenize = 'trigram', detail = none,
  columnsize = 0
);
CREATE TRIGGER word_insert AFTER INSERT ON word BEGIN
  INSERT INTO word_letters (rowid, term) VALUES (new.id, new.term);
END;
CREATE TRIGGER word_delete AFTER DELETE ON word BEGIN
  INSERT INTO word_letters (word_letters, rowid, term) VALUES ('delete', old.id, old.term);
END;
"""

# SQLite knows this from 3.42 on.
DELETE_AT_ONCE = "INSERT INTO word_letters (word_letters, rank) VALUES ('secure-delete', 1);"
