"""The replay program answers anything with one line and no traceback, on both Pythons alike."""

import copy
import json
import random

from taxi_tables import STAR, STREET, need_micropython, position, replay

ODD = [
    None, True, False, 0, 1, -1, 7, 10, 9340, 10**30, -(10**30), 1.5, "", "x", "base", "O", "O~E", "journey", [], {},
    [[]], [1, 2], ["red"], [None], {"seat": 1}, {"x": {}}, "in", "out", "move", [[1, "fee"]], [["pay_bank", 10]],
]  # fmt: skip
CARD = {"title": "t", "fine": True, "do": [["choose", [[["pay_bank", 50]], [["gamble", None]]]], ["barrier", 1]]}
COMMANDS = [
    {"do": "draw_card", "seat": 1, "deck": "journey", "card": CARD},
    {"do": "choose", "seat": 1, "option": 1},
    {"do": "place_bet", "seat": 2, "word": "money"},
    {"do": "pass_bet", "seat": 3},
    {"do": "reveal_card", "seat": 1, "word": "taxi"},
    {"do": "place_barrier", "seat": 2, "on": "O~E"},
    {"do": "roll", "seat": 1, "die": "d6", "face": 4},
    {"do": "move", "seat": 1, "to": "N", "green": 0, "white": 0},
    {"do": "roll", "seat": 1, "die": "d12", "face": "green"},
    {"do": "buy_taxi", "seat": 2, "count": 1},
    {"do": "give", "seat": 2, "to": 1, "cash": 10},
    {"do": "ask", "seat": 2, "what": "reachable", "streets": 3},
    {"do": "ask", "what": "distance", "from": "O", "to": "E", "against": ["O~E"]},
    {"do": "ask", "what": "notes", "amount": 120},
    {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "cash": 100}], "bank": {"cash": 0}}, "why": "x"},
    {"do": "resign", "seat": 3},
]
WHOLE = position(
    {"cash": 100, "plates": 1, "kept": [{"deck": "passenger", "card": None, "title": "k", "keep": "waive_fine"}]},
    {"barriers": 2, "green": 3},
    {"name": "Z", "colour": "white", "skip": 1},
    options={"insolvency": "carry_debt", "plate_price": 500, "trading": "all"},
    trip=1, round=1, starter=1, turn=1, phase="debt",
    card_drawn={"seat": 1, "deck": "journey", "card": None, "title": "t", "fine": False, "do": [], "keep": None},
    dues=[{"seat": 1, "kind": "card", "to": [[0, 500]], "declined": False}],
    effects={"drawn": ["journey"], "bought": [], "add_streets": 0, "times": 1, "again": 0, "no_move": False},
    placed_barriers=[{"on": "O~N", "by": 2, "against": 1}],
    bank={"cash": 0, "pot": 0},
    decks={"journey": {"draw": 48, "discard": [None]}},
)  # fmt: skip


def paths(value, at=()):
    """Every place inside a JSON value."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*at, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from paths(entry, (*at, i))


def spoiled(line, chance):
    """The line with one to three places replaced, removed or doubled."""
    line = copy.deepcopy(line)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place = chance.choice([at for at in paths(line) if at])
        inside = line
        for key in place[:-1]:
            inside = inside[key]
        luck = chance.random()
        if luck < 0.7:
            inside[place[-1]] = chance.choice(ODD)
        elif luck < 0.85:
            del inside[place[-1]]
        elif isinstance(inside, list):
            inside.append(copy.deepcopy(inside[place[-1]]))
        else:
            inside["odd"] = chance.choice(ODD)
    return line


def judged(lines):
    answers = replay(lines)
    assert replay(lines, need_micropython()) == answers
    assert len(answers) == len(lines)
    faults = []
    for line, answer in zip(lines, answers, strict=True):
        out = json.loads(answer)
        if out.get("error", {}).get("code") == "fault":
            faults.append((out["error"]["message"], line))
        if "error" not in out:
            assert list(out)[:2] == ["position", "refused"]
    assert faults == []
    return answers


def test_spoiled_positions_and_commands():
    chance = random.Random(20240229)
    lines = []
    for _ in range(240):
        board = chance.choice((STAR, STAR, STREET))
        start = WHOLE if chance.random() < 0.6 else position({"at": "O"}, {"at": "O"}, {"at": "O"}, board=board)
        lines.append(spoiled({"position": start, "commands": copy.deepcopy(COMMANDS)}, chance))
    answers = judged(lines)
    errors = sum(b'{"error"' in answer[:9] for answer in answers)
    assert 40 < errors < 200


def test_spoiled_bytes():
    chance = random.Random(7)
    whole = json.dumps({"position": WHOLE, "commands": COMMANDS}).encode()
    lines = []
    for _ in range(160):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(data))
            luck = chance.random()
            if luck < 0.5:
                data[at] = chance.randrange(256)
            elif luck < 0.75:
                del data[at : at + chance.randrange(1, 20)]
            else:
                data[at:at] = bytes(chance.choice(b'{}[],:"\\0e.-tn ') for _ in range(3))
        lines.append(bytes(data).replace(b"\n", b" "))
    judged(lines)


def test_deep_and_huge():
    deep = [["nothing"]]
    for _ in range(25):
        deep = [["choose", [deep]]]
    start = position(2)
    judged(
        [
            {"position": start, "commands": [{"do": "draw_card", "seat": 1, "deck": "journey", "card": {"do": deep}}]},
            {"position": start | {"skip": 1}},
            {"position": position({"skip": 999}, {"skip": 999}), "commands": COMMANDS},
            {"position": position({"skip": 10**9}, {})},
            {"position": position({"cash": 10**60}, {}), "commands": [{"do": "buy_taxi", "seat": 1, "count": 10**40}]},
            {"position": start, "commands": [{"do": "roll", "seat": 10**50, "die": "d6", "face": 1}]},
            {"position": start, "commands": [{"do": "ask", "what": "notes", "amount": 10**60}]},
            {"position": start, "commands": [{"do": "ask", "what": "reachable", "from": "O", "streets": 10**20,
            "green": 10**20, "white": 0}]},
            {"position": start | {"round": 10**60, "trip": 10**60}},
            {"position": position({"name": "x" * 5000}, {})},
        ]
    )  # fmt: skip
