#!/usr/bin/env python3
"""How many functions of libraries are safe, or safe under a printed precondition, each by itself.

Every Nth function with external linkage of the libraries is asked for with `--each-function --only F`; the rows go into a CSV file, so that two
versions can be compared. A library is a line of the list: name, flags for clang separated by blanks, then files; several files are one program each if
the name ends in a slash.

    scripts/each_function.py LIST --tool target/quick/belay --every 6 -t 20 --out now.csv [--compare before.csv] [--match REGEX]
"""
import argparse
import collections
import csv
import glob
import json
import os
import re
import subprocess
import sys
import time

COUNTED = ("safe", "safe-if")


def libraries(path):
    """(name, flags, files) of each program of the list."""
    root = os.path.dirname(os.path.abspath(path))
    for line in open(path):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, flags, patterns = [part.strip() for part in line.split("|")]
        flags = [flag.replace("@", root) for flag in flags.split()]
        files = [f for pattern in patterns.split() for f in sorted(glob.glob(os.path.join(root, pattern)))]
        groups = [[f] for f in files] if name.endswith("/") else [files]
        for group in groups:
            yield name, flags, group


def functions(flags, files):
    """The functions with external linkage that the files define, in the order of the text."""
    found = []
    for path in files:
        command = ["clang-22", "-x", "c", "-S", "-emit-llvm", "-o", "-", "-w", *flags, path]
        text = subprocess.run(command, capture_output=True, text=True).stdout
        for line in text.splitlines():
            named = re.match(r"define (.*?)@([\w$]+)\(", line)
            if named and "internal" not in named[1] and "private" not in named[1] and not named[2].startswith("__"):
                found.append(named[2])
    return found


def ask(options, flags, files, function):
    command = [options.tool, "check", "--each-function", "--only", function, "--format", "json", "--threads", "1", "--time-limit",
               str(options.time), *files, "--", *flags]
    start = time.time()
    ran = subprocess.run(command, capture_output=True, text=True)
    took = time.time() - start
    try:
        answer = json.loads(ran.stdout)["functions"][0]
    except (ValueError, KeyError, IndexError):
        answer = {"answer": "error", "reason": (ran.stderr or ran.stdout).strip()[:200]}
    return answer["answer"], " && ".join(answer.get("requires") or []), answer.get("reason") or "", f"{took:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("--tool", default="target/quick/belay")
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("-t", "--time", type=int, default=20)
    parser.add_argument("--out", required=True)
    parser.add_argument("--match", default="")
    parser.add_argument("--compare")
    options = parser.parse_args()
    chosen, index = [], 0
    for name, flags, files in libraries(options.list):
        for function in functions(flags, files):
            index += 1
            if index % options.every == 0 and re.search(options.match, f"{name}:{function}"):
                chosen.append((name, flags, files, function))
    before = {}
    if options.compare:
        before = {(row[0], row[1]): row[2] for row in csv.reader(open(options.compare))}
    counts = collections.Counter()
    with open(options.out, "w", newline="") as out:
        writer = csv.writer(out)
        for name, flags, files, function in chosen:
            row = ask(options, flags, files, function)
            writer.writerow([name, function, *row])
            out.flush()
            counts[row[0]] += 1
            was = before.get((name, function), "")
            change = f"  (was {was})" if was and was != row[0] else ""
            print(f"{name}:{function}: {row[0]} [{row[3]} s] {(row[1] or row[2])[:160]}{change}", flush=True)
    good = sum(counts[kind] for kind in COUNTED)
    print(dict(counts), f"{good} of {len(chosen)} safe or safe if")
    lost = [key for key, was in before.items() if was in COUNTED and key in {(c[0], c[3]) for c in chosen}]
    now = {(row[0], row[1]): row[2] for row in csv.reader(open(options.out))}
    lost = [key for key in lost if now.get(key) not in COUNTED]
    if lost:
        print("lost:", ", ".join(":".join(key) for key in lost))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
