"""Health: whether a server answers 200 to GET /health, as engines, routers and their stand-ins do."""

import http.client
from urllib.parse import urlsplit

ANSWER_S = 2.0
"""Seconds that one question may take."""


def healthy(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_S)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
