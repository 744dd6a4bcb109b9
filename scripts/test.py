#!/usr/bin/env python3
"""Runs the tests; those of a binary that passed before with the same inputs are not run again.

    scripts/test.py            what has not passed yet with what is here now
    scripts/test.py --fresh    everything

A test binary's inputs are the binary itself, the program `belay` (its tests start it), every file of the repository that is no Rust source, and the versions of the
tools that tests call. What passed is remembered in target/passed.json; a clean clone has none of it and runs everything.
"""
import hashlib, json, os, pathlib, subprocess, sys, xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
TOOLS = [["clang-22", "--version"], ["z3", "--version"], ["cc", "--version"], ["node", "--version"]]


def output(command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()


def surroundings():
    """What tests may read or call besides themselves and the program."""
    names = output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split(b"\0")
    parts = []
    for name in sorted(name for name in names if name and not name.endswith(b".rs")):
        path = ROOT / os.fsdecode(name)
        parts += [name, path.read_bytes() if path.is_file() else b""]
    for tool in TOOLS:
        try:
            parts.append(subprocess.run(tool, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
        except OSError:
            parts.append(b"missing")
    return digest(*parts).encode()


def binaries():
    """Every test binary: its name and a digest of its inputs."""
    suites = json.loads(output([CARGO, "nextest", "list", "--workspace", "--list-type", "binaries-only", "--message-format", "json"]))
    around, metadata = surroundings(), suites["rust-build-meta"]
    program = pathlib.Path(metadata["target-directory"]) / "debug" / "belay"
    around += program.read_bytes() if program.is_file() else b""
    around = digest(around).encode()
    found = suites["rust-binaries"]
    return {name: digest(pathlib.Path(suite["binary-path"]).read_bytes(), around) for name, suite in found.items()}


def results(folder):
    """The number of tests of each binary that ran, without one that failed."""
    path = folder / "nextest" / "default" / "junit.xml"
    if not path.is_file():
        return {}
    suites = xml.etree.ElementTree.parse(path).getroot().iter("testsuite")
    clean = (s for s in suites if not int(s.get("failures", 0)) and not int(s.get("errors", 0)))
    return {suite.get("name"): int(suite.get("tests", 0)) for suite in clean}


def main():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    memory = target / "passed.json"
    now = binaries()
    fresh = "--fresh" in sys.argv or not memory.is_file()
    before = {} if fresh else json.loads(memory.read_text())
    known = {name: passed for name, passed in before.items() if now.get(name) == passed["inputs"]}
    todo = sorted(set(now) - set(known))
    tests = sum(passed["tests"] for passed in known.values())
    if known:
        print(f"{len(known)} test binaries with {tests} tests passed before with the same inputs (`make test FRESH=1` runs them again)")
    if not todo:
        print(f"{tests} passed, 0 failed")
        return 0
    junit = target / "nextest" / "default" / "junit.xml"
    junit.unlink(missing_ok=True)
    chosen = [] if not known else ["-E", " | ".join(f"binary_id(={name})" for name in todo)]
    code = subprocess.run([CARGO, "nextest", "run", "--workspace", "--no-fail-fast", "--no-tests", "pass", *chosen], cwd=ROOT).returncode
    clean = results(target)
    # A binary of which nothing ran has no tests: it has passed if the run has.
    passed = {name: {"inputs": now[name], "tests": clean.get(name, 0)} for name in todo if name in clean or code == 0}
    memory.write_text(json.dumps({**known, **passed}, indent=1, sort_keys=True))
    return code


sys.exit(main())
