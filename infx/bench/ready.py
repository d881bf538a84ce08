"""Ready means: one real token of the right model. An answer 200 alone means nothing."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

ANSWER_S = 5.0
"""Seconds that one probe may take."""
ANSWER_LIMIT = 64 * 1024


def probe(url: str, model: str) -> bool:
    """True when a completion of one token came back from `model`; False on any other answer or none."""
    ask = {"model": model, "prompt": "1 + 1 =", "max_tokens": 1, "temperature": 0}
    answer = post(url, "/v1/completions", ask)
    if not isinstance(answer, dict) or answer.get("model") != model or not answer.get("choices"):
        return False
    usage = answer.get("usage")
    return isinstance(usage, dict) and usage.get("completion_tokens") == 1


def post(url: str, path: str, body: Any) -> Any:
    """Parsed answer of a 200; None on everything else."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_S)
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        data = answer.read(ANSWER_LIMIT)
        return json.loads(data) if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
