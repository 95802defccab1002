"""A firmware that does a little of everything that the shims offer, and says on its BLE service what came of it."""

import asyncio
import os
import sys
import time

import bluetooth
import esp32
import machine
import micropython
import neopixel

micropython.alloc_emergency_exception_buf(100)
assert sys.platform == "esp32"
assert os.uname()[0] == "esp32"

SERVICE = bluetooth.UUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")
ASK = (bluetooth.UUID("6e400002-b5a3-f393-e0a9-e50e24dcca9e"), bluetooth.FLAG_WRITE | bluetooth.FLAG_WRITE_NO_RESPONSE)
SAY = (bluetooth.UUID("6e400003-b5a3-f393-e0a9-e50e24dcca9e"), bluetooth.FLAG_READ | bluetooth.FLAG_NOTIFY)

_CONNECT, _DISCONNECT, _WRITE, _MTU = 1, 2, 3, 21


class Echo:
    def __init__(self):
        self.connections = []
        self.log = []
        self.flag = asyncio.ThreadSafeFlag()
        self.asked = []
        self.button = machine.Pin(34, machine.Pin.IN)
        self.button.irq(self.on_button, machine.Pin.IRQ_FALLING)
        self.presses = 0
        self.ble = bluetooth.BLE()
        self.ble.active(True)
        self.ble.config(mtu=247, gap_name="echo")
        self.ble.irq(self.on_ble)
        ((self.ask, self.say),) = self.ble.gatts_register_services(((SERVICE, (ASK, SAY)),))
        self.ble.gatts_set_buffer(self.ask, 200)
        self.advertise()

    def advertise(self):
        name = b"echo"
        data = b"\x02\x01\x06" + bytes((17, 7)) + bytes(SERVICE)
        self.ble.gap_advertise(50_000, data, resp_data=bytes((len(name) + 1, 9)) + name)

    def on_button(self, pin):
        self.presses += 1

    def on_ble(self, event, data):
        self.log.append(event)
        if event == _CONNECT:
            self.connections.append(data[0])
        elif event == _DISCONNECT:
            self.connections.remove(data[0])
            self.advertise()
        elif event == _WRITE:
            self.asked.append(bytes(self.ble.gatts_read(data[1])))
            self.flag.set()

    def answer(self, text):
        for connection in self.connections:
            try:
                self.ble.gatts_notify(connection, self.say, text)
            except OSError as error:
                self.ble.gatts_write(self.say, b"errno %d" % error.errno)

    async def serve(self):
        while True:
            await self.flag.wait()
            while self.asked:
                await self.obey(self.asked.pop(0))

    async def obey(self, word):
        if word == b"reset":
            machine.reset()
        elif word == b"fail":
            raise RuntimeError("as asked")
        elif word == b"guard":
            machine.WDT(timeout=2000)
        elif word == b"hang":
            while True:
                time.sleep_ms(100)
        elif word == b"cause":
            self.answer(b"%d" % machine.reset_cause())
        elif word == b"presses":
            self.answer(b"%d" % self.presses)
        elif word == b"boots":
            self.answer(b"%d" % count_boots())
        elif word == b"random":
            self.answer(os.urandom(8))
        elif word == b"nap":
            before = time.ticks_ms()
            await asyncio.sleep_ms(1500)
            self.answer(b"%d" % time.ticks_diff(time.ticks_ms(), before))
        elif word == b"timer":
            ticks = []
            timer = machine.Timer(0)
            timer.init(mode=machine.Timer.PERIODIC, period=100, callback=lambda t: ticks.append(1))
            await asyncio.sleep_ms(1050)
            timer.deinit()
            await asyncio.sleep_ms(500)
            self.answer(b"%d" % len(ticks))
        elif word == b"light":
            strip = neopixel.NeoPixel(machine.Pin(4), 3)
            strip[1] = (255, 0, 7)
            strip.write()
        elif word.startswith(b"burst "):
            for i in range(int(word[6:])):
                self.answer(b"%d" % i)
        elif word == b"bye":
            self.ble.gap_disconnect(self.connections[0])
        elif word == b"id":
            self.answer(machine.unique_id())
        else:
            self.answer(word)


def count_boots():
    nvs = esp32.NVS("boots")
    try:
        count = nvs.get_i32("n")
    except OSError:
        count = 0
    return count


async def main():
    nvs = esp32.NVS("boots")
    nvs.set_i32("n", count_boots() + 1)
    nvs.commit()
    with open("boots.txt", "a") as f:
        f.write("x")
    await Echo().serve()
