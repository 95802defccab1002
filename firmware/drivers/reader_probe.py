"""Finds out which reader chip is in a socket, for the reader bank and the check of the board."""

MYPY = False
if MYPY:  # only type checkers come here
    from firmware.drivers.reader import Reader
    from firmware.drivers.reader_bus import ReaderBus

_LOOK = b"\x04\x02"


async def probe(bus: "ReaderBus", socket: int) -> "Reader | None":
    """The reader in a socket, started; None when there is none or a dead one, which costs a few bytes and 2 ms.

    The first look is a question of a PN5180 (READ_REGISTER, IRQ_STATUS): it raises BUSY, which nobody else does. An
    MFRC522 takes the bytes for a write to ComIEnReg, which only concerns its open IRQ pin, and is reset after that.
    Drivers are loaded when the first chip of their kind is found, unless they are loaded before.
    """
    if await bus.send(socket, _LOOK):
        await bus.receive(socket, bytearray(4))
        from firmware.drivers.pn5180 import Pn5180

        return await _started(Pn5180(bus, socket))
    from firmware.drivers.mfrc522 import Mfrc522

    return await _started(Mfrc522(bus, socket))


async def _started(reader: "Reader") -> "Reader | None":
    return reader if await reader.start() else None
