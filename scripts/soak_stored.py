#!/usr/bin/env python3
"""What stored proofs save: scripts/soak_stored.py BELAY [--functions 50] [--time-limit 30]

A program of fifty functions in five files is checked; then one function is changed, and it is checked again: as a project (`belay.toml`, whose answers are kept) and as one program with `--proof`. The second check has to take less than a tenth of the
time of the first; with `--proof`, `recheck` has to, and `check`, which asks Z3 again, less than a quarter. Then a project with a known defect, one loop that stays open and a proof by induction goes through `contrib/ci/check.py`: it finds the defect, its second run has to be five times faster, a new
defect fails, and an old one in the baseline does not. Seconds are of CPU. Exits with 1 if any of it is not so.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Five kinds of function; each has its number.
KINDS = [
    """int look@(unsigned at)
{
    static const int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, @ };
    return table[at % 16];
}
""",
    """unsigned mix@(unsigned word)
{
    unsigned sum = @;
    for (unsigned bit = 0; bit < 32; bit++)
        if (word >> bit & 1)
            sum = sum * 31 + bit;
    return sum;
}
""",
    """unsigned gcd@(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a + @;
}
""",
    """int fill@(unsigned length)
{
    if (length == 0 || length > 4000)
        return -1;
    int *cells = malloc(length * sizeof *cells);
    if (!cells)
        return -1;
    for (unsigned at = 0; at < length; at++)
        cells[at] = (int)at + @;
    int last = cells[length - 1];
    free(cells);
    return last;
}
""",
    """unsigned long size@(unsigned seed)
{
    char text[24];
    unsigned length = seed % 23;
    for (unsigned at = 0; at < length; at++)
        text[at] = 'a';
    text[length] = 0;
    return strlen(text) + @;
}
""",
]
NAMES = ["look", "mix", "gcd", "fill", "size"]


def write(folder, count):
    """The program: five files of functions, and one that calls them all."""
    declared = ["int look@(unsigned);", "unsigned mix@(unsigned);", "unsigned gcd@(unsigned, unsigned);", "int fill@(unsigned);", "unsigned long size@(unsigned);"]
    header, calls = [], []
    for file in range(5):
        parts = ["#include <stdlib.h>\n#include <string.h>\n#include \"all.h\"\n"]
        for number in range(file * count // 5, (file + 1) * count // 5):
            kind = number % 5
            parts.append(KINDS[kind].replace("@", str(number)))
            header.append(declared[kind].replace("@", str(number)))
            more = ", __VERIFIER_nondet_uint()" if kind == 2 else ""
            calls.append(f"    sum ^= (unsigned){NAMES[kind]}{number}(__VERIFIER_nondet_uint(){more});")
        (folder / f"part{file}.c").write_text("\n".join(parts))
    (folder / "all.h").write_text("\n".join(header) + "\n")
    (folder / "main.c").write_text('#include "all.h"\nunsigned __VERIFIER_nondet_uint(void);\n\nint main(void)\n{\n    unsigned sum = 0;\n' + "\n".join(calls) + "\n    return sum & 1;\n}\n")
    return [f"part{file}.c" for file in range(5)]


def timed(command, folder):
    """What a command said, and the CPU seconds of it and of what it started."""
    before = os.times()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "GITHUB_STEP_SUMMARY": ""})
    after = os.times()
    return done, after.children_user - before.children_user + after.children_system - before.children_system


def edit(folder, before, after, file="part2.c"):
    text = (folder / file).read_text()
    assert before in text, before
    (folder / file).write_text(text.replace(before, after, 1))


def one_function(args, as_project):
    """Whether a check after a change of one function is quick enough; says how long it, a first check and one without a change take."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = write(folder, args.functions)
        if as_project:
            (folder / "belay.toml").write_text(f'files = {[*files]!r}\nproperties = ["memsafety", "no-overflow", "termination"]\ntime-limit = {args.time_limit}\njobs = 1\n'.replace("'", '"'))
            command = [args.belay, "check"]
        else:
            command = [args.belay, "check", "main.c", *files, "--proof", "proof", "--time-limit", str(args.time_limit), "--threads", "1"]
        runs = [timed(command, folder), timed(command, folder)]
        edit(folder, "sum * 31 + bit", "sum * 37 + bit")
        if not as_project:
            runs.append(timed([args.belay, "recheck", "proof"], folder))
        runs.append(timed(command, folder))
        seconds = [one for _, one in runs]
        shares = [one / seconds[0] for one in seconds[2:]]
        if as_project:
            print(f"a project: first {seconds[0]:.1f} s, nothing changed {seconds[1]:.1f} s, one function changed {seconds[2]:.1f} s: {shares[0]:.3f} of the first")
        else:
            print(f"one program: first {seconds[0]:.1f} s, nothing changed {seconds[1]:.1f} s, one function changed: recheck {seconds[2]:.1f} s, {shares[0]:.3f} of the first, "
                  f"check --proof (which asks Z3) {seconds[3]:.1f} s, {shares[1]:.3f}")
        for done, _ in runs:
            lines = [line for line in done.stdout.splitlines() if line.startswith(("VERDICT", "RECHECK", str(args.functions)))]
            print("   ", "; ".join(lines) or done.stdout[-300:], "|", *[line.split(": ", 2)[-1] for line in done.stderr.splitlines()][:3])
        held = all(done.returncode == 0 for done, _ in runs)
        return held and shares[0] < 0.1 and shares[-1] < 0.25


# What stays open: whether it ends for every start.
STEPS = """unsigned steps(unsigned n)
{
    unsigned s = 0;
    while (n > 1) {
        n = n % 2 ? (3 * n + 1) & 0xffff : n / 2;
        s++;
    }
    return s;
}
"""
KNOWN = """    int known[4] = { 0 };
    if (__VERIFIER_nondet_uint() == 77)
        return known[__VERIFIER_nondet_uint() % 5];
    steps(__VERIFIER_nondet_uint());
"""


def in_ci(args):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = write(folder, 10)
        edit(folder, "#include", "unsigned steps(unsigned);\n#include", "main.c")
        edit(folder, "int main(void)\n{\n", f"int main(void)\n{{\n{KNOWN}", "main.c")
        (folder / "steps.c").write_text(STEPS)
        check = [sys.executable, str(ROOT / "contrib/ci/check.py"), "--belay", args.belay]
        words = ["--", "--proof", "proof", "main.c", "steps.c", *files, "--time-limit", str(args.time_limit)]
        (first, before), (second, after) = timed(check + words, folder), timed(check + words, folder)
        found = first.returncode == 1 and "new: " in first.stdout and first.stdout == second.stdout
        timed(check + ["--update-baseline"] + words, folder)
        known, _ = timed(check + words, folder)
        edit(folder, "text[length] = 0;", "text[length + 2] = 0;", "part2.c")
        new, _ = timed(check + words, folder)
        print(f"continuous integration: first {before:.1f} s, second {after:.1f} s: {before / max(after, 0.01):.1f} times faster; defect found: {found}, "
              f"exit with it in the baseline {known.returncode}, with a new one {new.returncode}")
        print("   ", first.stdout.splitlines()[0], "|", *[line.split(": ", 2)[-1] for line in second.stderr.splitlines()][:3])
        return found and before >= 5 * after and known.returncode == 0 and new.returncode == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("belay")
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--time-limit", type=int, default=30)
    args = parser.parse_args()
    args.belay = str(pathlib.Path(args.belay).resolve())
    held = [one_function(args, True), one_function(args, False), in_ci(args)]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
