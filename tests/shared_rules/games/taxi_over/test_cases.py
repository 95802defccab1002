"""The worked cases of Taxi Over and its golden games, through the replay program on both Pythons, to the byte."""

import json
import sys

import pytest
from taxi_over_tables import CASES, RING, need_micropython, position, replay

# Part D's golden game 1: dice and boarding by turn, then what the table shows (taxis, held, box, supply).
GOLDEN_1 = (
    (1, None, (2, 2), ("s8", "START"), (1, 0), 1, 34),
    (2, None, (2, 3), ("s8", "s5"), (1, 0), 2, 33),
    (1, None, (1, 3), ("s16", "s5"), (3, 0), 1, 32),
    (1, None, (2, 3), ("START", "START"), (3, 0), 2, 31),
    (2, "T1", (2, 3), ("START", "START"), (3, 0), 3, 30),
    (1, "T1", (3,), ("s3", "START"), (3, 0), 3, 30),
    (2, "T2", (2, 3), ("s3", "s5"), (3, 0), 4, 29),
    (1, None, (1, 1, 1), ("s12", "START"), (7, 0), 1, 28),
    (2, "T2", (2, 2), ("s12", "s8"), (7, 1), 1, 27),
    (1, None, (1, 1, 1), ("s1", "s8"), (8, 1), 0, 27),
)
# Golden game 2, three players, as far as it is told.
GOLDEN_2 = (
    (1, None, (3,), ("s3", "START", "START"), (0, 0, 0), 1, 35),
    (2, None, (2, 3), ("s3", "s5", "START"), (0, 0, 0), 2, 34),
    (3, None, (2, 3), ("s3", "s6", "s5"), (0, 0, 0), 3, 33),
    (1, None, (2, 3), ("START", "START", "START"), (0, 0, 0), 4, 32),
    (2, "T2", (2, 3), ("START", "START", "START"), (0, 0, 0), 5, 31),
    (3, "T1", (1, 1, 2), ("s12", "START", "START"), (0, 0, 5), 1, 30),
    (1, "T2", (3,), ("s12", "s3", "START"), (0, 0, 5), 1, 30),
    (2, "T3", (1, 1, 3), ("s12", "s3", "s5"), (0, 0, 5), 2, 29),
    (3, None, (1, 2), ("s18", "s3", "s5"), (0, 0, 7), 1, 28),
    (1, None, (3,), ("s18", "s6", "s7"), (1, 0, 7), 1, 27),
    (3, None, (1, 3), ("s6", "s7", "s8"), (1, 0, 8), 1, 26),
    (1, None, (2, 3), ("s6", "s7", "s8"), (1, 0, 8), 2, 25),
)


def both(lines):
    """The answers of CPython, after comparing them with those of MicroPython byte for byte."""
    answers = replay(lines)
    assert replay(lines, need_micropython()) == answers
    return answers


def test_all_cases_give_the_same_bytes_on_both_pythons_and_the_right_values():
    if not CASES.exists():
        pytest.skip(f"the case files are not there: {CASES}")
    sys.path.insert(0, str(CASES.parent))
    from run_cases import judge

    cases = json.loads(CASES.read_text("utf-8"))
    answers = both([{"position": case["position"], "commands": case.get("commands", [])} for case in cases])
    wrong = {case["case"]: judge(case, json.loads(answer)) for case, answer in zip(cases, answers, strict=True)}
    assert {name: faults for name, faults in wrong.items() if faults} == {}
    assert len(cases) >= 281


@pytest.mark.parametrize(("players", "turns"), [(2, GOLDEN_1), (3, GOLDEN_2)], ids=["golden 1", "golden 2"])
def test_golden_games_turn_by_turn(players, turns):
    commands, lines = [], []
    for seat, taxi, dice, *_ in turns:
        if taxi:
            commands.append({"do": "board_taxi", "seat": seat, "taxi": taxi})
        commands += [{"do": "roll", "seat": seat, "face": face} for face in dice]
        if sum(dice) <= 4 and len(dice) < 3:
            commands.append({"do": "stop", "seat": seat})
        lines.append({"position": position(players), "commands": list(commands)})
    for answer, (*_, taxis, held, box, supply) in zip(both(lines), turns, strict=True):
        told = json.loads(answer)
        assert told["refused"] == []
        now = told["position"]
        assert tuple(taxi["at"] for taxi in now["taxis"].values()) == taxis
        assert tuple(player["held"] for player in now["players"]) == held
        assert (now["box"], now["supply"]) == (box, supply)


def test_the_first_golden_game_ends_with_a_win():
    commands = []
    for seat, taxi, dice, *_ in GOLDEN_1:
        commands += [{"do": "board_taxi", "seat": seat, "taxi": taxi}] if taxi else []
        commands += [{"do": "roll", "seat": seat, "face": face} for face in dice]
        commands += [{"do": "stop", "seat": seat}] if sum(dice) <= 4 and len(dice) < 3 else []
    told = json.loads(both([{"position": position(2), "commands": commands}])[0])
    assert told["position"]["result"] == {"winners": [1], "reason": "target", "totals": {"1": 8, "2": 1}}
    assert (told["position"]["phase"], told["position"]["waiting_for"]) == ("over", [])


def test_keys_stand_in_their_order_and_a_position_is_a_fixed_point():
    options = {"crossing_push": "own_heading", "target_tokens": {"3": 7}, "dice_faces": [1, 2, 3, 4, 5, 6]}
    drawn = {**RING, "at": {"s2": [3, 4], "START": [-5, 0], "K1": [1, 1]}}
    line = {"position": position({}, {"driver": None}, {}, board=drawn, taxis={"T2": "s3"}, options=options, turn=2)}
    first = json.loads(both([line])[0])["position"]
    assert list(first) == [
        "game", "options", "board", "players", "taxis", "dice", "box", "supply", "target", "phase", "turn",
        "waiting_for", "result",
    ]  # fmt: skip
    assert list(first["options"].items()) == [
        ("dice_faces", [1, 2, 3, 4, 5, 6]), ("target_tokens", {"2": 8, "3": 7, "4": 10}),
        ("crossing_push", "own_heading"),
    ]  # fmt: skip
    assert list(first["board"]) == ["id", "title", "loop", "entry", "intersections", "sinkholes", "at"]
    assert list(first["board"]["at"]) == ["K1", "START", "s2"]
    assert list(first["players"][1]) == ["seat", "name", "colour", "held", "driver", "status"]
    assert first["turn"] == 3
    assert json.loads(both([{"position": first}])[0]) == {"position": first, "refused": [], "events": []}


def test_the_example_of_the_questions_page():
    start = position(2, taxis={"T1": "s10", "T2": "s12"}, box=2)
    commands = [
        {"do": "roll", "seat": 1, "face": 1},
        {"do": "roll", "seat": 2, "face": 1},
        {"do": "ask", "seat": 1, "what": "odds"},
        {"do": "roll", "seat": 1, "face": 3},
        {"do": "stop", "seat": 1},
    ]
    told = json.loads(both([{"position": start, "commands": commands}])[0])
    assert told["refused"] == [
        {"index": 1, "code": "not_your_turn", "rules": ["O-018"], "message": "It is Red's turn."}
    ]
    assert [player["held"] for player in told["position"]["players"]] == [2, 0]
    assert told["position"]["taxis"] == {"T1": {"at": "s18", "fresh": False}, "T2": {"at": "START", "fresh": True}}
    assert [plan["mean"] for plan in told["answers"][0]["plans"]] == [[6, 1], [11, 3]]
