"""The Peewee models: rows never leave this room, so nothing here is bound to a database.

Every query is bound where it runs (`Connections.run`); a forgotten one fails loudly.
"""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    FloatField,
    IntegerField,
    Model,
    TextField,
)


class EntityRow(Model):
    """An entity; `lookup` is the key that look-alike names share."""

    id = BigIntegerField(primary_key=True)
    name = TextField()
    lookup = TextField()
    type = TextField()
    scope = TextField()
    scope_revision = IntegerField()
    ghost = BooleanField()
    created_at = BigIntegerField()
    updated_at = BigIntegerField()
    deleted_at = BigIntegerField(null=True)

    class Meta:
        table_name = "entity"


class MemberRow(Model):
    """One member of one group."""

    group_id = BigIntegerField()
    member_id = BigIntegerField()

    class Meta:
        table_name = "group_member"
        primary_key = CompositeKey("group_id", "member_id")


class RelationRow(Model):
    """A relation; unique among the living."""

    id = BigIntegerField(primary_key=True)
    source_id = BigIntegerField()
    target_id = BigIntegerField()
    type = TextField()
    created_at = BigIntegerField()
    deleted_at = BigIntegerField(null=True)

    class Meta:
        table_name = "relation"


class MemoryRow(Model):
    """A memory as it stands; `digest` identifies the content.

    `words`, `stems` and `parts` are what the index holds of it.
    """

    id = BigIntegerField(primary_key=True)
    entity_id = BigIntegerField(null=True)
    key = TextField(null=True)
    title = TextField()
    content = TextField()
    digest = BlobField()
    kind = TextField()
    source = TextField()
    confidence = FloatField()
    pinned = BooleanField()
    expires_at = BigIntegerField(null=True)
    verified_at = BigIntegerField(null=True)
    verified_by = TextField(null=True)
    review_days = IntegerField(null=True)
    postponed_until = BigIntegerField(null=True)
    due_at = BigIntegerField()
    status = TextField()
    archived_at = BigIntegerField(null=True)
    archived_by = TextField(null=True)
    archived_reason = TextField(null=True)
    superseded_by = BigIntegerField(null=True)
    author = TextField()
    revision = IntegerField()
    created_at = BigIntegerField()
    updated_at = BigIntegerField()
    stems = TextField()
    words = TextField()
    parts = TextField()

    class Meta:
        table_name = "memory"


class TagRow(Model):
    """One tag of one memory, in the order given."""

    memory_id = BigIntegerField()
    position = IntegerField()
    name = TextField()

    class Meta:
        table_name = "tag"
        primary_key = CompositeKey("memory_id", "position")


class JournalRow(Model):
    """One deed."""

    sequence = BigIntegerField(primary_key=True)
    at = BigIntegerField()
    author = TextField()
    author_kind = TextField()
    origin = TextField()
    deed = TextField()
    batch = BigIntegerField()
    subject = TextField()
    subject_id = BigIntegerField()
    entity_id = BigIntegerField(null=True)
    revision = IntegerField(null=True)
    snapshot = TextField(null=True)
    reason = TextField(null=True)
    idempotency_key = TextField(null=True)
    outcome = TextField(null=True)
    agent_id = BigIntegerField(null=True)

    class Meta:
        table_name = "journal"


class AgentRow(Model):
    """An agent and its policy."""

    id = BigIntegerField(primary_key=True)
    name = TextField()
    client_name = TextField()
    client_version = TextField()
    token_hash = BlobField(null=True)
    access = TextField()
    dialect = TextField()
    entity = TextField(null=True)
    language = TextField()
    answer_budget = IntegerField(null=True)
    first_seen = BigIntegerField(null=True)
    last_seen = BigIntegerField(null=True)
    revoked_at = BigIntegerField(null=True)
    rules = TextField()

    class Meta:
        table_name = "agent"


class ProposalRow(Model):
    """A deed that waits for the person."""

    id = BigIntegerField(primary_key=True)
    agent_id = BigIntegerField()
    deed = TextField()
    arguments = TextField()
    subject = TextField(null=True)
    subject_id = BigIntegerField(null=True)
    revision = IntegerField(null=True)
    state = TextField()
    fingerprint = BlobField()
    created_at = BigIntegerField()
    decided_at = BigIntegerField(null=True)
    reason = TextField(null=True)

    class Meta:
        table_name = "proposal"


class ReceiptRow(Model):
    """How often a memory was served to an agent."""

    memory_id = BigIntegerField()
    agent = TextField()
    served = IntegerField()
    characters = IntegerField()
    last_at = BigIntegerField()

    class Meta:
        table_name = "receipt"
        primary_key = CompositeKey("memory_id", "agent")


class PlaceRow(Model):
    """Where an entity is drawn in the graph."""

    entity_id = BigIntegerField(primary_key=True)
    x = FloatField()
    y = FloatField()
    pinned = BooleanField()

    class Meta:
        table_name = "place"


class SettingRow(Model):
    """A setting that belongs to the store, not to the window."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "setting"


TABLES = (
    EntityRow,
    MemberRow,
    RelationRow,
    MemoryRow,
    TagRow,
    JournalRow,
    AgentRow,
    ProposalRow,
    ReceiptRow,
    PlaceRow,
    SettingRow,
)
