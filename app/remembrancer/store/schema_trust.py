"""What the sixth version of the file adds: what was done once, who was here, what was masked.

`once` keeps the outcome of a call that came with a key, so that sending it again changes nothing.
`stay` lets the sessions of clients live on when the program that hosts them starts anew.
`sealed` keeps the words that masking took out of rows, until the person forgets them for good.
`spared` names what the person keeps on purpose although it looks like a secret.
"""

from __future__ import annotations

TRUST = """
DROP INDEX journal_idempotency;
CREATE INDEX journal_idempotency ON journal (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE once (
  agent_id INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
  call BLOB NOT NULL, outcome TEXT, PRIMARY KEY (agent_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX once_at ON once (at);

CREATE TABLE stay (
  session BLOB PRIMARY KEY, agent_id INTEGER NOT NULL, name TEXT NOT NULL,
  client TEXT NOT NULL, version TEXT NOT NULL, since INTEGER NOT NULL, last_call INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sealed (
  id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, at INTEGER NOT NULL, place TEXT NOT NULL,
  row_id INTEGER NOT NULL, field TEXT NOT NULL, original TEXT NOT NULL
) STRICT;
CREATE INDEX sealed_batch ON sealed (batch);
CREATE INDEX sealed_place ON sealed (place, row_id);

CREATE TABLE spared (
  subject TEXT NOT NULL, subject_id INTEGER NOT NULL, fingerprint BLOB NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (subject, subject_id, fingerprint)
) STRICT, WITHOUT ROWID;
"""
