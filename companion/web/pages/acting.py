"""From a form to the table: which verbs and fields a form may carry, who may send them, and what the answer says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.tables.receipts import Json, Receipt
from companion.tables.table_actor import TableActor
from companion.web.context import answer, visitor_of
from companion.web.doorkeeper import Role
from companion.web.forms import BadFormError, expected_seq_of, whole_number
from companion.web.pages.typed_cards import BadCardError, typed_card
from companion.web.rendering import texts_of

# verb → {field: kind}; only these fields of a form reach the rules core.
VERBS: dict[str, dict[str, str]] = {
    "draw_card": {"deck": "word", "card": "word"},
    "choose": {"option": "count"},
    "roll": {"die": "word", "face": "face"},
    "move": {"to": "place"},
    "end_turn": {},
    "buy_taxi": {"count": "count"},
    "sell_plate": {"count": "count"},
    "declare_insolvent": {},
    "place_barrier": {"on": "word"},
    "place_bet": {"word": "word"},
    "pass_bet": {},
    "close_bets": {},
    "reveal_card": {"word": "word"},
    "play_card": {"card": "count"},
    "decline": {},
    "give": {
        "to": "count",
        "green": "count",
        "white": "count",
        "cash": "count",
        "plates": "count",
        "barriers": "count",
    },
    "resign": {},
}
FOR_BANK_ONLY = frozenset({"close_bets"})
MAX_TEXT = 120


def command_of(form: Mapping[str, Any]) -> Json:
    """The command that a form asks for. `BadFormError` for a verb, field or number that no page of ours sends."""
    do = str(form.get("do", ""))
    if do == "bet":  # the bet sheet: a word, or "none" for no bet
        do = "pass_bet" if form.get("word") == "none" else "place_bet"
    fields = VERBS.get(do)
    if fields is None:
        raise BadFormError
    command: Json = {"do": do, "seat": whole_number(form.get("seat", ""))}
    for name, kind in fields.items():
        value = form.get(name)
        if value is None or value == "":
            continue
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise BadFormError
        if kind == "word":
            command[name] = value
        elif kind == "count":
            command[name] = whole_number(value)
        elif kind == "face":
            command[name] = whole_number(value) if value.isascii() and value.isdigit() else value
        else:
            command.update(_place(value))
    if do == "draw_card" and "card" not in command and (card := typed_card(form)) is not None:
        command["card"] = card
    return command


def _place(value: str) -> Json:
    """A place, or "place|green|white": the way that was picked with the tablets that it may spend."""
    place, *tablets = value.split("|")
    if len(tablets) not in (0, 2):
        raise BadFormError
    return {"to": place} | ({"green": whole_number(tablets[0]), "white": whole_number(tablets[1])} if tablets else {})


def actor_of(request: Request) -> str:
    """How the log names this visitor."""
    return visitor_of(request).actor


def command_id_of(request: Request, form: Mapping[str, Any]) -> str:
    """The form's own id, kept apart by who sends it: nobody can use up the id of another's command."""
    given = str(form.get("command_id", ""))
    if not 6 <= len(given) <= 40:
        raise BadFormError
    return f"{actor_of(request)}/{given}"


async def act(request: Request, table: TableActor, form: dict[str, str], *, back: str) -> Response:
    """Carries a form's command out and answers it. A seat acts for itself alone; the bank for every seat."""
    visitor = visitor_of(request)
    try:
        command = command_of(form)
        command_id, expected = command_id_of(request, form), expected_seq_of(form, table)
    except BadFormError:
        return answer(request, "door.bad_form", to=back, status=422)
    except BadCardError as wrong:
        return answer(request, str(wrong), to=back, status=422)
    if visitor.role is Role.SEAT and (command["seat"] != visitor.seat or command["do"] in FOR_BANK_ONLY):
        return answer(request, "door.not_your_seat", to=back, status=403)
    receipt = await _carry_out(table, command, command_id, actor_of(request), expected, typed=visitor.role is Role.BANK)
    if receipt is None:
        return answer(request, "door.not_typed", to=back, status=403)
    return answered(request, receipt, back)


async def _carry_out(
    table: TableActor, command: Json, command_id: str, actor: str, expected: int | None, *, typed: bool
) -> Receipt | None:
    seat: int = command["seat"]
    chance = (command["do"] == "roll" and "face" not in command) or (
        command["do"] == "draw_card" and "card" not in command
    )
    if chance and command["do"] == "roll":
        return await table.throw(
            str(command.get("die", "")), seat=seat, command_id=command_id, actor=actor, expected_seq=expected
        )
    if chance:
        return await table.draw(
            str(command.get("deck", "")), seat=seat, command_id=command_id, actor=actor, expected_seq=expected
        )
    evidence: Json | None = None
    if command["do"] == "roll":
        if not typed and table.setup["dice"] != "typed":
            return None
        evidence = {"kind": "typed", "by": actor}
    elif command["do"] == "draw_card":
        if table.setup["cards"] != "paper":
            return None
        evidence = {"kind": "typed", "by": actor}
    return await table.submit(command, command_id=command_id, actor=actor, expected_seq=expected, evidence=evidence)


def answered(request: Request, receipt: Receipt, back: str) -> Response:
    """The answer to a receipt: nothing when it was carried out (the stream shows it), a sentence when it was not."""
    if receipt.refusal is None:
        return answer(request, to=back)
    t = texts_of(request)
    key = f"refusal.{receipt.refusal.code}"
    sentence = str(t(key)) if t.has(key) else receipt.refusal.message
    return answer(request, sentence=sentence, to=back, status=409 if receipt.refusal.code == "stale" else 422)
