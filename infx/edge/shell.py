"""Shell: syntax of scripts, checked by the shell itself without running a line."""

from collections.abc import Mapping

from infx.edge import proc


def faults(scripts: Mapping[str, bytes]) -> list[str]:
    """One sentence for each script that `bash -n` refuses."""
    told = []
    for path, script in scripts.items():
        done = proc.run(["bash", "-n"], stdin=script, timeout_s=10)
        if done.code != 0:
            told.append(f"{path}: {done.complaint.removeprefix('bash: ')}; mend the syntax")
    return told
