#!/usr/bin/env python3
"""Belay in continuous integration: check, report, and fail on new findings only.

    contrib/ci/check.py [--belay PROGRAM] [--baseline FILE] [--update-baseline] [--sarif FILE] [--summary FILE] -- ARGUMENTS OF belay check

Runs `belay check ARGUMENTS --format sarif`, writes the log, and compares its findings with a baseline by their fingerprints, which do not depend on
line numbers. A finding that the baseline has is told but does not fail; a new one does. Where the baseline has findings, each check is asked about by itself
(`--each-check`): else one that is known would hide a new one of the same property. With GITHUB_ACTIONS set, findings are annotated and the table
goes to the job's summary. Exit code: 0, 1 for new findings, or Belay's own code where it gave no answer.
"""

import argparse
import json
import os
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--belay", default="belay")
    parser.add_argument("--baseline", default="belay-baseline.json")
    parser.add_argument("--update-baseline", action="store_true")
    parser.add_argument("--sarif", default="belay.sarif")
    parser.add_argument("--summary", default=os.environ.get("GITHUB_STEP_SUMMARY"))
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    words = args.arguments[1:] if args.arguments[:1] == ["--"] else args.arguments
    known = baseline(args.baseline)
    if (known or args.update_baseline) and not any(word.startswith(("--each-", "--unwind")) for word in words):
        words = ["--each-check"] + words
    log = run(args.belay, words)
    with open(args.sarif, "w", encoding="utf-8") as out:
        json.dump(log, out, indent=1)
    results = [result for run_ in log.get("runs", []) for result in run_.get("results", [])]
    findings = [result for result in results if result.get("level") in ("error", "warning")]
    if args.update_baseline:
        with open(args.baseline, "w", encoding="utf-8") as out:
            json.dump(sorted(fingerprint(finding) for finding in findings), out, indent=1)
    known = set() if args.update_baseline else known
    new = [finding for finding in findings if fingerprint(finding) not in known]
    for finding in findings:
        tell(finding, finding in new and not args.update_baseline)
    table = summary(results, findings, new if not args.update_baseline else [])
    print(table)
    if args.summary:
        with open(args.summary, "a", encoding="utf-8") as out:
            out.write(table + "\n")
    sys.exit(1 if new and not args.update_baseline else 0)


def run(belay, words):
    call = [belay, "check", "--format", "sarif"]
    position = words.index("--") if "--" in words else len(words)
    done = subprocess.run(call + words[:position] + words[position:], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 5, 10):
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def baseline(path):
    try:
        with open(path, encoding="utf-8") as text:
            return set(json.load(text))
    except FileNotFoundError:
        return set()


def fingerprint(finding):
    prints = finding.get("partialFingerprints") or {}
    return "|".join([finding.get("ruleId", "")] + [f"{key}={prints[key]}" for key in sorted(prints)])


def place(finding):
    for location in finding.get("locations", []):
        physical = location.get("physicalLocation", {})
        return physical.get("artifactLocation", {}).get("uri", ""), physical.get("region", {}).get("startLine", 1)
    return "", 1


def tell(finding, is_new):
    file, line = place(finding)
    text = finding.get("message", {}).get("text", "").splitlines()[0:1]
    text = text[0] if text else finding.get("ruleId", "")
    if os.environ.get("GITHUB_ACTIONS"):
        print(f"::{'error' if is_new else 'notice'} file={file},line={line}::{text}")
    else:
        print(f"{file}:{line}: {'new' if is_new else 'known'}: {text}")


def summary(results, findings, new):
    unknown = [result for result in results if result.get("level") == "note"]
    rows = [("new findings", len(new)), ("known findings", len(findings) - len(new)), ("unknown", len(unknown))]
    return "\n".join(["| Belay | |", "| --- | ---: |"] + [f"| {name} | {count} |" for name, count in rows])


if __name__ == "__main__":
    main()
