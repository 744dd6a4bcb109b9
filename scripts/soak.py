#!/usr/bin/env python3
"""Random programs: what `belay run` prints against what the native program prints.

    scripts/soak.py BELAY [--count 500] [--seed 1] [--jobs N] [--keep DIR]     until COUNT programs were compared

csmith's programs print a checksum of their globals. Each is compiled natively with gcc or clang without optimisation and
interpreted by Belay, for 64 and (one in four) 32 bits; the outputs must be equal. Programs that take too long natively or
interpreted are skipped and counted. Programs that differ are kept. Exits with 1 if any does.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CSMITH = ["--max-funcs", "4", "--max-block-depth", "3", "--max-array-dim", "2", "--max-array-len-per-dim", "5"]
INCLUDE = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")
CLANG = os.environ.get("BELAY_CLANG", "clang-22")
VARIANTS = [[], ["--packed-struct", "--bitfields"], ["--float"], ["--max-pointer-depth", "4", "--unions", "--inline-function"]]


def run(command, timeout, cwd=None):
    """Output and exit code, or None after the time limit."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, cwd=cwd, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None


def compare(belay, seed, folder):
    """One program: ("equal" | "different" | "skipped: …", details, source)."""
    source = folder / f"random{seed}.c"
    model = ("ILP32", "-m32") if seed % 4 == 0 else ("LP64", "-m64")
    compiler = "gcc" if seed % 2 else CLANG
    generated = run(["csmith", *CSMITH, *VARIANTS[seed % 3 if seed % 4 else 3], "--seed", str(seed), "-o", source], 30, folder)
    if generated is None or generated[0] != 0:
        return "skipped: csmith gave no program", "", source
    program = folder / f"native{seed}"
    built = run([compiler, model[1], "-O0", "-w", "-Wno-error=incompatible-pointer-types", "-ffp-contract=off", f"-I{INCLUDE}", source, "-o", program, "-lm"], 60)
    if built is None or built[0] != 0:
        return "skipped: does not compile natively", built[2] if built else "", source
    native = run([program], 2)
    program.unlink()
    if native is None:
        return "skipped: takes long natively", "", source
    if native[0] != 0:
        return "skipped: fails natively", "", source
    ours = run([belay, "run", "--data-model", model[0], "--time-limit", "30", source, "--", f"-I{INCLUDE}"], 40)
    if ours is None or "time limit reached" in ours[2] or "cut off" in ours[2]:
        return "skipped: takes long interpreted", "", source
    if "stopped at" in ours[2]:
        return "skipped: holds a construct that is not handled", "", source
    if ours[1] == native[1]:
        return "equal", "", source
    if ": arithmetic:" in ours[2]:
        return "skipped: C leaves a value open", "", source
    return "different", f"{model[0]}\nnative: {native[1]}belay:  {ours[1]}{ours[2]}", source


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("belay", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("target/soak"))
    options = parser.parse_args()
    belay = options.belay.resolve()
    counts = collections.Counter()
    seed = options.seed
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while (missing := options.count - counts["equal"] - counts["different"]) > 0:
            seeds = range(seed, seed + min(missing, 50))
            seed = seeds.stop
            for number, (result, details, source) in zip(seeds, pool.map(lambda s: compare(belay, s, pathlib.Path(temporary)), seeds)):
                counts[result] += 1
                if result == "different":
                    options.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, options.keep / source.name)
                    print(f"seed {number}: different, kept in {options.keep / source.name}\n{details}", flush=True)
                source.unlink(missing_ok=True)
            print(f"{sum(counts.values())} programs: {counts['equal']} equal, {counts['different']} different", flush=True)
    print("soak: " + ", ".join(f"{number} {result}" for result, number in sorted(counts.items())))
    sys.exit(1 if counts["different"] or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
