"""Puts the handheld die together: accelerometer, roll detector, light, cell, power policy, what every device has."""

import asyncio
import time
from array import array

import machine
import neopixel

from firmware import pins_handheld as pins
from firmware.device_link.snapshot import framed
from firmware.die.calibration import BadCalibrationError, Calibration, from_bytes
from firmware.die.die_light import TICK_MS, DieLight
from firmware.die.handheld_die import HandheldDie
from firmware.die.power_policy import (
    CALM,
    CALM_POLL_MS,
    PLAY_HZ,
    PLAY_POLL_MS,
    RANGE_G,
    WATCH_HZ,
    PowerPolicy,
)
from firmware.die.roll_detector import UNKNOWN, RollDetector
from firmware.drivers.accelerometer import FIFO_DEPTH, Accelerometer
from firmware.drivers.accelerometer_probe import find_on_i2c, find_on_spi
from firmware.drivers.battery import Battery
from firmware.drivers.led_strip import LedStrip
from firmware.supervision.two_slot_file import TwoSlotFile
from shared_rules.wire.messages import (
    CALIBRATION_FORGET,
    CALIBRATION_START,
    DIE_TUMBLES,
    DONE,
    NOT_NOW,
    RESET_CAUSES,
    SLEEP_ASKED,
)

MYPY = False
if MYPY:  # only type checkers come here
    from firmware.die.calibration_run import CalibrationRun

CALIBRATION_RECORD = "calibration"
POWER_UP_MS = 20  # both accelerometers, after their supply has come
FIRST_LOOK_MS = 1500  # so long a snapshot waits for a die to lie still
TURN_LOOKS = 5  # of the calm ones: from one look at how it lies to the next
TURNED_MG = 300  # three axes together
MEASURE_MS = 10000
DECIDE_MS = 1000
DEAF_MS = 500  # without samples for so long the accelerometer is set up anew
MOST_RESTARTS = 5
ALIVE_MS = 5000

_DEEP_SLEEP = RESET_CAUSES.index("deep sleep")


class AccelerometerError(RuntimeError):
    """There is no accelerometer, or it gives no samples however often it is set up."""


def accelerometer(where) -> Accelerometer:
    """The one on the pins of `where`, whichever of the two it is: on SPI when the pins have a select line, else on I2C.

    `AccelerometerError` when none answers.
    """
    time.sleep_ms(POWER_UP_MS)
    if hasattr(where, "ACCEL_SELECT"):
        bus = machine.SPI(
            1,
            baudrate=where.ACCEL_BUS_HZ,
            polarity=1,
            phase=1,
            sck=machine.Pin(where.ACCEL_SCK),
            mosi=machine.Pin(where.ACCEL_MOSI),
            miso=machine.Pin(where.ACCEL_MISO),
        )
        found = find_on_spi(bus, machine.Pin(where.ACCEL_SELECT, machine.Pin.OUT, value=1))
    else:
        scl, sda = machine.Pin(where.ACCEL_SCL), machine.Pin(where.ACCEL_SDA)
        found = find_on_i2c(machine.I2C(0, scl=scl, sda=sda, freq=where.ACCEL_BUS_HZ))
    if found is None:
        raise AccelerometerError("no LIS2DW12 and no LIS3DH answers")
    return found


def cell() -> Battery:
    """The cell of this die."""
    charging = machine.Pin(pins.CHARGING, machine.Pin.IN, machine.Pin.PULL_UP)
    adc = machine.ADC(machine.Pin(pins.BATTERY_ADC), atten=machine.ADC.ATTN_11DB)
    return Battery(adc, pins.BATTERY_DIVIDER, charging)


def stored(file: TwoSlotFile) -> Calibration:
    """The calibration in flash, or one that changes nothing."""
    try:
        return from_bytes(file.read() or b"")
    except BadCalibrationError:
        return Calibration()


class HandheldApp:
    """The whole die; `tasks` are to be run for ever."""

    def __init__(self, device) -> None:
        now = time.ticks_ms()
        self._device = device
        self._sensor = accelerometer(pins)
        self._moved = machine.Pin(pins.ACCEL_INT, machine.Pin.IN)  # high since it was moved while it was watched
        self.battery = cell()
        self.battery.measure()
        pixel = neopixel.NeoPixel(machine.Pin(pins.LED, machine.Pin.OUT), 1)
        power = machine.Pin(pins.LED_POWER, machine.Pin.OUT, value=0)
        self.light = DieLight(LedStrip(pixel, pins.LED_CURRENT_LIMIT), power)
        self._calibration_file = TwoSlotFile(CALIBRATION_RECORD)
        self.detector = RollDetector(stored(self._calibration_file))
        self._run: "CalibrationRun | None" = None  # the calibration that goes on, or the last one
        self.die = HandheldDie(device.report)
        self._memory = machine.RTC()
        self._woken = device.reset_cause == _DEEP_SLEEP
        self.die.restore(self._memory.memory(), self._woken)
        self.policy = PowerPolicy(now, time.ticks_diff)
        self._samples = array("h", [0] * (3 * FIFO_DEPTH))
        self._one = array("h", [0] * 3)
        self._lay = array("h", [0] * 3)  # the newest sample, mg
        self._started = now
        self._sampled = now  # time of the newest sample
        self._turned = now
        self._sleep_reason = 0
        self._asleep = False

        device.commands["IDENTIFY"] = self._identify
        device.commands["SET_FACE_MAP"] = self._set_face_map
        device.commands["ARM_DIE"] = self._arm
        device.commands["DISARM_DIE"] = self._disarm
        device.commands["CALIBRATE_DIE"] = self._calibrate
        device.commands["SLEEP_DIE"] = self._sleep
        device.snapshot = self._snapshot
        device.battery = self.battery.state
        device.calm = self._is_calm

    def tasks(self):
        """Coroutines for `Device.run`."""
        return self.feel(), self.shine(), self.save_power()

    def is_alive(self) -> bool:
        """Whether motion is still being watched."""
        return time.ticks_diff(time.ticks_ms(), self._turned) < ALIVE_MS

    async def feel(self):
        """Watches the motion for ever: fast while there is some, else by the accelerometer's own interrupt."""
        if self._woken and self._sensor.carry_on(WATCH_HZ, RANGE_G):
            self._take(time.ticks_ms())  # what has woken it
        while True:
            await self._measure()
            self._watch()
            if self._must_sleep():
                await self._fall_asleep()
            looks = 0
            while not self._moved.value():
                self._turned = time.ticks_ms()
                if self._must_sleep() or self.policy.pace(self._turned) != CALM:
                    break
                looks += 1
                if looks % TURN_LOOKS == 0 and self._lies_otherwise():
                    break
                await asyncio.sleep_ms(CALM_POLL_MS)
            if self._must_sleep():
                continue
            now = time.ticks_ms()
            self.policy.moved(now)
            self._take(now)  # how the motion began

    async def shine(self):
        """Keeps the light until the die sleeps."""
        while not self._asleep:
            event = self.die.settled_event
            heard = event is not None and self._device.outbox.packet(event) is None
            await self.light.draw(self.die, heard, self.battery.level, self._calibrated())
            await asyncio.sleep_ms(TICK_MS)

    async def save_power(self):
        """Looks after the cell and says when it is time to sleep, for ever."""
        measured = time.ticks_add(time.ticks_ms(), -MEASURE_MS)
        level = None
        while True:
            now = time.ticks_ms()
            battery = self.battery
            if time.ticks_diff(now, measured) >= MEASURE_MS:
                measured = now
                battery.measure()
            if battery.level != level:
                if level is not None or battery.level:
                    fields = {"level": battery.level, "percent": battery.percent, "millivolts": battery.millivolts}
                    self._device.report("BATTERY", fields)
                level = battery.level
            connected = self._device.session.conn is not None
            reason = self.policy.why_sleep(now, connected, battery.level, battery.is_charging())
            if self._sleep_reason != SLEEP_ASKED:
                self._sleep_reason = reason
            await asyncio.sleep_ms(DECIDE_MS)

    # motion

    async def _measure(self):
        """Takes samples fast until the die has lain still for a while, or is to sleep."""
        restarts = 0
        heard = time.ticks_ms()
        started = await self._start()
        while not self._must_sleep():
            now = self._turned = time.ticks_ms()
            count = self._take(now) if started else 0
            if count:
                heard = now
                restarts = 0
            elif time.ticks_diff(now, heard) >= DEAF_MS:
                restarts += 1
                if restarts > MOST_RESTARTS:
                    raise AccelerometerError("no samples")
                heard = now
                started = await self._start()
            if not self.detector.still or self._calibrated() >= 0:
                self.policy.moved(now)
            elif self.policy.pace(now) == CALM:
                return
            await asyncio.sleep_ms(PLAY_POLL_MS)

    def _lies_otherwise(self):
        """Whether it has been turned too gently for the accelerometer's own watch, or does not answer any more."""
        one, lay, scale = self._one, self._lay, self._sensor.scale
        try:
            if not self._sensor.read(one):
                return False
        except OSError:
            return True
        off = 0
        for n in range(3):
            off += abs(int(one[n] * scale) - lay[n])
        return off > TURNED_MG

    async def _start(self):
        try:
            return await self._sensor.start(PLAY_HZ, RANGE_G)
        except OSError:
            return False

    def _watch(self):
        """Lets the accelerometer watch for motion by itself."""
        self._sensor.wake_on_motion(self.policy.wake_mg(time.ticks_ms(), self.battery.level), WATCH_HZ)

    def _take(self, now):
        """Feeds what the FIFO holds to the detector; how many samples."""
        sensor, samples, detector = self._sensor, self._samples, self.detector
        try:
            count = sensor.read(samples)
        except OSError:
            return 0
        if not count:
            return 0
        # The chip's clock differs from its name by some percent: samples are spread over the time that has passed,
        # unless some were lost or this is the first look after a while.
        spread = time.ticks_diff(now, self._sampled)
        nominal = count * 1000 // sensor.rate_hz
        if sensor.overrun or spread > 2 * nominal:
            spread = min(nominal, spread)
        scale = sensor.scale
        x = y = z = 0
        for n in range(count):
            at = time.ticks_add(now, -spread + spread * (n + 1) // count)
            x, y, z = int(samples[3 * n] * scale), int(samples[3 * n + 1] * scale), int(samples[3 * n + 2] * scale)
            found = detector.feed(at, x, y, z)
            if found:
                self._found(found)
        lay = self._lay
        lay[0], lay[1], lay[2] = x, y, z
        self._sampled = now
        if self._run is not None:
            self._run.look(now)
            self.die.quiet = self._run.progress >= 0
        return count

    def _found(self, found):
        self.die.hear(found)
        if found[0] != "handled":
            self._remember()

    def _remember(self):
        self._memory.memory(self.die.save())

    # commands

    def _identify(self, fields, number):
        self.policy.asked(time.ticks_ms())
        self.light.identify(fields["seconds"])
        return DONE, 0

    def _set_face_map(self, fields, number):
        self.die.set_face_map(fields["map_id"], fields["style"], fields["faces"])
        self._remember()
        return DONE, 0

    def _arm(self, fields, number):
        self.policy.asked(time.ticks_ms())
        answer = self.die.arm(fields["map_id"], fields["seat"], number)
        self._remember()
        return answer

    def _disarm(self, fields, number):
        status = self.die.disarm()
        self._remember()
        return status, 0

    def _calibrate(self, fields, number):
        now = time.ticks_ms()
        self.policy.asked(now)
        action = fields["action"]
        if action == CALIBRATION_START and (self.die.invited or self.die.state == DIE_TUMBLES):
            return NOT_NOW, 0
        run = self._run
        if run is None:
            # Seldom wanted, and large: it takes memory from its first use on.
            from firmware.die.calibration_run import CalibrationRun

            run = self._run = CalibrationRun(
                self.detector, self._calibration_file, self._device.report, time.ticks_diff
            )
        if action == CALIBRATION_START:
            self.policy.moved(now)
            run.begin(now, number)
        elif action == CALIBRATION_FORGET:
            return (DONE if run.forget() else NOT_NOW), 0
        else:
            run.end()
        self.die.quiet = run.progress >= 0
        return DONE, 0

    def _sleep(self, fields, number):
        if not self._is_calm():
            return NOT_NOW, 0
        self._sleep_reason = SLEEP_ASKED
        return DONE, 0

    # for the device

    def _snapshot(self):
        if self.detector.state == UNKNOWN and time.ticks_diff(time.ticks_ms(), self._started) < FIRST_LOOK_MS:
            return None
        return framed([("SNAPSHOT_DIE", self.die.seen())])

    def _calibrated(self):
        """How many faces are calibrated, -1 while none is to be."""
        return -1 if self._run is None else self._run.progress

    def _is_calm(self):
        return self.die.state != DIE_TUMBLES and self._calibrated() < 0

    def _must_sleep(self):
        return bool(self._sleep_reason) and self._is_calm()

    async def _fall_asleep(self):
        """Asleep, the accelerometer watches as it does when all is calm. Does not return."""
        self._remember()
        self._asleep = True
        self.light.off()
        await self._device.sleep(self._sleep_reason, (self._moved,))
