"""Properties of whatever may happen at a table, found by hypothesis: money, tablets, decks, replay, refusals."""

import json

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from taxi_tables import STAR, STREET, position

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi.cards import COLOURS, GOALS, KEEPS, SELECTORS
from shared_rules.games.taxi.meta import OPTIONS, WORDS
from shared_rules.portable.json_text import dumps, parse

AMOUNTS = st.integers(0, 900).map(lambda tens: tens * 10)
COUNTS = st.integers(1, 3)
PLAIN = st.one_of(
    st.tuples(st.sampled_from(["pay_bank", "collect_bank", "pay_each", "collect_each", "pay_per_taxi",
    "collect_per_taxi", "pay_by_die", "collect_by_die"]), AMOUNTS),
    st.tuples(st.just("collect_from"), st.sampled_from(SELECTORS), AMOUNTS),
    st.tuples(st.just("throw_d12"), COUNTS),
    st.tuples(st.sampled_from(["lose_tablet", "win_tablet"]), st.sampled_from(COLOURS), COUNTS),
    st.tuples(st.just("gamble"), st.sampled_from([None, *WORDS])),
    st.tuples(st.just("barrier"), COUNTS),
    st.tuples(st.just("add_streets"), st.integers(-3, 4)),
    st.tuples(st.sampled_from(["double_move", "throw_again", "no_move_now", "no_d12_now", "miss_next_turn",
    "nothing"])),
    st.tuples(st.just("move_to"), st.sampled_from(GOALS)),
    st.tuples(st.just("keep"), st.sampled_from(KEEPS)),
).map(list)
VERBS = st.recursive(
    st.lists(PLAIN, max_size=3),
    lambda inner: st.one_of(
        st.tuples(st.just("if_owner"), inner, inner).map(lambda verb: [list(verb)]),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: [["choose", options]]),
    ),
    max_leaves=4,
)
CARDS = st.fixed_dictionaries({"title": st.sampled_from(["a", "ä"]), "fine": st.booleans(), "do": VERBS})
CHOICES = st.sampled_from(OPTIONS).flatmap(lambda option: st.tuples(st.just(option.name),
    st.sampled_from(option.values)))


class Table(RuleBasedStateMachine):
    """A table at which anybody tries anything; what the rules accept must keep everything together."""

    @initialize(
        seats=st.integers(2, 4), options=st.lists(CHOICES, max_size=6).map(dict), star=st.booleans(),
        holdings=st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 4), st.integers(0, 2), st.integers(0, 2),
        st.integers(0, 2)), min_size=4, max_size=4),
    )  # fmt: skip
    def sit_down(self, seats, options, star, holdings):
        players = []
        for tens, green, white, plates, barriers in holdings[:seats]:
            players.append({"cash": tens * 10, "green": green, "white": white, "plates": plates, "barriers": barriers})
            if not star:
                players[-1]["at"] = "B"
        board = STAR if star else STREET
        self.start = position(*players, board=board, options=options)
        self.state = game.load_position(self.start)
        self.stored = []

    def attempt(self, command):
        """Play a command; a refusal must change nothing."""
        before = game.state_hash(self.state)
        try:
            events = game.decide(self.state, command)
        except RuleViolation:
            assert game.state_hash(self.state) == before
            return
        assert game.state_hash(self.state) == before, "decide changed the state"
        while events:
            for event in events:
                stored = parse(dumps(event).encode())
                assert stored == json.loads(json.dumps(event)) == event
                self.stored.append(stored)
                game.evolve(self.state, stored)
                assert game.check_invariants(self.state) == [], event
            events = game.follow(self.state)

    @precondition(lambda self: self.state.phase != "over")
    @rule(data=st.data())
    def something_lawful(self, data):
        seats = [seat for seat in range(self.state.seats + 1) if game.legal_commands(self.state, seat)]
        template = data.draw(st.sampled_from(game.legal_commands(self.state, data.draw(st.sampled_from(seats)))))
        command = dict(template)
        if template["do"] == "move":
            command["to"] = data.draw(st.sampled_from(template["to"]))[0]
        elif template["do"] == "give":
            command = {"do": "give", "seat": template["seat"], "to": template["to"][0], "green": 1}
        for key in ("count", "option"):
            if key in template:
                command[key] = data.draw(st.integers(*template[key]))
        for key in ("word", "on", "card"):
            if key in template:
                command[key] = data.draw(st.sampled_from(template[key]))
        request = game.chance(self.state, command)
        if request is not None:
            if request["kind"] == "card":
                command["card"] = data.draw(CARDS)
            else:
                command["face"] = data.draw(st.sampled_from(self.state.title.faces(self.state, request["die"])))
        self.attempt(command)

    @rule(seat=st.integers(0, 5), deck=st.sampled_from(["journey", "passenger", "expense"]), card=CARDS)
    def a_card(self, seat, deck, card):
        self.attempt({"do": "draw_card", "seat": seat, "deck": deck, "card": card})

    @rule(seat=st.integers(0, 5), die=st.sampled_from(["d6", "d12"]),
        face=st.sampled_from([1, 6, 7, "green", "white", "blank"]))
    def a_throw(self, seat, die, face):
        self.attempt({"do": "roll", "seat": seat, "die": die, "face": face})

    @rule(seat=st.integers(1, 4), to=st.sampled_from(["O", "E", "N", "A", "C", "D", "B~L", "L", "x"]),
        green=st.none() | st.integers(0, 2))
    def a_move(self, seat, to, green):
        self.attempt({"do": "move", "seat": seat, "to": to} | ({} if green is None else {"green": green}))

    @rule(
        what=st.sampled_from(["end_turn", "buy_taxi", "sell_plate", "declare_insolvent", "pass_bet", "close_bets",
        "decline", "reveal_card", "choose"]),
        seat=st.integers(0, 4), word=st.sampled_from(WORDS), option=st.integers(0, 2),
    )  # fmt: skip
    def a_decision(self, what, seat, word, option):
        self.attempt({"do": what, "seat": seat, "word": word, "option": option})

    @rule(seat=st.integers(1, 4), word=st.sampled_from(WORDS))
    def a_bet(self, seat, word):
        self.attempt({"do": "place_bet", "seat": seat, "word": word})

    @rule(seat=st.integers(1, 4), on=st.sampled_from(["O~E", "N~O", "A~B", "C~D", "O"]))
    def a_barrier(self, seat, on):
        self.attempt({"do": "place_barrier", "seat": seat, "on": on})

    @rule(seat=st.integers(1, 4), to=st.integers(1, 4), what=st.sampled_from(["green", "cash", "plates"]))
    def a_gift(self, seat, to, what):
        self.attempt({"do": "give", "seat": seat, "to": to, what: 10 if what == "cash" else 1})

    @rule(seat=st.integers(1, 4), luck=st.integers(0, 9))
    def somebody_leaves(self, seat, luck):
        if luck == 0:
            self.attempt({"do": "resign", "seat": seat})

    @rule(seat=st.integers(1, 4), tens=st.integers(-5, 2000), luck=st.integers(0, 3),
        what=st.sampled_from(["cash", "green", "plates", "skip"]))
    def a_correction(self, seat, tens, luck, what):
        if luck == 0:
            value = tens * 10 if what == "cash" else abs(tens) % 4
            self.attempt({"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, what: value}]}, "why": "x"})

    @invariant()
    def reads_back(self):
        if not hasattr(self, "state"):
            return
        whole = dumps(game.dump_position(self.state))
        again = game.load_position(parse(whole.encode()))
        assert dumps(game.dump_position(again)) == whole
        for audience in ("spectator", "bank", 1):
            assert game.view_for(again, audience) == game.view_for(self.state, audience)

    def teardown(self):
        """T-150: the stored events give the same game."""
        if hasattr(self, "state"):
            again = game.load_position(self.start)
            for event in self.stored:
                game.evolve(again, event)
            assert game.state_hash(again) == game.state_hash(self.state)


Table.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow,
    HealthCheck.data_too_large]
)
TestTable = Table.TestCase
