"""Logs of a run as one archive."""

import io
import zipfile

from infx.forge.store import TableStore


def archive(store: TableStore, run_id: int) -> bytes:
    """Zip with one text file for each job of the newest attempt, in order."""
    row, target = store.run_row(run_id), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for place, job in enumerate(store.jobs(run_id, row["attempt"])):
            path = store.log_path(job.id)
            if path.exists():
                file.write(path, f"{place}_{job.name.replace('/', '_')}.txt")
    return target.getvalue()
