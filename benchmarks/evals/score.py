"""Scores one task with lm-eval. Runs under the clients' Python, not infx's.

lm-eval's own command reads its thousands of task files first, for eight seconds; only ours are read here.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--conc", type=int, required=True, help="requests in flight")
    parser.add_argument("--out", type=Path, required=True, help="results.json and samples.jsonl go here")
    return parser.parse_args()


def main() -> None:
    args = parse()
    # The data files of a task are named from the folder of the task files.
    os.chdir(HERE)
    # Copies of the data set go where they are removed with the job, not into the home of the runner's user.
    os.environ["HF_HOME"] = tempfile.mkdtemp()
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    model_args = {
        "model": args.model,
        "base_url": f"{args.url}/v1/completions",
        "num_concurrent": args.conc,
        "max_retries": 2,
        "tokenizer_backend": "none",
        "tokenized_requests": False,
    }
    found = simple_evaluate(
        model="local-completions",
        model_args=model_args,
        tasks=[args.task],
        task_manager=TaskManager(include_path=str(HERE), include_defaults=False),
        log_samples=True,
    )
    samples = found.pop("samples")[args.task]
    args.out.mkdir(parents=True, exist_ok=True)
    with (args.out / "samples.jsonl").open("w") as file:
        file.writelines(json.dumps(sample, default=str) + "\n" for sample in samples)
    (args.out / "results.json").write_text(json.dumps(found, default=str, indent=1))


if __name__ == "__main__":
    main()
