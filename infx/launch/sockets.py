"""Who listens on a port, by Linux's numbers of sockets: a restarted server has another one. Pure."""

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
LISTENING = "0A"


def listeners(text: str, port: int) -> frozenset[str]:
    """Socket numbers of those who listen on `port`; `text` holds tables like /proc/net/tcp."""
    found = set()
    for line in text.splitlines():
        words = line.split()
        if len(words) > 9 and words[3] == LISTENING and words[1].endswith(f":{port:04X}"):
            found.add(words[9])
    return frozenset(found)
