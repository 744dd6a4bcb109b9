#!/usr/bin/env python3
"""Whether evidence travels: replays, stored proofs and witnesses of verdicts about a corpus, counted.

    scripts/evidence.py CORPUS BELAY [--only false|true] [--count 200] [--time-limit 6] [--out rows.jsonl]

CORPUS holds `index.jsonl` (a task a line: suite, file or files, property, expected, data_model, integers) and the programs. The tasks are a fixed choice, in turn from each suite and
property, until COUNT verdicts were seen.

Of each *false*: its harness is built and run (`belay replay`), its witness is linted and checked. Of each *true*: `belay recheck` has to accept the proof, in at most a third of the CPU time
of `check` without the front end; the proof cut off in the middle, with one number changed, and against another program has to be refused or to say what is so (a claim that a changed
number does not touch still holds), without a crash; its witness is linted and, about assertions, overflow and termination, checked. Exits with 1 where a harness does not build,
a proof or a witness of Belay's own is refused by `recheck` or `lint`, a forged proof makes a verdict, or anything crashes.
"""

import argparse
import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading

REFUTABLE = ("juliet", "itc", "verisec", "svcomp19")
WITNESSED = ("unreach-call", "no-overflow", "termination")
CRASHED = 6
# A program that has no property: what a proof says of another one can't hold of it.
OTHER = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[4] = {0}, n = __VERIFIER_nondet_int();
  char *block = malloc(4);
  if (!block) return 0;
  switch (n) {
  case 0: reach_error(); break;
  case 1: return a[__VERIFIER_nondet_int()];
  case 2: free(block); free(block); break;
  case 3: return 1 + __VERIFIER_nondet_int();
  case 4: for (;;) ;
  }
  return 0;
}
"""


def run(command, seconds=60):
    """Exit code, what it said, CPU seconds of it and what it started."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, start_new_session=True)
        watch = threading.Timer(seconds, lambda: os.killpg(child.pid, signal.SIGKILL))
        watch.start()
        _, status, usage = os.wait4(child.pid, 0)
        watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return child.returncode, said.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


def in_turn(rows):
    """The rows in a fixed order, one of each suite and property after the other."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["suite"], row["property"]].append(row)
    for group in groups.values():
        group.sort(key=lambda row: hashlib.sha256((row["file"] + row["property"]).encode()).hexdigest())
    ordered = [groups[key] for key in sorted(groups)]
    return [row for turn in itertools.zip_longest(*ordered) for row in turn if row]


class Tried:
    """One task."""

    def __init__(self, args, row, folder):
        self.args, self.row, self.folder = args, row, folder
        self.files = [os.path.join(args.corpus, name) for name in row.get("files", [row["file"]])]
        self.meaning = ["--data-model", row["data_model"], "--integers", row["integers"]]
        self.said = {"file": row["file"], "property": row["property"]}

    def check(self, *more):
        limits = ["--time-limit", str(self.args.time_limit), "--threads", "1", "--property", self.row["property"]]
        code, text, seconds = run([self.args.belay, "check", *self.files, *self.meaning, *limits, *more], self.args.time_limit + 30)
        found = re.search(rf"^VERDICT {self.row['property']} (true|false|unknown)", text, re.M)
        return found.group(1) if found else f"error {code}", seconds

    def witness(self, name, checked=True):
        witness = os.path.join(self.folder, name)
        if not os.path.exists(witness):
            self.said["lint"] = "none"
            return
        code, text, _ = run([self.args.belay, "witness", "lint", witness])
        self.said["lint"] = "accepted" if code == 0 else text.strip()
        if checked:
            limit = ["--time-limit", str(2 * self.args.time_limit)]
            code, text, _ = run([self.args.belay, "witness", "check", witness, *self.files, *self.meaning, *limit], 2 * self.args.time_limit + 30)
            found = re.search(r"^WITNESS (.*)$", text, re.M)
            self.said["witness"] = found.group(1) if found else f"error {code}: {text.strip()[:200]}"

    def violated(self):
        folder = os.path.join(self.folder, "replay")
        verdict, _ = self.check("--replay", folder, "--witness", os.path.join(self.folder, "w.yml"))
        if verdict != "false":
            return False
        if os.path.isdir(folder):
            code, text, _ = run([self.args.belay, "replay", folder])
            self.said["replay"] = text.strip().split(": ", 2)[-1] if code in (0, 5) else f"error {code}: {text.strip()}"
        else:
            self.said["replay"] = "no replay is written"
        self.witness("w.yml")
        return True

    def proved(self):
        verdict, seconds = self.check()
        if verdict != "true":
            return False
        proof = os.path.join(self.folder, "proof")
        again, _ = self.check("--proof", proof, "--witness", os.path.join(self.folder, "w.yml"))
        if again != "true" or not os.path.exists(proof):
            self.said["recheck"] = f"no proof: {again}"
            return True
        code, text, checking = run([self.args.belay, "recheck", proof], 90)
        self.said["recheck"] = "accepted" if code == 0 else f"{code}: {text.strip()[-200:]}"
        # What both commands need to read the program.
        _, _, reading = run([self.args.belay, "ir", "--simplified", *self.files, *self.meaning])
        self.said["check_s"], self.said["recheck_s"] = max(seconds - reading, 0), max(checking - reading, 0)
        self.forge(pathlib.Path(proof))
        self.witness("w.yml", self.row["property"] in WITNESSED)
        return True

    def forge(self, proof):
        """What comes of a proof that was tampered with."""
        text, outcomes = proof.read_text(), {}
        seed = int(hashlib.sha256(self.row["file"].encode()).hexdigest(), 16)
        body = text.find("claims") if "claims" in text else len(text) // 2
        numbers = [match for match in re.finditer(r"(?<![\w.-])\d+(?![\w.])", text) if match.start() > body]
        forged = {"cut off": text[: len(text) // 2 + seed % max(len(text) // 3, 1)]}
        if numbers:
            match = numbers[seed % len(numbers)]
            forged["number"] = text[: match.start()] + str(int(match.group()) + 1) + text[match.end():]
        for kind, content in forged.items():
            path = proof.with_name("forged")
            path.write_text(content)
            outcomes[kind] = self.outcome([str(path)])
        other = proof.with_name("other.c")
        other.write_text(OTHER)
        outcomes["other program"] = self.outcome([str(proof), str(other)])
        twin = self.twin()
        if twin:
            outcomes["broken twin"] = self.outcome([str(proof), twin])
            if outcomes["broken twin"] == "accepted":
                # Some labels are disputed: then a search proves the twin, too.
                self.files = [twin]
                outcomes["broken twin"] = "accepted, and proved by check" if self.check()[0] == "true" else "accepted"
        self.said["forged"] = outcomes

    def outcome(self, words):
        code, text, _ = run([self.args.belay, "recheck", *words], 90)
        if code == CRASHED or code < 0:
            return f"crash {code}: {text.strip()[-200:]}"
        return "accepted" if code == 0 else "refused"

    def twin(self):
        """The program with the defect, where the corpus has it beside this one."""
        name = self.row["file"]
        other = {"juliet": name.replace("_good", "_bad"), "verisec": name.replace("_ok", "_bad"), "itc": name.replace("02.wo_Defects", "01.w_Defects")}.get(self.row["suite"], name)
        path = os.path.join(self.args.corpus, other)
        return path if other != name and os.path.exists(path) and (other, self.row["property"]) in self.args.broken else None


def part(args, rows, kind):
    done = []
    for row in rows:
        if len(done) == args.count:
            break
        with tempfile.TemporaryDirectory() as folder:
            tried = Tried(args, row, folder)
            if tried.violated() if kind == "false" else tried.proved():
                done.append(tried.said)
                print(json.dumps(tried.said), file=args.log, flush=True)
    return done


def counted(title, answers):
    print(f"{title}: {len(answers)}")
    for answer, count in collections.Counter(answers).most_common():
        print(f"  {count:4} {answer}")


def report_witnesses(done):
    counted("lint", [said["lint"] for said in done])
    counted("witness check", [re.sub(r"(confirmed): .*", r"\1", said["witness"]) if not said["witness"].startswith("not") else said["witness"] for said in done if "witness" in said])


def report_violations(done):
    counted("*false*, replayed", [said["replay"] for said in done])
    by_property = collections.Counter(said["property"] for said in done)
    print("  of", ", ".join(f"{name} {count}" for name, count in sorted(by_property.items())))
    report_witnesses(done)
    return [said for said in done if said["lint"] not in ("accepted", "none") or "does not build" in said["replay"] or "error" in said["replay"]]


def report_proofs(done):
    counted("*true*, rechecked", [said["recheck"] for said in done])
    timed = [said for said in done if "check_s" in said]
    searched, checked = sum(said["check_s"] for said in timed), sum(said["recheck_s"] for said in timed)
    print(f"  recheck {checked:.1f} s, check {searched:.1f} s, front end left out: {checked / max(searched, 0.001):.2f}")
    forged = [(kind, outcome) for said in done for kind, outcome in said.get("forged", {}).items()]
    counted("tampered with", [f"{kind}: {outcome}" for kind, outcome in forged])
    report_witnesses(done)
    is_bad = lambda said: any(outcome.startswith("crash") or outcome == "accepted" and kind != "number" for kind, outcome in said.get("forged", {}).items())
    return [said for said in done if said["recheck"] != "accepted" or said["lint"] not in ("accepted", "none") or is_bad(said)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("belay")
    parser.add_argument("--only", choices=["false", "true"])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--time-limit", type=int, default=6)
    parser.add_argument("--out", default=os.devnull, help="a row for each verdict")
    args = parser.parse_args()
    with open(os.path.join(args.corpus, "index.jsonl")) as lines:
        rows = [row for row in map(json.loads, lines) if not row.get("suspect") and row["integers"] == "machine"]
    args.broken = {(row["file"], row["property"]) for row in rows if row["expected"] is False}
    wrong = []
    with open(args.out, "w") as args.log:
        if args.only != "true":
            tasks = [row for row in rows if row["expected"] is False and row["suite"] in REFUTABLE]
            wrong += report_violations(part(args, in_turn(tasks), "false"))
        if args.only != "false":
            wrong += report_proofs(part(args, in_turn([row for row in rows if row["expected"] is True]), "true"))
    for said in wrong:
        print("wrong:", json.dumps(said))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
