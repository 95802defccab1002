"""Lines for the replay program that are wrong in some way, for every title: made from its golden games, from a seed."""

import copy
import json
import random

import golden_make

from shared_rules.engine import game

ODD = [
    None, True, False, 0, 1, -1, 7, 10, 999, 10**30, -(10**30), 1.5, "", "x", "base", "START", "in", "out", "move",
    "over", [], {}, [[]], [1, 2], ["red"], [None], {"seat": 1}, {"x": {}}, [[1, "fee"]], [["pay_bank", 10]], "\u0000",
    "é\U0001f695",
]  # fmt: skip


class Spoiler:
    """Makes lines. Positions are taken in the middle of golden games, commands from anywhere in them."""

    def __init__(self, name, seed):
        self.name = name
        self.chance = random.Random(f"{name}/{seed}")
        self.games = []
        for path in golden_make.files(name):
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            played = [line["play"] for line in lines if "play" in line]
            wrong = [line["refused"] for line in lines if "refused" in line]
            self.games.append((lines[0]["start"], played, wrong))
        self.commands = [command for _, played, wrong in self.games for command in played + wrong]
        self._position: tuple[dict, list]
        self._left = 0

    def line(self):
        """Bytes of one line, without the line feed."""
        chance = self.chance
        position, following = self._beginning()
        commands = [copy.deepcopy(chance.choice(self.commands)) for _ in range(chance.randrange(6))]
        at = chance.randrange(len(commands) + 1)
        commands[at:at] = copy.deepcopy(following)
        line = {"position": copy.deepcopy(position), "commands": commands}
        kind = chance.random()
        if kind < 0.85:
            # A spoiled position is most often none, and then its commands are not even looked at.
            part = "position" if kind < 0.35 else "commands"
            for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
                self._spoil(line, part)
        data = json.dumps(line, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
        if kind > 0.95:
            data = self._spoiled_bytes(data)
        return data.replace(b"\n", b" ")

    def _beginning(self):
        """A position somewhere in a game, and what was played from there; a few lines share one."""
        chance = self.chance
        if self._left == 0:
            start, played, _ = chance.choice(self.games)
            state = game.load_position(start)
            at = chance.randrange(len(played) + 1)
            for command in played[:at]:
                game.play(state, command)
            whole = game.dump_position(state) if chance.random() < 0.7 or at else start
            self._position = (whole, played[at : at + chance.randrange(1, 12)])
            self._left = 12
        self._left -= 1
        return self._position

    def _spoil(self, line, part):
        chance = self.chance
        places = [at for at in _paths(line) if at]
        if not places:
            return
        place = chance.choice([at for at in places if at[0] == part] or places)
        inside = line
        for key in place[:-1]:
            inside = inside[key]
        luck = chance.random()
        if luck < 0.45:
            inside[place[-1]] = copy.deepcopy(chance.choice(ODD))
        elif luck < 0.65:
            other = chance.choice(places)
            value = line
            for key in other:
                value = value[key]
            inside[place[-1]] = copy.deepcopy(value)
        elif luck < 0.8:
            del inside[place[-1]]
        elif isinstance(inside, list):
            inside.append(copy.deepcopy(inside[place[-1]]))
        elif isinstance(inside[place[-1]], int) and not isinstance(inside[place[-1]], bool):
            inside[place[-1]] += chance.choice((-1, 1, 10, -10))
        else:
            inside["odd"] = chance.choice(ODD)

    def _spoiled_bytes(self, data):
        chance = self.chance
        out = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(out))
            luck = chance.random()
            if luck < 0.5:
                out[at] = chance.randrange(256)
            elif luck < 0.75:
                del out[at : at + chance.randrange(1, 20)]
            else:
                out[at:at] = bytes(chance.choice(b'{}[],:"\\0e.-tn ') for _ in range(3))
        return bytes(out)


def _paths(value, at=()):
    """Every place inside a JSON value."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from _paths(value[key], (*at, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from _paths(entry, (*at, i))
