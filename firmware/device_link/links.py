"""One face for the air and the cable, for the session: packets go out by the number of their connection.

The numbers of connections over the air are those of the radio's stack, at most 0x0EFF; the cable has one of its own.
"""

CABLE = 0xFFFF


class Links:
    """`air` is a `BlePeripheral`, `cable` a `SerialPort` or None. `sources` are those whose `next` is to be awaited."""

    def __init__(self, air, cable=None):
        self._air = air
        self._cable = cable
        self.sources = (air,) if cable is None else (air, cable)

    @property
    def lost_writes(self):
        """Writes that found no room, frames of the cable that were damaged or too long."""
        lost = self._air.lost_writes
        return lost if self._cable is None else lost + self._cable.lost_writes

    def notify(self, conn, packet):
        """Sends one packet: True when it was taken, False to try again, None when the connection has ended."""
        if conn == CABLE:
            return None if self._cable is None else self._cable.notify(conn, packet)
        return self._air.notify(conn, packet)

    def drop(self, conn):
        """Ends a connection; its GONE follows as for any other."""
        if conn != CABLE:
            self._air.drop(conn)
        elif self._cable is not None:
            self._cable.drop(conn)
