"""What lies between two Bluetooth controllers: time, distance, and the loss of a link. Built on Bumble's LocalLink.

Bumble delivers at once and never loses anything. Here a packet takes `air_time_s`, nothing overtakes, a link can be
lost as it is in life (both ends time out, nobody says good-bye), and a device can be out of range.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from bumble import hci
from bumble.controller import Controller
from bumble.link import LocalLink

LINK_TIMED_OUT = 0x08
"""Error code of a connection whose supervision timeout has run out."""


class Air(LocalLink):  # type: ignore[misc]
    """One room full of air."""

    def __init__(self, air_time_s: float = 0.0) -> None:
        super().__init__()
        self.stations: list[Any] = []
        """Its controllers as they came; LocalLink keeps a set, whose order differs from run to run."""
        self.air_time_s = air_time_s
        self.out_of_range = False
        self.packets = 0
        self.centrals = 0
        self._under_way: deque[tuple[float, Callable[[], None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def add_controller(self, controller: Any) -> None:
        super().add_controller(controller)
        self.stations.append(controller)

    def remove_controller(self, controller: Any) -> None:
        if controller in self.stations:
            super().remove_controller(controller)
            self.stations.remove(controller)

    def find_le_controller(self, address: Any) -> Any:
        """Who is connected under this address, else who has it; None when nobody has."""
        for controller in self.stations:
            if any(connection.self_address == address for connection in controller.le_connections.values()):
                return controller
        return next((c for c in self.stations if address in (c.random_address, c.public_address)), None)

    def send_acl_data(self, sender_controller: Any, destination_address: Any, transport: Any, data: bytes) -> None:
        receiver = self.find_le_controller(destination_address)
        if receiver is None:
            return
        source = sender_controller.random_address
        self.packets += 1
        self._carry(lambda: receiver.on_link_acl_data(source, transport, data))

    def send_ll_control_pdu(self, sender_address: Any, receiver_address: Any, packet: Any) -> None:
        receiver = self.find_le_controller(receiver_address)
        if receiver is not None:
            self._carry(lambda: receiver.on_ll_control_pdu(sender_address, packet))

    def send_advertising_pdu(self, sender_controller: Any, packet: Any) -> None:
        if self.out_of_range or getattr(sender_controller, "out_of_range", False):
            return
        loop = asyncio.get_running_loop()
        for controller in list(self.stations):
            if controller is not sender_controller:
                loop.call_soon(controller.on_ll_advertising_pdu, packet)

    def scan_response_of(self, address: Any) -> bytes:
        """What the advertiser with this address adds when it is asked."""
        for controller in self.stations:
            for advertising in controller.advertising_sets.values():
                if advertising.enabled and advertising.address == address:
                    return bytes(advertising.scan_response_data)
        return b""

    def _carry(self, deliver: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        if self.air_time_s <= 0 and not self._under_way:
            loop.call_soon(deliver)
            return
        due = loop.time() + self.air_time_s
        if self._under_way:
            due = max(due, self._under_way[-1][0])
        self._under_way.append((due, deliver))
        if self._timer is None:
            self._timer = loop.call_at(due, self._land)

    def _land(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._under_way and self._under_way[0][0] <= loop.time() + 1e-7:
            deliver = self._under_way.popleft()[1]
            deliver()
        if self._under_way:
            self._timer = loop.call_at(self._under_way[0][0], self._land)

    def lose_links(self, reason: int = LINK_TIMED_OUT) -> int:
        """Every connection times out at both ends; what was under way is lost. Says how many ends there were."""
        self._under_way.clear()
        return sum(controller.lose_links(reason) for controller in list(self.stations))


class TableController(Controller):  # type: ignore[misc]
    """A controller whose cancelled connection attempts end, and whose reports hold the true scan response."""

    pending_le_connection: Any
    out_of_range = False
    """Whether nobody hears its advertising."""

    @property
    def air(self) -> Air:
        """The room that it is in."""
        assert isinstance(self.link, Air)
        return self.link

    def lose_links(self, reason: int = LINK_TIMED_OUT) -> int:
        ends = list(self.le_connections.values())
        for connection in ends:
            self.on_le_disconnected(connection, reason)
        return len(ends)

    def lose_own_links(self, reason: int = LINK_TIMED_OUT) -> None:
        """What this controller is connected to, and it, time out; all other connections stay."""
        air = self.air
        for connection in list(self.le_connections.values()):
            for other in list(air.stations):
                there = other.le_connections.get(connection.self_address)
                if other is not self and there is not None:
                    other.on_le_disconnected(there, reason)
            self.on_le_disconnected(connection, reason)

    def switch_off(self) -> None:
        """Gone from the air: it neither advertises nor hears; whoever was connected to it times out."""
        for advertising in self.advertising_sets.values():
            advertising.stop()
        self.le_legacy_advertiser.stop()
        self.host = None
        air = self.air
        air.remove_controller(self)
        for connection in list(self.le_connections.values()):
            for other in list(air.stations):
                there = other.le_connections.get(connection.self_address)
                if there is not None:
                    other.on_le_disconnected(there, LINK_TIMED_OUT)
        self.le_connections.clear()

    def on_ll_control_pdu(self, sender_address: Any, packet: Any) -> None:
        if sender_address in self.le_connections:  # else the link was lost while the packet was under way
            super().on_ll_control_pdu(sender_address, packet)

    def on_link_acl_data(self, sender_address: Any, transport: Any, data: bytes) -> None:
        if sender_address in self.le_connections:
            super().on_link_acl_data(sender_address, transport, data)

    def on_hci_le_create_connection_cancel_command(self, command: Any) -> Any:
        pending: Any = self.pending_le_connection
        self.pending_le_connection = None
        if pending is not None:
            self.send_hci_packet(
                hci.HCI_LE_Connection_Complete_Event(
                    status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                    connection_handle=0,
                    role=hci.Role.CENTRAL,
                    peer_address_type=pending.peer_address.address_type,
                    peer_address=pending.peer_address,
                    connection_interval=0,
                    peripheral_latency=0,
                    supervision_timeout=0,
                    central_clock_accuracy=0,
                )
            )
        return super().on_hci_le_create_connection_cancel_command(command)

    def on_hci_reset_command(self, command: Any) -> Any:
        self.pending_le_connection = None
        self.le_scan_enable = False
        return super().on_hci_reset_command(command)

    def on_advertising_pdu(self, pdu: Any) -> None:
        scanning, self.le_scan_enable = self.le_scan_enable, False
        try:
            super().on_advertising_pdu(pdu)
        finally:
            self.le_scan_enable = scanning
        if not scanning:
            return
        event = hci.HCI_LE_Extended_Advertising_Report_Event
        air = self.air
        reports = (
            (event.EventType.CONNECTABLE_ADVERTISING | event.EventType.SCANNABLE_ADVERTISING, pdu.data),
            (event.EventType.SCAN_RESPONSE, air.scan_response_of(pdu.advertiser_address)),
        )
        for kind, data in reports:
            report = event.Report(
                event_type=kind,
                address_type=pdu.advertiser_address.address_type,
                address=pdu.advertiser_address,
                primary_phy=hci.Phy.LE_1M,
                secondary_phy=hci.Phy.LE_1M,
                advertising_sid=0,
                tx_power=0,
                rssi=-50,
                periodic_advertising_interval=0,
                direct_address_type=0,
                direct_address=hci.Address.ANY,
                data=data,
            )
            self.send_hci_packet(event([report]))


def random_address(text: str) -> Any:
    """A static random address as Bumble knows it, from `F0:F1:…`."""
    return hci.Address(text, hci.Address.RANDOM_DEVICE_ADDRESS)
