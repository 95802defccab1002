"""The race of a trip in numbers, for bots: how many turns so many streets take, and what part of the bonus that brings.

A turn's throw of N brings a taxi exactly N streets nearer when it wants that (each turn begins a street anyway, so
stopping at a corner wastes nothing), so the turns that m streets take are those that a sum of d6 takes to reach m:
exact, as long as no tablet is won on the way (T-037, T-044, T-045).
"""

# Rounds looked ahead; what would come later comes in the last of them.
ROUNDS = 10
NEVER = 99

_chances: dict = {}


def turns_for(streets: int) -> list:
    """[P(1 turn), P(2 turns), …] for so many streets, ROUNDS entries that add up to 1; NEVER gives all zeros."""
    found = _chances.get(streets)
    if found is None:
        found = _chances[streets] = _turns_for(streets)
    return found


def _turns_for(streets: int) -> list:
    if streets >= NEVER:
        return [0.0] * ROUNDS
    out = []
    # left[k]: the chance that k streets are left and the taxi is still under way.
    left = {max(streets, 1): 1.0}
    for _ in range(ROUNDS - 1):
        arrived = 0.0
        after: dict = {}
        for k in sorted(left):
            for face in range(1, 7):
                if face >= k:
                    arrived += left[k] / 6
                else:
                    after[k - face] = after.get(k - face, 0.0) + left[k] / 6
        out.append(arrived)
        left = after
    out.append(sum([left[k] for k in sorted(left)]))
    return out


def shifted(chances: list, rounds: int) -> list:
    """The same, so many rounds later."""
    if not rounds:
        return chances
    kept = max(0, ROUNDS - rounds)
    return [0.0] * (ROUNDS - kept) + chances[:kept]


def bonus_shares(before: list, after: list, arrived: int, at_once: bool) -> list:
    """By round from this one: the part of the bonus that a seat may expect if it arrives in that round.

    `before` and `after` are the other seats' chances by round, those that move earlier and later in a round than the
    seat; `arrived` is how many have arrived already. `at_once`: the first arrival alone is paid (A-46 `immediate`).
    """
    out = []
    for r in range(ROUNDS):
        if arrived and r:
            out.append(0.0)
            continue
        none_earlier = 1.0
        shares = [0.0] * arrived + [1.0]
        for first, seats in ((True, before), (False, after)):
            for chances in seats:
                missed = 1.0 - sum(chances[:r])
                now = chances[r]
                if at_once:
                    none_earlier *= max(0.0, missed - now) if first else missed
                    continue
                none_earlier *= missed
                if missed > 0 and now > 0:
                    p = min(1.0, now / missed)
                    more = [0.0] * (len(shares) + 1)
                    for k, chance in enumerate(shares):
                        more[k] += chance * (1 - p)
                        more[k + 1] += chance * p
                    shares = more
        out.append(none_earlier * sum([chance / (k + 1) for k, chance in enumerate(shares)]))
    return out


def expected(chances: list, shares: list) -> float:
    """What part of the bonus a seat with these chances by round may expect."""
    total = 0.0
    for chance, share in zip(chances, shares):
        total += chance * share
    return total
