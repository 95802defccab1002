"""As much of `esp32` as a device touches when it goes to sleep."""

WAKEUP_ANY_HIGH = True
woken_by = None


def wake_on_gpio(pins, level):
    global woken_by
    woken_by = pins, level
