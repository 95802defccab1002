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
from shared_rules.engine.errors import PositionError
from shared_rules.engine.presets import LONGEST_NAME, read_preset


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
        title = playable(game)
        try:
            preset = read_preset({"game": title.name, "name": plain_line(name), "options": options})
        except PositionError as error:
            if error.at == "name":
                wanted = f"Saved house rules need a name of 1 to {LONGEST_NAME} characters."
                raise SetupError(wanted, "preset_name") from None
            raise SetupError(error.message, error.at.replace("options.", "option_")) from None
        clean, kept, at = str(preset["name"]), preset["options"], self._now().isoformat(timespec="milliseconds")
        await self._database.run(lambda connection: store.save_preset(connection, title.name, clean, kept, at))
        return clean

    async def delete(self, game: str, name: str) -> None:
        """Forgets saved house rules."""
        await self._database.run(lambda connection: store.delete_preset(connection, game, name))
