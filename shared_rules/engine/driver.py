"""Plays whole games without people: bots decide, chance is supplied, so a seed gives the same game on both Pythons.

A bot has `choose(state, seat)`: a command of that seat, as a template of `legal_commands` with its choices made, or
None for "not now" (another seat that is waited for goes first). What chance has to answer is left out of it.
"""

from shared_rules.engine import game, titles

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]


class TooLongError(Exception):
    """A part of the game went over more rounds than allowed."""


class StuckError(Exception):
    """The game waits, and no bot does anything."""


def play_out(state: "Any", bots: "Any", chance: "Any", on_events: "Any" = None, max_rounds: int = 60) -> "Json":
    """Play a game to its end and give its result.

    `bots[seat]` plays a seat. `chance(state, request)` answers what `game.chance` asks for: a face, a list of faces, or
    a card (an id or an object). Where only the operator (seat 0) is waited for, its command goes by itself.
    `on_events(state, command, events)` is called after every command. More than `max_rounds` rounds without a new
    beginning are a TooLongError.
    """
    title = state.title
    while True:
        seats = title.waiting_for(state)
        if not seats:
            result: "Json" = title.dump(state)["result"]
            return result
        if title.round_number(state) > max_rounds:
            raise TooLongError("The game is in round " + str(title.round_number(state)) + " without an end.")
        command = operators_step(state) if seats == [0] else None
        for seat in seats:
            if seat == 0 or command is not None:
                continue
            command = bots[seat].choose(state, seat)
        if command is None:
            raise StuckError("Nobody acts in phase " + title.dump(state)["phase"] + ".")
        command = completed(state, command, chance)
        events = game.play(state, command)
        if on_events is not None:
            on_events(state, command, events)


def completed(state: "Any", command: "Json", chance: "Any") -> "Json":
    """The command with what chance had to answer."""
    request = state.title.chance(state, command)
    if request is None:
        return command
    out = dict(command)
    out[request["field"]] = chance(state, request)
    return out


def operators_step(state: "Any") -> "Json | None":
    """The command with which the operator lets the game go on: where nobody else may, and only chance has to answer."""
    templates: "list[Json]" = state.title.legal_commands(state, 0)
    for template in templates:
        if state.title.chance(state, template) is not None:
            return template
    return None


class SeededChance:
    """Fair dice and shipped cards from a stream of random numbers (`choice(list)`)."""

    def __init__(self, stream: "Any") -> None:
        self.stream = stream
        self._ids: dict[str, list[str]] = {}

    def __call__(self, state: "Any", request: "Json") -> "Any":
        """A face of the die, a list of them for several dice, or the id of a card that is left."""
        kind = request["kind"]
        if kind != "card":
            faces = state.title.faces(state, request["die"])
            if kind == "die":
                return self.stream.choice(faces)
            return [self.stream.choice(faces) for _ in range(request["count"])]
        deck = request["deck"]
        if deck not in self._ids:
            self._ids[deck] = [card["id"] for card in titles.shipped_cards(state.title.NAME, deck)]
        return self.stream.choice(game.cards_left(state, deck, self._ids[deck]))
