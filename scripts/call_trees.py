#!/usr/bin/env python3
"""Time against the number of functions: generated call trees with loops, checked by `belay check --each-check`.

    scripts/call_trees.py target/release/belay [50 100 200 400]

Each function sums a window of a table, writes into it, and calls two others. Prints a line a size and the exponent between the first and the last."""

import math
import re
import resource
import subprocess
import sys
import tempfile


def tree(size):
    lines = ["int __VERIFIER_nondet_int(void);", f"static int table[{size}][16];"]
    lines += [f"static int f{k}(int x);" for k in range(size)]
    for k in range(size):
        calls = " + ".join(f"f{child}(s & {15 if child % 2 else 7})" for child in (2 * k + 1, 2 * k + 2) if child < size)
        lines.append(
            f"static int f{k}(int x) {{\n"
            f"    int s = 0;\n"
            f"    for (int i = 0; i < 16; i++) s += table[{k}][i] & 255;\n"
            f"    if (x >= 0 && x < 16) table[{k}][x] = s;\n"
            f"    return ({calls or 's'}) & 1023;\n"
            f"}}"
        )
    lines.append("int main(void) { return f0(__VERIFIER_nondet_int()); }")
    return "\n".join(lines) + "\n"


def main():
    belay, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]] or [50, 100, 200, 400]
    seconds = []
    for size in sizes:
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write(tree(size))
            file.flush()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [belay, "check", "--threads", "1", "--time-limit", "120", "--each-check"]
            command += ["--property", "memsafety,no-overflow", file.name]
            text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        seconds.append(spent)
        verdicts = " ".join(re.findall(r"VERDICT (\S+ \w+)", text))
        print(f"{size} functions, {tree(size).count(chr(10))} lines: {spent:.2f} s CPU, {verdicts}")
    if len(sizes) > 1:
        exponent = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])
        print(f"exponent {exponent:.2f}")


if __name__ == "__main__":
    main()
