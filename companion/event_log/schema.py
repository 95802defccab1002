"""The tables of the data file, in SQLAlchemy Core, as the newest migration leaves them.

`entries` is append-only and hash-chained; everything that may change (titles, people's names, tags) or be thrown
away and made again (snapshots) lies in tables beside it. People's names stand in `seats.name` and `evenings.title`
alone, so that forgetting them breaks no chain.
"""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, PrimaryKeyConstraint, Table, Text, UniqueConstraint

metadata = MetaData()

evenings = Table(
    "evenings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("setup", Text, nullable=False),  # JSON: board, length, cards, dice, money
    Column("created_at", Text, nullable=False),
    Column("last_at", Text, nullable=False),
    Column("ended_at", Text),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),  # 1, 2, 3 … without gaps
    Column("kind", Text, nullable=False),  # start, play, undo, note
    Column("version", Integer, nullable=False),  # of command and events' shape, for upcasters
    Column("rules_revision", Text, nullable=False),
    Column("command", Text, nullable=False),  # canonical JSON
    Column("events", Text, nullable=False),  # canonical JSON list
    Column("evidence", Text),  # canonical JSON or NULL
    Column("command_id", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
    UniqueConstraint("table_id", "command_id", name="one_answer_per_command"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("colour", Text, nullable=False),
    Column("bot", Text, nullable=False, server_default=""),  # how well a bot plays here; empty: people do
    PrimaryKeyConstraint("table_id", "seat"),
)

tags = Table(
    "tags",
    metadata,
    Column("table_id", Text, nullable=False),
    Column("piece", Text, nullable=False),  # which piece of the evening's game: "taxi:1"
    Column("mark", Text, nullable=False),  # what it is in every evening: "taxi red"
    Column("uid", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "piece"),
    UniqueConstraint("table_id", "uid", name="one_piece_a_tag"),
)

presets = Table(
    "presets",
    metadata,
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON: house rules that differ from the usual ones
    Column("created_at", Text, nullable=False),
    PrimaryKeyConstraint("game", "name"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("rules_revision", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("state_hash", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
)

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("firmware", Text, nullable=False),
    Column("last_seen", Text, nullable=False),
    Column("world", Text, nullable=False, server_default=""),  # real or virtual; empty: not known
    Column("number", Integer),  # of a table controller
    Column("key", Text, nullable=False, server_default=""),  # hex; offered, or agreed on once it is paired
    Column("paired", Integer, nullable=False, server_default="0"),
    Column("battery", Integer),  # percent
    Column("battery_level", Text, nullable=False, server_default=""),
    Column("forgotten", Integer, nullable=False, server_default="0"),  # in sight, but left alone
    Column("readers", Text, nullable=False, server_default=""),  # chips in its own sockets: "0:mfrc522 3:pn5180"
)

inbox = Table(
    "inbox",
    metadata,
    Column("device_id", Text, nullable=False),
    Column("boot_id", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),  # everything up to it has been taken in
    PrimaryKeyConstraint("device_id", "boot_id"),
)
