"""What an end of a turn does, in words: for buttons, panels and the wall."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from companion.titles.taxi_over.outlook import Outcome
from companion.titles.taxi_over.seats import RingScreen
from companion.web.screens.decisions import and_words
from companion.web.texts import Texts


def taxi_words(screen: RingScreen, taxi: str, t: Texts) -> Markup:
    """A taxi as people call it: "Bo’s taxi", "empty taxi 3"."""
    rider = screen.riders.get(taxi)
    return t("taxi.of", name=rider.name) if rider else t("taxi.empty", n=taxi[1:])


def consequences(screen: RingScreen, outcome: Outcome, t: Texts) -> list[Markup]:
    """What else an end of the turn does than driving, each in a few words: who is pushed, who falls, what is taken."""
    found = []
    pushed = [taxi_words(screen, taxi, t) for taxi in outcome.pushed if taxi not in outcome.fell]
    fell = [taxi_words(screen, taxi, t) for taxi in outcome.fell]
    if outcome.taken:
        found.append(t("end.takes", n=sum(outcome.taken.values())))
    if outcome.over:
        found.append(t("end.wins"))
    if fell:
        found.append(t("end.fells", taxis=and_words(fell, t)))
    if pushed:
        found.append(t("end.pushes", taxis=and_words(pushed, t)))
    return found


def joined(parts: Sequence[Markup | str]) -> Markup:
    """Parts beside one another."""
    return Markup(" · ").join(parts)
