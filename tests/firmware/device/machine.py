"""As much of `machine` as the supervisor and the die touch."""

PWRON_RESET, HARD_RESET, WDT_RESET, DEEPSLEEP_RESET, SOFT_RESET = range(1, 6)
cause = PWRON_RESET
fed = 0
slept = None


class SleepError(BaseException):
    """Raised where a device would sleep deeply."""


def deepsleep(ms=0):
    raise SleepError


def unique_id():
    return b"\xf0\xca\xb0\x7a\xb1\xe0"


class ResetError(BaseException):
    """Raised where a device would start anew."""


def reset():
    raise ResetError


def reset_cause():
    return cause


class WDT:
    def __init__(self, id=0, timeout=5000):
        self.timeout = timeout

    def feed(self):
        global fed
        fed += 1


class Pin:
    IN = 1
    IRQ_FALLING = 2

    def __init__(self, level=1):
        self.level = level

    def value(self):
        return self.level
