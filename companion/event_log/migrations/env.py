"""Alembic's entry: runs inside the connection and the transaction that `companion.event_log.migrate` hands over,
never alone."""

from __future__ import annotations

from alembic import context

from companion.event_log.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
