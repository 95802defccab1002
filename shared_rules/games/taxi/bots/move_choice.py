"""Where the strong bot drives: each place a throw reaches, by what the race is worth from there with what is left."""

from shared_rules.games.taxi.bots.card_worth import KEEPS
from shared_rules.games.taxi.bots.outlook import Outlook
from shared_rules.games.taxi.bots.race import NEVER, turns_for

# Places looked at more closely for each number of tablets handed in.
CLOSER = 6


def weigh(look: Outlook, template: dict, out: list) -> None:
    """Add the moves of a template with their scores."""
    for score, place, green, white in scores(look, template["to"], look.s.free_lights):
        command = {"do": "move", "seat": look.seat, "to": place, "green": green, "white": white}
        because = _because(look, place, green, white) if look.reasons else []
        out.append({"command": command, "score": round(score, 2), "because": because})


def weigh_light(look: Outlook, template: dict, out: list) -> None:
    """Add playing a card that opens one light, if it opens something."""
    s, seat = look.s, look.seat
    green, white = s.usable(seat)
    places = s.streets.reach(s.at[seat], s.d6, green + s.free_lights + 1, white, s.blocked(seat))
    best = max([entry[0] for entry in scores(look, places, s.free_lights + 1)])
    worth = KEEPS["pass_one_light"] * min(1.0, (s.trips - s.trip) / 4)
    command = {"do": "play_card", "seat": seat, "card": template["card"][0]}
    out.append({"command": command, "score": round(best - worth, 2), "because": [["keeps_for_later", round(worth)]]})


def scores(look: Outlook, places: list, free: int) -> list:
    """[(score, place, green, white), …] of the moves worth a closer look; tablets are those handed in."""
    s, seat = look.s, look.seat
    held_green, held_white = s.green[seat], s.white[seat]
    by_cost: dict = {}
    for place, _, greens, whites in places:
        spent = (max(0, greens - free), whites)
        if spent not in by_cost:
            by_cost[spent] = []
        by_cost[spent].append(place)
    out = []
    for green, white in sorted(by_cost):
        left_green, left_white = held_green - green, held_white - white
        for place in _nearest(look, by_cost[(green, white)], left_green, left_white):
            out.append((_score(look, place, left_green, left_white), place, green, white))
    return out


def _nearest(look: Outlook, places: list, green: int, white: int) -> list:
    """The destination, and the places with the fewest streets left with all tablets and with none."""
    needed = look.ways.needed
    ranked = []
    for place in sorted(set(places)):
        ranked.append((needed(place, look.goal, green, white), needed(place, look.goal, 0, 0), place))
    out = []
    for key in (lambda entry: entry, lambda entry: (entry[1], entry[0], entry[2])):
        for entry in sorted(ranked, key=key)[:CLOSER]:
            if entry[2] not in out:
                out.append(entry[2])
    if look.goal in places and look.goal not in out:
        out.append(look.goal)
    return out


def _score(look: Outlook, place: str, green: int, white: int) -> float:
    s = look.s
    options = s.options
    if place == look.goal:
        return look.arrives(green, white, options["d12_on_arrival"] and not s.no_d12)
    moved = s.moved or place != s.at[look.seat]
    d12 = not s.no_d12 and (moved or options["d12_after_no_move"])
    if s.again > 0:
        total = 0.0
        for face in range(1, 7):
            total += look.thrown(place, green, white, max(0, face * s.times + s.add_streets), d12) / 6
        return total
    return look.stopped(place, green, white, d12)


def _because(look: Outlook, place: str, green: int, white: int) -> list:
    s, seat = look.s, look.seat
    left_green, left_white = s.green[seat] - green, s.white[seat] - white
    kept = [["green_left", left_green], ["white_left", left_white]]
    if place == look.goal:
        return [["arrives", [1, 1]]] + kept
    streets = min([entry[0] for entry in look.ways.profile(place, look.goal, left_green, left_white)])
    if streets >= NEVER:
        return kept
    return [["streets_left", streets], ["arrives_next_turn", [round(6 * turns_for(streets)[0]), 6]]] + kept
