"""Where the strong bot sets a barrier: at the spot that takes most of an opponent's chance to arrive this turn."""

from shared_rules.games.taxi.bots.card_worth import BARRIER
from shared_rules.games.taxi.bots.outlook import Outlook, in_hand
from shared_rules.games.taxi.bots.race import NEVER, shifted, turns_for


def weigh(look: Outlook, template: dict, out: list) -> None:
    """Add the spots that gain something, with what they gain beyond a barrier's worth in hand."""
    s, seat = look.s, look.seat
    victim = s.turn
    if s.arrived[victim]:
        return
    _, green, white = in_hand(s, victim)
    before = look.ways.needed(s.at[victim], s.goal(victim), green + s.free_lights, white)
    if not _faces(s, before):
        return
    if s.placed:
        before = _streets(look, victim, green, white, s.blocked(victim))
    chance = _faces(s, before)
    if not chance:
        return
    gain = _gain(look, victim, before) / 6
    worth = BARRIER * min(1.0, (s.trips - s.trip + 1) / 4)
    if gain * chance <= worth:
        return
    for spot in _spots(look, victim, template["on"]):
        after = _faces(s, _streets(look, victim, green, white, s.blocked(victim) + [spot]))
        if after < chance:
            command = {"do": "place_barrier", "seat": seat, "on": spot}
            because = [["their_chance", [chance, 6]], ["their_chance_then", [after, 6]]]
            score = round(gain * (chance - after) - worth, 2)
            out.append({"command": command, "score": score, "because": because})


def _streets(look: Outlook, victim: int, green: int, white: int, barriers: list) -> int:
    """The least streets, NEVER for more than the victim can throw."""
    s = look.s
    most = max(0, 6 * s.times + s.add_streets)
    found = s.streets.labels(s.at[victim], s.goal(victim), most, green + s.free_lights, white, barriers)
    return found[0][0] if found else NEVER


def _faces(s, streets: int) -> int:
    """How many faces of the d6 bring the turn's taxi so many streets."""
    if s.no_move:
        return 0
    return sum([1 for face in range(1, 7) if max(0, face * s.times + s.add_streets) >= streets])


def _gain(look: Outlook, victim: int, streets: int) -> float:
    """What it is worth that the victim does not arrive in this turn, when otherwise it would."""
    s, seat = look.s, look.seat
    worths = []
    for chances in (shifted(turns_for(max(1, streets - 3)), 1), turns_for(1)):
        assumed = Outlook(s, seat, look.ways, look.worth, {victim: chances})
        worths.append(assumed.waiting(s.green[seat], s.white[seat]))
    return worths[0] - worths[1]


def _spots(look: Outlook, victim: int, on: list) -> list:
    """The open links next to the victim's destination and next to its taxi."""
    s = look.s
    near = [look.s.goal(victim)] + s.at[victim].split("~")
    return [spot for spot in on if any([end in near for end in spot.split("~")])]
