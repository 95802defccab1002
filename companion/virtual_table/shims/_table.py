"""The firmware's end of the virtual table: the link to the host process, the clock, and where events are delivered.

MicroPython only. Every frame begins with `kind (1), length of the rest (2), time in microseconds (8)`, little-endian.

    to the host    B  operations on pins and buses, nobody waits
                   X  the same, the last one is an SPI transfer whose bytes are waited for
                   C  a call, JSON, answered by c        N  a note, JSON
                   I  nothing to do until that time (-1: for ever); in virtual time only
    from the host  r  bytes read on SPI      c  answer, JSON      e  event, JSON      g  go on, it is that time now

Operations in B and X: `code (1), microseconds since the operation before (2), ...`:
    1 pin: gpio, level    2 SPI write: length (2), bytes    3 SPI transfer: length (2), bytes
    4 lights: gpio, four times in ns (2 each), length (2), bytes    5 watchdog fed
    6 SPI set-up: baud (4), polarity, phase, first bit, sck, mosi, miso
    7 I2C: sda, scl, address, bytes to write (2), bytes to read (2), bytes; read: 0 or an errno, then what was read
    8 UART: tx gpio, length (2), bytes
    9 pin read: gpio; read: level, plus 2 when it moves by itself and has to be asked for each time
    10 flash read: address (4), length (2)    11 flash program: address (4), length (2), bytes; read: 0
    12 flash erase: address (4); read: 0
"""

import gc
import json
import struct
import sys

_path = sys.path
sys.path = ()
try:
    import select
    import time as _time
finally:
    sys.path = _path

_HEADER = 11
_bus = bytearray(1600)
_used = _HEADER
_started = 0  # time of the first operation in the buffer
_last = 0  # time of the newest
_stream = None
_poller = None
_head = bytearray(_HEADER)
_early = []  # events that came while an answer was awaited
_handlers = {}
timers = []
shim_bytes = 0
chip = "esp32"
wakes = {}  # what `esp32.wake_on_…` has asked for: name to (pins, level)

virtual = False
_clock = 0
_synced = 0

# What things take on a 240 MHz ESP32, roughly: time passes while the firmware works, the same in every run.
_COST_OP = 4
_COST_SPI = 25
_COST_TICKS = 2
_COST_ROUND = 20
_COST_CALL = 60
_PATIENCE = 5000  # longest time that the host is left alone, in virtual time


def start(fd, in_virtual_time, start_us):
    global _stream, _poller, virtual, _clock, _synced
    _stream = open(fd, "r+b", 0)
    _poller = select.poll()
    _poller.register(_stream, select.POLLIN)
    virtual = in_virtual_time
    # Keys that asyncio's C queue takes from the real clock must always lie in the past of the virtual one.
    _clock = (_time.ticks_ms() + (1 << 27)) * 1000 if in_virtual_time else 0
    _clock -= _clock % 1000
    base = _clock
    _clock += start_us
    _synced = _clock
    return base


def load(name):
    """A part of the shims that is needed only now; its memory counts as theirs."""
    global shim_bytes
    if name not in sys.modules:
        gc.collect()
        before = gc.mem_alloc()
        __import__(name)
        gc.collect()
        shim_bytes += gc.mem_alloc() - before
    return sys.modules[name]


def now():
    return _clock if virtual else _time.ticks_us()


def ticks_us():
    global _clock
    if virtual:
        _clock += _COST_TICKS
        return _clock
    return _time.ticks_us()


def on(kind, handler):
    _handlers[kind] = handler


def _write(data):
    view = memoryview(data)
    while view:
        n = _stream.write(view)
        view = view[n:]


def _fill(buf):
    view = memoryview(buf)
    while view:
        n = _stream.readinto(view)
        if not n:
            raise SystemExit(9)  # the host is gone
        view = view[n:]


def _send(kind, data):
    flush()
    if isinstance(data, str):
        data = data.encode()
    frame = bytearray(_HEADER + len(data))
    struct.pack_into("<BHq", frame, 0, kind, len(data), now())
    frame[_HEADER:] = data
    _write(frame)


def _receive():
    _fill(_head)
    kind, size, t = struct.unpack("<BHq", _head)
    data = bytearray(size)
    if size:
        _fill(data)
    if virtual:
        _advance_to(t)
    return kind, data


def _advance_to(t):
    global _clock
    if t > _clock:
        _clock = t


def note(message):
    _send(78, json.dumps(message))


def call(message):
    """Asks the host and returns its answer; events that come in between wait."""
    global _clock
    _clock += _COST_CALL
    _send(67, json.dumps(message))
    while True:
        kind, data = _receive()
        if kind == 99:
            return json.loads(data)
        if kind == 101:
            _early.append(json.loads(data))


def flush():
    """Sends the operations that have been gathered."""
    global _used
    if _used > _HEADER:
        _emit(66)


def _emit(kind):
    global _used
    struct.pack_into("<BHq", _bus, 0, kind, _used - _HEADER, _started)
    _write(memoryview(_bus)[:_used])
    _used = _HEADER


def _begin(code, size):
    global _used, _started, _last, _clock
    if _used + size + 3 > len(_bus):
        flush()
    t = now()
    if _used == _HEADER:
        _started = _last = t
    gap = t - _last
    if gap > 0xFFFF:
        flush()
        _started = t
        gap = 0
    _last = t
    at = _used
    _bus[at] = code
    _bus[at + 1] = gap & 255
    _bus[at + 2] = gap >> 8
    _used = at + 3 + size
    _clock += _COST_OP
    return at + 3


def pin(gpio, level):
    at = _begin(1, 2)
    _bus[at] = gpio
    _bus[at + 1] = level


def feed():
    _begin(5, 0)


def spi_setup(baud, polarity, phase, first, sck, mosi, miso):
    at = _begin(6, 10)
    struct.pack_into("<IBBBBBB", _bus, at, baud, polarity, phase, first, sck, mosi, miso)


def spi_write(data, byte_us):
    global _clock
    size = len(data)
    at = _begin(2, size + 2)
    _bus[at] = size & 255
    _bus[at + 1] = size >> 8
    _bus[at + 2 : at + 2 + size] = data
    _clock += _COST_SPI + size * byte_us


def spi_transfer(data, into, byte_us):
    global _clock
    size = len(data)
    at = _begin(3, size + 2)
    _bus[at] = size & 255
    _bus[at + 1] = size >> 8
    _bus[at + 2 : at + 2 + size] = data
    _emit(88)
    _clock += _COST_SPI + size * byte_us
    _answered(into)


def ask(code, head, data, into):
    """An operation whose answer is waited for: `head` and `data` go out, what comes back lies in `into`."""
    size = len(head)
    at = _begin(code, size + len(data))
    _bus[at : at + size] = head
    _bus[at + size : at + size + len(data)] = data
    _emit(88)
    _answered(into)


def _answered(into):
    while True:
        _fill(_head)
        if _head[0] == 114:
            _fill(into)
            return
        data = bytearray(_head[1] | _head[2] << 8)
        _fill(data)
        _early.append(json.loads(data))


def spend(us):
    """Time passes while the firmware waits for a bus; nothing else happens meanwhile."""
    global _clock
    _clock += us


def uart_write(gpio, data):
    size = len(data)
    at = _begin(8, size + 3)
    _bus[at] = gpio
    _bus[at + 1] = size & 255
    _bus[at + 2] = size >> 8
    _bus[at + 3 : at + 3 + size] = data


def lights(gpio, timing, data):
    global _clock
    size = len(data)
    if size > 1400:
        raise ValueError("a strip of more than 466 lights")
    at = _begin(4, size + 11)
    _bus[at] = gpio
    struct.pack_into("<HHHHH", _bus, at + 1, timing[0], timing[1], timing[2], timing[3], size)
    _bus[at + 11 : at + 11 + size] = data
    _clock += size * 10


def _dispatch(message):
    handler = _handlers.get(message["k"])
    if handler:
        handler(message)


def _run_timers():
    """Calls the timers that are due; microseconds until the next one, or -1."""
    if not timers:
        return -1
    t = now()
    for timer in list(timers):
        if timer.due <= t:
            timer.fire()
    return max(0, min([timer.due for timer in timers]) - now()) if timers else -1


def wait(us):
    """Lets at most `us` microseconds pass (-1: for ever), handles at most one event; True when it did."""
    global _clock, _synced
    if _early:
        _dispatch(_early.pop(0))
        return True
    next_timer = _run_timers()
    if next_timer >= 0 and (us < 0 or next_timer < us):
        us = next_timer
    if virtual:
        _clock += _COST_ROUND
        if us == 0 and _clock - _synced < _PATIENCE:
            return False
        _send(73, struct.pack("<q", -1 if us < 0 else _clock + us))
        kind, data = _receive()
        _synced = _clock
        if kind == 101:
            _dispatch(json.loads(data))
            return True
        return False
    flush()
    if _poller.poll(-1 if us < 0 else (us + 999) // 1000):
        kind, data = _receive()
        if kind == 101:
            _dispatch(json.loads(data))
        return True
    return False


def sleep_us(us):
    """Like a busy firmware's sleep: time passes, interrupts happen."""
    if us <= 0:
        wait(0)
        return
    if not virtual and us < 1000:
        _time.sleep_us(us)
        return
    end = now() + us
    while True:
        left = end - now()
        if left <= 0:
            return
        wait(left)


def _streams_woke(queue, core):
    """asyncio's streams and flags that are ready: their tasks go back to the queue. True when there were any."""
    woke = False
    for key in list(queue.map):
        waiting = queue.map[key]
        flags = (1 if waiting[0] is not None else 0) | (4 if waiting[1] is not None else 0)
        try:
            ready = waiting[2].ioctl(3, flags)
        except AttributeError:
            continue
        for i, mask in ((0, ~4), (1, ~1)):
            if ready & mask and waiting[i] is not None:
                core._task_queue.push(waiting[i])
                waiting[i] = None
                woke = True
        if waiting[0] is None and waiting[1] is None:
            queue._dequeue(waiting[2])
    return woke


def _wait_io_event(queue, dt):
    core = sys.modules["asyncio"].core
    if _streams_woke(queue, core):
        dt = 0
    wait(dt if dt <= 0 else dt * 1000 - now() % 1000 if virtual else dt * 1000)
    while dt < 0 and core._task_queue.peek() is None:
        if not _streams_woke(queue, core):
            wait(-1)


def hook_asyncio():
    import asyncio

    asyncio.core.IOQueue.wait_io_event = _wait_io_event
