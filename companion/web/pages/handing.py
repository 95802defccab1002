"""Handing a seat to a bot and back, and how many dice are thrown together: for the banker's tablet and for phones."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from companion.tables.table_actor import TableActor
from companion.web.context import answer, visitor_of
from companion.web.doorkeeper import Role
from companion.web.forms import BadFormError, read_form, seat_number, whole_number
from companion.web.pages.acting import actor_of, answered, command_id_of


async def bot(request: Request, table: TableActor, *, back: str) -> Response:
    """A bot plays a seat from now on (`level`), or people do again (no level); `go_on`: bots act after an undo."""
    form = await read_form(request)
    try:
        command_id = command_id_of(request, form)
    except BadFormError:
        return answer(request, "door.bad_form", to=back, status=422)
    visitor = visitor_of(request)
    if form.get("do") == "go_on" and visitor.role is Role.BANK:
        return answered(request, await table.let_bots_go_on(command_id=command_id, actor=actor_of(request)), back)
    seat = visitor.seat if visitor.role is Role.SEAT else seat_number(form.get("seat", ""))
    receipt = await table.set_bot(seat or 0, form.get("level", "")[:20], command_id=command_id, actor=actor_of(request))
    return answered(request, receipt, back)


async def dice(request: Request, table: TableActor, *, back: str) -> Response:
    """How many dice a seat throws at the table now."""
    form = await read_form(request)
    visitor = visitor_of(request)
    try:
        command_id = command_id_of(request, form)
        seat = visitor.seat or 0 if visitor.role is Role.SEAT else whole_number(form.get("seat", ""))
        count = whole_number(form.get("count", ""), 1, 9)
    except BadFormError:
        return answer(request, "door.bad_form", to=back, status=422)
    return answered(
        request, await table.choose_dice(count, seat=seat, command_id=command_id, actor=actor_of(request)), back
    )
