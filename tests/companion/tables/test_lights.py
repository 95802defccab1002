"""Lights that go green lie on a way that the move can have taken; the rest of the show follows the game."""

import random

import pytest
from table_kit import an_evening, command_id, give, opened, run, throw

from companion.devices.table_output import GATE, GREEN, RED
from companion.tables import lights
from companion.titles.taxi import routes
from companion.titles.taxi.table import D6_MAP, D12_MAP
from shared_rules import library
from shared_rules.engine import game

BOARD = library.board("fumbling")
LEDS = library.layout("fumbling")["leds"]


def labels(state, start, streets=6, green=3, white=2, against=()):
    question = {"do": "ask", "what": "reachable", "from": start, "streets": streets, "green": green, "white": white}
    return game.ask(state, {**question, "against": list(against)})["reachable"]


@pytest.mark.parametrize("start", [BOARD["base"], "X_lady_hatt", "X_wee_angus"])
def test_every_lawful_move_has_a_way_with_as_many_lights_as_it_paid_for(start):
    state = game.load_position({"game": "taxi", "board": "fumbling", "players": [{}, {}]})
    rng = random.Random(1)
    wanted = labels(state, start)
    for place, streets, green, white in rng.sample(wanted, 60):
        way = routes.driven(state, start, place, (streets, green, white), [])
        assert bool(way) or place == start or "~" in place
        assert sum(point in BOARD["lights"] for point in way[: len(way) - (place in BOARD["lights"])]) == green
        assert sum(point in BOARD["gates"] for point in way) == white
        for one, next_one in zip(way, way[1:], strict=False):
            links = {(a, b) for road in BOARD["roads"] for a, b in zip(road["via"], road["via"][1:], strict=False)}
            assert (one, next_one) in links or (next_one, one) in links or one == next_one


def test_a_way_does_not_lead_through_a_barrier():
    state = game.load_position({"game": "taxi", "board": "fumbling", "players": [{}, {}]})
    base = BOARD["base"]
    barrier = next(place for place, *_ in labels(state, base, streets=1, green=0, white=0) if "~" in place)
    for place, *cost in labels(state, base, streets=4, against=[barrier])[:80]:
        way = routes.driven(state, base, place, tuple(cost), [barrier])
        ends = set(barrier.split("~"))
        assert not any({a, b} == ends for a, b in zip(way, way[1:], strict=False))


def test_the_show_follows_the_game(tmp_path):
    async def work():
        position = {"game": "taxi", "board": "fumbling", "players": [{"green": 5, "white": 3}, {}]}
        async with opened(tmp_path, evening=an_evening(position=position)) as (_, table):
            flashes = []
            table.on_published = lambda events: flashes.extend(lights.passed(table, events))
            shows = [lights.show(table)]
            await throw(table, 6)
            shows.append(lights.show(table))
            (moves,) = [t for t in game.legal_commands(table.state, 1) if t["do"] == "move"]
            free = {row[0] for row in moves["to"] if row[2] == 0 or row[3]}
            place, _, green, _ = next(row for row in moves["to"] if row[0] not in free)
            await give(table, "move", 1, to=place)
            shows.append(lights.show(table))
            await table.throw("d12", seat=1, command_id=command_id(), actor="bank")
            shows.append(lights.show(table))
            return shows, flashes, green

    shows, flashes, green = run(work())
    assert [show.invite for show in shows] == [D6_MAP, D12_MAP, D12_MAP, D6_MAP]
    assert all(show.rest[LEDS["L01"]] == RED and show.rest[LEDS["Gate1"]] == GATE for show in shows)
    ((look, seconds, leds),) = flashes
    assert look == GREEN
    assert seconds > 0
    assert 1 <= len(leds) <= green
