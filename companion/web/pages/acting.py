"""From a form to the table: which verbs and fields a form may carry, who may send them, and what the answer says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.tables.receipts import Json, Receipt
from companion.tables.table_actor import TableActor
from companion.titles import Title
from companion.web.context import answer, visitor_of
from companion.web.doorkeeper import Role
from companion.web.forms import BadCardError, BadFormError, Form, expected_seq_of, whole_number
from companion.web.rendering import texts_of

MAX_TEXT = 120
MAX_WORDS = 60
MAX_DICE = 3


def command_of(title: Title, form: Form) -> Json:
    """The command that a form asks for. `BadFormError` for a verb, field or number that no page of the title sends."""
    do = title.choices.verb(form)
    fields = title.choices.VERBS.get(do)
    if fields is None:
        raise BadFormError
    command: Json = {"do": do, "seat": whole_number(form.get("seat", ""))}
    for name, kind in fields.items():
        value = _field(form, name, kind)
        if value is not None:
            command[name] = value
    return title.choices.finished(form, command)


def _field(form: Form, name: str, kind: str) -> Any:
    """One field of a command: word; words, a list of those ticked; count, a whole number; face, a number or a word;
    faces, a list of numbers from `name1`, `name2` … (all of them, or none)."""
    if kind == "faces":
        given = [form[f"{name}{n}"] for n in range(1, MAX_DICE + 1) if form.get(f"{name}{n}")]
        return [whole_number(value) for value in given] or None
    if kind == "words":
        words = [value for value in form.several(name) if value]
        if len(words) > MAX_WORDS or any(len(value) > MAX_TEXT for value in words):
            raise BadFormError
        return words or None
    value = form.get(name)
    if value is None or value == "":
        return None
    if len(value) > MAX_TEXT:
        raise BadFormError
    if kind == "count" or (kind == "face" and value.isascii() and value.isdigit()):
        return whole_number(value)
    return value


def actor_of(request: Request) -> str:
    """How the log names this visitor."""
    return visitor_of(request).actor


def command_id_of(request: Request, form: Mapping[str, Any]) -> str:
    """The form's own id, kept apart by who sends it: nobody can use up the id of another's command."""
    given = str(form.get("command_id", ""))
    if not 6 <= len(given) <= 40:
        raise BadFormError
    return f"{actor_of(request)}/{given}"


async def act(request: Request, table: TableActor, form: Form, *, back: str) -> Response:
    """Carries a form's command out and answers it. A seat acts for itself alone; the bank for every seat."""
    visitor = visitor_of(request)
    try:
        command = command_of(table.game, form)
        command_id, expected = command_id_of(request, form), expected_seq_of(form, table)
    except BadFormError:
        return answer(request, "door.bad_form", to=back, status=422)
    except BadCardError as wrong:
        return answer(request, str(wrong), to=back, status=422)
    if visitor.role is Role.SEAT and (command["seat"] != visitor.seat or command["do"] in table.game.choices.FOR_BANK):
        return answer(request, "door.not_your_seat", to=back, status=403)
    receipt = await _carry_out(table, command, command_id, actor_of(request), expected, typed=visitor.role is Role.BANK)
    if receipt is None:
        return answer(request, "door.not_typed", to=back, status=403)
    return answered(request, receipt, back)


async def _carry_out(
    table: TableActor, command: Json, command_id: str, actor: str, expected: int | None, *, typed: bool
) -> Receipt | None:
    asked = table.game.table.CHANCE.get(command["do"], ())
    if asked and not any(name in command for name in asked):
        return await table.by_chance(command, command_id=command_id, actor=actor, expected_seq=expected)
    evidence: Json | None = None
    if asked:
        if "card" in asked:
            allowed = table.setup["cards"] == "paper"
        else:
            allowed = typed or table.setup["dice"] == "typed"
        if not allowed:
            return None
        evidence = {"kind": "typed", "by": actor}
    return await table.submit(command, command_id=command_id, actor=actor, expected_seq=expected, evidence=evidence)


def answered(request: Request, receipt: Receipt, back: str) -> Response:
    """The answer to a receipt: nothing when it was carried out (the stream shows it), a sentence when it was not."""
    if receipt.refusal is None:
        return answer(request, to=back)
    t = texts_of(request)
    key = f"refusal.{receipt.refusal.code}"
    sentence = t(key) if t.has(key) else receipt.refusal.message
    return answer(request, sentence=sentence, to=back, status=409 if receipt.refusal.code == "stale" else 422)
