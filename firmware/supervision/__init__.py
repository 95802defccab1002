"""What keeps a device going: faults are noted and end in a clean restart, settings survive torn writes, health is told."""
