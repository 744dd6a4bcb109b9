#!/usr/bin/env python3
"""Random programs with loops and recursion: Belay's answer about termination against native runs.

    scripts/soak_loops.py BELAY [--count 300] [--seed 1] [--keep DIR]

The variables are chars, so that a run without recursion has fewer than 2^24 states for each place in the program: one that goes round for longer can go on
for ever, and a `true` for it is wrong. In some there are two pointers into one buffer, which are moved and compared; where one of them leaves it, the run says nothing. So is one whose run goes round a loop more often than the loop's own ranking function allows: the function is
evaluated natively where the loop begins. A `false` is run natively with the inputs of its counterexample: if that run comes to its end,
the answer is wrong. Programs that disagree are kept. Exits with 1 if any does.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROUNDS = 60_000_000
HARNESS = """
#include <stdio.h>
#include <stdlib.h>
static long ticks;
static FILE *inputs;
static long calls;
#include <string.h>
static void tick(void);
void tick_place(char *from, char *p, char *q) { if (p < from || p > from + 256 || q < from || q > from + 256) { fputs("outside", stderr); _Exit(0); } tick(); }
void tick_bound(void) { fputs("bound exceeded", stderr); _Exit(0); }
static void tick(void) { if (++ticks > %dL) { fputs("too many rounds", stderr); _Exit(0); } }
void tick_call(void) { if (++calls > %dL) { fputs("too many calls", stderr); _Exit(0); } }
static int next_input(void) {
    int value;
    if (inputs) { if (fscanf(inputs, "%%d", &value) != 1) { fputs("no more inputs", stderr); _Exit(0); } return value; }
    static unsigned long state;
    static int ready;
    if (!ready) { state = strtoul(getenv("SEED"), 0, 10) * 2654435761u + 12345; ready = 1; }
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)(state >> 40);
}
signed char __VERIFIER_nondet_char(void) { return (signed char)next_input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next_input(); }
__attribute__((constructor)) static void start(void) { if (getenv("INPUTS")) inputs = fopen(getenv("INPUTS"), "r"); }
""" % (ROUNDS, ROUNDS)


class Maker:
    """One random program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = ["a", "b", "c"]
        self.types = {name: self.random.choice(["signed char", "unsigned char"]) for name in self.names}
        self.recursive = self.random.random() < 0.2
        self.helper = self.random.random() < 0.3
        self.pointers = self.random.random() < 0.35

    def value(self, depth=0):
        r = self.random
        kind = r.randrange(9 if depth < 2 else 4)
        if kind < 2:
            return r.choice(self.names)
        if kind < 4:
            number = str(r.choice([0, 1, 1, 2, 3, 5, 7, 10, 100, 127, 200, -1, -2]))
            # Arithmetic of unsigned ints wraps at another place than that of ints.
            return number + "u" if r.random() < 0.25 else number
        operator = r.choice(["+", "-", "+", "-", "*", "&", "|", "^", ">> 1 +", "/ 3 +", "% 5 +"])
        return f"({self.value(depth + 1)} {operator} {self.value(depth + 1)})"

    def condition(self):
        r = self.random
        if r.random() < 0.08:
            return "1"
        if self.pointers and r.random() < 0.6:
            other = r.choice(["q", "q", "q", f"buffer + {r.randint(0, 256)}"])
            if r.random() < 0.2:
                return f"{other} - p {r.choice(['>', '>=', '!='])} {r.randint(0, 9)}"
            return f"p {r.choice(['!=', '!=', '<', '>', '<=', '>='])} {other}"
        text = f"{r.choice(self.names)} {r.choice(['<', '>', '<=', '>=', '!=', '!=', '=='])} {self.value(1)}"
        if r.random() < 0.25:
            text = f"{text} {r.choice(['&&', '||'])} {self.condition()}"
        return text

    def assignment(self):
        r = self.random
        if self.pointers and r.random() < 0.5:
            return self.move()
        name = r.choice(self.names)
        kind = r.randrange(10)
        if kind < 4:
            return f"{name} {r.choice(['++', '--', '++', '--', '+= 2', '-= 3', '/= 2', '>>= 1'])};"
        if kind == 4:
            call = "__VERIFIER_nondet_char()" if "un" not in self.types[name] else "__VERIFIER_nondet_uchar()"
            return f"{name} = {call};"
        if kind == 5 and self.helper:
            return f"helper(&{name}, {self.value()});"
        return f"{name} = {self.value()};"

    def move(self):
        """Moves a pointer; the end of a walk more seldom than what walks."""
        r = self.random
        name = r.choice(["p", "p", "p", "q"])
        kind = r.randrange(8)
        if kind < 5:
            return f"{name} {r.choice(['++', '--', '++', '++', '--', '+= 2', '-= 3'])};"
        if kind == 5:
            return f"if ({name} {r.choice(['>', '>=', '=='])} buffer + {r.randint(100, 256)}) {name} = buffer + {r.randint(0, 99)};"
        return f"{name} = buffer + (unsigned char)({r.choice(['a', 'b', self.value()])});" if kind == 6 else f"{name} = {r.choice(['p', 'q', 'buffer'])};"

    def statement(self, depth, indent):
        r = self.random
        pad = "    " * indent
        kind = r.random()
        if depth < 2 and kind < 0.25:
            return f"{pad}while ({self.condition()}) {{\n{pad}    TICK;\n{self.block(depth + 1, indent + 1)}{pad}}}\n"
        if kind < 0.45:
            other = f" else {{\n{self.block(depth + 1, indent + 1, 1)}{pad}}}" if r.random() < 0.5 else ""
            return f"{pad}if ({self.condition()}) {{\n{self.block(depth + 1, indent + 1, 2)}{pad}}}{other}\n"
        if depth > 0 and kind < 0.5:
            return f"{pad}if ({self.condition()}) return 0;\n"
        return f"{pad}{self.assignment()}\n"

    def block(self, depth, indent, most=4):
        return "".join(self.statement(depth, indent) for _ in range(self.random.randint(1, most)))

    def recursion(self):
        """What the recursive function gives back: one call, two, or the result of one as the argument of another."""
        r = self.random
        step = r.choice(["n - 1", "n - 2", "n + 1", "n / 2", "n + 11"])
        if r.random() < 0.4:
            return f"again(again({step}, m){r.choice(['', ' - 1', ' + 1'])}, m - 1)"
        return f"again({step}, m) + {r.choice(['1', 'again(n - 1, m - 1)', 'n'])}"

    def program(self):
        r = self.random
        text = ["extern signed char __VERIFIER_nondet_char(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n"]
        text.append("static char buffer[256];\n" if self.pointers else "")
        text.append(f"#ifdef NATIVE\nextern void tick_round(void), tick_call(void), tick_bound(void), tick_place(char *, char *, char *);\n#define TICK {'tick_place(buffer, p, q)' if self.pointers else 'tick_round()'}\n#define CALL tick_call()\n#define BOUND tick_bound()\n#else\n#define TICK\n#define CALL\n#endif\n")
        if self.helper:
            text.append("static void helper(void *p, int v) { if (v > 3) ++*(signed char *)p; else *(signed char *)p = (signed char)v; }\n")
        if self.recursive:
            text.append(
                "static int again(signed char n, signed char m) {\n    CALL;\n"
                f"    if (n {r.choice(['<=', '==', '<', '>'])} {r.choice([0, 1, 5, 100])}) return {r.choice(['m', 'n - 10', 'n', '0'])};\n"
                f"    return {self.recursion()};\n}}\n"
            )
        text.append("int main(void) {\n")
        for name in self.names:
            start = r.choice(["input", "input", str(r.randint(-5, 120))])
            call = "__VERIFIER_nondet_uchar()" if "un" in self.types[name] else "__VERIFIER_nondet_char()"
            text.append(f"    {self.types[name]} {name} = {call if start == 'input' else start};\n")
        if self.pointers:
            text.append(f"    char *p = buffer + {r.randint(0, 256)}, *q = buffer + {r.choice(['200', '(unsigned char)a'])};\n")
        text.append(f"    while ({self.condition()}) {{\n        TICK;\n{self.block(1, 2)}    }}\n")
        if r.random() < 0.5:
            text.append(self.statement(0, 1))
        if self.recursive:
            text.append("    return again((signed char)(a & 15), b);\n}\n")
        else:
            text.append("    return 0;\n}\n")
        return "".join(text)


def span_of(expression):
    """The greatest and the least value of a linear function of chars, or None."""
    greatest = least = 0
    for sign, factor, name, number in re.findall(r"([+-]?)\s*(?:(\d+)\*)?(?:([abc])\b|(\d+))", expression):
        size = int(number) if number else 255 * int(factor or 1)
        both = not number
        if sign == "-" or both:
            least -= size
        if sign != "-" or both:
            greatest += size
    return greatest, least


def bound_of(because, measures, steps):
    """How often a loop can go round, as a C expression over its first state; None if the ranking functions do not say."""
    def value(expression):
        return re.sub(r"\b([abc])\b", r"(long)\1", expression)

    spans = []
    for expression in because:
        wrapped = re.fullmatch(r"\(unsigned\)\((.*)\)", expression)
        inside = wrapped.group(1) if wrapped else expression
        if re.sub(r"\b[abc]\b|\d+|[-+* ]", "", inside):
            return None
        spans.append((256, 0) if wrapped else span_of(inside))
    if not measures:
        if len(because) > 1 or because[0].startswith("("):
            return None
        # A ranking function is not negative where the loop goes on, and falls by one each time; in each step of the proof it may have
        # another constant, which is not shown.
        greatest, least = spans[0]
        # Where it is negative no round comes to its end, but one may begin.
        first = value(because[0])
        return f"({first} < 0 ? 0 : {first}) + 2" if steps == 1 else f"{steps * (greatest - least + 2)}"
    # Measures fall, at least every third round, without a bound but their least value.
    if len(because) == 1:
        wrapped = because[0].startswith("(unsigned)")
        first = f"(unsigned char){because[0][10:]}" if wrapped else value(because[0])
        return f"3 * ({first} - ({spans[0][1]})) + 8"
    product = 1
    for greatest, least in spans:
        product *= greatest - least + 1
    return f"{3 * product + 8}L"


def with_bounds(text, result):
    """The program, which says where a loop goes round more often than its ranking functions allow; and how many loops that is asked of."""
    proof = " ".join(result.get("proof", []))
    measures = "measures that descend" in proof
    steps = int((re.search(r"\((\d+) steps\)", proof) or [0, "1"])[1])
    lines = text.split("\n")
    count = 0
    for entry in result.get("loops", []):
        at = entry["place"]["line"] - 1 if entry.get("place") else -1
        bound = bound_of(entry["because"], measures, steps) if entry.get("because") else None
        same = [other for other in result["loops"] if other.get("place") and other["place"]["line"] - 1 == at]
        is_loop = 0 <= at < len(lines) - 1 and lines[at].lstrip().startswith("while (") and "TICK;" in lines[at + 1]
        if bound is None or len(same) > 1 or not is_loop or "long rounds" in lines[at]:
            continue
        count += 1
        lines[at] = f"long bound{at} = {bound}, rounds{at} = 0; {lines[at].lstrip()}"
        lines[at + 1] = lines[at + 1].replace("TICK;", f"TICK; if (++rounds{at} > bound{at}) BOUND;", 1)
    return "\n".join(lines), count


def deep_stack():
    """64 MiB: more than the deepest recursion that ends needs."""
    resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def native(program, environment):
    """How a run ends: "rounds" (went round for too long), "bound" (longer than a ranking function allows), "calls" (called for long, or left the buffer, which says nothing), "inputs" (asked for more than there
    were), "end", or None after the time limit."""
    try:
        done = subprocess.run([program], env=environment, capture_output=True, timeout=60, preexec_fn=deep_stack)
    except subprocess.TimeoutExpired:
        return None
    # The recursion depends on two chars: deeper than their values it has no end. Two calls each time take for ever, but end.
    if done.returncode < 0 or b"too many rounds" in done.stderr:
        return "rounds"
    if b"bound exceeded" in done.stderr:
        return "bound"
    if b"too many calls" in done.stderr or b"outside" in done.stderr:
        return "calls"
    return "inputs" if b"no more inputs" in done.stderr else "end"


def build(source, folder):
    harness = folder / "harness.c"
    harness.write_text(HARNESS + "void tick_round(void) { tick(); }\n")
    program = folder / "native"
    command = ["gcc", "-O1", "-w", "-fwrapv", "-DNATIVE", source, harness, "-o", program]
    done = subprocess.run(command, capture_output=True, timeout=60)
    return program if done.returncode == 0 else None


def judge(belay, seed, folder):
    """("true" | "false" | "unknown" | "skipped" | "WRONG …", source text)."""
    text = Maker(seed).program()
    source = folder / "random.c"
    source.write_text(text)
    asked = [belay, "check", source, "--property", "termination", "--time-limit", "10", "--format", "json"]
    done = subprocess.run(asked, capture_output=True, timeout=40)
    try:
        result = json.loads(done.stdout)["results"][0]
    except (ValueError, KeyError, IndexError):
        return f"WRONG: no answer (exit code {done.returncode})", text
    verdict = result["verdict"]
    if verdict == "unknown":
        bad = "internal error" in result.get("message", "")
        return ("WRONG: " + result["message"] if bad else "unknown"), text
    program = build(source, folder)
    if program is None:
        return "skipped", text
    if verdict == "true":
        bounded, asked = with_bounds(text, result)
        if asked:
            source.write_text(bounded)
            program = build(source, folder)
            if program is None:
                return "WRONG: the bounds do not compile", bounded
        for number in range(12):
            end = native(program, {"SEED": str(seed * 100 + number)})
            if end == "rounds":
                return f"WRONG true: run {number} goes on", text
            if end == "bound":
                return f"WRONG true: run {number} goes on for longer than a ranking function allows", bounded
        return ("true_bounded" if asked else "true"), text
    choices = result.get("choices", [])
    if not all(choice.startswith("input") for choice in choices):
        return "skipped", text
    inputs = folder / "inputs"
    inputs.write_text("\n".join(choice.split()[-1] for choice in choices))
    end = native(program, {"INPUTS": str(inputs)})
    return ("false" if end != "end" else "WRONG false: the run ends"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("belay")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("soak-failures"))
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            answer, text = judge(options.belay, seed, pathlib.Path(folder))
            counts[answer.split(":")[0].split(" ")[0]] += 1
            if sum(counts.values()) % 200 == 0:
                print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())), flush=True)
            if answer.startswith("WRONG"):
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"loops{seed}.c").write_text(f"/* {answer} */\n{text}")
                print(f"seed {seed}: {answer}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
