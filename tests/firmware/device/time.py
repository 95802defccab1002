"""A clock that only moves when somebody waits, for tests on MicroPython; `asyncio` waits on it, too."""

import sys

_path = sys.path
sys.path = ()
try:
    import time as _real
    from time import *  # noqa: F403
finally:
    sys.path = _path

_MASK = (1 << 30) - 1
# The interpreter's own task queue stamps some tasks with the real clock: ours must be later than that.
_start = (_real.ticks_ms() + (1 << 27)) & _MASK
_now = 0


def elapsed():
    """Milliseconds since the start."""
    return _now


def ticks_ms():
    return (_start + _now) & _MASK


def ticks_diff(later, earlier):
    """As on a chip, where the clock wraps after twelve days."""
    half = (_MASK + 1) >> 1
    return ((later - earlier + half) & _MASK) - half


def sleep_ms(ms):
    global _now
    _now += max(0, ms)


def sleep(seconds):
    sleep_ms(int(seconds * 1000))


def drive_asyncio():
    """Makes the event loop move the clock instead of waiting."""
    import asyncio.core as core

    poll = core.IOQueue.wait_io_event

    def wait_io_event(self, dt):
        if self.map:
            poll(self, 0)
            head = core._task_queue.peek()
            if head is not None and _real.ticks_diff(core.ticks(), head.ph_key) >= 0:
                return
        if dt < 0:
            raise RuntimeError("everything waits for ever")
        sleep_ms(dt)

    core.IOQueue.wait_io_event = wait_io_event
