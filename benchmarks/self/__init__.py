"""How fast infx itself is, as ratios to a yardstick run beside it. `make bench` runs every module's `bench()`."""
