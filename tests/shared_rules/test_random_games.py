"""300 random complete games a title with random house rules: every invariant after every event (S-138); a proof of
10,000."""

import datetime
import os
import subprocess
from pathlib import Path

import pytest
import random_games
from random_games import Counter, GameFailedError, part, play_one

from shared_rules import games

ROOT = Path(__file__).parents[2]
PROOF = ROOT / "docs" / "proofs" / "random_games.md"
GAMES = 300
PARTS = 6
CHUNK = 50


@pytest.mark.parametrize("first", range(PARTS))
@pytest.mark.parametrize("title", games.names())
def test_random_games(title, first):
    counter = Counter()
    for seed in range(first, GAMES, PARTS):
        play_one(title, seed, counter, hashes=seed % 20 == 0)
    assert counter.games == GAMES // PARTS
    assert counter.refused > 100
    assert set(counter.names) >= part(title).SEEN


@pytest.mark.parametrize("title", games.names())
def test_every_house_rule_is_tried(title):
    counter = Counter()
    stream = random_games.RandomStream(1)
    for _ in range(400):
        for name, value in random_games.random_options(stream, title).items():
            counter.options.setdefault(name, []).append(value)
    for option in games.meta(title).OPTIONS:
        for value in part(title).WILD.get(option.name, option.values):
            assert value in counter.options[option.name], option.name
            assert option.takes(value)


@pytest.mark.parametrize("title", games.names())
def test_a_failing_game_names_its_seed(title, monkeypatch):
    monkeypatch.setattr(part(title), "MOST_ROUNDS", 0)
    with pytest.raises(GameFailedError, match=f"{title}, seed 3: TooLongError"):
        play_one(title, 3)
    monkeypatch.undo()
    monkeypatch.setattr(random_games.game, "check_invariants", lambda state: ["Something is missing."])
    with pytest.raises(GameFailedError, match=f"{title}, seed 4, .*missing"):
        play_one(title, 4)


def prove(title, first, count):
    """Play so many games in one process; for the pool below."""
    counter = Counter()
    for seed in range(first, first + count):
        play_one(title, seed, counter, hashes=seed % 200 == 0)
    return counter


@pytest.mark.long
@pytest.mark.timeout(4 * 3600)
def test_ten_thousand_random_games():
    from concurrent.futures import ProcessPoolExecutor

    count = int(os.environ.get("RANDOM_GAMES", "10000"))
    counters = {}
    with ProcessPoolExecutor() as pool:
        for title in games.names():
            starts = range(0, count, CHUNK)
            counters[title] = Counter()
            for played in pool.map(prove, [title] * len(starts), starts, [CHUNK] * len(starts)):
                counters[title].add(played)
            assert counters[title].games == count
    PROOF.parent.mkdir(parents=True, exist_ok=True)
    PROOF.write_text(report(counters, count), encoding="utf-8")


def report(counters, count):
    """The page."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    lines = [
        "# Random games",
        "",
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, revision {asked.stdout.strip()}, seeds 0 to {count - 1} of "
        "each title; made by `make test-long`.",
        "",
        "Each house rule differs from its default one time in four. Bots that play at random but lawfully and bots",
        "that play for gain take turns; seats leave, the operator corrects, and commands that must be refused are",
        "tried. After every event all invariants hold; every stored event has gone through JSON, and at the end the",
        "events alone give the same position, which reads back as itself. A game without an end would have failed",
        "with its seed.",
        "",
        "| what | " + " | ".join(str(games.meta(title).TITLE) for title in counters) + " |",
        "| --- |" + " ---: |" * len(counters),
    ]
    for words, figure in (
        ("games", lambda counter: counter.games),
        ("commands", lambda counter: counter.commands),
        ("events, each with all invariants checked", lambda counter: counter.events),
        ("commands refused as they must be", lambda counter: counter.refused),
        ("house rules that differed, values tried", lambda counter: len(counter.options)),
        ("longest game (TAXI!: trip), in rounds", lambda counter: counter.longest),
    ):
        lines.append(f"| {words} | " + " | ".join(f"{figure(counter):,}" for counter in counters.values()) + " |")
    for title, counter in counters.items():
        ends = ", ".join(f"`{reason}` {number:,}" for reason, number in sorted(counter.reasons.items()))
        names = sorted(counter.names.items(), key=lambda entry: (-entry[1], entry[0]))
        lines += [
            "",
            f"## {games.meta(title).TITLE}",
            "",
            f"{part(title).ABOUT}.",
            "",
            f"Ended by: {ends}.",
            "",
            f"Events by name: {', '.join(f'{name} {number:,}' for name, number in names)}.",
        ]
    return "\n".join(lines) + "\n"
