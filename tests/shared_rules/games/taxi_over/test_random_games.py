"""300 random complete games on random boards with random house rules; a proof of 10,000 (part D, property tests)."""

import os
import subprocess
from concurrent.futures import ProcessPoolExecutor

import pytest
from random_taxi_over import Counter, GameFailedError, play_one
from taxi_over_tables import ROOT

GAMES = 300
PARTS = 6
PROOF = ROOT / "docs" / "proofs" / "taxi_over_random_games.md"


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games(part):
    counter = Counter()
    for seed in range(part, GAMES, PARTS):
        play_one(seed, counter=counter, hashes=seed % 20 == 0)
    assert counter.games == GAMES // PARTS
    assert counter.refused > 100
    assert {
        "moved", "pushed", "fell", "collected", "refilled", "speeding_violation", "taxi_advanced", "all_to_start",
        "driver_boarded", "boarding_declined", "turn_skipped", "corrected", "resigned", "game_over",
    } <= set(counter.names)  # fmt: skip
    assert {0, 1, 2} <= set(counter.boards)


def test_a_failing_game_names_its_seed(monkeypatch):
    import random_taxi_over

    monkeypatch.setattr(random_taxi_over.game, "check_invariants", lambda state: ["O-065: a token is missing."])
    with pytest.raises(GameFailedError, match="seed 4.*O-065"):
        play_one(4)


def prove(first, count):
    """Play so many games in one process; for the pool below."""
    counter = Counter()
    for seed in range(first, first + count):
        play_one(seed, counter=counter, hashes=seed % 200 == 0)
    return counter


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_ten_thousand_random_games():
    games = int(os.environ.get("RANDOM_GAMES", "10000"))
    chunk = 100
    counter = Counter()
    with ProcessPoolExecutor() as pool:
        for part in pool.map(prove, range(0, games, chunk), [chunk] * (games // chunk)):
            counter.add(part)
    assert counter.games == games
    assert {"target", "stalemate", "next_intersection", "last_player"} <= set(counter.reasons)
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True,
        text=True).stdout.strip()  # fmt: skip
    names = sorted(counter.names.items(), key=lambda entry: -entry[1])
    PROOF.parent.mkdir(parents=True, exist_ok=True)
    PROOF.write_text(
        f"""# Random games of Taxi Over

Revision {revision}, seeds 0 to {games - 1}; made by `make test-long`.

Each game has 2 to 4 seats on a random road: a ring of 5 to 24 spaces, a figure of eight, or a ring with two lobes. Each
house rule differs from its default one time in four; half of the games begin in the middle. Bots that play at random
but lawfully and bots with a plan take turns; seats leave, the operator corrects, and commands that must be refused are
tried. After every event all invariants (O-065 to O-070) hold, held tokens never get fewer, and only who may collect
does; every stored event has gone through JSON, and at the end the events alone give the same position, which reads back
as itself. A game of more than 60 rounds is ended by leaving: some dice let nobody drive.

| what | count |
| --- | ---: |
| games | {counter.games:,} |
| commands | {counter.commands:,} |
| events, each with all invariants checked | {counter.events:,} |
| commands refused as they must be | {counter.refused:,} |
| most turns in a game | {counter.most_turns:,} |
| games ended by leaving after 60 rounds | {counter.left_to_end:,} |
{chr(10).join(f"| games that ended by `{reason}` | {count:,} |" for reason, count in sorted(counter.reasons.items()))}
{chr(10).join(f"| roads with {twice} crossings | {count:,} |" for twice, count in sorted(counter.boards.items()))}

Events by name: {", ".join(f"{name} {count:,}" for name, count in names)}.
""",
        encoding="utf-8",
    )
