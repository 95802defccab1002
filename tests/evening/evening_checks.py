"""What must be true of an evening's record when it is over, for both evening tests."""

from __future__ import annotations

from typing import Any

from companion.tables import records
from shared_rules.engine import game

Json = dict[str, Any]


def replayed_state(record: Json) -> Any:
    """The state that the stored events lead to, every invariant held after every event."""
    state = game.load_position(record["start"])
    for row in records.that_count(record):
        for event in row["events"]:
            game.evolve(state, event)
        assert game.check_invariants(state) == [], f"entry {row['seq']}"
    return state


def commands_give_the_events(record: Json) -> None:
    """The stored commands, played again from the start, cause exactly the stored events."""
    state = game.load_position(record["start"])
    for row in records.that_count(record):
        assert game.play(state, row["command"]) == row["events"], f"entry {row['seq']}"


def device_origins(record: Json, kind: str) -> list[tuple[str, int, int]]:
    """(device, boot, number) of each stored entry that a device's fact of this kind caused, in order."""
    found = []
    for row in record["entries"]:
        evidence = row.get("evidence") or {}
        if evidence.get("kind") == kind and row["kind"] == "play":
            found.append((evidence["device"], evidence["boot"], evidence["event"]))
    return found


def nothing_doubled(record: Json) -> None:
    """No fact of a device was played twice, and numbers only rise within a boot."""
    for kind in ("die", "tag"):
        origins = device_origins(record, kind)
        assert len(origins) == len(set(origins)), f"a fact of kind {kind} was played twice"
        newest: dict[tuple[str, int], int] = {}
        for device, boot, number in origins:
            assert number > newest.get((device, boot), 0)
            newest[device, boot] = number


def dice_thrown(record: Json) -> int:
    """How many dice lay on the table in all throws; two dice of one throw are thrown one after the other."""
    rows = [row["command"] for row in record["entries"] if row["kind"] == "play" and row["command"]["do"] == "roll"]
    return sum(len(command.get("faces", (0,))) for command in rows)


def happened(record: Json) -> set[str]:
    """The kinds of events of an evening."""
    return {event["event"] for row in records.that_count(record) for event in row["events"]}
