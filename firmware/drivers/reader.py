"""What readers of every chip have in common, for the reader bank: how they are asked, and what a poll comes to."""

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Protocol

    class Reader(Protocol):
        """A reader chip in a socket. `kind` is READER_... of `shared_rules.wire.messages`, `version` a byte that the
        chip tells of itself. Only one reader may be polled at a time."""

        @property
        def kind(self) -> int: ...

        socket: int
        version: int

        async def start(self) -> bool:
            """Resets and sets up the chip with its field off; whether it is there."""
            ...

        async def poll(self, tags: list[bytes]) -> int:
            """Field on, the UIDs of all tags into `tags`, field off: CLEAR, UNREADABLE or MUTE."""
            ...


# Results of a poll
CLEAR = 0  # every tag that answered is in the list, then there was silence
UNREADABLE = 1  # something answered that could not be told apart; the list may be short
MUTE = 2  # the chip does not behave like one that has been set up

MAX_TAGS = 8  # more on one coil are UNREADABLE
