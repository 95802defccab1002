"""What is soldered and plugged: the pin map, its checks, and the tables made from it. Data and checks only."""
