"""Chips and tags as models that answer only through their pins: registers, bits in the air, light bytes."""
