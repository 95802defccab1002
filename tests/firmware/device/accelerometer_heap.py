"""What reading the FIFO costs in heap, by the number of samples."""

import gc
from array import array

from answer import answer

from firmware.drivers.lis2dw12 import Lis2dw12


class Registers:
    burst = 0
    waiting = 0

    def read(self, register):
        return self.waiting

    def read_into(self, register, into):
        for n in range(len(into)):
            into[n] = 0xFF


registers = Registers()
sensor = Lis2dw12(registers)
samples = array("h", [0] * 96)
counts = []
used = []
for waiting in (3, 30):
    registers.waiting = waiting
    sensor.read(samples)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    counts.append(sensor.read(samples))
    used.append(gc.mem_alloc() - before)
    gc.enable()
answer({"samples": counts, "bytes": used})
