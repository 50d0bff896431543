"""The tables as the first version of the file had them: STRICT, indexed for lists and review.

Later versions change them through `migrations`; this text stays as it is.
"""

from __future__ import annotations

FIRST = """
CREATE TABLE entity (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, lookup TEXT NOT NULL, type TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('device', 'group', 'shared')),
  scope_revision INTEGER NOT NULL, ghost INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX entity_name ON entity (name) WHERE deleted_at IS NULL;
CREATE INDEX entity_lookup ON entity (lookup);
CREATE INDEX entity_scope ON entity (scope, name) WHERE deleted_at IS NULL AND scope <> 'device';

CREATE TABLE group_member (
  group_id INTEGER NOT NULL REFERENCES entity (id),
  member_id INTEGER NOT NULL REFERENCES entity (id),
  PRIMARY KEY (group_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_member ON group_member (member_id);

CREATE TABLE relation (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES entity (id),
  target_id INTEGER NOT NULL REFERENCES entity (id),
  type TEXT NOT NULL, created_at INTEGER NOT NULL, deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX relation_triple ON relation (source_id, target_id, type)
  WHERE deleted_at IS NULL;
CREATE INDEX relation_target ON relation (target_id);

CREATE TABLE memory (
  id INTEGER PRIMARY KEY AUTOINCREMENT, entity_id INTEGER REFERENCES entity (id),
  key TEXT, title TEXT NOT NULL, content TEXT NOT NULL, digest BLOB NOT NULL,
  kind TEXT NOT NULL, source TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  pinned INTEGER NOT NULL, expires_at INTEGER, verified_at INTEGER, verified_by TEXT,
  review_days INTEGER, postponed_until INTEGER, due_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'archived', 'deleted')),
  archived_at INTEGER, archived_by TEXT, archived_reason TEXT,
  superseded_by INTEGER, author TEXT NOT NULL, revision INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, stems TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_key ON memory (entity_id, key)
  WHERE key IS NOT NULL AND status <> 'deleted';
CREATE UNIQUE INDEX memory_content ON memory (entity_id, digest) WHERE status <> 'deleted';
CREATE INDEX memory_newest ON memory (status, updated_at DESC, id DESC);
CREATE INDEX memory_pinned ON memory (status, pinned DESC, updated_at DESC, id DESC);
CREATE INDEX memory_due ON memory (status, due_at, id);
CREATE INDEX memory_expiry ON memory (status, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memory_kind ON memory (status, kind, updated_at DESC, id DESC);
CREATE INDEX memory_author ON memory (status, author, updated_at DESC, id DESC);
CREATE INDEX memory_entity ON memory (entity_id, status, updated_at DESC, id DESC);

CREATE TABLE tag (
  memory_id INTEGER NOT NULL REFERENCES memory (id), position INTEGER NOT NULL,
  name TEXT NOT NULL, PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_name ON tag (name, memory_id);

CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL,
  author_kind TEXT NOT NULL, origin TEXT NOT NULL, deed TEXT NOT NULL, batch INTEGER NOT NULL,
  subject TEXT NOT NULL, subject_id INTEGER NOT NULL, entity_id INTEGER, revision INTEGER,
  snapshot TEXT, reason TEXT, idempotency_key TEXT, outcome TEXT
) STRICT;
CREATE INDEX journal_subject ON journal (subject, subject_id, sequence);
CREATE INDEX journal_batch ON journal (batch, sequence);
CREATE INDEX journal_author ON journal (author, sequence);
CREATE UNIQUE INDEX journal_idempotency ON journal (idempotency_key)
  WHERE idempotency_key IS NOT NULL;

CREATE TABLE agent (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, client_name TEXT NOT NULL,
  client_version TEXT NOT NULL, token_hash BLOB, access TEXT NOT NULL, dialect TEXT NOT NULL,
  entity TEXT, language TEXT NOT NULL, answer_budget INTEGER,
  first_seen INTEGER, last_seen INTEGER, revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX agent_token ON agent (token_hash) WHERE token_hash IS NOT NULL;

CREATE TABLE proposal (
  id INTEGER PRIMARY KEY, agent_id INTEGER NOT NULL REFERENCES agent (id), deed TEXT NOT NULL,
  arguments TEXT NOT NULL, subject TEXT, subject_id INTEGER, revision INTEGER,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'refused')),
  fingerprint BLOB NOT NULL, created_at INTEGER NOT NULL, decided_at INTEGER, reason TEXT
) STRICT;
CREATE INDEX proposal_state ON proposal (state, id);
CREATE INDEX proposal_fingerprint ON proposal (fingerprint);

CREATE TABLE receipt (
  memory_id INTEGER NOT NULL, agent TEXT NOT NULL, served INTEGER NOT NULL,
  characters INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (memory_id, agent)
) STRICT, WITHOUT ROWID;

CREATE TABLE place (
  entity_id INTEGER PRIMARY KEY REFERENCES entity (id),
  x REAL NOT NULL, y REAL NOT NULL, pinned INTEGER NOT NULL
) STRICT;

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE memory_index USING fts5 (
  stems, content = 'memory', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER memory_index_insert AFTER INSERT ON memory BEGIN
  INSERT INTO memory_index (rowid, stems) VALUES (new.id, new.stems);
END;
CREATE TRIGGER memory_index_delete AFTER DELETE ON memory BEGIN
  INSERT INTO memory_index (memory_index, rowid, stems) VALUES ('delete', old.id, old.stems);
END;
CREATE TRIGGER memory_index_update AFTER UPDATE OF stems ON memory WHEN old.stems <> new.stems BEGIN
  INSERT INTO memory_index (memory_index, rowid, stems) VALUES ('delete', old.id, old.stems);
  INSERT INTO memory_index (rowid, stems) VALUES (new.id, new.stems);
END;
"""
