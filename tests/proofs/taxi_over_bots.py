"""How well the bots of Taxi Over play: `python -m tests.proofs.taxi_over_bots [GAMES]` writes a page in docs/proofs.

One seat is played by the bot under test, all others by the other one; the seat goes round, and so does who begins. A
shared win counts in parts. Bounds are Wilson's, 95 %.
"""

from __future__ import annotations

import math
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, play_out
from shared_rules.portable.random_stream import RandomStream

ROOT = Path(__file__).parents[2]
PROOF = ROOT / "docs" / "proofs" / "taxi_over_bots.md"
GAMES = 6000
CHUNK = 100
PAIRS = (("strong", "greedy"), ("greedy", "random"), ("strong", "random"))
MOST_ROUNDS = 1000


def wins(tested: str, other: str, players: int, first: int, games: int) -> float:
    """What the tested bot wins of so many games with seeds from `first` on; a shared win is a part."""
    won = 0.0
    for seed in range(first, first + games):
        stream = RandomStream(seed)
        seat = seed % players + 1
        start = {"game": "taxi_over", "board": "carousel", "players": [{} for _ in range(players)],
            "turn": seed // players % players + 1}  # fmt: skip
        state = game.load_position(start)
        kinds = state.title.bots()
        bots = [kinds[tested if other_seat == seat else other](stream.random) for other_seat in range(players + 1)]
        winners = play_out(state, bots, SeededChance(stream), max_rounds=MOST_ROUNDS)["winners"]
        if seat in winners:
            won += 1 / len(winners)
    return won


def bounds(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share."""
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


def measure(games: int) -> list[tuple[str, str, int, int, float]]:
    """[(tested, other, players, games, won)] of all pairs and numbers of players."""
    out = []
    with ProcessPoolExecutor() as pool:
        for tested, other in PAIRS:
            for players in (2, 3, 4):
                starts = range(0, games, CHUNK)
                count = len(starts)
                parts = pool.map(wins, [tested] * count, [other] * count, [players] * count, starts, [CHUNK] * count)
                out.append((tested, other, players, count * CHUNK, sum(parts)))
    return out


def report(rows: list[tuple[str, str, int, int, float]], revision: str) -> str:
    """The page."""
    lines = []
    for tested, other, players, games, won in rows:
        low, high = bounds(won, games)
        share, fair = won / games, 1 / players
        lines.append(
            f"| {tested} against {players - 1} × {other} | {players} | {games:,} | {share:.1%} "
            f"| {low:.1%} to {high:.1%} | {fair:.1%} | {share / fair:.2f} |"
        )
    table = "\n".join(lines)
    return f"""# Bots of Taxi Over

Revision {revision}; made by `python -m tests.proofs.taxi_over_bots` on the board `carousel`, ordinary house rules.

One seat is played by the first bot, all others by the second; the seat goes round, and so does who begins. A shared win
counts in parts. Bounds are Wilson's, 95 %; seeds from 0.

| match | players | games | won | bounds | fair share | times fair |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{table}

`random` takes any lawful command. `greedy` plays for the greatest mean distance (OP-08) and takes no more risk once the
dice on the table reach an intersection; that alone beats plain OP-08 in 58 % of games of two. `strong` tries out every
end of its turn, reckons the dice through exactly, and weighs each end by everybody's prospects: who is the next at the
For Hire box, what that is worth to whom, who is out, who is about to be pushed into a sinkhole.

Its weights were learned from games: of greedy bots first, then of its own, by the chances of winning that fit what came
of them best (a conditional logit over 19 figures a seat, a set of weights each for 2, 3 and 4 players). For two players
the whole game can be solved offline: the best there is against plain OP-08 wins 79 %, as the mean of beginning and not.
Two players have a simple truth: never risk a violation, for who is out watches the other collect. With four players
speed counts for more, somebody else takes the box anyway, and much more is luck.
"""


def main() -> None:
    """Measure and write the page."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    PROOF.parent.mkdir(parents=True, exist_ok=True)
    PROOF.write_text(report(measure(games), done.stdout.strip()), encoding="utf-8")
    print(PROOF.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
