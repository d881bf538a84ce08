"""`python bandwidth.py OUT.json`: the copy bandwidth of the first GPU, to hold decoding against.

Bytes read and written per second by device-to-device copies of 4 GiB, the median of ten after three warm-ups.
"""

import json
import statistics
import sys
from pathlib import Path

SIZE = 4 << 30
WARM_UP, TIMED = 3, 10


def main(out: Path) -> None:
    import torch

    source = torch.empty(SIZE, dtype=torch.uint8, device="cuda").random_(0, 255)
    target = torch.empty_like(source)
    seconds = []
    for _ in range(WARM_UP + TIMED):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        target.copy_(source)
        end.record()
        torch.cuda.synchronize()
        seconds.append(begin.elapsed_time(end) / 1e3)
    assert bool((target[:: 1 << 20] == source[:: 1 << 20]).all())
    rate = 2 * SIZE / statistics.median(seconds[WARM_UP:])
    out.write_text(json.dumps({"copy_bytes_per_s": rate, "gpu": torch.cuda.get_device_name(0)}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
