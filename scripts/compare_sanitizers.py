#!/usr/bin/env python3
"""Belay's verdict on memory safety against a native run under AddressSanitizer and UndefinedBehaviorSanitizer.

    scripts/compare_sanitizers.py [CORPUS] [BELAY] [--jobs N] [--output docs/sanitizer-comparison.md]

Takes every itc and juliet program of the corpus (index.jsonl) whose run makes no choice, that is, which needs no input and does not
depend on uninitialised values or addresses. Belay makes that run (`--engines run`); clang 22 builds the program with sanitizers and
it runs for at most 5 seconds. Differences are listed with the reason, as far as a rule below knows one.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

CLANG = os.environ.get("BELAY_CLANG", "clang-22")
MEMORY = ["valid-deref", "valid-free", "valid-memtrack"]
ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1:detect_odr_violation=0:strict_string_checks=0",
    "UBSAN_OPTIONS": "print_stacktrace=0",
}

# (reason, what Belay says, what the sanitizers say): the first that fits. Empty patterns fit anything.
REASONS = [
    ("the stack is unlimited (SOUNDNESS.md)", r"^$", r"stack-overflow"),
    ("bounds are those of the whole object (SOUNDNESS.md)", r"^$", r"^index .* out of bounds"),
    ("misalignment is no violation (SOUNDNESS.md)", r"^$", r"misaligned"),
    ("allocation never fails (SOUNDNESS.md)", r"^$", r"allocation-size-too-big|out-of-memory|calloc-overflow"),
    ("the sanitizers do not track uninitialised pointers", r"uninitialised pointer", r"^$"),
    ("the sanitizers find a lost block only if no stale copy of its address is left on the stack or in a register",
     r"can no longer be reached", r"^$"),
    ("each pass through a declaration is a new life; natively it is the same place", r"whose block has ended", r"^$"),
    ("far out of bounds, natively another object lies there", r"bytes (past the end|before)", r"^$"),
    ("natively the string ends at a zero that happens to lie behind it", r"strlen|printf|puts", r"^$"),
    ("the program does not end within 5 seconds natively", r"", r"^timeout$"),
]


def run(command, timeout, environment=None):
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, env=environment, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None


def ours(belay, source, model):
    """("true" | "false" | "open", message, line) for memory safety by the one run that makes no choice."""
    command = [belay, "check", source, "--rules", "svcomp", "--data-model", model, "--property", ",".join(MEMORY), "--engines", "run",
               "--format", "json", "--time-limit", "30"]
    done = run(command, 45)
    if done is None or not done[1]:
        return "open", "no answer", None
    results = json.loads(done[1])["results"]
    violated = [result for result in results if result["verdict"] == "false"]
    if violated:
        first = min(violated, key=lambda result: result["property"] == "valid-memtrack")
        return "false", f"{first['property']}: {first['message']}", first.get("place", {}).get("line")
    unknown = [result for result in results if result["verdict"] != "true"]
    return ("open", unknown[0].get("message", ""), None) if unknown else ("true", "", None)


def native(source, model, folder):
    """("true" | "false" | "skip", message) by the sanitizers."""
    program = folder / (source.stem + ".native")
    flags = ["-m32" if model == "ILP32" else "-m64", "-g", "-O0", "-w", "-fno-builtin", "-x", "c"]
    built = run([CLANG, *flags, "-fsanitize=address,undefined", source, "-o", program, "-x", "none", "-lm", "-lpthread"], 60)
    if built is None or built[0] != 0:
        return "skip", "does not build natively: " + (built[2].strip().splitlines() or [""])[-1] if built else "clang takes long"
    done = run([program], 5, ENVIRONMENT)
    program.unlink()
    if done is None:
        return "true", "timeout"
    errors = done[2]
    address = re.search(r"ERROR: AddressSanitizer:? (.*)", errors)
    if address:
        return "false", re.sub(r"(0x[0-9a-f]+|==\d+==|\(pc .*)", "", address[1]).strip()[:90]
    if "ERROR: LeakSanitizer" in errors:
        return "false", "detected memory leaks"
    memory = re.search(r"runtime error: (.*(?:null pointer|out of bounds|insufficient space|misaligned).*)", errors)
    if memory:
        return "false", re.sub(r"0x[0-9a-f]+", "…", memory[1])[:90]
    # A failed assertion aborts, and is no matter of memory.
    return ("true", "") if done[0] >= 0 or done[0] == -signal.SIGABRT else ("false", f"signal {-done[0]}")


def reason(mine, theirs):
    for text, ours_pattern, theirs_pattern in REASONS:
        if re.search(ours_pattern, mine) and re.search(theirs_pattern, theirs):
            return text
    return "unexplained"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=pathlib.Path, default=pathlib.Path("../shared/corpus"))
    parser.add_argument("belay", nargs="?", type=pathlib.Path, default=pathlib.Path("target/release/belay"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    belay = options.belay.resolve()
    tasks = [json.loads(line) for line in open(options.corpus / "index.jsonl")]
    programs = sorted({(task["file"], task["data_model"]) for task in tasks if task["suite"] in ("itc", "juliet")})

    def both(program):
        source = options.corpus / program[0]
        verdict = ours(belay, source, program[1])
        if verdict[0] == "open":
            return program[0], verdict, None
        with tempfile.TemporaryDirectory() as folder:
            return program[0], verdict, native(source, program[1], pathlib.Path(folder))

    counts, undecided, differences = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, mine, theirs in pool.map(both, programs):
            if theirs is None:
                counts["needs input or is undecided"] += 1
                undecided[re.sub(r"\(.*\)", "", mine[1]).strip()] += 1
            elif theirs[0] == "skip":
                counts["does not build natively"] += 1
            elif mine[0] == theirs[0]:
                counts[f"agree: {'violated' if mine[0] == 'false' else 'safe'}"] += 1
            else:
                counts["differ"] += 1
                differences.append((reason(mine[1], theirs[1]), file, mine, theirs))

    lines = [f"| programs | {len(programs)} |", "| --- | --- |"]
    lines += [f"| {name} | {number} |" for name, number in sorted(counts.items())]
    lines += ["", "Why a program is not compared:", ""]
    lines += [f"- {number} × {name}" for name, number in undecided.most_common(12)]
    lines += ["", "## Differences", ""]
    lines += ["| program | Belay | sanitizers | reason |", "| --- | --- | --- | --- |"]
    for why, file, mine, theirs in sorted(differences):
        place = f" (line {mine[2]})" if mine[2] else ""
        lines.append(f"| {file} | {mine[0]} {mine[1]}{place} | {theirs[0]} {theirs[1]} | {why} |")
    print("\n".join(lines))
    if options.output:
        text = options.output.read_text() if options.output.exists() else ""
        head = text.split("<!-- results -->")[0]
        options.output.write_text(head + "<!-- results -->\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
