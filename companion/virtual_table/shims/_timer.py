"""`machine.Timer` of an ESP32: fires while the firmware waits."""

import _table


class Timer:
    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id=-1, **options):
        self.due = 0
        if options:
            self.init(**options)

    def init(self, *, mode=1, freq=-1, period=-1, callback=None, **other):
        self.deinit()
        self._mode = mode
        self._period = int(1000000 / freq) if freq > 0 else period * 1000
        self._callback = callback
        self.due = _table.now() + self._period
        _table.timers.append(self)

    def deinit(self):
        if self in _table.timers:
            _table.timers.remove(self)

    def fire(self):
        if self._mode == self.ONE_SHOT:
            self.deinit()
        else:
            self.due += self._period
        if self._callback:
            self._callback(self)
