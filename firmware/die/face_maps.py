"""What the twelve faces of a die mean, by number of map, for both dice; and how its lights show a value.

A companion sends a map for each kind of die that its games need: six pips twice over, tablets, 1-1-2-2-3-3. The newest
`MAX_MAPS` are kept. So one die serves every game.
"""

FACES = 12
MAX_MAPS = 4

_HALF = FACES // 2
_MAP_SIZE = 2 + _HALF  # packed: number, style, two faces a byte


class FaceMaps:
    """`entry` is the map that the next roll goes by: its number, its style, twelve values; empty when there is none.

    An entry never changes, so a roll that keeps the one it began with is not disturbed by a new map.
    """

    def __init__(self) -> None:
        self._maps: list[bytes] = []
        self.entry = b""

    @property
    def map_id(self) -> int:
        """Number of the map in use, 0 for none."""
        return self.entry[0] if self.entry else 0

    def learn(self, map_id: int, style: int, faces) -> None:
        """Keeps a map of twelve values; one with a known number is replaced. The first one is the one to roll by."""
        entry = bytes((map_id, style)) + bytes(faces)
        self._maps = [known for known in self._maps if known[0] != map_id][1 - MAX_MAPS :] + [entry]
        if not self.entry or self.entry[0] == map_id:
            self.entry = entry

    def choose(self, map_id: int) -> bool:
        """Rolls go by this map from now on. False, and nothing changes, when it is not known."""
        for entry in self._maps:
            if entry[0] == map_id:
                self.entry = entry
                return True
        return False

    def save(self) -> bytes:
        """All maps for `restore`, the one in use first."""
        out = bytearray()
        for entry in [self.entry] + [entry for entry in self._maps if entry is not self.entry]:
            if entry:
                out.extend(entry[:2])
                for at in range(2, 2 + FACES, 2):
                    out.append(entry[at] | entry[at + 1] << 4)
        return bytes(out)

    def restore(self, saved: bytes) -> None:
        """Learns the maps that `save` has packed; the first of them is in use."""
        for at in range(0, len(saved) - _MAP_SIZE + 1, _MAP_SIZE):
            faces = bytearray()
            for byte in saved[at + 2 : at + _MAP_SIZE]:
                faces.append(byte & 15)
                faces.append(byte >> 4)
            self.learn(saved[at], saved[at + 1], faces)
