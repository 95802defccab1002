"""What the table saw and the rules cannot explain, as sentences with a way out; where taxis should lie; which taxi
is on the road.

Everything here is worked out from how the table lies and how the game stands, so that it is the same after a crash
as before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.tables import wording
from companion.tables.glance import Glance
from companion.tables.presence import Presence
from companion.tables.receipts import Json
from companion.tables.table_plan import TablePlan
from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor


class Explanations:
    """Of one table, kept by its actor. An explanation is

    {"id", "kind", "seat", "seen", "expected", "needs": [[streets, green, white], …], "sentence", "can_overrule": bool}

    Kinds: `unreachable` (a move that costs too much: `needs` are the least costs), `confirm_move` (the taxi lies
    where it might have moved, but nobody saw it move), `wrong_throw`, `wrong_place`, `unknown_tag` (with `uid`),
    `reader` (a socket that cannot be read), `lost_events`. `seen` and `expected` are place ids where they are
    places.
    """

    def __init__(self, actor: TableActor) -> None:
        self.glance = Glance(actor)
        self.plan = TablePlan.of(str(actor.setup.get("board", "")), game.dump_position(actor.state)["board"])
        self.presence = Presence()
        self.touched: set[str] = set()
        """uids that somebody has moved since they last lay right."""
        self.void: Json | None = None
        """The last throw that did not count, until the game goes on."""
        self.lost = 0
        self.arriving: str | None = None
        """uid of a taxi that has just come to rest and is not judged yet."""
        self._actor = actor
        self._dismissed: set[str] = set()

    def first(self) -> Json | None:
        """The most pressing explanation that was not dismissed, or None."""
        return next(iter(self.all()), None)

    def all(self) -> list[Json]:
        """All of them, the most pressing first, without those that were dismissed."""
        return [case for case in self._cases() if case["id"] not in self._dismissed]

    def dismiss(self, explanation_id: str) -> None:
        """Not shown again until something else is seen."""
        self._dismissed.add(explanation_id)
        if explanation_id.startswith("lost:"):
            self.lost = 0

    def overrulable(self, explanation_id: str) -> Json | None:
        """{"seat", "seen", "was_move"} of an explanation that the banker may overrule, None if it is no longer so."""
        for case in self._cases():
            if case["id"] == explanation_id and case["can_overrule"]:
                return {
                    "seat": case["seat"],
                    "seen": case["seen"],
                    "was_move": case["kind"] in ("unreachable", "confirm_move"),
                }
        return None

    def game_changed(self) -> None:
        """After a commit: a void throw is history, and taxis that lie right are at rest again."""
        self.void = None
        for player in self.glance.position["players"]:
            uid = self.glance.tag(player["seat"])
            if uid is not None and self._lies_right(player, uid):
                self.touched.discard(uid)

    def on_road(self) -> Json | None:
        """{"seat", "sentence"} while the taxi that may move is off its socket and seen on no other."""
        position = self.glance.position
        seat = position["turn"]
        if not self.presence.known or not self.glance.awaits_move(seat):
            return None
        uid, at = self.glance.tag(seat), self.glance.at(seat)
        if uid is None or uid in self.presence.tags or self._unsure(at):
            return None
        if self.plan.socket_of(at) is None and uid not in self.touched:
            return None  # it stands on the road by the rules, and nobody was seen to move it
        return {"seat": seat, "sentence": f"Where did {self._colour(seat)} stop?"}

    def misplaced(self) -> list[Json]:
        """Taxis that do not lie where they stand in the game: [{"seat", "seen", "expected", "sentence"}]; the taxi
        that moves is not among them."""
        if not self.presence.known:
            return []
        rows = []
        for player in self.glance.position["players"]:
            seat, uid = player["seat"], self.glance.tag(player["seat"])
            if uid is None or player["status"] != "in" or self.glance.awaits_move(seat):
                continue
            if self._lies_right(player, uid) or self._unsure(player["at"]):
                continue
            sentence = f"Put {self._colour(seat)} at {self.plan.name(player['at'])}."
            rows.append({"seat": seat, "seen": self._seen(uid), "expected": player["at"], "sentence": sentence})
        return rows

    def void_throw(self, die: str | None, face: Any, wanted: Json | None) -> Json:
        """A throw that the phase has no use for."""
        position = self.glance.position
        name = self._actor.seat_name(position["turn"])
        shown = str(face) if die == "d6" else f"{face}" if die == "d12" else "something that nobody has given a meaning"
        if position["phase"] == "over":
            expected = "The game is over."
        elif position["phase"] == "move":
            expected = f"{name} moves first (or stays), then the die may win a tablet."
        elif wanted and wanted.get("kind") == "die":
            what = "streets" if wanted["die"] == "d6" else "a tablet"
            expected = f"Now {self._actor.seat_name(wanted['seat'])} throws for {what}."
        else:
            expected = "Nobody throws now."
        case = self._plain(
            "wrong_throw", f"throw:{self._actor.seq}", f"The die shows {shown}; that does not count. {expected}"
        )
        return {**case, "seat": position["turn"], "seen": shown, "expected": expected}

    def refused_die(self, case_id: str, reason: int) -> Json:
        """The die was pressed and gave nothing: 1 its radio was off, 2 it had no face map."""
        why = (
            "its radio was off, and without it there is no true chance"
            if reason == 1
            else "nobody had told it what its faces mean"
        )
        return self._plain(
            "wrong_throw", case_id, f"The die gave no throw: {why}. Press it again, or throw on the screen."
        )

    def _cases(self) -> list[Json]:
        position = self.glance.position
        cases: list[Json] = []
        seat = position["turn"]
        uid = self.glance.tag(seat)
        if self.glance.awaits_move(seat) and uid is not None and self.arriving != uid:
            seen = self._seen(uid)
            if seen is not None and seen != self.glance.at(seat):
                cases.append(self._move_case(position, seat, seen))
        if self.void is not None:
            cases.append(self.void)
        for row in self.misplaced():
            if row["seen"] is not None and self.glance.tag(row["seat"]) in self.touched:
                sentence = f"{self._colour(row['seat'])} lies at {self.plan.name(row['seen'])}. {row['sentence']}"
                case = self._plain(
                    "wrong_place", f"place:{row['seat']}:{row['seen']}:{self._actor.last_change}", sentence
                )
                cases.append({**case, "seat": row["seat"], "seen": row["seen"], "expected": row["expected"]})
                cases[-1]["can_overrule"] = position["phase"] != "over"
        cases += self._odd_tags() + self._troubles()
        if self.lost:
            things = "one thing" if self.lost == 1 else f"{self.lost} things"
            text = f"The table saw {things} that it could not keep. What lies on it now is right; check the last turn."
            cases.append(self._plain("lost_events", f"lost:{self.lost}", text))
        return cases

    def _move_case(self, position: Json, seat: int, seen: str) -> Json:
        name, colour, where = self._actor.seat_name(seat), self._colour(seat), self.plan.name(seen)
        player, fresh = self.glance.player(seat), position["fresh"]
        case = self._plain("unreachable", f"move:{seat}:{seen}:{self._actor.last_change}", "")
        case.update({"seat": seat, "seen": seen, "expected": player["at"], "can_overrule": True})
        against = [row["on"] for row in position["placed_barriers"]]
        question = {"do": "ask", "seat": seat, "what": "distance", "from": player["at"], "to": seen, "against": against}
        try:
            case["needs"] = game.ask(self._actor.state, question).get("distance", [])
            reached = game.ask(self._actor.state, {"do": "ask", "seat": seat, "what": "reachable"}).get("reachable", [])
        except RuleViolation:
            reached = []
        if any(row[0] == seen for row in reached):
            return {**case, "kind": "confirm_move", "sentence": f"{colour} lies at {where}. Is that {name}'s move?"}
        if not case["needs"]:
            return {
                **case,
                "sentence": f"{colour} lies at {where}, where no way leads now. Put it back, or say that it is right.",
            }
        needs = wording.costs(case["needs"])
        has = wording.cost(position["d6"] or 0, player["green"] - fresh["green"], player["white"] - fresh["white"])
        return {**case, "sentence": f"{colour} lies at {where}: that takes {needs}. {name} has {has}."}

    def _odd_tags(self) -> list[Json]:
        cases = []
        for uid, socket in sorted(self.presence.tags.items()):
            if self.glance.seat_of(uid) is None:
                place = self.plan.place_of(socket)
                case = self._plain(
                    "unknown_tag",
                    f"tag:{uid}:{socket}",
                    f"A tag that is nobody's lies at {self.plan.name(place)}. Whose taxi is it?",
                )
                cases.append({**case, "uid": uid, "seen": place})
        return cases

    def _troubles(self) -> list[Json]:
        cases = []
        for socket, state in sorted(self.presence.troubles.items()):
            place = self.plan.place_of(socket)
            where = self.plan.name(place)
            if state == "mute":
                text = f"The reader at {where} is silent. Tap moves to there by hand; the game goes on."
            else:
                text = f"Too many taxis lie too close at {where} to tell them apart. Spread them a little."
            cases.append({**self._plain("reader", f"reader:{socket}:{state}", text), "seen": place})
        return cases

    def _plain(self, kind: str, case_id: str, sentence: str) -> Json:
        return {
            "id": case_id,
            "kind": kind,
            "seat": 0,
            "seen": None,
            "expected": None,
            "needs": [],
            "sentence": sentence,
            "can_overrule": False,
        }

    def _colour(self, seat: int) -> str:
        return wording.colour_name(str(self.glance.player(seat)["colour"]))

    def _seen(self, uid: str) -> str | None:
        socket = self.presence.tags.get(uid)
        return None if socket is None else self.plan.place_of(socket)

    def _lies_right(self, player: Json, uid: str) -> bool:
        return self.presence.tags.get(uid) == self.plan.socket_of(player["at"])

    def _unsure(self, place: str | None) -> bool:
        socket = self.plan.socket_of(place)
        return socket is not None and socket in self.presence.troubles
