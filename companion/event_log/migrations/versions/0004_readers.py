"""Which reader was found in each socket of a device, so that one that is missing later is missed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Readers of devices that were met before are learnt when they are seen again."""
    with op.batch_alter_table("devices") as devices:
        devices.add_column(sa.Column("readers", sa.Text(), nullable=False, server_default=""))
