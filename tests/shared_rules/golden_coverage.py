"""What golden games cover, computed from their lines and from the titles' own lists; a gap has a name."""

import json

import golden_play

from shared_rules import library
from shared_rules.engine import game, titles


def wanted(name):
    """Everything that the golden games of a title must show, by name."""
    meta = titles.title(name).meta
    out = {f"reason {reason}" for reason in meta.REASONS}
    out |= {f"phase {phase}" for phase in meta.PHASES}
    out |= {f"refusal {code}" for code in meta.REFUSALS}
    out |= {f"players {count}" for count in range(meta.PLAYERS[0], meta.PLAYERS[1] + 1)}
    for deck in meta.DECKS:
        out |= {f"card {deck} {card_id}" for card_id in card_ids(name, deck)}
    for option in meta.OPTIONS:
        out |= {f"option {option.name} {json.dumps(value)}" for value in (option.default, *option.values)}
        if option.hint:
            out.add(f"option {option.name} another value")
    return out | {"default house rules", "exotic house rules"}


def card_ids(name, deck):
    """The ids of a deck's cards: those of the shipped deck, or what the shipped board calls them."""
    return [str(card["id"]) for card in library.deck(name, deck)]


class Watcher:
    """Collects what a golden game shows; `on_step` is for `golden_play.play`."""

    def __init__(self, name):
        self.name = name
        self.seen = set()
        self._cards = {deck: set(card_ids(name, deck)) for deck in titles.title(name).meta.DECKS}

    def on_step(self, line, state, code):
        """After the head and after each entry."""
        if "start" in line:
            self._begin(line["start"], state)
        if code is not None:
            self.seen.add(f"refusal {code}")
        elif "play" in line:
            self._cards_of(line["play"])
        self.phase_of(state)

    def phase_of(self, state):
        """The phase, and the ending's reason."""
        position = game.dump_position(state)
        self.seen.add(f"phase {position['phase']}")
        if position["result"]:
            self.seen.add(f"reason {position['result']['reason']}")

    def _begin(self, start, state):
        options = game.dump_position(state)["options"]
        self.seen.add(f"players {len(start['players'])}")
        for option in titles.title(self.name).meta.OPTIONS:
            value = options.get(option.name, option.default)
            self.seen.add(f"option {option.name} {json.dumps(value)}")
            if option.hint and value not in option.values and value != option.default:
                self.seen.add(f"option {option.name} another value")
        if not options:
            self.seen.add("default house rules")
        if len(options) >= 5:
            self.seen.add("exotic house rules")

    def _cards_of(self, command):
        for deck, ids in self._cards.items():
            if command.get("deck", deck) == deck and isinstance(command.get("card"), str) and command["card"] in ids:
                self.seen.add(f"card {deck} {command['card']}")


def shown(name, texts):
    """Everything that these golden games show."""
    watcher = Watcher(name)
    for text in texts:
        golden_play.play(text, watcher.on_step)
    return watcher.seen
