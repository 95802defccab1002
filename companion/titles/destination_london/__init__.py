"""Destination London in the companion."""
