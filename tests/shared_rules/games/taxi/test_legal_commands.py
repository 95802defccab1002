"""Templates of lawful commands: complete, and right at their bounds, in games that go anywhere."""

import pytest
from random_titles.taxi import random_position
from taxi_tables import do, draw, move, roll, table, whole

from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, completed
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi.bots import RandomLawful
from shared_rules.portable.random_stream import RandomStream

BOUNDED = ("count", "option")
LISTED = ("word", "on", "card")


def at_the_bounds(template):
    """Completions of a template that must be lawful, and some just outside that must not be."""
    do_ = template["do"]
    if do_ == "move":
        yield from (({**template, "to": entry[0]}, True) for entry in template["to"][:3] + template["to"][-3:])
        return
    if do_ == "give":
        for field in ("green", "white", "cash", "plates", "barriers"):
            if field in template:
                rest = {"do": "give", "seat": template["seat"], "to": template["to"][0]}
                most = template[field][1] - template[field][1] % 10 if field == "cash" else template[field][1]
                if most:
                    yield {**rest, field: most}, True
                yield {**rest, field: most + 10}, False
        return
    for key in BOUNDED:
        if key in template:
            least, most = template[key]
            for value in (least, most):
                yield {**template, key: value}, True
            for value in (least - 1, most + 1):
                yield {**template, key: value}, False
            return
    for key in LISTED:
        if key in template and isinstance(template[key], list):
            for value in (template[key][0], template[key][-1]):
                yield {**template, key: value}, True
            return
    yield template, True


@pytest.mark.parametrize("seed", range(12))
def test_templates_are_lawful_at_their_bounds_and_not_beyond(seed):
    stream = RandomStream(seed)
    state = game.load_position(random_position(stream, "fumbling"))
    chance = SeededChance(stream)
    bot = RandomLawful(stream.random)
    seen = set()
    for _ in range(400):
        if whole(state)["phase"] == "over":
            break
        if stream.below(6) == 0:
            for seat in range(state.seats + 1):
                for template in game.legal_commands(state, seat):
                    seen.add(template["do"])
                    for command, lawful in at_the_bounds(template):
                        command = completed(state, command, chance)
                        if lawful:
                            game.decide(state, command)
                        else:
                            with pytest.raises(RuleViolation):
                                game.decide(state, command)
        for seat in state.title.waiting_for(state):
            command = bot.choose(state, seat)
            if command is not None:
                game.play(state, completed(state, command, chance))
                break
    assert {"roll", "move", "draw_card"} <= seen


def test_whoever_is_waited_for_can_do_something():
    state = table({"cash": 0, "plates": 1}, {"barriers": 1}, {})
    for seat in whole(state)["waiting_for"]:
        assert game.legal_commands(state, seat)
    draw(state, 1, ["pay_bank", 6000])
    assert game.legal_commands(state, 1) == [{"do": "sell_plate", "seat": 1, "count": [1, 1]},
        {"do": "declare_insolvent", "seat": 1}]
    assert game.legal_commands(state, 2) == []


def test_the_next_seat_is_offered_its_beginning():
    state = table({}, {"cash": 20000}, {})
    roll(state, 1, 1)
    move(state, 1, "O")
    assert [t["do"] for t in game.legal_commands(state, 1)] == ["roll", "end_turn"]
    assert [t["do"] for t in game.legal_commands(state, 2)] == ["draw_card", "draw_card", "roll", "buy_taxi"]
    assert game.legal_commands(state, 3) == []


def test_must_move_leaves_out_staying():
    state = table(2, options={"zero_move": "must_move_if_possible"})
    roll(state, 1, 1)
    assert "O" not in [entry[0] for entry in game.legal_commands(state, 1)[0]["to"]]
    stuck = table(2, phase="move", d6=0, options={"zero_move": "must_move_if_possible"})
    assert game.legal_commands(stuck, 1)[0]["to"] == [["O", 0, 0, 0]]
    move(stuck, 1, "O")


def test_gifts_and_sales_have_their_phases():
    options = {"trading": "tablets_and_money", "voluntary_sale": True}
    for phase in ("card_choice", "before_roll", "move", "tablet_die"):
        state = table({"green": 2, "plates": 1}, {"cash": 0}, {}, phase=phase, d6=1 if phase == "move" else None,
            options=options)
        own = {t["do"]: t for t in game.legal_commands(state, 1)}
        assert own["give"] == {"do": "give", "seat": 1, "to": [2, 3], "green": [0, 2], "cash": [0, 9340]}
        assert own["sell_plate"] == {"do": "sell_plate", "seat": 1, "count": [1, 1]}
        assert "give" not in {t["do"] for t in game.legal_commands(state, 2)}
        assert "sell_plate" not in {t["do"] for t in game.legal_commands(state, 3)}
    draw(state := table({"green": 2}, {}, options=options), 1, ["gamble", None])
    assert game.legal_commands(state, 1) == []
    assert "give" not in {t["do"] for t in game.legal_commands(state, 2)}


def test_the_operator_closes_bets():
    state = table(2)
    assert game.legal_commands(state, 0) == []
    draw(state, 1, ["gamble", None])
    assert game.legal_commands(state, 0) == [{"do": "close_bets", "seat": 0}]


def test_what_chance_must_answer():
    state = table(2)
    six = {"kind": "die", "die": "d6", "seat": 1, "field": "face"}
    assert game.chance(state) == six
    card = {"kind": "card", "deck": "journey", "seat": 1, "field": "card"}
    assert game.chance(state, {"do": "draw_card", "seat": 1, "deck": "journey"}) == card
    assert game.chance(state, {"do": "roll", "seat": 1, "die": "d6"}) == six
    assert game.chance(state, {"do": "roll", "seat": 1, "die": "d6", "face": 2}) is None
    assert game.chance(state, {"do": "end_turn", "seat": 1}) is None
    draw(state, 1, ["throw_d12", 1])
    assert game.chance(state) == {"kind": "die", "die": "d12", "seat": 1, "field": "face"}
    roll(state, 1, "blank")
    roll(state, 1, 1)
    assert game.chance(state) is None
    move(state, 1, "O")
    assert game.chance(state) == {"kind": "die", "die": "d12", "seat": 1, "field": "face"}
    do(state, "resign", 2)
    assert game.chance(state) is None
