"""Two positions that differ only in what a seat cannot know give that seat the same bytes, prompts included.

In the middle of golden games of every title what is hidden from an audience is changed: hands and pile change cards, a
secret word is another, a kept card is another (LQ-78, L-014, T-094, T-149). Where a title hides nothing, everybody sees
the same. Nor does a refusal tell anything: whatever a seat tries out, it is answered the same.
"""

import copy
import json
import random

import golden_make
import pytest

from shared_rules import games, library
from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation
from shared_rules.portable.json_text import canonical, dumps

WORDS = ("money", "freeway", "taxi")


def london(position, audience, chance):
    """Other hands and the pile are dealt anew; each holds as many cards as before."""
    changed = copy.deepcopy(position)
    hidden = [player["hand"] for player in changed["players"] if player["seat"] != audience]
    if changed["phase"] == "moving":
        # Where a taxi may stop early, and whether it may move at all, hangs on its own cards.
        hidden = [player["hand"] for player in changed["players"] if player["seat"] not in (audience, changed["turn"])]
    elif changed["phase"] in ("own_fare", "lights"):
        # Who has stopped early for a card has shown that there is one; who draws a card that moves needs one.
        lander = changed["arrivals"][-1]["seat"]
        hidden = [player["hand"] for player in changed["players"] if player["seat"] not in (audience, lander)]
    hidden.append(changed["pile"])
    cards = [card for pile in hidden for card in pile]
    chance.shuffle(cards)
    for pile in hidden:
        pile[:] = sorted(cards.pop() for _ in pile)
    return changed


def taxi(position, audience, chance):
    """The word on a gamble card, and the cards that others keep, are others."""
    changed = copy.deepcopy(position)
    gamble = changed["gamble"]
    if gamble is not None and gamble["holder"] != audience and changed["phase"] == "gamble_bets":
        gamble["word"] = chance.choice(WORDS)
    kept = [card for player in changed["players"] if player["seat"] != audience for card in player["kept"]]
    for card in kept:
        if card["card"] is None:
            card["title"] = chance.choice(("one", "another"))
    if len(kept) > 1:
        one, other = chance.sample(kept, 2)
        if one["deck"] == other["deck"] and changed["phase"] not in ("kept_card", "debt"):
            swapped = dict(one)
            one.clear()
            one.update(other)
            other.clear()
            other.update(swapped)
    return changed


HIDES = {"taxi": taxi, "taxi_over": None, "destination_london": london}


def seen(position, audience):
    return dumps(canonical(game.view_for(game.load_position(position), audience)))


def positions(name, every):
    """Every so many positions of the golden games of a title."""
    for path in golden_make.files(name):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        state = game.load_position(lines[0]["start"])
        for number, line in enumerate(lines[1:-1]):
            if "play" in line:
                game.play(state, line["play"])
            if number % every == 0:
                yield f"{path.stem}, line {number + 2}", game.dump_position(state)


@pytest.mark.parametrize("name", games.names())
def test_a_view_hangs_on_nothing_that_is_hidden(name):
    assert name in HIDES, "say here what this title hides"
    chance = random.Random(5)
    changes = 0
    for where, position in positions(name, 3):
        audiences = ["spectator", "bank", *range(1, len(position["players"]) + 1)]
        if HIDES[name] is None:
            views = [json.loads(seen(position, audience)) for audience in audiences]
            for view in views:
                del view["audience"], view["prompts"]
            assert all(view == views[0] for view in views), where
            changes += 1
            continue
        for audience in audiences:
            changed = HIDES[name](position, audience, chance)
            if changed == position:
                continue
            changes += 1
            assert seen(changed, audience) == seen(position, audience), f"{where}, {audience}, {position['phase']}"
    assert changes > 50


def guesses(position, seat, name, chance):
    """What somebody at this seat might try out to learn of hidden cards: everybody's commands, and cards at random."""
    state = game.load_position(position)
    out = []
    for other in range(len(position["players"]) + 1):
        for template in game.legal_commands(state, other):
            command = {"do": template["do"], "seat": seat}
            for key in sorted(template):
                value = template[key]
                if key not in command:
                    command[key] = chance.choice(value) if isinstance(value, list) and value else value
            out.append(command)
    for do in sorted({command["do"] for command in out}):
        for deck in library.deck_names(name):
            card = chance.choice(library.deck(name, deck))["id"]
            out.append({"do": do, "seat": seat, "card": card, "destination": card})
            out.append({"do": do, "seat": seat, "cards": [card]})
    return out


def answered(position, command):
    state = game.load_position(position)
    try:
        game.play(state, dict(command))
    except RuleViolation as no:
        return no.code, no.message, tuple(no.rules)
    return "accepted"


@pytest.mark.parametrize("name", [name for name in games.names() if HIDES[name] is not None])
def test_trying_commands_out_tells_nothing_that_is_hidden(name):
    chance = random.Random(8)
    tried = refused = 0
    for where, position in positions(name, 40 if name == "destination_london" else 6):
        for seat in range(1, len(position["players"]) + 1):
            changed = HIDES[name](position, seat, chance)
            if changed == position:
                continue
            for command in guesses(position, seat, name, chance):
                one, other = answered(position, command), answered(changed, command)
                assert one == other, f"{where}, {position['phase']}, {command}"
                tried += 1
                refused += one != "accepted"
    assert tried > 100
    assert refused > 50
