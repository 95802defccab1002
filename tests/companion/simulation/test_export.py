"""Tables in files: one row a game, the same in CSV and in Parquet, and nothing half written."""

import csv

import duckdb
import pytest
from simulated import game, plan

from companion.errors import CompanionError
from companion.simulation import export

GAMES = [
    game(1, (1,), money={"bonus": 12000, "traffic fines": -50}),
    game(2, (1, 2), bots=("strong", 'it\'s "me", a bot'), reason="last_player"),
]


def test_a_row_for_each_game(tmp_path):
    path = tmp_path / "games.csv"
    export.write(path, [(plan(), GAMES[:1]), (plan(seed=8), GAMES[1:])])
    with path.open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert first["game"] == "taxi"
    assert (first["seed"], second["seed"]) == ("7", "8")
    assert (first["winners"], second["winners"]) == ("1", "1 2")
    assert (first["won_1"], second["won_2"]) == ("1.0", "0.5")
    assert (first["money_traffic_fines"], second["money_traffic_fines"]) == ("-50", "0")
    assert first["half_2_wealth"] == "8000.0"
    assert first["total_2"] == "10000"
    assert second["bot_2"] == 'it\'s "me", a bot'


def test_parquet_holds_the_same_with_kinds(tmp_path):
    export.write(tmp_path / "games.csv", [(plan(), GAMES)])
    export.write(tmp_path / "games.parquet", [(plan(), GAMES)])
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = duckdb.sql(f"SELECT * FROM '{tmp_path / 'games.parquet'}'")
    assert table.columns == list(rows[0])
    found = table.fetchall()
    for value, written in zip(found[0], rows[0].values(), strict=True):
        assert str(value).lower() == written.lower() or value == float(written)
    kinds = dict(zip(table.columns, [str(kind) for kind in table.types], strict=True))
    assert kinds["shared"] == "BOOLEAN"
    assert kinds["money_bonus"] == kinds["total_1"] == "BIGINT"
    assert kinds["won_1"] == "DOUBLE"
    assert kinds["bot_1"] == "VARCHAR"
    assert found[1][table.columns.index("bot_2")] == 'it\'s "me", a bot'


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(export.ExportError, match=r"cabstand\[parquet\]"):
        export.check(tmp_path / "games.parquet")


def test_a_table_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "games.csv"
    path.write_text("before")

    def breaks(*_arguments):
        raise OSError("full")

    monkeypatch.setattr(export, "_write_csv", breaks)
    with pytest.raises(CompanionError, match="full"):
        export.write(path, [(plan(), GAMES)])
    assert path.read_text() == "before"
    assert [found.name for found in tmp_path.iterdir()] == ["games.csv"]
