"""What keeps a device going: faults end in a clean restart, records survive torn writes, health is told."""
