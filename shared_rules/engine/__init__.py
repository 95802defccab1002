"""The rules core: what every game shares. It knows no title; `game` is the way in."""

# Raised with every change after which the same commands may give other events. It is stored with the events of a game.
RULES_REVISION = 1
