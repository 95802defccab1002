"""Reading forms, for all pages: text fields only, whole numbers in one notation, and the evening that a page showed.

Whatever a browser (or somebody who plays one) sends, these functions answer with a value or with `BadFormError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.requests import Request

from companion.tables.table_actor import TableActor

LARGEST = 9_999_999
ANOTHER_WORLD = -1
"""An entry number that no log has: a page that shows another evening is as old as a page can be."""


class BadFormError(Exception):
    """A form that no page of ours sends."""


class BadCardError(ValueError):
    """A typed card that cannot be one; `str` names the text that says why."""


class Form(dict[str, str]):
    """The text fields of a form; of a field that comes twice the last one. `several` has all of them, for boxes to
    tick."""

    def __init__(self, fields: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._all: dict[str, list[str]] = {}
        for name, value in fields:
            self[name] = value
            self._all.setdefault(name, []).append(value)

    def several(self, name: str) -> list[str]:
        """All values of a field, in order."""
        return self._all.get(name, [])


async def read_form(request: Request) -> Form:
    """The text fields of a request's form."""
    form = await request.form()
    return Form((name, value) for name, value in form.multi_items() if isinstance(value, str))


def whole_number(text: object, low: int = 0, high: int = LARGEST) -> int:
    """A whole number in the figures 0 to 9, with a minus where `low` allows one. `BadFormError` for all else."""
    given = str(text)
    if not re.fullmatch(r"-?[0-9]{1,7}", given) or not low <= int(given) <= high:
        raise BadFormError
    return int(given)


def typed_amount(text: object) -> int:
    """A number as people type amounts, with a sign of money before it or not: `1,200`, `$50`, `-300`, `£5`."""
    bare = re.sub(r"[$£€]", "", str(text).strip().replace(",", ""), count=1)
    return whole_number(bare, -LARGEST)


def seat_number(text: object) -> int:
    """A seat, 0 for anything that is none."""
    try:
        return whole_number(text)
    except BadFormError:
        return 0


def page_mark(table: TableActor, audience: str | int) -> str:
    """What a form says about the page it stands on (`expected_seq`): the newest entry of the log, and on the banker's
    pages, which belong to no evening, whose log."""
    return f"{table.seq}.{table.table_id}" if audience == "bank" else str(table.seq)


def expected_seq_of(form: dict[str, str], table: TableActor) -> int | None:
    """The entry of the log that the page was drawn for, None for commands that several may give at the same time.

    A page that was drawn for another evening gets `ANOTHER_WORLD`, which the table refuses as stale.
    """
    given = form.get("expected_seq", "")
    if given == "":
        return None
    number, _, whose = given.partition(".")
    seq = whole_number(number)
    return seq if whose in ("", table.table_id) else ANOTHER_WORLD
