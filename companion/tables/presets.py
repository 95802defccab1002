"""House rules that a table has saved under a name, for each game: the set-up page offers them again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from companion.errors import SetupError
from companion.event_log import store
from companion.event_log.database import Database
from companion.tables.receipts import Json
from companion.tables.setup import playable
from companion.tables.wording import plain_line

MAX_PRESET = 40


class Presets:
    """Of one data file."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def of(self, game: str) -> dict[str, Json]:
        """Name → house rules that differ from the usual ones, by name."""
        return await self._database.run(lambda connection: store.read_presets(connection, game))

    async def save(self, game: str, name: str, options: Json) -> str:
        """Keeps house rules under a name of 1–40 characters, in the place of those that it named before; the name as
        it was kept. `SetupError` names what to change."""
        clean = plain_line(name)
        if not clean or len(clean) > MAX_PRESET:
            raise SetupError(f"Saved house rules need a name of 1 to {MAX_PRESET} characters.", "preset_name")
        known = {option.name: option for option in playable(game).meta.OPTIONS}
        for option, value in options.items():
            if option not in known or not known[option].takes(value):
                raise SetupError(f"There is no house rule “{option}” with this value.", f"option_{option}")
        at = self._now().isoformat(timespec="milliseconds")
        await self._database.run(lambda connection: store.save_preset(connection, game, clean, options, at))
        return clean

    async def delete(self, game: str, name: str) -> None:
        """Forgets saved house rules."""
        await self._database.run(lambda connection: store.delete_preset(connection, game, name))
