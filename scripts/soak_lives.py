#!/usr/bin/env python3
"""Random programs about how long compound literals and locals live: Belay's answers against native runs with every input.

    scripts/soak_lives.py BELAY [--count 100] [--seed 1] [--engines E] [--keep DIR]

A program keeps addresses of literals of its blocks (loops, branches, switches, with and without braces) and of locals that a `goto` jumps past, and uses them somewhere. No sanitizer watches literals; so the native twin
has a variable for each, in a block of its own making, and counts its lives: a guard with a cleanup begins a new one where control gets in and where it gets out. A use of an earlier life
ends the run with 72. That is exact, so that both answers are judged. Programs that disagree are kept. Exits with 1 if any does.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

CLANG = os.environ.get("BELAY_CLANG", "clang-22")
NATIVE = r"""
#include <stdio.h>
#include <stdlib.h>
static unsigned digits;
static int lives[64], id[3], life[3], left;
static void stop(int code) { left = code; fflush(stdout); _Exit(code); }
static void over(int *which) { lives[*which]++; }
unsigned char __VERIFIER_nondet_uchar(void) { unsigned char digit = digits & 7; digits >>= 3; return digit; }
#define ENTER(n) __attribute__((cleanup(over))) int guard_##n = n; lives[n]++; int object_##n
#define KEEP(k, n, v) (object_##n = (v), id[k] = n, life[k] = lives[n], p[k] = &object_##n)
#define USE(k) do { if (p[k]) { if (life[k] != lives[id[k]]) stop(72); s ^= *p[k]; } } while (0)
"""
ASKED = """
extern unsigned char __VERIFIER_nondet_uchar(void);
#define KEEP(k, n, v) (p[k] = &(int){v})
#define USE(k) do { if (p[k]) s ^= *p[k]; } while (0)
"""


class Maker:
    """Writes a program twice: as it is asked about, and as it is run."""

    def __init__(self, seed):
        self.random = random.Random(f"lives {seed}")
        self.count = 0
        self.labels = 0
        self.counters = []

    def condition(self):
        return self.random.choice(["a & 1", "b & 1", "a > 3", "b > 4", "a == b", "n & 1", "n > 2"])

    def statement(self, depth):
        """A statement in both versions, and the literals that belong to the block around it."""
        r = self.random
        kind = r.choice(["keep", "keep", "use", "use", "use", "if", "for", "while", "do", "switch", "jump", "choice", "block"] if depth else ["keep", "use"])
        if depth and r.random() < 0.05:
            kind = r.choice(["bare if", "bare for", "bare while"])
        if kind == "keep":
            text, own = self.keep()
            return text + ";", text + ";", own
        if kind == "use":
            text = r.choice(["USE({0});", "USE({0});", "p[{0}] = 0;"]).format(r.randrange(3))
            return text, text, []
        if kind == "choice":
            (one, first), (other, second) = self.keep(), self.keep()
            text = f"if ((({self.condition()}) ? {one} : {other}) == 0) s++;"
            # What an `if` asks belongs to the `if`.
            after = "p[0] = p[1] = p[2] = 0;" if r.random() < 0.7 else ""
            return f"{text} {after}", f"{{ {self.enter(first + second)} {text} }} {after}", []
        if kind == "jump":
            # A local that is jumped past, and lives as long as its block.
            self.count += 1
            n, k, self.labels = self.count, r.randrange(3), self.labels + 1
            asked = f"{{ if ({self.condition()}) goto in_{self.labels}; int x_{n} = 1; in_{self.labels}: x_{n} = 3; p[{k}] = &x_{n}; USE({r.randrange(3)}); }}"
            run = f"{{ ENTER({n}); KEEP({k}, {n}, 3); {asked[asked.rindex('USE'):]}"
            return asked, run, []
        if kind.startswith("bare"):
            text, own = self.keep()
            head = {"bare if": f"if ({self.condition()})", "bare for": f"for (int i{self.count} = 0; i{self.count} < 2; i{self.count}++)", "bare while": f"for (w{self.count} = 0; w{self.count} < 3;) {{ while (w{self.count}++ < 3)"}[kind]
            # Each loop has a counter of its own, so that every run ends.
            self.counters.append(f"w{self.count}")
            close = "}" if kind == "bare while" else ""
            after = "p[0] = p[1] = p[2] = 0;" if r.random() < 0.7 else ""
            return f"{head} {text}; {after}{close}", f"{head} {{ {self.enter(own)} {text}; }} {after}{close}", []
        asked, run = self.block(depth - 1)
        if r.random() < 0.3 and kind in ("for", "while"):
            leave = f"if ({self.condition()}) {r.choice(['break', 'continue'])};"
            asked, run = asked[:-1] + leave + "}", run[:-1] + leave + "}"
        self.count += 1
        name = f"i{self.count}"
        self.counters.append(f"w{self.count}")
        form = {
            "if": f"if ({self.condition()}) %s",
            "for": f"for (int {name} = 0; {name} < {r.choice(['2', '(a & 1) + 1', 'b & 3'])}; {name}++) %s",
            "while": f"w{self.count} = {r.randrange(3)}; while (w{self.count}++ < 3) %s",
            "do": r.choice(["do %s while (0);", f"w{self.count} = 2; do %s while (w{self.count}++ < 4);"]),
            "switch": "switch (a & 1) { case 0: %s break; default: s++; }",
            "block": "%s",
        }[kind]
        return form % asked, form % run, []

    def keep(self):
        self.count += 1
        return f"KEEP({self.random.randrange(3)}, {self.count}, {self.random.randrange(9)})", [self.count]

    def enter(self, own):
        return " ".join(f"ENTER({n});" for n in own)

    def block(self, depth):
        parts = [self.statement(depth) for _ in range(self.random.randint(1, 4))]
        own = [n for part in parts for n in part[2]]
        # Mostly nothing is left behind, so that both answers occur.
        if self.random.random() < 0.85:
            parts.append(("p[0] = p[1] = p[2] = 0;",) * 2 + ([],))
        return "{ " + " ".join(part[0] for part in parts) + " }", "{ " + self.enter(own) + " " + " ".join(part[1] for part in parts) + " }"

    def program(self):
        asked, run = self.block(3)
        inner, inner_run = self.block(2)
        use = f"USE({self.random.randrange(3)}); return s & 1;"
        begin = "{ int *p[3] = {0, 0, 0}, s = 0; int " + " ".join(f"{name} = 0," for name in self.counters) + " n = 0; int a = __VERIFIER_nondet_uchar() & 7, b = __VERIFIER_nondet_uchar() & 7; "
        head = "int main(void) "
        text = lambda outer, inner: f"{begin} {outer} {inner} {use} }}\n"
        loop = "int main(void) { for (unsigned number = 0; number < 64; number++) { int code; fflush(stdout); if (fork() == 0) { digits = number; program(); _Exit(0); } wait(&code); printf(\"%d\\n\", (code >> 8) & 255); } return 0; }\n"
        native = "#include <unistd.h>\n#include <sys/wait.h>\n" + NATIVE + "static int program(void) " + text(run, inner_run) + loop
        return ASKED + head + text(asked, inner), native


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("belay")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", default="")
    parser.add_argument("--keep", default="soak-lives")
    given = parser.parse_args()
    belay = str(pathlib.Path(given.belay).resolve())
    counts, wrong = collections.Counter(), 0
    for seed in range(given.seed, given.seed + given.count):
        asked, native = Maker(seed).program()
        with tempfile.TemporaryDirectory(prefix="belay-lives-") as name:
            folder = pathlib.Path(name)
            (folder / "native.c").write_text(native)
            (folder / "asked.c").write_text(asked)
            subprocess.run([CLANG, "-O0", "-w", "native.c", "-o", "native"], cwd=folder, check=True)
            run = subprocess.run(["./native"], cwd=folder, capture_output=True, text=True, timeout=60)
            violated = "72" in run.stdout.split()
            command = [belay, "check", "--format", "json", "--threads", "1", "--time-limit", "3", *(["--engines", given.engines] if given.engines else []), "--property", "valid-deref", "asked.c"]
            answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        verdict = json.loads(answer.stdout)["results"][0]["verdict"]
        counts[f"{verdict}, {'violated' if violated else 'fine'}"] += 1
        if verdict == ("true" if violated else "false"):
            wrong += 1
            keep = pathlib.Path(given.keep)
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{seed}.c").write_text(asked)
            (keep / f"{seed}-native.c").write_text(native)
            print(f"{seed}: {verdict}, natively {'violated' if violated else 'fine'}", flush=True)
    print(f"lives: {given.count} programs, {dict(sorted(counts.items()))}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
