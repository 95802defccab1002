"""Random games with random house rules, from new tables and from the middle: what must hold after every event."""

import json

import pytest
from london_tables import (
    Chance,
    game,
    new_stream,
    next_command,
    random_bots,
    random_position,
    title,
)

from shared_rules.engine.errors import RuleViolation
from shared_rules.games.destination_london import meta
from shared_rules.portable.json_text import dumps

GAMES = 300
AT_A_TIME = 30
# A game of random players may go on for very long; most of what can happen comes before.
COMMANDS = 130


def text(state):
    """The position less its board, which never changes, as JSON."""
    position = game.dump_position(state)
    del position["board"]
    return dumps(position)


def read_again(state, position):
    """The state of a position that came out."""
    board = state.board_ref or state.board.entries
    return game.load_position({**json.loads(position), "board": board})


def played(seed, most=COMMANDS):
    """Play a game, checking every step; the phases that were seen, and how it ended."""
    stream = new_stream(seed)
    state = game.load_position(random_position(stream))
    bots = random_bots(state, stream)
    chance = Chance(stream)
    phases = set()
    after = text(state)
    for step in range(most):
        phases.add(state.phase)
        if state.phase == "over":
            break
        command = next_command(state, bots, chance)
        twin = game.copy_state(state)
        decided = game.decide(state, command)
        if step % 4 == 0:
            assert text(state) == after, (seed, step, command, "decide has changed the state")
        events = game.play(state, command)
        assert events[: len(decided)] == decided
        for event in json.loads(json.dumps(events)):
            game.evolve(twin, event)
            wrong = game.check_invariants(twin)
            assert wrong == [], (seed, step, command, event)
            if "amount" in event or "to" in event:
                assert event["rules"], event
        after = text(state)
        assert text(twin) == after, (seed, step, command, "events do not make the same state")
        assert text(read_again(state, after)) == after, (seed, step, command, "reads back otherwise")
        assert state.phase != "working"
        assert (title.waiting_for(state) == []) == (state.phase == "over")
    return phases, None if state.result is None else state.result["reason"]


@pytest.mark.parametrize("block", range(GAMES // AT_A_TIME))
def test_random_games(block):
    phases, reasons = set(), set()
    for seed in range(block * AT_A_TIME, (block + 1) * AT_A_TIME):
        seen, reason = played(seed)
        phases |= seen
        reasons.add(reason)
    # Each block comes to nearly everything; what is rarest may be missing in one.
    assert set(meta.PHASES) - phases <= {"debt", "order_roll", "garage", "knock_back"}
    assert reasons & {"home", "knocked_home", "last_survivor", "all_stranded"}


def fitting(state, template, stream):
    """A command of a template, each choice made by chance; and whether it takes the whole of the bounds."""
    from shared_rules.games.destination_london.bots.random_lawful import RandomLawful

    return RandomLawful(stream.random).filled(template)


@pytest.mark.parametrize("seed", range(40))
def test_every_template_is_accepted_and_nothing_else_of_its_kind(seed):
    """Whatever a template offers is carried out, by any seat at any time; a verb that is not offered is refused."""
    stream = new_stream(1000 + seed)
    state = game.load_position(random_position(stream))
    bots = random_bots(state, stream)
    chance = Chance(stream)
    for _ in range(60):
        if state.phase == "over":
            break
        for seat in range(state.seats + 1):
            offered = game.legal_commands(state, seat)
            for template in offered:
                command = fitting(state, json.loads(json.dumps(template)), stream)
                request = game.chance(state, command)
                if request is not None:
                    command[request["field"]] = chance(state, request)
                elif command["do"] == "roll":
                    raise AssertionError("a throw needs chance")
                game.decide(state, command)
            verbs = {template["do"] for template in offered}
            for verb, fields in PLAIN.items():
                if verb not in verbs:
                    assert refused(state, {"do": verb, "seat": seat, **fields}), (state.phase, verb, seat)
        game.play(state, next_command(state, bots, chance))


def refused(state, command):
    try:
        game.decide(state, command)
    except RuleViolation:
        return True
    return False


# Verbs with fields that are right wherever the verb is; those that depend on the table are left out.
PLAIN = {
    "roll": {"faces": [3]}, "stay": {}, "keep_quiet": {}, "pass": {}, "keep": {}, "done": {}, "wait": {},
    "sell": {}, "refuse": {}, "buy_turbo": {}, "take_loan": {}, "repay_loan": {}, "decline_loan": {},
    "take_extra_turn": {}, "decline_extra_turn": {}, "close_claims": {}, "buy_fuel": {"count": 1},
}  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_refused_commands_change_nothing(seed):
    """Every verb by every seat, with fields of any kind: accepted or refused with a known code, never a fault."""
    stream = new_stream(2000 + seed)
    state = game.load_position(random_position(stream))
    bots = random_bots(state, stream)
    chance = Chance(stream)
    verbs = [*PLAIN, "move", "collect", "claim", "knock", "spare", "draw_light", "choose_destination",
             "play_move_card", "ask_fuel", "deal", "correct", "resign", "ask", "fly"]  # fmt: skip
    values = [None, -1, 0, 1, 2, 7, True, 1.5, "", "q5", "ALPHA", "bonus", [], ["ALPHA"], [6], [1, 2], {}, "ends"]
    fields = ["faces", "to", "cards", "card", "whom", "of", "count", "spend", "also", "destination", "what", "from",
              "set", "why"]  # fmt: skip
    refusals = []
    for _ in range(40):
        if state.phase == "over":
            break
        before = text(state)
        for _ in range(25):
            command = {"do": stream.choice(verbs), "seat": stream.choice([0, 1, 2, 3, 9, state.turn])}
            for field in stream.sample(fields, 4):
                command[field] = stream.choice(values)
            try:
                if command["do"] == "ask":
                    game.ask(state, command)
                else:
                    game.decide(state, command)
            except RuleViolation as no:
                refusals.append(no)
        assert text(state) == before
        game.play(state, next_command(state, bots, chance))
    assert {no.code for no in refusals} <= set(meta.REFUSALS)
    assert all(no.message.endswith((".", ")")) for no in refusals)
    assert refusals
