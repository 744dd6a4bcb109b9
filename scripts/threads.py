#!/usr/bin/env python3
"""What a second thread saves: wall time with two threads against one, on tasks that take long.

    scripts/threads.py CORPUS RESULTS.csv BELAY [--least 2] [-t 20] [--most 30] [--flags='--rules svcomp']

RESULTS.csv is what the corpus's score.py wrote (`--out`): of its tasks those are run again, with one thread and with two in turn, that were solved and took at least `--least` CPU seconds.
Prints the ratio of each and their geometric mean, and names each task whose VERDICT lines differ.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import subprocess
import time


def verdicts(output):
    lines = [line for line in output.splitlines() if line.startswith("VERDICT ")]
    return [re.sub(r"unknown\(.*", "unknown", line) for line in lines]


def run(belay, task, root, threads, limit, flags):
    files = [str(root / file) for file in task.get("files") or [task["file"]]]
    command = [belay, "check", *files, "--property", task["property"], "--data-model", task["data_model"]]
    command += ["--integers", task["integers"], "--time-limit", str(limit), "--threads", str(threads), *flags]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=limit + 30)
    return time.monotonic() - start, verdicts(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("results")
    parser.add_argument("belay")
    parser.add_argument("--least", type=float, default=2.0, help="CPU seconds that a task has to have taken")
    parser.add_argument("-t", "--time-limit", type=int, default=20)
    parser.add_argument("--most", type=int, default=30, help="tasks at most")
    parser.add_argument("--flags", default="")
    options = parser.parse_args()

    index = [json.loads(line) for line in open(options.corpus / "index.jsonl")]
    by_key = {(task["file"], task["property"]): task for task in index}
    rows = list(csv.DictReader(open(options.results)))
    long = [row for row in rows if row["outcome"] in ("proof", "bug") and float(row["cpu_s"]) >= options.least]
    long.sort(key=lambda row: -float(row["cpu_s"]))
    ratios = []
    for row in long[: options.most]:
        task = by_key[(row["file"], row["property"])]
        one, said = run(options.belay, task, options.corpus, 1, options.time_limit, options.flags.split())
        two, said_by_two = run(options.belay, task, options.corpus, 2, options.time_limit, options.flags.split())
        ratios.append(two / one)
        differs = "" if said == said_by_two else f"  DIFFERS: {said} {said_by_two}"
        print(f"{two / one:5.2f}  {one:6.2f} s  {two:6.2f} s  {row['file']} {row['property']}{differs}", flush=True)
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
        print(f"{len(ratios)} tasks, geometric mean {mean:.2f}, greatest {max(ratios):.2f}")


main()
