"""What the table saw and the rules cannot explain, as sentences with a way out; where pieces should lie; which piece
is on the road.

Everything here is worked out from how the table lies and how the game stands, so that it is the same after a crash
as before it. What is special to a game its title says (companion/titles/<title>/explanations.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.tables.glance import Glance
from companion.tables.presence import Presence
from companion.tables.receipts import Json
from companion.tables.table_now import TableNow
from companion.tables.table_plan import TablePlan
from companion.titles.contract import Sight
from shared_rules.engine import game

FEW_SILENT = 3
"""Readers that are silent and are named; more of them are counted."""


class Explanations:
    """Of one table, kept by its actor. An explanation is

    {"id", "kind", "seat", "piece", "seen", "expected", "needs": what a title's pages show, "sentence",
    "can_overrule": bool}

    Kinds: `unreachable` (a move that is none: `needs` say what it would take), `confirm_move` (the piece lies where
    it might have moved, but nobody saw it move), `wrong_throw`, `wrong_place`, `unknown_tag` (with `uid`),
    `reader` (a socket that cannot be read), `lost_events`, `access` (somebody tried to get at a device). `seen` and
    `expected` are place ids where they are places.
    """

    def __init__(self, table: TableNow) -> None:
        self.glance = Glance(table)
        board = game.dump_position(table.state)["board"]
        self.plan = TablePlan.of(table.game, str(table.setup.get("board", "")), board)
        self.presence = Presence()
        self.touched: set[str] = set()
        """uids that somebody has moved since they last lay right."""
        self.void: Json | None = None
        """The last throw that did not count, until the game goes on."""
        self.cocked: Json | None = None
        """A die lies against something, until it is thrown again or the game goes on."""
        self.access: Json | None = None
        """Somebody tried to get at a device, until that was read."""
        self.lost = 0
        self.arriving: set[str] = set()
        """uids of pieces that have just come to rest and are not judged yet."""
        self.on_change: Callable[[], None] = lambda: None
        """Told after a commit, for the table's eyes."""
        self._table = table
        self._dismissed: set[str] = set()

    def sight(self) -> Sight:
        """The game and the table as they stand, for the title."""
        lies = {}
        for uid, socket in self.presence.tags.items():
            piece = self.glance.piece_of(uid)
            if piece is not None:
                lies[piece] = socket
        table, glance = self._table, self.glance
        return Sight(table.state, glance.position, self.plan, lies, glance.pieces, table.seat_name)

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
        elif explanation_id.startswith("access:"):
            self.access = None

    def overrulable(self, explanation_id: str) -> Json | None:
        """{"piece", "seen", "was_move"} of an explanation that the banker may overrule, None if it is no longer so."""
        for case in self._cases():
            if case["id"] == explanation_id and case["can_overrule"]:
                was_move = case["kind"] in ("unreachable", "confirm_move")
                return {"piece": case["piece"], "seen": case["seen"], "was_move": was_move}
        return None

    def game_changed(self) -> None:
        """After a commit: a void throw is history, and pieces that lie right are at rest again."""
        self.void = self.cocked = None
        for piece, place in self.glance.where.items():
            uid = self.glance.tag(piece)
            if uid is not None and self.lies_right(uid, place):
                self.touched.discard(uid)
        self.on_change()

    def lies_at_rest(self, *uids: str) -> None:
        """These tags have been seen: one that lies where the game has its piece is not being moved any more. If the
        game moves it next, that is no fault of anybody's."""
        for uid in uids:
            piece = self.glance.piece_of(uid)
            if piece is not None and self.lies_right(uid, self.glance.where.get(piece)):
                self.touched.discard(uid)

    def on_road(self) -> Json | None:
        """{"seat", "sentence"} while a piece that may move is off its socket and seen on no other."""
        if not self.presence.known:
            return None
        for piece, seat in self.glance.awaited.items():
            uid, at = self.glance.tag(piece), self.glance.where.get(piece)
            if uid is None or uid in self.presence.tags or self._unsure(at):
                continue
            if uid not in self.touched and (not self.plan.sockets_of(at) or self._away(at)):
                continue  # it stands on the road by the rules, or its reader is away: nobody was seen to move it
            sentence = self._table.game.explanations.on_road(self.sight(), piece)
            if sentence:
                return {"seat": seat, "sentence": sentence}
        return None

    def misplaced(self) -> list[Json]:
        """Pieces that do not lie where they stand in the game: [{"seat", "piece", "seen", "expected", "sentence"}];
        those that may move now are not among them."""
        if not self.presence.known:
            return []
        rows = []
        for piece, place in self.glance.where.items():
            uid = self.glance.tag(piece)
            if uid is None or piece in self.glance.awaited or self.lies_right(uid, place) or self._unsure(place):
                continue
            if self._away(place) or self._seen_by_one_away(uid):
                continue
            if self._comes_along(piece, uid):
                continue
            name = self._name(piece)
            sentence = f"Take {name} off the board." if place is None else f"Put {name} at {self.plan.name(place)}."
            seat = self.glance.pieces[piece].seat
            rows.append(
                {"seat": seat, "piece": piece, "seen": self._seen(uid), "expected": place, "sentence": sentence}
            )
        return rows

    def void_throw(self, die: str | None, face: Any, wanted: Json | None, *, late: bool = False) -> Json:
        """A throw that the phase has no use for; `late`: another die was thrown for the same, and came first."""
        words = self._table.game.explanations
        shown, expected = words.thrown(die, face), words.expected(self.sight(), wanted)
        what = f"The die shows {shown}; that does not count."
        if late:
            what = f"Two dice were thrown for the same throw, and the first one counts; {shown} does not."
        case = self._plain("wrong_throw", f"throw:{self._table.seq}", f"{what} {expected}")
        return {**case, "seat": self.glance.position["turn"], "seen": shown, "expected": expected}

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

    def cocked_die(self, case_id: str) -> Json:
        """A die came to rest without showing a face; it blinks red, and asks by itself."""
        text = "The die lies against something and shows no face. That is no throw: throw it again."
        return self._plain("wrong_throw", case_id, text)

    def access_refused(self, case_id: str) -> Json:
        """Somebody who is not this companion asked a device for what could do harm."""
        text = (
            "Somebody near tried to change one of the table’s devices without its key. It refused. The devices page "
            "says which."
        )
        return self._plain("access", case_id, text)

    def _cases(self) -> list[Json]:
        cases = [case for piece, seat in self.glance.awaited.items() if (case := self._move_case(piece, seat))]
        if self.void is not None:
            cases.append(self.void)
        if self.cocked is not None:
            cases.append(self.cocked)
        for row in self.misplaced():
            if row["seen"] is not None and self.glance.tag(row["piece"]) in self.touched:
                name = self._name(row["piece"])
                sentence = f"{name} lies at {self.plan.name(row['seen'])}. {row['sentence']}"
                case_id = f"place:{row['piece']}:{row['seen']}:{self._table.last_change}"
                case = self._plain("wrong_place", case_id, sentence)
                cases.append({**case, **{key: row[key] for key in ("seat", "piece", "seen", "expected")}})
                cases[-1]["can_overrule"] = self.glance.position["phase"] != "over" and row["expected"] is not None
        cases += self._odd_tags() + self._troubles()
        if self.lost:
            things = "one thing" if self.lost == 1 else f"{self.lost} things"
            text = f"The table saw {things} that it could not keep. What lies on it now is right; check the last turn."
            cases.append(self._plain("lost_events", f"lost:{self.lost}", text))
        if self.access is not None:
            cases.append(self.access)
        return cases

    def _move_case(self, piece: str, seat: int) -> Json | None:
        uid, at = self.glance.tag(piece), self.glance.where.get(piece)
        if uid is None or uid in self.arriving or self._seen_by_one_away(uid):
            return None
        seen = self._seen(uid)
        if seen is None or seen == at:
            return None
        told = self._table.game.explanations.move(self.sight(), piece, seen)
        if told is None:
            return None
        case = self._plain(told["kind"], f"move:{piece}:{seen}:{self._table.last_change}", told["sentence"])
        return {
            **case, "seat": seat, "piece": piece, "seen": seen, "expected": at, "needs": told.get("needs", []),
            "has": told.get("has", []), "can_overrule": True,
        }  # fmt: skip

    def _odd_tags(self) -> list[Json]:
        cases = []
        for uid, socket in sorted(self.presence.tags.items()):
            if self.glance.piece_of(uid) is None:
                place = self.plan.place_of(socket)
                case = self._plain(
                    "unknown_tag",
                    f"tag:{uid}:{socket}",
                    f"A tag that is nobody’s lies at {self.plan.name(place)}. Which piece is it?",
                )
                cases.append({**case, "uid": uid, "seen": place})
        return cases

    def _troubles(self) -> list[Json]:
        troubles = sorted(self.presence.troubles.items())
        cases = []
        mute = [socket for socket, state in troubles if state == "mute"]
        if len(mute) > FEW_SILENT:  # a table that is not built to its end: nobody wants to read that place by place
            text = f"At {len(mute)} places no reader answers. Tap moves to there by hand; the game goes on."
            cases.append(self._plain("reader", f"readers:{','.join(map(str, mute))}:mute", text))
            troubles = [row for row in troubles if row[1] != "mute"]
        for socket, state in troubles:
            place = self.plan.place_of(socket)
            where = self.plan.name(place)
            if state == "mute":
                text = f"The reader at {where} is silent. Tap moves to there by hand; the game goes on."
            else:
                text = f"Too many pieces lie too close at {where} to tell them apart. Spread them a little."
            cases.append({**self._plain("reader", f"reader:{socket}:{state}", text), "seen": place})
        return cases

    def _plain(self, kind: str, case_id: str, sentence: str) -> Json:
        return {
            "id": case_id,
            "kind": kind,
            "seat": 0,
            "piece": None,
            "seen": None,
            "expected": None,
            "needs": [],
            "has": [],
            "sentence": sentence,
            "can_overrule": False,
        }

    def _name(self, piece: str) -> str:
        return self._table.game.table.piece_name(self.glance.pieces[piece])

    def _seen(self, uid: str) -> str | None:
        socket = self.presence.tags.get(uid)
        return None if socket is None else self.plan.place_of(socket)

    def lies_right(self, uid: str, place: str | None) -> bool:
        """Whether a tag lies where the game has its piece: on one of the place's sockets, or on none if it has
        none."""
        socket, sockets = self.presence.tags.get(uid), self.plan.sockets_of(place)
        return socket in sockets if sockets else socket is None

    def _comes_along(self, piece: str, uid: str) -> bool:
        """Whether a piece rides, on the table too, on another that is told where to go."""
        carrier = self.glance.riding.get(piece)
        under = self.glance.tag(carrier) if carrier is not None else None
        return under in self.presence.tags and self.presence.tags[under] == self.presence.tags.get(uid)

    def _away(self, place: str | None) -> bool:
        """Whether a place's readers are a controller's that is not there."""
        return any(self.presence.is_away(socket) for socket in self.plan.sockets_of(place))

    def _seen_by_one_away(self, uid: str) -> bool:
        """Whether a tag was last seen by a controller that is not there: it may be anywhere by now."""
        socket = self.presence.tags.get(uid)
        return socket is not None and self.presence.is_away(socket)

    def _unsure(self, place: str | None) -> bool:
        return any(socket in self.presence.troubles for socket in self.plan.sockets_of(place))
