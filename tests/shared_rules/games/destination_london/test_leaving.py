"""Whose turn it is when a seat leaves, and that what comes out then reads back."""

from london_tables import do, game, position, table


def read_back(state):
    """The position as it comes out, after checking that it reads back as it was."""
    out = game.dump_position(state)
    assert game.dump_position(game.load_position(out)) == out
    return out


def test_the_turn_stays_with_the_seat_whose_leaving_ends_the_game():
    for leaving, on_turn in ((1, 1), (2, 1), (1, 2), (2, 2)):
        state = table({"hand": ["F1"]}, {"hand": ["F2"]}, turn=on_turn)
        do(state, leaving, "resign")
        after = read_back(state)
        assert (after["phase"], after["result"]["reason"], after["turn"]) == ("over", "last_survivor", on_turn)
        assert after["result"]["winners"] == [3 - leaving]


def test_the_turn_stays_with_the_seat_that_is_out_of_fuel_and_money():
    lost = {"hand": ["F1"], "fuel": 0, "cash": 4, "loan": True}
    after = read_back(game.load_position(position({"hand": ["F2"]}, lost, turn=2)))
    assert (after["result"]["reason"], after["turn"]) == ("last_survivor", 2)


def test_the_round_is_counted_though_somebody_is_owed_a_card():
    players = ({"hand": ["F1"]}, {"hand": []}, {"hand": ["F2"]})
    ending = {"seat": 2, "reason": "home"}
    state = table(
        *players, turn=3, options={"finish_round": "yes"}, ending=ending, pile=["F3"], deals=[1], dice=[2], moves=[2]
    )
    assert game.dump_position(state)["phase"] == "deal"
    do(state, 3, "resign")
    after = read_back(state)
    assert (after["phase"], after["result"]["reason"], after["deals"]) == ("over", "home", [])
