"""The board's file system as real LittleFS on the host's NOR flash, formatted when it is blank, as on an ESP32."""

import struct

import _table
import vfs

_BLOCK = 4096
_READ_US = 8  # and a microsecond each 16 bytes
_PAGE_US = 700
_ERASE_US = 45000
_done = bytearray(1)


class FlashChip:
    """A block device of the extended protocol."""

    def __init__(self, size):
        self._size = size

    def readblocks(self, block, buf, offset=0):
        view = memoryview(buf)
        address = block * _BLOCK + offset
        for at in range(0, len(view), 512):
            into = view[at : at + 512]
            _table.ask(10, struct.pack("<IH", address + at, len(into)), b"", into)
            _table.spend(_READ_US + len(into) // 16)

    def writeblocks(self, block, buf, offset=None):
        view = memoryview(buf)
        address = block * _BLOCK
        if offset is None:
            for i in range((len(view) + _BLOCK - 1) // _BLOCK):
                self.ioctl(6, block + i)
            offset = 0
        for at in range(0, len(view), 256):
            data = view[at : at + 256]
            _table.ask(11, struct.pack("<IH", address + offset + at, len(data)), data, _done)
            _table.spend(_PAGE_US)

    def ioctl(self, op, arg):
        if op == 4:
            return self._size // _BLOCK
        if op == 5:
            return _BLOCK
        if op == 6:
            _table.ask(12, struct.pack("<I", arg * _BLOCK), b"", _done)
            _table.spend(_ERASE_US)
        return 0


def mount(size):
    """Mounts the chip at `/`. A chip that holds something that is no file system is OSError, never formatted."""
    chip = FlashChip(size)
    try:
        vfs.mount(vfs.VfsLfs2(chip, progsize=32, readsize=32, lookahead=32), "/")
    except OSError:
        head = bytearray(512)
        for block in (0, 1):
            chip.readblocks(block, head)
            if head.count(b"\xff") != len(head):
                raise OSError(5, "the flash holds no file system, and is not blank either")
        vfs.VfsLfs2.mkfs(chip, progsize=32, readsize=32, lookahead=32)
        vfs.mount(vfs.VfsLfs2(chip, progsize=32, readsize=32, lookahead=32), "/")
