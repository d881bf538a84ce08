"""GPUs of this machine and the programs on them, as NVIDIA's driver shows them."""


def programs() -> list[list[int]]:
    """For each GPU the process ids that compute on it; no GPU where there is no driver."""
    import pynvml  # type: ignore[import-untyped]

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return []
    try:
        handles = [pynvml.nvmlDeviceGetHandleByIndex(place) for place in range(pynvml.nvmlDeviceGetCount())]
        return [[one.pid for one in pynvml.nvmlDeviceGetComputeRunningProcesses(gpu)] for gpu in handles]
    except pynvml.NVMLError:
        return []
    finally:
        pynvml.nvmlShutdown()
