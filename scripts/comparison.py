#!/usr/bin/env python3
"""Fills in Belay's columns of the table in docs/comparison.md.

    scripts/comparison.py CORPUS BELAY [--time-limit 10] [--wall-limit 40] [--sample 12] [--page docs/comparison.md] [--out rows.csv]

CORPUS holds `index.jsonl` (a task a line: suite, file or files, property, expected, data_model, integers) and the programs. A task is taken if the SHA-256 of its file's name and property is
divisible by the sample's number: the same tasks that the other tools' columns are about, as far as CORPUS has them. Each runs by itself, one after the other. Solved is what has an answer that
agrees with the label; tasks without a label, or with a disputed one, are left out. The other columns stay what they are.
"""

import argparse
import collections
import csv
import hashlib
import json
import os
import re
import statistics
import subprocess
import time

# The rows of the table: suite and properties.
ROWS = {
    ("SV-COMP 2019", "unreach-call"): ("svcomp19", ["unreach-call"]),
    ("SV-COMP 2019", "memsafety"): ("svcomp19", ["memsafety"]),
    ("SV-COMP 2019", "no-overflow"): ("svcomp19", ["no-overflow"]),
    ("SV-COMP 2019", "termination"): ("svcomp19", ["termination"]),
    ("SV-COMP 2016", "termination"): ("svcomp16-term", ["termination"]),
    ("TPDB, C", "termination"): ("tpdb-c", ["termination"]),
    ("TPDB, C over integers", "termination"): ("tpdb-c_integer", ["termination"]),
    ("2LS's regression tests", "termination"): ("2ls-regression", ["termination"]),
    ("2LS's regression tests", "unreach-call"): ("2ls-regression", ["unreach-call"]),
    ("CBMC's regression tests", "valid-deref, valid-free"): ("cbmc-regression", ["valid-deref", "valid-free"]),
    ("CBMC's regression tests", "no-overflow"): ("cbmc-regression", ["no-overflow"]),
    ("CBMC's regression tests", "unreach-call"): ("cbmc-regression", ["unreach-call"]),
    ("ITC", "memory safety"): ("itc", ["valid-deref", "valid-free", "valid-memtrack"]),
    ("Juliet", "memory safety"): ("juliet", ["valid-deref", "valid-free", "valid-memtrack"]),
    ("Juliet", "no-overflow, unreach-call"): ("juliet", ["no-overflow", "unreach-call"]),
    ("svsimple22", "unreach-call, no-overflow"): ("svsimple22", ["unreach-call", "no-overflow"]),
    ("Verisec", "valid-deref"): ("verisec", ["valid-deref"]),
}


def chosen(args):
    wanted = {(suite, name) for suite, properties in ROWS.values() for name in properties}
    with open(os.path.join(args.corpus, "index.jsonl")) as lines:
        for row in map(json.loads, lines):
            number = int(hashlib.sha256((row["file"] + row["property"]).encode()).hexdigest(), 16)
            is_clear = row["expected"] in (True, False) and not row.get("suspect")
            if number % args.sample == 0 and is_clear and (row["suite"], row["property"]) in wanted:
                yield row


def solve(args, row):
    """What is said of a task, and its CPU seconds."""
    files = [os.path.join(args.corpus, name) for name in row.get("files", [row["file"]])]
    command = [args.belay, "check", *files, "--property", row["property"], "--data-model", row["data_model"], "--integers", row["integers"],
               "--time-limit", str(args.wall_limit or args.time_limit), "--threads", "1"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    start, text = time.monotonic(), child.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    found = re.search(rf"^VERDICT {row['property']} (true|false|unknown)", text, re.M)
    seconds = usage.ru_utime + usage.ru_stime
    is_late = time.monotonic() - start > (args.wall_limit or args.time_limit) + 1 or seconds > args.time_limit + 1
    return "late" if is_late else found.group(1) if found else "error", seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("belay")
    parser.add_argument("--time-limit", type=int, default=10)
    parser.add_argument("--wall-limit", type=int, help="seconds of the clock, on a machine that does other work; --time-limit is of CPU seconds then")
    parser.add_argument("--sample", type=int, default=12)
    parser.add_argument("--page", default="docs/comparison.md")
    parser.add_argument("--out", default=os.devnull)
    args = parser.parse_args()
    counts, times = collections.defaultdict(collections.Counter), []
    with open(args.out, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["suite", "file", "property", "expected", "answer", "cpu_s"])
        for row in sorted(chosen(args), key=lambda row: (row["suite"], row["file"], row["property"])):
            answer, seconds = solve(args, row)
            is_solved = answer == ("true" if row["expected"] else "false")
            is_wrong = answer in ("true", "false") and not is_solved
            rows.writerow([row["suite"], row["file"], row["property"], row["expected"], answer, f"{seconds:.2f}"])
            out.flush()
            counts[row["suite"], row["property"]].update({"tasks": 1, "solved": is_solved, "wrong": is_wrong})
            times += [seconds] if is_solved else []
    fill_in(args.page, counts)
    total = sum(counts.values(), collections.Counter())
    print(f"{total['solved']} of {total['tasks']} solved, {total['wrong']} against the label; median {statistics.median(times):.2f} s, mean {statistics.mean(times):.2f} s of CPU")


def fill_in(page, counts):
    """Writes the last two cells of each row that is known."""
    lines = open(page).read().splitlines()
    for at, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if tuple(cells[:2]) in ROWS and len(cells) == 7:
            suite, properties = ROWS[tuple(cells[:2])]
            here = sum((counts[suite, name] for name in properties), collections.Counter())
            cells[5:] = [str(here["tasks"]), f"{here['solved']} ({here['wrong']})"]
            lines[at] = "| " + " | ".join(cells) + " |"
    with open(page, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
