"""Plays whole games without people: bots decide, chance is supplied, so a seed gives the same game on both Pythons.

A bot has `choose(state, seat)`: a command of that seat, as a template of `legal_commands` with its choices made, or
None for "not now" (another seat that is waited for goes first). What chance has to answer is left out of it.
"""

from shared_rules.engine import game, titles


class TooLongError(Exception):
    """A part of the game went over more rounds than allowed."""


class StuckError(Exception):
    """The game waits, and no bot does anything."""


def play_out(state, bots, chance, on_events=None, max_rounds: int = 60) -> dict:
    """Play a game to its end and give its result.

    `bots[seat]` plays a seat. `chance(state, request)` answers what `game.chance` asks for: a face, or a card (an id or
    an object). `on_events(state, command, events)` is called after every command. More than `max_rounds` rounds without
    a new beginning are a TooLongError.
    """
    title = state.title
    while True:
        seats = title.waiting_for(state)
        if not seats:
            return title.dump(state)["result"]
        if title.round_number(state) > max_rounds:
            raise TooLongError("The game is in round " + str(title.round_number(state)) + " without an end.")
        command = None
        for seat in seats:
            command = bots[seat].choose(state, seat)
            if command is not None:
                break
        if command is None:
            raise StuckError("Nobody acts in phase " + title.dump(state)["phase"] + ".")
        command = completed(state, command, chance)
        events = game.play(state, command)
        if on_events is not None:
            on_events(state, command, events)


def completed(state, command: dict, chance) -> dict:
    """The command with what chance had to answer."""
    request = state.title.chance(state, command)
    if request is None:
        return command
    out = dict(command)
    out["face" if request["kind"] == "die" else "card"] = chance(state, request)
    return out


class SeededChance:
    """Fair dice and shipped cards from a stream of random numbers (`choice(list)`)."""

    def __init__(self, stream) -> None:
        self.stream = stream
        self._ids: dict = {}

    def __call__(self, state, request: dict):
        """A face of the die, or the id of a card that is left."""
        if request["kind"] == "die":
            return self.stream.choice(state.title.faces(request["die"]))
        deck = request["deck"]
        if deck not in self._ids:
            self._ids[deck] = [card["id"] for card in titles.shipped_cards(deck)]
        return self.stream.choice(game.cards_left(state, deck, self._ids[deck]))
