"""Taxi Over at the table: taxis with drivers on them, told where to go after the rules have moved; stopping and getting
in by hand; neutral taxis that are mixed up."""

import asyncio
import itertools

from hands_kit import in_virtual_time
from table_kit import command_id, opened

from companion.devices import facts
from companion.devices.facts import Origin, TableSnapshot
from companion.devices.table_output import GATE, GREEN, ROUTE
from companion.tables.lights import show
from companion.tables.setup import EveningSetup, SeatSetup
from companion.titles.taxi_over.table import THREE_PIPS
from shared_rules import library

LAYOUT = library.layout("carousel")
SOCKETS = LAYOUT["sockets"]
BAYS = SOCKETS["START"]
NAMES = (("Ann", "red"), ("Bo", "blue"), ("Cy", "white"), ("Di", "violet"))


def position(*players, **changes):
    return {"game": "taxi_over", "board": "carousel", "players": list(players), **changes}


def evening(*players, **changes):
    seats = [SeatSetup(name, colour) for name, colour in NAMES[: len(players)]]
    return EveningSetup(seats, game="taxi_over", position=position(*players, **changes))


def uid(piece):
    return piece.encode().hex()[-14:]


class Fingers:
    """Hands that move tagged pieces; `lies` is where each is."""

    def __init__(self, table):
        self.table = table
        self.numbers = itertools.count(2)
        self.lies = {}

    def origin(self):
        return Origin("table", 7, next(self.numbers))

    async def learn(self):
        """Every piece has a tag and lies where the game has it; taxis at START each in a bay of its own."""
        where, riding = self.table.explanations.glance.where, self.table.explanations.glance.riding
        bays = iter(BAYS)
        for piece in sorted(self.table.pieces, key=lambda piece: piece.id in riding):
            await self.table.assign_tag(uid(piece.id), piece.id)
            place = where[piece.id]
            if piece.id in riding:
                self.lies[piece.id] = self.lies[riding[piece.id]]
            elif place is not None:
                self.lies[piece.id] = next(bays) if place == "START" else SOCKETS[place]
        tags = {uid(piece): socket for piece, socket in self.lies.items()}
        await self.table.see(TableSnapshot("table", 7, tags))

    async def lift(self, *pieces):
        for piece in pieces:
            socket = self.lies.pop(piece)
            await self.table.observe(facts.TagGone(self.origin(), socket, uid(piece)))
        await asyncio.sleep(0.1)

    async def put(self, socket, *pieces, wait=1.0):
        for piece in pieces:
            if piece in self.lies:
                await self.lift(piece)
            self.lies[piece] = socket
            await self.table.observe(facts.TagAppeared(self.origin(), socket, uid(piece)))
        await asyncio.sleep(wait)

    async def roll(self, face):
        await self.table.observe(facts.DieSettled(self.origin(), 2 * face, THREE_PIPS, face, 9, 900))


def told(table):
    return [row["sentence"] for row in table.misplaced]


def taxis(table):
    return {name: entry["at"] for name, entry in table.view("bank")["taxis"].items()}


def test_after_a_move_the_table_says_what_to_put_where_and_is_quiet_when_it_lies_there(tmp_path):
    async def work():
        setup = evening({}, {}, taxis={"T1": {"at": "s5"}, "T2": {"at": "s8"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            assert told(table) == []
            await hands.roll(1)
            await hands.roll(2)
            assert table.view("bank")["dice"] == [1, 2]
            receipt = await table.submit({"do": "stop", "seat": 1}, command_id=command_id(), actor="bank")
            assert receipt.accepted
            first = told(table)
            await hands.put(BAYS[1], "taxi:T2", "driver:2")
            second = told(table)
            await hands.put(SOCKETS["s11"], "taxi:T1", "driver:1")
            return taxis(table), first, second, told(table), table.explanations.all()

    places, first, second, rest, cases = in_virtual_time(work)
    assert places == {"T1": "s11", "T2": "START"}
    assert first == ["Put Taxi 1 at Space 11.", "Put Taxi 2 at START."], "a driver goes with its taxi"
    assert second == ["Put Taxi 1 at Space 11."]
    assert (rest, cases) == ([], [])


def test_a_taxi_that_is_put_where_stopping_ends_has_stopped(tmp_path):
    async def work():
        setup = evening({}, {}, taxis={"T1": {"at": "s5"}, "T2": {"at": "s11"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            await hands.roll(2)
            await hands.roll(1)
            lamp = show(table).rest[LAYOUT["leds"]["s11"]]
            await hands.lift("taxi:T1", "driver:1")
            asked = table.on_road["sentence"]
            # People push the other taxi on with their own: it may lie where it will be.
            await hands.put(SOCKETS["s12"], "taxi:T2", "driver:2")
            pushed = table.explanations.all()
            await hands.put(SOCKETS["s11"], "taxi:T1", "driver:1")
            row = table.log(1)[0]
            return lamp, asked, pushed, row.do, row.evidence, taxis(table), told(table), table.explanations.all()

    lamp, asked, pushed, do, evidence, places, rest, cases = in_virtual_time(work)
    assert lamp == ROUTE
    assert asked == "Does Ann stop? Then put the taxi at Space 11; else put it back and throw."
    assert pushed == []
    assert (do, evidence) == ("stop", "tag")
    assert places == {"T1": "s11", "T2": "s12"}
    assert (rest, cases) == ([], [])


def test_a_taxi_that_is_put_elsewhere_is_explained_and_may_be_overruled(tmp_path):
    async def work():
        setup = evening({}, {}, taxis={"T1": {"at": "s1"}, "T2": {"at": "s15"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            await hands.roll(3)
            await hands.put(SOCKETS["s3"], "taxi:T1", "driver:1")
            case = table.pending_explanation
            assert taxis(table)["T1"] == "s1"
            receipt = await table.overrule(case["id"], "house rule", command_id=command_id(), actor="bank")
            assert receipt.accepted, receipt.refusal
            return case, taxis(table), table.view("bank")["turn"], told(table), table.explanations.all()

    case, places, turn, rest, cases = in_virtual_time(work)
    assert (case["kind"], case["needs"], case["can_overrule"]) == ("unreachable", [2], True)
    assert case["sentence"] == "Ann's taxi stands at Space 3. Stopping now makes 3 spaces, to Space 4."
    assert (places["T1"], turn) == ("s3", 2)
    assert (rest, cases) == ([], [])


def test_a_driver_who_is_put_on_start_gets_into_the_taxi_that_stands_there(tmp_path):
    async def work():
        setup = evening({"driver": None}, {"driver": None}, {}, options={"taxis_in_play": "all_four"})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            glow = show(table).rest[LAYOUT["leds"]["START"]]
            assert table.view("bank")["phase"] == "board"
            await hands.put(SOCKETS["s4"], "driver:1")
            wrong = table.pending_explanation
            await hands.put(hands.lies["taxi:T4"], "driver:1")
            player = table.view("bank")["players"][0]
            return glow, wrong, player["driver"], table.log(1)[0].do, told(table), table.explanations.all()

    glow, wrong, driver, do, rest, cases = in_virtual_time(work)
    assert glow == GREEN
    assert (wrong["kind"], wrong["seen"]) == ("unreachable", "s4")
    assert "at START only" in wrong["sentence"]
    assert (driver, do) == ("T4", "board_taxi")
    assert (rest, cases) == ([], [])


def test_after_a_violation_the_driver_belongs_in_front_of_its_player(tmp_path):
    async def work():
        setup = evening({}, {}, taxis={"T1": {"at": "s7"}, "T2": {"at": "s1"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            await hands.roll(3)
            await hands.roll(3)
            view = table.view("bank")
            before = told(table)
            await hands.lift("driver:1")
            return (
                view["players"][0]["driver"],
                view["box"],
                before,
                told(table),
                table.on_road,
                table.explanations.all(),
            )

    driver, box, before, after, road, cases = in_virtual_time(work)
    assert (driver, box) == (None, 2)
    assert before == ["Take Red's driver off the board."]
    assert (after, road, cases) == ([], None, [])


def test_a_piece_that_was_put_right_and_is_moved_by_the_game_next_is_no_alarm(tmp_path):
    async def work():
        setup = evening({}, {}, taxis={"T1": {"at": "s1"}, "T2": {"at": "s3"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            await hands.put(SOCKETS["s7"], "taxi:T2", "driver:2")
            astray = [case["kind"] for case in table.explanations.all()]
            await hands.put(SOCKETS["s3"], "taxi:T2", "driver:2")
            command = {"do": "roll", "seat": 1, "face": 3}
            assert (await table.submit(command, command_id=command_id(), actor="bank")).accepted
            command = {"do": "stop", "seat": 1}
            assert (await table.submit(command, command_id=command_id(), actor="bank")).accepted
            return astray, told(table), table.explanations.all()

    astray, rest, cases = in_virtual_time(work)
    assert astray == ["wrong_place"], "the driver goes with the taxi"
    assert rest == ["Put Taxi 1 at Space 4.", "Put Taxi 2 at Space 5."]
    assert cases == []


def test_empty_taxis_that_are_mixed_up_are_no_matter(tmp_path):
    async def work():
        setup = evening({}, {"driver": None}, {"driver": None}, taxis={"T2": {"at": "s9"}, "T3": {"at": "s12"}})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            await hands.lift("taxi:T2", "taxi:T3")
            await hands.put(SOCKETS["s12"], "taxi:T2")
            await hands.put(SOCKETS["s9"], "taxi:T3")
            return dict(table.setup["tags"]), told(table), table.explanations.all()

    tags, rest, cases = in_virtual_time(work)
    assert (tags["taxi:T2"], tags["taxi:T3"]) == (uid("taxi:T3"), uid("taxi:T2"))
    assert (rest, cases) == ([], [])


def test_the_driver_tells_which_taxi_it_got_into(tmp_path):
    """Boarded by a button, which takes the first taxi; the driver was set into another."""

    async def work():
        setup = evening({"driver": None}, {"driver": None}, {})
        async with opened(tmp_path, evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            command = {"do": "board_taxi", "seat": 1, "taxi": "T1"}
            assert (await table.submit(command, command_id=command_id(), actor="seat:1")).accepted
            await hands.put(hands.lies["taxi:T2"], "driver:1")
            tags = dict(table.setup["tags"])
            await hands.roll(2)
            hands.lies["taxi:T1"], hands.lies["taxi:T2"] = hands.lies["taxi:T2"], hands.lies["taxi:T1"]
            return tags, table.view("bank")["players"][0]["driver"], told(table), table.explanations.all()

    tags, driver, rest, cases = in_virtual_time(work)
    assert driver == "T1"
    assert (tags["taxi:T1"], tags["taxi:T2"]) == (uid("taxi:T2"), uid("taxi:T1"))
    assert (rest, cases) == ([], [])


def test_a_row_that_is_pushed_before_the_mover_stops_keeps_its_names(tmp_path):
    """The mover is put where another stood: it is not taken for the other, with a driver on it or not."""

    async def work(with_drivers):
        setup = evening({}, {"driver": None}, {}, taxis={"T1": {"at": "s9"}, "T2": {"at": "s12"}, "T3": {"at": "s1"}})
        async with opened(tmp_path / str(with_drivers), evening=setup) as (_, table):
            hands = Fingers(table)
            await hands.learn()
            if not with_drivers:
                for seat in (1, 2, 3):
                    await table.assign_tag(uid(f"driver:{seat}"), None)
            await hands.roll(3)
            moved = ["taxi:T1", "driver:1"] if with_drivers else ["taxi:T1"]
            await hands.lift(*moved)
            await hands.put(SOCKETS["s13"], "taxi:T2", wait=0.2)
            await hands.put(SOCKETS["s12"], *moved)
            cases = [case for case in table.explanations.all() if case["kind"] != "unknown_tag"]
            return table.log(1)[0].do, taxis(table), told(table), cases

    for with_drivers in (True, False):
        do, places, rest, cases = in_virtual_time(lambda with_drivers=with_drivers: work(with_drivers))
        assert (do, places["T1"], places["T2"]) == ("stop", "s12", "s13")
        assert (rest, cases) == ([], [])


def test_the_crossings_show_how_much_lies_in_the_box(tmp_path):
    async def work():
        async with opened(tmp_path, evening=evening({}, {}, box=3)) as (_, table):
            return show(table)

    shown = in_virtual_time(work)
    leds = LAYOUT["leds"]
    for cross in ("s5", "s15"):
        lit = [number for number in range(1, 9) if shown.rest.get(leds[f"{cross}/{number}"]) == GATE]
        assert lit == [1, 2, 3]
    assert shown.invite == THREE_PIPS
