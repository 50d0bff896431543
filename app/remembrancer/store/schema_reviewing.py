"""What the queue of review needs: what agents verified, what was served lately, keys alike."""

from __future__ import annotations

REVIEWING = """
CREATE INDEX memory_agent_verified ON memory (status, verified_at, id)
  WHERE verified_at IS NOT NULL AND verified_by <> 'you';
CREATE INDEX memory_keys_alike ON memory (key, entity_id, digest)
  WHERE key IS NOT NULL AND status = 'active';
CREATE INDEX receipt_newest ON receipt (last_at DESC, memory_id, served);
"""
