"""Several devices: their numbers, keys and batteries, and those that are left alone."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Devices that were met before are in no world yet, so that none of them is missed; they get numbers when they are
    seen again."""
    with op.batch_alter_table("devices") as devices:
        devices.add_column(sa.Column("world", sa.Text(), nullable=False, server_default=""))
        devices.add_column(sa.Column("number", sa.Integer()))
        devices.add_column(sa.Column("key", sa.Text(), nullable=False, server_default=""))
        devices.add_column(sa.Column("paired", sa.Integer(), nullable=False, server_default="0"))
        devices.add_column(sa.Column("battery", sa.Integer()))
        devices.add_column(sa.Column("battery_level", sa.Text(), nullable=False, server_default=""))
        devices.add_column(sa.Column("forgotten", sa.Integer(), nullable=False, server_default="0"))
