"""The field of one reader's coil and the tags that it feeds: coupling, crosstalk, stacks that detune, tags pulled away.

Frames and answers stay what the standards say; this is what lies between the coil and the tags. Nothing here is random
until somebody asks for it: a tag that couples well in a field that is alone is read the same way every time. Chance
comes from a generator that is handed in, so the same seed gives the same trace. The figures are not measured: they
give the faults that builders report, in an order of size that a firmware has to bear.

- Coupling is 1 for a tag in the middle of its coil and 0 for one out of reach. From SOLID up everything is heard. Below
  that, requests are missed and answers corrupted the more often the weaker it is; below FEEDS a tag has no power.
- Of tags that answer at once, one that couples less than a third as well as the strongest is drowned and not heard as
  a collision.
- A field that reaches a neighbour's tags (`reach`) feeds and asks them as its own, with that coupling. When the
  neighbour's field is on as well, frames of both are spoilt.
- Where more tags of type A than `most_tags` lie on a coil they detune it: something answers, nothing can be read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar, overload

from companion.virtual_table.chips.iso14443a import COLLISION, FORGET_US, OFF, AirFrame, Tag
from companion.virtual_table.chips.iso15693 import VicinityAnswer, VicinityFrame, VicinityTag

AnyTag = Tag | VicinityTag
_Frame = TypeVar("_Frame", AirFrame, VicinityFrame)
_Answer = TypeVar("_Answer")

FEEDS = 0.2
SOLID = 0.8
_DROWNED = 1 / 3
_MOST_MISSED = 0.5
_MOST_CORRUPT = 0.5


class RfField:
    """The field of one reader. `on_gone(tag)` hears of a tag that was pulled out of the field in mid-exchange."""

    def __init__(self, chance: random.Random | None = None, on_gone: Callable[[AnyTag], None] | None = None) -> None:
        self.tags: list[AnyTag] = []
        self.on = False
        self.on_since_us = 0
        self.most_tags: int | None = None
        self._chance = chance if chance is not None else random.Random(0)
        self._on_gone = on_gone
        self._reach: list[tuple[RfField, float]] = []
        self._reached_by: list[tuple[RfField, float]] = []

    # -- hands --------------------------------------------------------------------------------------------------------

    def switch(self, on: bool, now: int) -> None:
        if on == self.on:
            return
        self.on = on
        if on:
            self.on_since_us = now
        if self.tags or self._reach:
            for tag, coupling in self._in_reach():
                if not on:
                    _starve(tag, self, now)
                elif coupling >= FEEDS:
                    _feed(tag, self, now)

    def put(self, tag: AnyTag, now: int) -> None:
        """A tag comes to lie on the coil."""
        self.tags.append(tag)
        tag.power_down()
        tag.feeders.clear()
        self._feed_again(tag, now)

    def take(self, tag: AnyTag) -> None:
        """It is taken away."""
        self.tags.remove(tag)
        tag.feeders.clear()
        tag.power_down()

    def couple(self, tag: AnyTag, coupling: float, now: int) -> None:
        """A tag of this coil is shifted: from now on it couples so well."""
        tag.coupling = coupling
        for field, factor in [(self, 1.0), *self._reached_by]:
            if field in tag.feeders and factor * coupling < FEEDS:
                _starve(tag, field, now)
        if not tag.feeders:
            tag.power_down()
        self._feed_again(tag, now)

    def reach(self, other: RfField, coupling: float, now: int) -> None:
        """From now on this field reaches the tags on another coil with that coupling; 0 ends it."""
        self._reach = [(f, c) for f, c in self._reach if f is not other]
        other._reached_by = [(f, c) for f, c in other._reached_by if f is not self]
        if coupling > 0:
            self._reach.append((other, coupling))
            other._reached_by.append((self, coupling))
        for tag in other.tags:
            if self in tag.feeders and coupling * tag.coupling < FEEDS:
                _starve(tag, self, now)
            other._feed_again(tag, now)

    # -- what a reader does -------------------------------------------------------------------------------------------

    @overload
    def exchange(self, frame: AirFrame | None, now: int) -> list[int] | None: ...
    @overload
    def exchange(self, frame: VicinityFrame, now: int) -> VicinityAnswer | None: ...
    def exchange(self, frame: AirFrame | VicinityFrame | None, now: int) -> list[int] | VicinityAnswer | None:
        """All answers laid over each other, symbol by symbol: 0, 1 or COLLISION; None when everything is silent.

        `frame` None is noise. A frame of ISO/IEC 14443 is answered by symbols, one of ISO/IEC 15693 by an answer.
        """
        if not self.on or not (self.tags or self._reach):
            return None
        if isinstance(frame, VicinityFrame):
            return self._exchange_vicinity(frame, now)
        said = [
            (answer, coupling)
            for tag, coupling in self._awake(now)
            if isinstance(tag, Tag) and (answer := tag.receive(self._arrives(frame, coupling), now)) is not None
        ]
        if not said:
            return None
        spoilt = self.most_tags is not None and sum(isinstance(tag, Tag) for tag in self.tags) > self.most_tags
        return _overlay([self._heard(answer, coupling, spoilt) for answer, coupling in _loud(said)])

    def _exchange_vicinity(self, frame: VicinityFrame, now: int) -> VicinityAnswer | None:
        said = []
        for tag, coupling in self._awake(now):
            if isinstance(tag, Tag):
                tag.receive(None, now)
                continue
            arrived = self._arrives(frame, coupling)
            answer = tag.receive(arrived, now) if arrived is not None else None
            if answer is not None:
                said.append((answer, coupling))
        if not said:
            return None
        loud = _loud(said)
        first = loud[0][0]
        bits = _overlay([self._heard(answer.bits, coupling, False) for answer, coupling in loud])
        return VicinityAnswer(bits, first.high_rate, first.two_subcarriers)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _in_reach(self) -> list[tuple[AnyTag, float]]:
        tags = [(tag, tag.coupling) for tag in self.tags]
        for field, factor in self._reach:
            tags += [(tag, factor * tag.coupling) for tag in field.tags]
        return tags

    def _awake(self, now: int) -> list[tuple[AnyTag, float]]:
        """Tags that this field feeds, without those that are pulled away at this very frame."""
        awake = []
        for tag, coupling in self._in_reach():
            if self not in tag.feeders:
                continue
            if tag.leaves_after is not None:
                if tag.leaves_after == 0:
                    tag.leaves_after = None
                    if self._on_gone is not None:
                        self._on_gone(tag)
                    continue
                tag.leaves_after -= 1
            awake.append((tag, coupling))
        return awake

    def _feed_again(self, tag: AnyTag, now: int) -> None:
        for field, factor in [(self, 1.0), *self._reached_by]:
            if field.on and field not in tag.feeders and factor * tag.coupling >= FEEDS:
                _feed(tag, field, now)

    def _disturbance(self) -> float:
        """How strongly a neighbour's field that is on as well gets into this one: 0 to 1."""
        return max((c for f, c in self._reach + self._reached_by if f.on), default=0.0)

    def _weakness(self, coupling: float) -> float:
        return max(0.0, min(1.0, (SOLID - coupling) / (SOLID - FEEDS)))

    def _arrives(self, frame: _Frame | None, coupling: float) -> _Frame | None:
        """The frame as the tag understands it: a weak tag, and one in two fields, takes some for noise."""
        missed = _MOST_MISSED * self._weakness(coupling) + self._disturbance()
        return None if missed > 0 and self._chance.random() < missed else frame

    def _heard(self, symbols: list[int], coupling: float, spoilt: bool) -> list[int]:
        chance = self._chance
        disturbance = self._disturbance()
        if spoilt or (disturbance > 0 and chance.random() < 0.5 + disturbance):
            return [chance.choice((0, 1, COLLISION)) for _ in symbols]
        corrupt = _MOST_CORRUPT * self._weakness(coupling)
        if corrupt > 0 and chance.random() < corrupt:
            symbols = list(symbols)
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(symbols))
                symbols[at] = 1 - symbols[at] & 1
        return symbols


def _feed(tag: AnyTag, field: RfField, now: int) -> None:
    if field in tag.feeders:
        return
    if not tag.feeders and (now - tag.unfed_since >= FORGET_US or tag.state == OFF):
        tag.power_up(now)
    tag.feeders.append(field)


def _starve(tag: AnyTag, field: RfField, now: int) -> None:
    if field in tag.feeders:
        tag.feeders.remove(field)
        if not tag.feeders:
            tag.unfed_since = now


def _loud(said: list[tuple[_Answer, float]]) -> list[tuple[_Answer, float]]:
    if len(said) < 2:
        return said
    strongest = max(coupling for _, coupling in said)
    return [(answer, coupling) for answer, coupling in said if coupling >= strongest * _DROWNED]


def _overlay(answers: list[list[int]]) -> list[int]:
    if len(answers) == 1:
        return answers[0]
    out = []
    for i in range(max(len(answer) for answer in answers)):
        seen = {answer[i] for answer in answers if i < len(answer)}
        out.append(seen.pop() if len(seen) == 1 else COLLISION)
    return out
