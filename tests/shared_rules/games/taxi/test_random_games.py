"""300 random complete games with random house rules: every invariant after every event (S-138); a proof of 10,000."""

import datetime
import os
import subprocess

import pytest
from random_games import Counter, GameFailedError, play_one
from taxi_tables import ROOT

GAMES = 300
PARTS = 6
PROOF = ROOT / "docs" / "proofs" / "random_games.md"


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games(part):
    counter = Counter()
    for seed in range(part, GAMES, PARTS):
        play_one(seed, counter=counter, hashes=seed % 20 == 0)
    assert counter.games == GAMES // PARTS
    assert counter.refused > 100
    assert {"Arrived", "BonusPaid", "CardDrawn", "BetSealed", "BarrierPlaced", "Corrected", "PlayerLeft"} <= set(
        counter.names)


def test_a_failing_game_names_its_seed(monkeypatch):
    import random_games

    monkeypatch.setattr(random_games, "MAX_ROUNDS", 0)
    with pytest.raises(GameFailedError, match="seed 3: TooLongError"):
        play_one(3)
    monkeypatch.undo()
    monkeypatch.setattr(random_games.game, "check_invariants", lambda state: ["T-142: money is missing."])
    with pytest.raises(GameFailedError, match="seed 4, .*T-142"):
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
    from concurrent.futures import ProcessPoolExecutor

    games = int(os.environ.get("RANDOM_GAMES", "10000"))
    chunk = 100
    counter = Counter()
    with ProcessPoolExecutor() as pool:
        for part in pool.map(prove, range(0, games, chunk), [chunk] * (games // chunk)):
            counter.add(part)
    assert counter.games == games
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True,
        text=True).stdout.strip()
    names = sorted(counter.names.items(), key=lambda entry: -entry[1])
    PROOF.parent.mkdir(parents=True, exist_ok=True)
    PROOF.write_text(
        f"""# Random games

{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, revision {revision}, seeds 0 to {games - 1}; made by `make test-long`.

Each game has 2 to 6 seats, 1 to 15 trips on the board `fumbling`, and each house rule differs from its default one time
in four. Bots that play at random but lawfully and bots that drive for their bonus take turns; seats leave, the operator
corrects, next seats begin before the tablet die, and commands that must be refused are tried. After every event all
invariants (T-142 to T-148) hold; every stored event has gone through JSON, and at the end the events alone give the
same position, which reads back as itself (T-150). A trip of more than 60 rounds would have failed with its seed.

| what | count |
| --- | ---: |
| games | {counter.games:,} |
| commands | {counter.commands:,} |
| events, each with all invariants checked | {counter.events:,} |
| commands refused as they must be | {counter.refused:,} |
| longest trip, in rounds | {counter.longest} |
{chr(10).join(f"| games that ended by `{reason}` | {count:,} |" for reason, count in sorted(counter.reasons.items()))}

Events by name: {", ".join(f"{name} {count:,}" for name, count in names)}.
""",
        encoding="utf-8",
    )
