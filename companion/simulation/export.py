"""Simulated games as a table in a file, one row a game: CSV, or Parquet with the extra `parquet`.

Columns: the plan (game, board, seed, number, players), the end (reason, winners with spaces between, shared), the
lengths; by seat `bot_1`, `side_1`, `total_1`, `won_1` and `half_1_…` (what it had at half time); and by reason
`money_…`, the amounts of all players together.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from companion import whole_files
from companion.errors import CompanionError
from companion.simulation.records import Plan, PlayedGame

KINDS = (".csv", ".parquet")
WHOLE = ("seed", "number", "players", "commands_a_game", "turns_a_game")


class ExportError(CompanionError):
    """The table cannot be written; says what to do."""


def check(path: Path) -> None:
    """Whether a table could be written there, before hours of playing. `ExportError`, `FileNotWrittenError`."""
    if path.suffix not in KINDS:
        raise ExportError(f"{path}: the table is a .csv or a .parquet file.")
    whole_files.check(path)
    if path.suffix == ".parquet":
        _duckdb()


def write(path: Path, played: Sequence[tuple[Plan, Sequence[PlayedGame]]]) -> None:
    """Write all games of all plans, whole or not at all."""
    check(path)
    rows = [_row(plan, game) for plan, games in played for game in games]
    columns: dict[str, None] = {}
    for row in rows:
        columns |= dict.fromkeys(row)
    with whole_files.whole(path) as made:
        table = made if path.suffix == ".csv" else made.with_suffix(".csv")
        with table.open("w", encoding="utf-8", newline="") as file:
            _write_csv(file, list(columns), rows)
        if path.suffix == ".parquet":
            _parquet(table, made, columns)


def _row(plan: Plan, game: PlayedGame) -> dict[str, Any]:
    row: dict[str, Any] = {
        "game": plan.game,
        "board": plan.board,
        "seed": plan.seed,
        "number": game.number,
        "players": plan.players,
        "reason": game.reason,
        "winners": " ".join(str(seat) for seat in game.winners),
        "shared": len(game.winners) > 1,
    }
    row |= {_name(name): value for name, value in game.lengths.items()}
    for seat, (bot, side, total) in enumerate(zip(game.bots, game.sides, game.totals, strict=True), 1):
        row |= {f"bot_{seat}": bot, f"side_{seat}": side, f"total_{seat}": total, f"won_{seat}": game.won_by(seat)}
        row |= {f"half_{seat}_{_name(name)}": values[seat - 1] for name, values in game.half.items()}
    row |= {f"money_{_name(reason)}": amount for reason, amount in sorted(game.money.items())}
    return row


def _name(words: str) -> str:
    return words.lower().replace(":", "").replace(" ", "_")


def _write_csv(file: TextIO, columns: list[str], rows: Sequence[dict[str, Any]]) -> None:
    writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        # Money that never moved for a reason is none, not unknown.
        writer.writerow({name: row.get(name, 0 if name.startswith("money_") else "") for name in columns})


def _parquet(table: Path, target: Path, columns: dict[str, None]) -> None:
    """The CSV file again as Parquet, with the kind of each column."""
    kinds = ", ".join(f"{_quoted(name)}: {_quoted(_kind(name))}" for name in columns)
    source = f"read_csv({_quoted(str(table))}, header = true, columns = {{{kinds}}})"
    _duckdb().sql(f"SELECT * FROM {source}").write_parquet(str(target), compression="zstd")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _kind(name: str) -> str:
    if name in WHOLE or name.startswith(("total_", "money_")):
        return "BIGINT"
    if name == "shared":
        return "BOOLEAN"
    if name in ("game", "board", "reason", "winners") or name.startswith(("bot_", "side_")):
        return "VARCHAR"
    return "DOUBLE"


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        raise ExportError(
            "Parquet needs one part more: pip install 'cabstand[parquet]'. A .csv file needs nothing."
        ) from None
    return duckdb
