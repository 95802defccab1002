"""Devices that were met, as rows of the data file."""

from __future__ import annotations

from datetime import datetime

from companion.devices.ble_link import describe
from companion.event_log.store import Row
from shared_rules.wire.messages import Message


def row(hello: Message, now: datetime) -> Row:
    """The row of the device that said this HELLO."""
    what = describe(hello)
    return {
        "id": what["id"],
        "kind": "table",
        "name": f"Table {what['id'][-4:].upper()}",
        "firmware": what["firmware"],
        "last_seen": now.isoformat(timespec="seconds"),
    }
