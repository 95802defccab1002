"""A radio that counts, and refuses when told to."""

import binascii

FLAG_READ, FLAG_WRITE, FLAG_NOTIFY = 2, 8, 16


class UUID(bytes):
    def __init__(self, text):
        super().__init__(bytes(reversed(binascii.unhexlify(text.replace("-", "")))))


class BLE:
    def __init__(self):
        self.advertised = 0
        self.refusing = None
        self.values = {}
        self.sent = []
        self.dropped = []

    def active(self, on=None):
        return True

    def config(self, **values):
        self.name = values["gap_name"]

    def irq(self, handler):
        self.handler = handler

    def gatts_register_services(self, services):
        ((self.service, characteristics),) = services
        return (tuple([16 + n for n in range(len(characteristics))]),)

    def gatts_set_buffer(self, handle, size):
        self.buffer = (handle, size)

    def gatts_write(self, handle, data):
        self.values[handle] = data

    def gatts_read(self, handle):
        return self.values[handle]

    def gap_advertise(self, interval, adv_data, resp_data):
        if len(adv_data) > 31 or len(resp_data) > 31:
            raise ValueError("too long")
        self.advertisement = adv_data, resp_data
        if self.refusing is not None:
            raise OSError(self.refusing)
        self.advertised += 1

    def gatts_notify(self, conn, handle, data):
        if self.refusing is not None:
            raise OSError(self.refusing)
        self.sent.append((conn, handle, data))

    def gap_disconnect(self, conn):
        if self.refusing is not None:
            raise OSError(self.refusing)
        self.dropped.append(conn)
