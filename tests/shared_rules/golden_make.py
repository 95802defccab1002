"""Makes golden games: `python tests/shared_rules/golden_make.py TITLE [--games N]` adds to what is there.

Games come from numbered seeds, one after another; one that shows something that no golden game has shown is kept, until
nothing is missing that `golden_coverage.wanted` names and there are N. The same tree and seeds give the same files. A
file that is there is never written again, but for `--views`: that makes the hashes of views anew where pages show
something else, and stops if anything else has changed.
"""

import argparse
import copy
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import golden_coverage  # noqa: E402
import golden_play  # noqa: E402
import golden_starts  # noqa: E402

from shared_rules.engine import driver, game, titles  # noqa: E402
from shared_rules.engine.errors import PositionError, RuleViolation  # noqa: E402
from shared_rules.portable.json_text import canonical, dumps  # noqa: E402
from shared_rules.portable.ordered import ordered  # noqa: E402
from shared_rules.portable.random_stream import RandomStream  # noqa: E402
from shared_rules.records.record import shortest  # noqa: E402

FOLDER = HERE / "golden_games"
MOST_COMMANDS = 320
ODD = (None, True, -1, 0, 99, 1.5, "", "nowhere", [], {}, [1, 1], "7", 10**12)


def files(name):
    """The golden games of a title, in order."""
    return sorted((FOLDER / name).glob("*.jsonl"))


class Candidate:
    """A game of a seed: bots play, seats leave, the operator corrects, and much is tried that the rules refuse."""

    def __init__(self, name, seed, missing):
        self.name = name
        self.stream = RandomStream(seed)
        self.missing = missing
        self.start = golden_starts.start(name, self.stream, missing)
        self.state = game.load_position(self.start)
        self.chance = golden_starts.Chance(name, self.stream, missing)
        made = list(self.state.title.bots().values())[:2]
        self.bots = [None] + [self.stream.choice(made)(self.stream.random) for _ in self.start["players"]]
        self.watcher = golden_coverage.Watcher(name)
        self.watcher.on_step({"start": self.start}, self.state, None)
        self.entries = []
        self.codes = set()
        self.tried = [{"do": row[1]} for row in getattr(titles.notation(name), "WORDS", ())] + [{"do": "ask"}]

    def play(self):
        """Whether it came to an end in time."""
        while self.state.title.waiting_for(self.state):
            if len(self.entries) >= MOST_COMMANDS or self.state.title.round_number(self.state) > 40:
                return False
            self.try_what_is_wrong()
            command = self.next_command()
            try:
                game.play(self.state, command)
            except RuleViolation:
                continue
            self.tried.append(command)
            self.entries.append(("play", command))
            self.watcher.on_step({"play": command}, self.state, None)
        for _ in range(6):
            self.try_what_is_wrong()
        return True

    def next_command(self):
        title = self.state.title
        special = golden_starts.special(self.name, self.stream, self.state)
        if special is not None:
            return special
        seats = title.waiting_for(self.state)
        command = driver.operators_step(self.state) if seats == [0] else None
        for seat in seats:
            if seat and command is None:
                command = self.bots[seat].choose(self.state, seat)
        if command is None:
            raise driver.StuckError(title.dump(self.state)["phase"])
        return driver.completed(self.state, command, self.chance)

    def try_what_is_wrong(self):
        """Commands made of pieces of others: the first with each code is kept."""
        for _ in range(3):
            command = self.spoiled()
            code = golden_play.refusal(self.state, command)
            if code is not None and code not in self.codes:
                self.codes.add(code)
                self.entries.append(("refused", command, code))
                self.watcher.on_step({}, self.state, code)

    def spoiled(self):
        stream = self.stream
        command = copy.deepcopy(stream.choice(self.tried))
        legal = game.legal_commands(self.state, stream.below(len(self.bots)))
        if legal and stream.below(2):
            command = copy.deepcopy(stream.choice(legal))
        command["seat"] = stream.below(len(self.bots)) if stream.below(9) else len(self.bots) + stream.below(2)
        other = stream.choice(self.tried)
        keys = [key for key in other if key not in ("do", "seat")]
        luck = stream.below(6)
        if luck == 0 and keys:
            key = stream.choice(keys)
            command[key] = copy.deepcopy(other[key])
        elif luck == 1 and len(command) > 2:
            command[stream.choice(sorted(key for key in command if key not in ("do", "seat")))] = stream.choice(ODD)
        elif luck == 2 and len(command) > 2:
            del command[stream.choice(sorted(key for key in command if key not in ("do", "seat")))]
        elif luck == 3 and stream.below(4) == 0:
            command["do"] = "fly"
        elif luck >= 4:
            extra = golden_starts.wrong(self.name, stream, self.state)
            command = command if extra is None else extra
        return json.loads(json.dumps(command))

    def gain(self):
        """How much of what is missing it shows."""
        return len(self.watcher.seen & self.missing)

    def text(self, made):
        """The lines of its file."""
        state = game.load_position(shortest(self.start))
        views = golden_play.Views(state)
        revision = titles.revision(self.name)
        start = canonical(shortest(self.start), ("game", "board", "options", "players"))
        head = [("golden", 1), ("game", self.name), ("rules_revision", revision), ("made", made), ("start", start)]
        head.append(("views", views.step(state)))
        return written(state, views, ordered(head), self.entries)


def written(state, views, head, entries):
    """The text of a golden game whose state has just begun."""
    lines = [head]
    for entry in entries:
        if entry[0] == "play":
            game.play(state, entry[1])
            lines.append(ordered((("play", canonical(entry[1], ("do", "seat"))), ("views", views.step(state)))))
        else:
            command = canonical(entry[1], ("do", "seat")) if isinstance(entry[1], dict) else entry[1]
            lines.append(ordered((("refused", command), ("code", entry[2]))))
    result = canonical(game.dump_position(state)["result"])
    lines.append(ordered((("result", result), ("hash", game.state_hash(state)), ("audiences", views.ends()))))
    return "".join(dumps(line, ",", ":") + "\n" for line in lines)


def anew(text):
    """The same game with its views hashed anew; SystemExit if it is another game by now."""
    lines = [json.loads(line) for line in text.splitlines()]
    head, end = lines[0], lines[-1]
    entries = []
    for line in lines[1:-1]:
        entries.append(("play", line["play"]) if "play" in line else ("refused", line["refused"], line["code"]))
    state = game.load_position(head["start"], head["rules_revision"])
    views = golden_play.Views(state)
    head["views"] = views.step(state)
    again = written(state, views, head, entries)
    if json.loads(again.splitlines()[-1])["hash"] != end["hash"]:
        sys.exit("This is another game by now: the rules have changed, so they need a new revision.")
    return again


def make(name, games, batch, patience):
    """Add golden games of a title until nothing is missing and there are so many; what is still missing."""
    (FOLDER / name).mkdir(exist_ok=True)
    have = files(name)
    missing = golden_coverage.wanted(name) - golden_coverage.shown(name, [path.read_text("utf-8") for path in have])
    seed = 1 + max((int(path.stem.rsplit("_", 1)[1]) for path in have), default=0)
    idle = 0
    while (missing or len(have) < games) and idle < patience:
        best = None
        for _ in range(batch):
            seed += 1
            try:
                candidate = Candidate(name, seed, missing)
                ended = candidate.play()
            except (PositionError, driver.StuckError):
                continue
            if not ended or (missing and not candidate.gain()):
                continue
            worth = 12 * candidate.gain() + min(len(candidate.entries), 200)
            if best is None or worth > best[0]:
                best = (worth, candidate, seed)
        if best is None:
            idle += 1
            continue
        idle = 0
        _, candidate, number = best
        path = FOLDER / name / f"{name}_{number:05}.jsonl"
        path.write_text(candidate.text(f"golden_make.py {name}, seed {number}"), "utf-8")
        golden_play.play(path.read_text("utf-8"))
        have.append(path)
        seed = max(seed, number)
        missing -= candidate.watcher.seen
        print(f"{path.name}: {len(candidate.entries)} lines, {len(missing)} missing", flush=True)
    return missing


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("title")
    parser.add_argument("--games", type=int, default=14, help="at least so many in all")
    parser.add_argument("--batch", type=int, default=12, help="seeds among which the best is chosen")
    parser.add_argument("--patience", type=int, default=12, help="batches without a gain before it gives up")
    parser.add_argument("--views", action="store_true", help="hash the views of the games that are there anew")
    arguments = parser.parse_args()
    if arguments.views:
        for path in files(arguments.title):
            path.write_text(anew(path.read_text("utf-8")), "utf-8")
        return
    missing = make(arguments.title, arguments.games, arguments.batch, arguments.patience)
    if missing:
        sys.exit("Still missing: " + ", ".join(sorted(missing)))


if __name__ == "__main__":
    main()
