"""The bots: they play lawfully whatever the house rules, they know nothing of the future, and strong beats greedy."""

import pytest
from random_games import part, random_options
from taxi_over_tables import do, table, whole

from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, completed, play_out
from shared_rules.games.taxi_over import title
from shared_rules.games.taxi_over.bots.greedy import Greedy
from shared_rules.games.taxi_over.bots.prospects import FIGURES, chances, figures_of, outlooks
from shared_rules.games.taxi_over.bots.road_tables import tables_for
from shared_rules.games.taxi_over.bots.strong import Strong
from shared_rules.games.taxi_over.bots.weights import WEIGHTS
from shared_rules.portable.random_stream import RandomStream

NOBODY = {"driver": None}


def never():
    raise AssertionError("a bot asked for chance")


@pytest.mark.parametrize("kind", ["random", "greedy", "strong"])
def test_bots_play_lawfully_whatever_the_house_rules(kind):
    for seed in range(25):
        stream = RandomStream(seed)
        options = random_options(stream, "taxi_over")
        state = game.load_position(part("taxi_over").position(stream, options))
        bot = title.bots()[kind](stream.random)
        chance = SeededChance(stream)
        for _ in range(60):
            if state.phase == "over":
                break
            before = game.state_hash(state)
            for seat in range(1, state.seats + 1):
                command = bot.choose(state, seat)
                assert (command is None) == (seat != state.turn)
            assert game.state_hash(state) == before
            command = completed(state, bot.choose(state, state.turn), chance)
            assert game.play(state, command)
            assert game.check_invariants(state) == []


def test_a_whole_game_by_the_driver():
    stream = RandomStream(3)
    state = table(4, board="carousel")
    bots = [title.bots()[kind](stream.random) for kind in ("greedy", "strong", "greedy", "random", "strong")]
    result = play_out(state, bots, SeededChance(stream))
    assert result["reason"] in ("target", "stalemate")


def test_greedy_drives_as_far_as_it_can_and_risks_nothing_at_the_box():
    bot = Greedy(never)
    assert bot.choose(table(2), 2) is None
    for dice, do_ in (([], "roll"), ([1], "roll"), ([2], "roll"), ([3], "stop"), ([1, 1], "roll"), ([1, 2], "stop"),
            ([2, 2], "stop")):  # fmt: skip
        assert bot.choose(table(2, taxis={"T1": "s6"}, dice=dice), 1)["do"] == do_, dice
    # At the box already: only what cannot be a violation.
    assert bot.choose(table(2, taxis={"T1": "s4"}, dice=[2]), 1)["do"] == "stop"
    assert bot.choose(table(2, taxis={"T1": "s4"}, dice=[1]), 1)["do"] == "roll"
    assert bot.choose(table(2, taxis={"T1": "s4"}, dice=[1, 1]), 1)["do"] == "stop"
    # As far by stopping as by rolling on, on the mean: the sure thing.
    even = table(2, taxis={"T1": "s6"}, dice=[1, 2], options={"dice_faces": [1, 1, 1, 2, 2, 2]})
    assert bot.choose(even, 1)["do"] == "stop"
    assert bot.choose(table(NOBODY, {}, taxis={"T2": "s3"}), 1) == {"do": "board_taxi", "seat": 1, "taxi": "T1"}


def test_ranked_gives_every_choice_with_reasons_best_first():
    bot = Strong(never)
    state = table({"held": 3}, {"held": 5}, taxis={"T1": "s3", "T2": "s7"}, box=3, dice=[1])
    ranked = bot.ranked(state, 1)
    assert {entry["command"]["do"] for entry in ranked} == {"roll", "stop"}
    assert ranked[0]["command"] == bot.choose(state, 1)
    assert ranked[0]["score"] >= ranked[1]["score"]
    for entry in ranked:
        assert 0 <= entry["score"] <= 1
        assert game.play(game.copy_state(state), completed(state, entry["command"], lambda *_: 1))
    reasons = {entry["command"]["do"]: dict(entry["because"]) for entry in ranked}
    assert reasons["roll"]["violation"] == [0, 1]
    assert reasons["roll"]["reaches_the_box"] == [1, 1]
    assert reasons["roll"]["box_holds"] == 3
    assert reasons["stop"]["collects"] == 0
    assert Strong.UNIT == "chance of winning"
    assert bot.ranked(state, 2) == []
    assert bot.choose(state, 2) is None


def test_strong_takes_what_wins():
    bot = Strong(never)
    # Driving now collects the winning token; another die could be a violation.
    won = table({"held": 7}, {"held": 7}, taxis={"T1": "s4", "T2": "s14"}, dice=[2])
    best = bot.ranked(won, 1)[0]
    assert (best["command"]["do"], best["score"]) == ("stop", 1.0)
    assert dict(best["because"])["collects"] == 1
    # One step more wins, and no die shows less.
    sure = table({"held": 7}, {"held": 7}, taxis={"T1": "s1", "T2": "s14"}, dice=[1])
    assert bot.ranked(sure, 1)[0]["command"]["do"] == "roll"
    assert bot.ranked(sure, 1)[0]["score"] == 1.0


def test_strong_boards_tells_whom_it_sends_home_and_does_not_read_the_future():
    bot = Strong(never)
    out = table(NOBODY, {"held": 2}, taxis={"T2": "s7"}, box=2)
    assert bot.ranked(out, 1)[0]["command"] == {"do": "board_taxi", "seat": 1, "taxi": "T1"}
    assert [entry["command"]["do"] for entry in bot.ranked(out, 1)] == ["board_taxi", "decline"]
    push = table({}, {}, taxis={"T1": "s7", "T2": "s8"}, dice=[1])
    stop = [entry for entry in bot.ranked(push, 1) if entry["command"]["do"] == "stop"][0]
    assert dict(stop["because"])["sends_to_start"] == "T2"


def test_prospects_are_chances():
    state = table({"held": 2}, {"held": 5}, NOBODY, {}, taxis={"T1": "s4", "T2": "s7", "T3": "s10"}, box=2)
    tables = tables_for(state)
    told = chances(state, tables)
    assert set(told) == {1, 2, 3, 4}
    assert sum(told.values()) == pytest.approx(1)
    looks = outlooks(state, tables)
    assert sum(look.first for look in looks.values()) == pytest.approx(1, abs=0.05)
    # One step before the box and in turn: nobody can be there earlier.
    assert looks[1].first == pytest.approx(1)
    assert looks[1].first_next == pytest.approx(1)
    assert (looks[3].boards, looks[3].wait) == (False, 2)
    waiting = table(NOBODY, {}, NOBODY, taxis={"T2": "s4", "T3": "s10"})
    boarding = outlooks(waiting, tables)
    # One taxi waits at START: for who comes first.
    assert [(boarding[seat].boards, boarding[seat].wait) for seat in (1, 3)] == [(True, 0), (False, 2)]
    later = outlooks(table(NOBODY, {}, NOBODY, taxis={"T2": "s6", "T3": "s10"}), tables)
    assert later[1].first_next > 0
    assert later[3].first_next == 0
    assert later[3].first < later[1].first
    assert looks[2].falls > 0
    assert looks[4].falls == 0
    for look in looks.values():
        assert len(figures_of(look, 2, tables)) == len(FIGURES)
    assert all(len(weights) == len(FIGURES) for weights in WEIGHTS.values())
    over = table({"held": 8}, {"held": 8})
    assert chances(over, tables_for(over)) == {1: 0.5, 2: 0.5}


def test_road_tables_are_the_solution_of_driving_alone():
    tables = tables_for(table(2))
    assert tables.start == 5
    # One step or two: every die does it; three: 1 is followed by a safe die, 2 by one that is a violation in 1 of 3.
    assert tables.reach[1][:4] == pytest.approx([1, 1, 1, 8 / 9])
    assert tables.reach[2][1:4] == pytest.approx([1, 1, 1])
    assert tables.turns[:3] == pytest.approx([0, 1, 1])
    assert all(a <= b + 1e-9 for a, b in zip(tables.turns, tables.turns[1:], strict=False))
    assert tables.at_least[1] == pytest.approx(23 / 27)
    assert tables.at_least[4] == pytest.approx(14 / 27)
    assert tables.at_least[9] == pytest.approx(2 / 27)
    assert tables_for(table(3)) is tables


def reach(turns, steps):
    """The chance of so many steps within so many turns, reckoned anew."""
    if steps <= 0:
        return 1.0
    if turns <= 0:
        return 0.0

    def best(dice):
        if sum(dice) > 4:
            return 0.0
        stop = reach(turns - 1, steps - sum(dice) * len(dice))
        if len(dice) == 3:
            return stop
        roll = sum(best([*dice, face]) for face in (1, 2, 3)) / 3
        return max(roll, stop) if dice else roll

    return best([])


@pytest.mark.parametrize(("turns", "steps"), [(1, 3), (1, 9), (2, 10), (3, 6), (4, 7), (4, 10)])
def test_road_tables_against_a_second_reckoning(turns, steps):
    assert tables_for(table(2)).reach[turns][steps] == pytest.approx(reach(turns, steps))


def share(tested, other, players, games):
    """What one seat of the tested bot wins against the others."""
    won = 0.0
    for seed in range(games):
        stream = RandomStream(seed)
        seat = seed % players + 1
        state = table(players, board="carousel", turn=seed // players % players + 1)
        kinds = title.bots()
        bots = [kinds[tested if i == seat else other](stream.random) for i in range(players + 1)]
        winners = play_out(state, bots, SeededChance(stream), max_rounds=1000)["winners"]
        won += (seat in winners) / len(winners)
    return won / games


def test_strong_beats_greedy_and_greedy_beats_random():
    assert share("strong", "greedy", 2, 160) > 0.55
    assert share("greedy", "random", 2, 60) > 0.65


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_strong_beats_greedy_by_a_margin_that_is_no_accident():
    games = 1200
    won = share("strong", "greedy", 2, games)
    assert won >= 0.60
    assert won - 1.96 * (won * (1 - won) / games) ** 0.5 > 0.55
    assert share("strong", "greedy", 3, games) > 1 / 3
    assert share("strong", "greedy", 4, games) > 1 / 4


def test_a_bot_can_take_over_in_the_middle():
    state = table({"held": 2}, {}, taxis={"T1": "s4"}, dice=[1])
    command = Strong(never).choose(state, 1)
    assert command["do"] in ("roll", "stop")
    do(state, **{"what": command["do"], "seat": 1, **({"face": 1} if command["do"] == "roll" else {})})
    assert whole(state)["result"] is None
