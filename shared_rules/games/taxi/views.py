"""What each audience may see of a TAXI! game: built key by key from what is allowed, never cut out of a full copy.

Unknown to others are a gamble's word (also by its card's id and title), what the bets are and what they stake (T-094,
T-149), and which cards a player keeps. Audiences are a seat, "spectator" and "bank"; the bank is often a player, so it
learns no more than a spectator.
"""

from shared_rules.engine.options import changed_options
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi import meta, position_writer
from shared_rules.games.taxi.cards import gambles, without_words
from shared_rules.games.taxi.legal import legal_commands
from shared_rules.games.taxi.state import State
from shared_rules.portable.ordered import Ordered, ordered

# What the bank's prompts leave out: it would tell words, bets and kept cards.
_SECRET_BOUNDS = {"place_bet": "word", "reveal_card": "word", "play_card": "card"}


def view_for(s: State, audience) -> dict:
    """The position as the audience may see it, with `audience` and `prompts` (see docs/architecture.md).

    ValueError for an audience that there is not: a mistake of the caller, never answered with somebody else's view.
    """
    if audience not in ("spectator", "bank") and not (is_whole(audience) and 1 <= audience <= s.seats):
        raise ValueError("There is no audience " + str(audience) + ".")
    w = position_writer
    return ordered(
        (
            ("audience", audience),
            ("game", meta.NAME),
            ("options", changed_options(s.options, meta.OPTIONS)),
            ("board", s.board_ref if s.board_ref is not None else s.board.dump()),
            ("trips", s.trips),
            ("trip", s.trip),
            ("round", s.round),
            ("starter", s.starter),
            ("first_arrival", s.first_arrival),
            ("players", [_player(s, seat, audience) for seat in range(1, s.seats + 1)]),
            ("turn", s.turn),
            ("phase", s.phase),
            ("waiting_for", w.waiting_for(s)),
            ("card_drawn", _card(s, audience)),
            ("effects", w.effects(s)),
            ("d6", s.d6),
            ("fresh", ordered((("green", s.fresh_green), ("white", s.fresh_white)))),
            ("placed_barriers", w.placed(s)),
            ("gamble", _gamble(s, audience)),
            ("dues", w.dues(s)),
            ("settle", None if s.settle is None else [list(step) for step in s.settle]),
            ("bank", w.bank(s)),
            ("decks", w.decks(s)),
            ("result", w.result(s)),
            ("prompts", _prompts(s, audience)),
        )
    )


def _player(s: State, seat: int, audience) -> dict:
    own = audience == seat
    money, green = (0, 0) if own else _staked(s, seat)
    kept: object = len(s.kept[seat])
    if own:
        kept = [ordered([(key, card[key]) for key in ("deck", "card", "title", "keep")]) for card in s.kept[seat]]
    out = ordered(
        (
            ("seat", seat),
            ("name", s.names[seat]),
            ("colour", s.colours[seat]),
            ("status", "in" if s.playing[seat] else "out"),
            ("cash", s.cash[seat] + money),
            ("green", s.green[seat] + green),
            ("white", s.white[seat]),
            ("plates", s.plates[seat]),
            ("barriers", s.barriers[seat]),
            ("kept", kept),
            ("skip", s.skip[seat]),
            ("at", s.at[seat]),
            ("guide", list(s.guide[seat])),
            ("arrived", s.arrived[seat]),
            ("owner_on_arrival", s.owner[seat]),
        )
    )
    out["destination"] = s.guide[seat][s.trip - 1]
    out["next_destination"] = s.guide[seat][s.trip] if s.trip < s.trips else None
    out["wealth"] = s.wealth(seat) + money
    return out


def _staked(s: State, seat: int) -> tuple:
    """(money, green) that lie in escrow: others still see them in the seat's hand, or they would tell the bet."""
    money = green = 0
    bet = None if s.gamble is None else s.gamble["bets"][seat]
    if bet is not None:
        for word in bet[0]:
            unit, amount = meta.STAKES[word]
            if unit == meta.MONEY:
                money += amount
            else:
                green += amount
    return money, green


def _card(s: State, audience) -> "dict | None":
    card = s.card
    if card is None:
        return None
    secret = audience != card["seat"] and (s.gamble is not None or gambles(card["do"]))
    return ordered(
        (
            ("seat", card["seat"]),
            ("deck", card["deck"]),
            ("card", None if secret else card["card"]),
            ("title", "" if secret else card["title"]),
            ("fine", card["fine"]),
            ("do", without_words(card["do"]) if secret else card["do"]),
            ("keep", card["keep"]),
        )
    )


def _gamble(s: State, audience) -> "dict | None":
    if s.gamble is None:
        return None
    holder = s.gamble["holder"]
    bets = Ordered()
    for seat in range(1, s.seats + 1):
        if seat == holder or not s.playing[seat]:
            continue
        bet = s.gamble["bets"][seat]
        if seat == audience:
            words, done = ([], False) if bet is None else (list(bet[0]), bet[1])
            bets[str(seat)] = ordered((("words", words), ("done", done)))
        else:
            bets[str(seat)] = bet is not None and bet[1]
    return ordered((("holder", holder), ("word", s.gamble["word"] if audience == holder else None), ("bets", bets)))


def _prompts(s: State, audience):
    if audience == "bank":
        out = Ordered()
        for seat in range(s.seats + 1):
            out[str(seat)] = _without_secrets(s, legal_commands(s, seat))
        if s.phase == "gamble_bets":
            # Whether a seat may still bet, and can, would tell what it has bet already.
            for seat in range(1, s.seats + 1):
                if s.playing[seat] and seat != s.gamble["holder"]:
                    out[str(seat)] = [{"do": "place_bet", "seat": seat}, {"do": "pass_bet", "seat": seat}]
        return out
    if audience == "spectator":
        return []
    return legal_commands(s, audience)


def _without_secrets(s: State, templates: list) -> list:
    out = []
    for template in templates:
        hidden = _SECRET_BOUNDS.get(template["do"])
        if template["do"] == "play_card" and s.phase == "move":
            # That a seat keeps such a card is its own affair.
            continue
        out.append({key: template[key] for key in template if key != hidden})
    return out


def event_for(s: State, event: dict, audience) -> "dict | None":
    """An event as the audience may see it, given the state before it; None if there is nothing to see."""
    name = event["event"]
    seat = event.get("seat")
    if audience == seat and name != "Corrected":
        return dict(event)
    if name == "StakeTakenBack" or name == "StakeForfeited":
        return None
    if name == "BetSealed":
        return {"event": name, "seat": seat, "done": event["done"], "rules": ["T-092", "T-094"]}
    out = dict(event)
    if name == "GambleOffered":
        out["word"] = None
    elif name == "CardDrawn" and gambles(event["do"]):
        out["card"] = None
        out["title"] = ""
        out["do"] = without_words(event["do"])
    elif name == "EffectBegun" or name == "OptionChosen":
        if "verb" in event:
            out["verb"] = without_words([event["verb"]])[0]
        if "next" in event:
            out["next"] = without_words(event["next"])
    elif name == "Corrected":
        # What was set may be a secret of one seat; the reason and the parts are for all.
        del out["booked"]
        out["set"] = sorted(event["set"])
    return out
