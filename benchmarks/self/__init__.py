"""How fast infx itself is, beside a yardstick: `make bench` runs the `bench()` of every module."""
