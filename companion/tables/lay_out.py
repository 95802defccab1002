"""The pieces of an evening on a virtual table's readers, as the game has them: for an evening that is opened there, and
to tidy up."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from companion.titles.contract import Piece

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor

PATIENCE = 1.5
"""Seconds for one hand on a virtual table that may have stopped."""


class Hands(Protocol):
    """What lays tags onto readers and takes them off: `companion.virtual_table.client`. `tags_seen`: uid → socket."""

    tags_seen: dict[str, int]

    async def place_tag(self, uid: str, socket: int) -> None: ...

    async def lift_tag(self, uid: str) -> None: ...


def spare_tag(piece: Piece) -> str:
    """The tag that the virtual table's piece carries until another is learned: the same one every evening."""
    return "04ca85" + hashlib.sha256(piece.mark.encode()).hexdigest()[:8]


def uids_of(table: TableActor) -> dict[str, str]:
    """The tag of each piece: the learned one, else its spare one."""
    return {piece.id: table.setup["tags"].get(piece.id) or spare_tag(piece) for piece in table.pieces}


async def lay_out(table: TableActor, hands: Hands) -> bool:
    """Takes off the virtual table's readers what the game does not have there (an earlier evening's pieces too), puts
    its pieces where it has them, and tells it which tag is which. False when the virtual table does not answer: it is
    left as it is; `CompanionError` when a tag cannot be told."""
    uids = uids_of(table)
    goals = {uids[piece]: socket for piece, socket in _sockets_by_the_game(table).items()}
    try:
        for uid, socket in list(hands.tags_seen.items()):
            if goals.get(uid) != socket:
                await asyncio.wait_for(hands.lift_tag(uid), PATIENCE)
    except (ConnectionError, ValueError, TimeoutError):
        return False
    for piece, uid in uids.items():
        if piece not in table.setup["tags"]:
            await table.assign_tag(uid, piece)
    try:
        for uid, socket in goals.items():
            await asyncio.wait_for(hands.place_tag(uid, socket), PATIENCE)
    except (ConnectionError, ValueError, TimeoutError):
        return False
    return True


def _sockets_by_the_game(table: TableActor) -> Mapping[str, int]:
    """The reader of each piece that the game has at a place with readers, whatever carries before its riders; pieces
    at one place are dealt out over its readers, a rider lies with its carrier.
    """
    plan, where, riding = table.explanations.plan, table.explanations.glance.where, table.explanations.glance.riding
    used: dict[str, int] = {}
    found: dict[str, int] = {}
    for piece in sorted((piece.id for piece in table.pieces), key=lambda piece: piece in riding):
        place = where.get(piece)
        sockets = plan.sockets_of(place)
        if sockets and place is not None:
            found[piece] = found.get(riding.get(piece, ""), sockets[used.get(place, 0) % len(sockets)])
            used[place] = used.get(place, 0) + 1
    return found
