"""A firmware that answers on its cable, line by line: what a handheld die's chip offers, and what comes of it."""

import asyncio
import sys
import time

import esp32
import machine

RX, TX = 2, 6


class Talk:
    def __init__(self):
        self.uart = machine.UART(1, 115200, tx=machine.Pin(TX), rx=machine.Pin(RX), rxbuf=512)
        self.reader = asyncio.StreamReader(self.uart)
        self.i2c = machine.I2C(0, scl=machine.Pin(5), sda=machine.Pin(4), freq=400000)
        self.line = machine.Pin(3, machine.Pin.IN)
        self.line.irq(self.on_line, machine.Pin.IRQ_RISING)
        self.rises = 0

    def on_line(self, pin):
        self.rises += 1

    async def serve(self):
        self.uart.write(b"up %d %d\n" % (machine.reset_cause(), machine.wake_reason()))
        while True:
            line = await self.reader.readline()
            words = line.decode().split()
            try:
                answer = self.obey(*words)
            except Exception as error:
                answer = f"{type(error).__name__} {error}"
            self.uart.write(f"{answer}\n".encode())

    def obey(self, word, *more):
        if word == "echo":
            return " ".join(more)
        if word == "read":
            return self.i2c.readfrom_mem(int(more[0]), int(more[1]), int(more[2])).hex()
        if word == "write":
            return self.i2c.writeto_mem(int(more[0]), int(more[1]), bytes.fromhex(more[2]))
        if word == "scan":
            return self.i2c.scan()
        if word == "rises":
            return f"{self.rises} {self.line.value()}"
        if word == "adc":
            adc = machine.ADC(machine.Pin(1), atten=machine.ADC.ATTN_11DB)
            return f"{adc.read_uv()} {adc.read_u16()}"
        if word == "remember":
            return machine.RTC().memory(more[0].encode())
        if word == "memory":
            return machine.RTC().memory()
        if word == "sleep":
            esp32.wake_on_gpio((self.line,), esp32.WAKEUP_ANY_HIGH)
            machine.deepsleep(int(more[0]))
        if word == "nap":
            before = time.ticks_ms()
            machine.lightsleep(int(more[0]))
            return time.ticks_diff(time.ticks_ms(), before)
        if word == "reset":
            machine.reset()
        if word == "pin":
            return machine.Pin(int(more[0]))
        if word == "keep":
            with open(more[0], "w") as f:
                f.write(more[1])
            return "kept"
        if word == "kept":
            with open(more[0]) as f:
                return f.read()
        return eval(" ".join((word,) + more), {"machine": machine, "esp32": esp32, "sys": sys})


async def main():
    await Talk().serve()
