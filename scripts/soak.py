#!/usr/bin/env python3
"""Random programs: what `belay run` prints against what the native program prints, and what bounded model checking says of it.

    scripts/soak.py BELAY [--count 500] [--seed 1] [--jobs N] [--keep DIR]     until COUNT programs were compared

csmith's programs print a checksum of their globals. Each is compiled natively with gcc or clang without optimisation and
interpreted by Belay, for 64 and (one in four) 32 bits; the outputs must be equal. Programs that take too long natively or
interpreted are skipped and counted. Programs that differ are kept. Exits with 1 if any does.

Where the outputs are equal, bounded model checking is asked whether the checksum is the one that was printed, and whether it is another; one global is
an input that is assumed to be what it is, so that its value is a variable to the solver. The answers must not be "no" and "yes".
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
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


END = """extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int), __VERIFIER_assert(int);
static void end(unsigned crc, int flag) { __VERIFIER_assert(crc %s 0x%su); }
"""


def asserting(text, checksum, same):
    """The program with an assertion about its checksum, and a global that is an input."""
    text = text.replace("platform_main_end(crc32_context", "end(crc32_context")
    known = re.search(r"^static (?:volatile )?(u?int(?:8|16|32)_t) (g_\d+) = [^;\[]*;", text, re.M)
    if known:
        kind, name = known[1], known[2]
        asked = f"{{ {kind} input = ({kind})__VERIFIER_nondet_int(); __VERIFIER_assume(input == {name}); {name} = input; }} "
        text = text.replace("    func_1();", f"    {asked}func_1();")
    main = re.search(r"^int main", text, re.M)
    return main and text[: main.start()] + END % ("==" if same else "!=", checksum) + text[main.start() :]


def decide(belay, source, model, printed):
    """What the engine says of the checksum: ("proved" | "refuted" | "both" | "open" | "wrong", details)."""
    checksum = re.search(r"checksum = ([0-9A-F]+)", printed)
    if not checksum:
        return "open", ""
    found = []
    for same, right, wrong in [(True, "true", "false"), (False, "false", "true")]:
        text = asserting(source.read_text(), checksum[1], same)
        if not text:
            return "open", ""
        variant = source.with_name(f"{source.stem}{'same' if same else 'other'}.c")
        variant.write_text(text)
        asked = run([belay, "check", "--rules", "svcomp", "--property", "unreach-call", "--engines", "bmc", "--data-model", model, "--time-limit", "8", variant, "--", f"-I{INCLUDE}"], 30)
        variant.unlink()
        verdict = re.search(r"VERDICT unreach-call (\w+)", asked[1]) if asked else None
        said = verdict[1] if verdict else "nothing"
        if asked and (said == wrong or "internal error" in asked[1] + asked[2]):
            return "wrong", f"{model}: the checksum {'is' if same else 'is not'} {checksum[1]}: {said}\n{asked[1]}{asked[2]}"
        found.append(said == right)
    return {(True, True): "both", (True, False): "proved", (False, True): "refuted", (False, False): "open"}[tuple(found)], ""


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
    ours = run([belay, "run", "--rules", "svcomp", "--data-model", model[0], "--time-limit", "30", source, "--", f"-I{INCLUDE}"], 40)
    if ours is None or "time limit reached" in ours[2] or "cut off" in ours[2]:
        return "skipped: takes long interpreted", "", source
    if "stopped at" in ours[2]:
        return "skipped: holds a construct that is not handled", "", source
    if ours[1] == native[1]:
        engine, details = decide(belay, source, model[0], native[1])
        return ("different" if engine == "wrong" else f"equal, {engine}"), details, source
    if ": arithmetic:" in ours[2]:
        return "skipped: C leaves a value open", "", source
    return "different", f"{model[0]}\nnative: {native[1]}belay:  {ours[1]}{ours[2]}", source


def equal(counts):
    return sum(number for result, number in counts.items() if result.startswith("equal"))


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
        while (missing := options.count - equal(counts) - counts["different"]) > 0:
            seeds = range(seed, seed + min(missing, 50))
            seed = seeds.stop
            for number, (result, details, source) in zip(seeds, pool.map(lambda s: compare(belay, s, pathlib.Path(temporary)), seeds)):
                counts[result] += 1
                if result == "different":
                    options.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, options.keep / source.name)
                    print(f"seed {number}: different, kept in {options.keep / source.name}\n{details}", flush=True)
                source.unlink(missing_ok=True)
            print(f"{sum(counts.values())} programs: {equal(counts)} equal, {counts['different']} different", flush=True)
    print("soak: " + ", ".join(f"{number} {result}" for result, number in sorted(counts.items())))
    sys.exit(1 if counts["different"] or not counts["equal, both"] else 0)


if __name__ == "__main__":
    main()
