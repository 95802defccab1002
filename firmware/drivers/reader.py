"""What all reader chips have in common, and which of them is in a socket, for the reader bank.

A reader has `kind` (READER_... of `shared_rules.wire.messages`), `version` (a byte that its chip tells of itself),
`socket` and two methods: `await start()` resets and sets up the chip with its field off and says whether it is there;
`await poll(tags)` switches the field on, puts the UIDs of all tags into the list, switches the field off and says
CLEAR, UNREADABLE or MUTE. Only one reader may be polled at a time.
"""

MYPY = False
if MYPY:  # only type checkers come here
    from firmware.drivers.mfrc522 import Mfrc522
    from firmware.drivers.pn5180 import Pn5180
    from firmware.drivers.reader_bus import ReaderBus

# Results of a poll
CLEAR = 0  # every tag that answered is in the list, then there was silence
UNREADABLE = 1  # something answered that could not be told apart; the list may be short
MUTE = 2  # the chip does not behave like one that has been set up

MAX_TAGS = 8  # more on one coil are UNREADABLE

_LOOK = b"\x04\x02"


async def probe(bus: "ReaderBus", socket: int) -> "Mfrc522 | Pn5180 | None":
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


async def _started(reader):
    return reader if await reader.start() else None
