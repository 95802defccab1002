"""TAXI! in the companion."""
