"""Tags of any piece instead of one a seat, bots in seats, house rules that a table has saved."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Each seat's tag becomes that of its taxi, the only piece that had one."""
    op.create_table(
        "tags",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("piece", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "piece"),
        sa.UniqueConstraint("table_id", "uid", name="one_piece_a_tag"),
    )
    op.execute(
        "INSERT INTO tags (table_id, piece, mark, uid) "
        "SELECT table_id, 'taxi:' || min(seat), 'taxi ' || colour, tag FROM seats WHERE tag IS NOT NULL "
        "GROUP BY table_id, tag"
    )
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("tag")
        seats.add_column(sa.Column("bot", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "presets",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "name"),
    )
