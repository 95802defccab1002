"""What drawings of boards have in common: geometry of lines and boxes, and how wide words are. The boards are drawn
by their titles (companion/titles/<title>/map)."""
