"""What people should know of one device, quietly, in sentences that say what to do, for pages."""

from __future__ import annotations

from companion.devices.device_state import DeviceNote
from companion.devices.known_device import KnownDevice


def notes_of(device: KnownDevice) -> list[DeviceNote]:
    """Those of one device, by what is known of it."""
    state = device.state
    name = state.name
    rows = []
    if state.battery_level == "low":
        percent = f" ({state.battery} %)" if state.battery is not None else ""
        rows.append(("battery", f"The battery of {name} is low{percent}. Charge it after this evening."))
    elif state.battery_level == "critical":
        rows.append(("battery", f"The battery of {name} is empty. Charge it now; meanwhile throw on the screen."))
    if state.state == "refused":
        rows.append(("refused", f"{name} does not take part. {state.error}"))
    if state.mode == "safe" and state.state == "connected":
        if device.safe_since is not None:
            text = f"{name} is in safe mode, as you asked: only its link works. Restart it when you are done."
        else:
            text = (
                f"{name} failed again and again and is in safe mode: only its link works, so that its log can be read "
                "and its firmware mended. Until it is restarted it sees no taxi and throws no die; play by hand. "
                "Restart it on the devices page, or switch it off and on."
            )
        rows.append(("safe_mode", text))
    if device.access_refused:
        text = f"Somebody who is not this companion asked {name} to {device.access_refused}. It refused."
        rows.append(("access", text))
    if device.crosstalk:
        text = f"Sockets {device.crosstalk} of {name} read the same tag. Move their readers apart, or turn one."
        rows.append(("crosstalk", text))
    return [DeviceNote(state.id, kind, text) for kind, text in rows]
