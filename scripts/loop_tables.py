#!/usr/bin/env python3
"""Makes docs/loops.md: the tables of *Loop summarization using state and transition invariants* with Belay's column.

    scripts/loop_tables.py --corpus DIR [--belay target/release/belay] [--time-limit 10] [--out docs/loops.md] [--sample N]

DIR holds `index.jsonl` (a task a line: suite, file or files, property, expected, data_model) and the programs. Of the suite `verisec` the tasks come in
pairs, `X_bad.i` with a defect and `X_ok.i` without. Of the suite `tacle` every program is asked about loop by loop.
"""
import argparse, hashlib, json, os, re, subprocess, time


def tasks(args, suite):
    with open(os.path.join(args.corpus, "index.jsonl")) as lines:
        rows = [row for row in map(json.loads, lines) if row["suite"] == suite]
    return sorted(rows, key=lambda row: row["file"])


def files(args, row):
    return [os.path.join(args.corpus, name) for name in row.get("files", [row["file"]])]


def ask(args, row, *more):
    command = [args.belay, "check", *files(args, row), "--data-model", row["data_model"],
               "--time-limit", str(args.time_limit), "--threads", "1", "--rules", "svcomp", *more]
    start = time.time()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.stdout, time.time() - start


def verdict(text, name):
    found = re.search(rf"^VERDICT {name} (true|false|unknown)", text, re.M)
    return found.group(1) if found else "error"


def verisec(args):
    pairs = {}
    for row in tasks(args, "verisec"):
        stem = re.sub(r"_(bad|ok)(\.\w+)$", r"\2", row["file"])
        if args.sample > 1 and int(hashlib.sha256(stem.encode()).hexdigest(), 16) % args.sample: continue
        # A label that is disputed, or is not what its name says, is left out.
        is_clear = not row.get("suspect") and row["expected"] in (True, False)
        if is_clear and row["expected"] == os.path.splitext(row["file"])[0].endswith("_ok"):
            text, _ = ask(args, row, "--property", row["property"])
            pairs.setdefault(stem, {})["ok" if row["expected"] else "bad"] = verdict(text, row["property"])
    answers = {kind: [pair[kind] for pair in pairs.values() if kind in pair] for kind in ("bad", "ok")}
    rate = lambda part, whole: f"{part / whole:.2f}" if whole else "-"
    count = lambda kind, answer: answers[kind].count(answer)
    both = [pair for pair in pairs.values() if len(pair) == 2]
    told = sum(pair["bad"] == "false" and pair["ok"] == "true" for pair in both)
    silent = sum(pair["bad"] == "false" and pair["ok"] != "false" for pair in both)
    wrong = count("bad", "true") + count("ok", "false")
    return "\n".join([
        "## Buffer overflows, defects beside their mends (Table 2)", "",
        "Detection: violations among programs with a defect. False alarms: violations among those without. Discrimination: pairs whose defect is a",
        "violation and whose mend is none; in the paper a mend that is not proved counts as an alarm, so the stricter number, pairs whose mend is *proved*, stands beside it.", "",
        "| | R(d) | R(f) | R(not f given d) | pairs proved apart |", "| --- | --- | --- | --- | --- |",
        "| LoopFrog, on 568 programs of Ku et al. | 1.00 | 0.26 | 0.74 | |",
        f"| Belay, on {len(answers['bad'])} + {len(answers['ok'])} of them | {rate(count('bad', 'false'), len(answers['bad']))} "
        f"| {rate(count('ok', 'false'), len(answers['ok']))} | {rate(silent, len(both))} | {rate(told, len(both))} |", "",
        f"Unknown: {count('bad', 'unknown')} with a defect, {count('ok', 'unknown')} without. Against the label: {wrong}; `disagreements.md` says why.", ""])


def kernels(args):
    lines = ["## Loop by loop (Tables 6 to 11)", "", "| program | loops | end | endless | unknown | seconds |", "| --- | --- | --- | --- | --- | --- |"]
    total, silent = [0, 0, 0, 0, 0.0], 0
    for row in tasks(args, "tacle"):
        text, seconds = ask(args, row, "--property", "termination", "--each-loop")
        found = re.search(r"each loop: (\d+) loops?, (\d+) ends?, (\d+) endless, (\d+) unknown", text)
        numbers = [int(number) for number in found.groups()] if found else [0, 0, 0, 0]
        name = os.path.basename(os.path.dirname(row["file"]))
        lines.append(f"| {name} | {' | '.join(map(str, numbers))} | {seconds:.1f} |" if found else f"| {name} | no answer | | | | {seconds:.1f} |")
        total = [a + b for a, b in zip(total, numbers + [seconds])]
        silent += not found
    decided = 100 * (total[1] + total[2]) / max(total[0], 1)
    lines += [f"| all | {total[0]} | {total[1]} | {total[2]} | {total[3]} | {total[4]:.1f} |", "",
              f"Decided: {decided:.0f}% of the loops of the programs with an answer; {silent} program{'' if silent == 1 else 's'} had none in time.", ""]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", required=True)
    arguments.add_argument("--belay", default="target/release/belay")
    arguments.add_argument("--time-limit", type=int, default=10)
    arguments.add_argument("--sample", type=int, default=1, help="a fixed part of the pairs")
    arguments.add_argument("--out", default="docs/loops.md")
    args = arguments.parse_args()
    part = f", one pair in {args.sample}" if args.sample > 1 else ""
    head = ("# Loops by themselves\n\nThe tables of Kroening, Sharygina, Tonetta, Tsitovich and Wintersteiger, *Loop summarization using state and transition invariants*, made anew by "
            f"`scripts/loop_tables.py` with {args.time_limit} s for each program{part}.\n\n")
    text = head + verisec(args) + "\n" + kernels(args)
    with open(args.out, "w") as out:
        out.write(text)


if __name__ == "__main__":
    main()
