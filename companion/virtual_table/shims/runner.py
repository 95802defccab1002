"""Starts the firmware as an ESP32 would: `runner.py FD SHIMS CODE FLASH ENTRY VIRTUAL START_US CHIP`. MicroPython only.

The board's file system is the folder FLASH at `/`, or LittleFS on a flash chip of that many bytes when FLASH is a
number; CODE (the folder that holds `firmware` and `shared_rules`, or an image of a ROM file system) stands in for what
an installer would have copied there and lies at `/rom`, these modules at `/shim`. `import ENTRY` starts the firmware.
"""

import gc
import sys

_fd, _shims, _code, _flash, _entry, _virtual, _start_us, _chip = sys.argv[1:9]

import os as _os
import vfs

try:
    with open(_code + "/firmware.romfs", "rb") as _file:
        _rom = vfs.VfsRom(_file.read())
except OSError:
    _rom = vfs.VfsPosix(_code)

vfs.umount("/")
if not _flash.isdigit():
    vfs.mount(vfs.VfsPosix(_flash), "/")
vfs.mount(_rom, "/rom", readonly=True)
vfs.mount(vfs.VfsPosix(_shims), "/shim", readonly=True)
sys.path[:] = ["/shim", ".frozen", "/rom"]

import _table

_table.chip = _chip
_base = _table.start(int(_fd), _virtual == "1", int(_start_us))

import bluetooth  # noqa: E402, F401
import machine  # noqa: E402, F401
import neopixel  # noqa: E402, F401
import os  # noqa: E402, F401
import time  # noqa: E402, F401

import micropython as _micropython


class _Extended:
    """A built-in module that cannot be shadowed by path, with more in it."""

    def __init__(self, module, **more):
        self._module = module
        for name in more:
            setattr(self, name, more[name])

    def __getattr__(self, name):
        return getattr(self._module, name)


def _on_heap(message):
    if message.get("collect"):
        gc.collect()
    _table.note({"op": "heap", "free": gc.mem_free(), "used": gc.mem_alloc(), "base": _table.shim_bytes})


def _decorator(function):
    return function


_table.on("heap", _on_heap)
_table.hook_asyncio()
sys.modules["micropython"] = _Extended(
    _micropython, alloc_emergency_exception_buf=lambda size: None, native=_decorator, viper=_decorator
)
_real_sys = sys
_modules = sys.modules
_wrapped = _Extended(sys, platform="esp32")
_modules["sys"] = _wrapped
gc.collect()
_table.shim_bytes = gc.mem_alloc()
_table.note({"op": "booted", "base_us": _base, "free": gc.mem_free(), "used": _table.shim_bytes})

try:
    if _flash.isdigit():
        _table.load("_flash").mount(int(_flash))
    _os.chdir("/")
    _module = __import__(_entry, None, None, ("main",))
    if hasattr(_module, "main"):
        _result = _module.main()
        if hasattr(_result, "send"):
            import asyncio

            asyncio.run(_result)
    _text = "the firmware's main program ended"
except BaseException as error:  # a board whose program fails stands still; only a watchdog helps
    import io

    _buffer = io.StringIO()
    _real_sys.print_exception(error, _buffer)
    _text = _buffer.getvalue()
_table.note({"op": "ended", "text": _text})
while True:
    _table.wait(-1)
