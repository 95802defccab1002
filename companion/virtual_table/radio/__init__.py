"""The virtual table's air: two Bluetooth controllers, the firmware's radio, and a bleak backend for the companion."""
