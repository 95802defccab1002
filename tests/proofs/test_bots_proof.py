"""The proof of the bots counts rightly and knows every title; the proof itself is run by `make bots-proof`."""

import pytest

from companion.simulation.records import PlayedGame
from shared_rules import games
from shared_rules.engine import titles
from tests.proofs import bots


def played(won, lost):
    return [
        PlayedGame(
            number=number, bots=("strong", "greedy"), sides=("1", "2"), winners=(1,) if number < won else (2,),
            reason="trips_done", lengths={"turns a game": 50}, totals=(2, 1), money={}, half={},
        )
        for number in range(won + lost)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("won", "lost", "good"), [(660, 540, False), (720, 480, True), (13, 7, False), (717, 483, False)]
)
def test_two_players_are_asked_for_share_and_bound(won, lost, good):
    """60 % and a lower bound above 55 %: 65 % of twenty games are not enough."""
    plan = next(plan for plan in bots.plans(1200, 400, 1) if plan.game == "taxi" and plan.players == 2)
    line, holds = bots.row(plan, played(won, lost))
    assert holds is good
    assert ("| yes |" in line) is good
    assert f"| {100 * won / (won + lost):.1f} % |" in line


def test_larger_tables_are_told_and_not_judged():
    plan = next(plan for plan in bots.plans(1200, 400, 1) if plan.game == "taxi" and plan.players == 5)
    line, holds = bots.row(plan, played(1, 9))
    assert holds
    assert "| – |" in line


def test_rows_of_other_titles_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(bots, "REPORT", tmp_path / "bots.md")
    arguments = ["--games", "2", "--larger", "1", "--jobs", "1", "--game"]
    bots.main([*arguments, "taxi_over"])
    before = bots.rows_before()
    assert len(before) == 3
    bots.main([*arguments, "taxi_over", "--seed", "2"])
    assert [bots.name_of(row) for row in bots.rows_before()] == [bots.name_of(row) for row in before]


def test_every_title_with_a_strong_bot_is_played_by_every_number_of_players():
    plans = bots.plans(1200, 400, 1)
    for name in games.names():
        least, most = titles.title(name).meta.PLAYERS
        assert [plan.players for plan in plans if plan.game == name] == list(range(least, most + 1))
        assert [plan.games for plan in plans if plan.game == name][0] == 1200
