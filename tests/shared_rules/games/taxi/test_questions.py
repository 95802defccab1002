"""Questions: what is answered, and which questions are refused."""

import pytest
from taxi_tables import GATE, STREET, do, draw, refused, roll, table

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation


def ask(state, what, **fields):
    return game.ask(state, {"do": "ask", "what": what, **fields})


def test_reach_of_a_seat_uses_what_it_has():
    state = table({"at": "B", "green": 2}, {"at": "A", "green": 1, "barriers": 1}, board=STREET)
    do(state, "place_barrier", 2, on="C~D")
    roll(state, 1, 1)
    places = ask(state, "reachable", seat=1)["reachable"]
    assert ["C", 1, 1, 0] in places
    assert not [p for p in places if p[0] == "D"]
    assert ["D", 1, 1, 0] in ask(state, "reachable", seat=1, against=[])["reachable"]
    assert ["D", 1, 1, 0] in ask(state, "reachable", seat=2, streets=1)["reachable"]
    assert ask(state, "reachable", seat=2, streets=0)["reachable"] == [["A", 0, 0, 0]]
    assert ["D", 1, 1, 0] in ask(state, "reachable", **{"from": "L~B"}, streets=1, green=1, white=0)["reachable"]


def test_fresh_tablets_do_not_count():
    state = table({"at": "B"}, {"at": "A"}, board=STREET)
    draw(state, 1, ["throw_d12", 1])
    roll(state, 1, "green")
    roll(state, 1, 1)
    assert not [p for p in ask(state, "reachable", seat=1)["reachable"] if p[2]]


def test_distance():
    state = table({"at": "A"}, {"at": "A"}, board=STREET)
    assert ask(state, "distance", seat=1, to="D")["distance"] == [[1, 1, 0], [5, 0, 0]]
    assert ask(state, "distance", **{"from": "D"}, to="A", green=0)["distance"] == [[5, 0, 0]]
    assert ask(state, "distance", seat=2, to="A")["distance"] == [[0, 0, 0]]
    assert ask(state, "distance", **{"from": "A"}, to="D", against=["B~A"])["distance"] == []
    gate = table({"at": "A"}, {"at": "A"}, board=GATE)
    assert ask(gate, "distance", seat=1, to="P", white=0)["distance"] == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "malformed"), ({"what": "weather"}, "malformed"), ({"what": 7}, "malformed"),
        ({"what": "wealth", "seat": "1"}, "malformed"),
        ({"what": "wealth", "seat": None}, "malformed"), ({"what": "wealth", "seat": 3}, "unknown_seat"),
        ({"what": "reachable"}, "malformed"),
        ({"what": "reachable", "seat": 1}, "malformed"), ({"what": "reachable", "seat": 2, "streets": -1}, "malformed"),
        ({"what": "reachable", "seat": 2, "streets": "1"}, "malformed"),
        ({"what": "reachable", "from": "A", "streets": 1, "green": 0}, "malformed"),
        ({"what": "reachable", "from": 7, "streets": 1, "green": 0, "white": 0}, "malformed"),
        ({"what": "reachable", "from": "X", "streets": 1, "green": 0, "white": 0}, "unknown_place"),
        ({"what": "reachable", "from": "L", "streets": 1, "green": 0, "white": 0}, "not_allowed"),
        ({"what": "reachable", "seat": 2, "streets": 1, "against": "A~B"}, "malformed"),
        ({"what": "reachable", "seat": 2, "streets": 1, "against": [7]}, "malformed"),
        ({"what": "reachable", "seat": 2, "streets": 1, "against": ["X"]}, "unknown_place"),
        ({"what": "reachable", "seat": 2, "streets": 1, "against": ["A"]}, "not_allowed"),
        ({"what": "distance", "seat": 1}, "malformed"),
        ({"what": "distance", "to": "A"}, "malformed"), ({"what": "distance", "seat": 1, "to": "X"}, "unknown_place"),
        ({"what": "distance", "seat": 1, "to": "L"}, "not_allowed"),
        ({"what": "distance", "seat": 1, "to": "A", "green": None}, "malformed"),
        ({"what": "notes"}, "malformed"), ({"what": "notes", "amount": 15}, "malformed"),
        ({"what": "notes", "amount": -10}, "malformed"),
        ({"what": "notes", "amount": True}, "malformed"),
    ],
)  # fmt: skip
def test_refused_questions(fields, code):
    state = table({"at": "A"}, {"at": "A"}, board=STREET)
    before = game.state_hash(state)
    with pytest.raises(RuleViolation) as no:
        game.ask(state, {"do": "ask", **fields})
    assert no.value.code == code
    assert game.state_hash(state) == before
    with pytest.raises(RuleViolation):
        game.play(state, {"do": "ask", **fields})


def test_a_question_is_answered_in_every_phase_and_changes_nothing():
    state = table({"at": "A"}, {"at": "A"}, {"at": "A"}, board=STREET)
    do(state, "resign", 3)
    assert refused(state, "resign", 3) == "out_of_game"
    assert list(ask(state, "wealth", seat=3)["wealth"]) == ["1", "2"]
    with pytest.raises(RuleViolation):
        ask(state, "distance", seat=3, to="A")
    do(state, "resign", 2)
    assert ask(state, "wealth")["wealth"] == {"1": 9340}
    assert game.play(state, {"do": "ask", "what": "wealth"}) == []


@pytest.mark.parametrize(
    ("amount", "notes"),
    [(0, []), (80, [[50, 1], [20, 1], [10, 1]]), (60, [[50, 1], [10, 1]]), (40, [[20, 2]]),
    (990, [[500, 1], [100, 4], [50, 1], [20, 2]])],
)
def test_notes(amount, notes):
    assert ask(table(2), "notes", amount=amount)["notes"] == notes
