"""What a serial port makes of a UART that brings noise, takes half a frame, and falls silent."""

import asyncio
import io
import time

from answer import answer

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.links import CABLE, Links
from firmware.device_link.serial_port import SerialPort
from shared_rules.wire.serial_frames import FrameReader, encode_frame

time.drive_asyncio()
WORDS = {CONNECTED: "connected", GONE: "gone", WRITTEN: "written"}
results = {}


class Uart(io.IOBase):
    def __init__(self):
        self.coming = bytearray()
        self.sent = bytearray()
        self.room = None
        self.broken = False

    def ioctl(self, request, flags):
        return flags & 1 if self.coming else 0

    def read(self, count):
        data = bytes(self.coming[:count])
        self.coming = self.coming[count:]
        return data or None

    def write(self, data):
        if self.broken:
            raise OSError(5)
        taken = data if self.room is None else data[: self.room]
        self.sent += taken
        return len(taken)


class Stream:
    """Stands for asyncio's stream, since nothing wakes the event loop of a test when bytes come."""

    def __init__(self, uart):
        self.uart = uart

    async def read(self, count):
        while not self.uart.coming:
            await asyncio.sleep_ms(5)
        return self.uart.read(count)


class Air:
    lost_writes = 2

    def __init__(self):
        self.told = []

    def notify(self, conn, packet):
        self.told.append(conn)
        return True

    def drop(self, conn):
        self.told.append(-conn)


async def main():
    uart = Uart()
    port = SerialPort(uart)
    port._stream = Stream(uart)
    heard = []

    async def listen():
        while True:
            what, conn, data = await port.next()
            assert conn == CABLE
            heard.append([WORDS[what], data.decode()])

    for task in (port.read(), port.watch(), listen()):
        asyncio.create_task(task)

    async def come(data, ms=50):
        uart.coming += data
        await asyncio.sleep_ms(ms)
        told = list(heard)
        heard.clear()
        return told

    results["before"] = [port.notify(CABLE, b"nobody"), bytes(uart.sent) == b""]
    results["noise"] = await come(b"\x00\x05garbage\x00" + b"\x77" * 500 + b"\x00")
    results["begins"] = await come(encode_frame(b"one") + encode_frame(b"two"))
    results["lost"] = port.lost_writes
    results["flood"] = len(await come(b"".join([encode_frame(b"x%d" % n) for n in range(200)]), 2000))
    results["flood lost"] = port.lost_writes

    # a UART that takes half a frame: the next one is still understood
    uart.room = 3
    torn = port.notify(CABLE, b"hello")
    uart.broken = True
    broken = port.notify(CABLE, b"hello")
    uart.broken, uart.room = False, None
    again = port.notify(CABLE, b"hello")
    results["torn"] = [torn, broken, again, [packet.decode() for packet in FrameReader().feed(bytes(uart.sent))]]

    results["speaks on"] = []
    for _ in range(4):
        results["speaks on"] += await come(encode_frame(b"."), 2000)
    results["silence"] = await come(b"", 7000)
    results["nobody"] = port.notify(CABLE, b"x")
    results["again"] = await come(encode_frame(b"back"))
    port.drop(CABLE)
    port.drop(CABLE)
    results["dropped"] = await come(b"")

    air = Air()
    links = Links(air, port)
    links.notify(4, b"x")
    links.drop(4)
    results["links"] = [air.told, links.notify(CABLE, b"x"), links.lost_writes == 2 + port.lost_writes]
    alone = Links(air)
    alone.drop(CABLE)
    results["no cable"] = [alone.notify(CABLE, b"x"), len(alone.sources), alone.lost_writes]


asyncio.run(main())
answer(results)
