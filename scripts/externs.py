#!/usr/bin/env python3
"""Lists the external symbols that the corpus programs refer to and nobody defines.

    scripts/externs.py CORPUS [CACHE]

Compiles every program of CORPUS/index.jsonl with the flags of the front end, collects declarations that are used, and prints those
that have neither a model nor a built-in rule, by number of programs. CACHE keeps what was collected.
"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

FLAGS = ("-O1 -Xclang -disable-llvm-passes -fno-builtin -D__NO_CTYPE -D__NO_INLINE__ -w -S -emit-llvm -o - "
         "-Wno-error -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion "
         "-Wno-incompatible-pointer-types -Wno-return-type -Wno-incompatible-function-pointer-types").split()
SYMBOL = r'@("[^"]+"|[\w.$-]+)'
DECLARE = re.compile(r"^declare .*?" + SYMBOL + r"\(", re.M)
DEFINE = re.compile(r"^define .*?" + SYMBOL + r"\(", re.M)
EXTERNAL = re.compile(r"^" + SYMBOL + r" = (?:external|extern_weak)\b", re.M)
GLOBAL = re.compile(r"^" + SYMBOL + r" = ", re.M)


def compile_one(corpus, path, model, parse):
    mode = ["-m32"] if model == "ILP32" else ["-m64"]
    dialect = ["-std=gnu89"] if parse == "gnu89" else []
    run = subprocess.run(["clang-22", *mode, *dialect, *FLAGS, os.path.join(corpus, path)],
                         capture_output=True, text=True, errors="replace", timeout=300)
    if run.returncode != 0:
        return None, None, run.stderr[-400:]
    text = run.stdout
    external = set(EXTERNAL.findall(text))
    defined = set(DEFINE.findall(text)) | (set(GLOBAL.findall(text)) - external)
    return set(DECLARE.findall(text)) | external, defined, None


def undefined(corpus, task):
    used, defined = set(), set()
    for path in task["files"]:
        u, d, error = compile_one(corpus, path, task["data_model"], task["parse"])
        if error is not None:
            return task["file"], None, error
        used |= u
        defined |= d
    return task["file"], sorted(s for s in used - defined if not s.startswith("llvm.")), None


def tasks(corpus):
    seen = {}
    for line in open(os.path.join(corpus, "index.jsonl")):
        t = json.loads(line)
        seen.setdefault((t["file"], t["data_model"]),
                        {"file": t["file"], "files": t.get("files") or [t["file"]], "data_model": t["data_model"],
                         "parse": t["parse"], "suite": t["suite"]})
    return list(seen.values())


def collect(corpus):
    rows = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for task, (file, symbols, error) in zip(tasks(corpus), pool.map(lambda t: undefined(corpus, t), tasks(corpus))):
            rows.append({"file": file, "suite": task["suite"], "symbols": symbols, "error": error})
    return rows


def covered(models):
    """Models by file name, built-in functions by the table in the documents."""
    names = {f[:-2] for f in os.listdir(models) if f.endswith(".c")}
    table = open(os.path.join(models, "../../../docs/library.md")).read()
    names |= set(re.findall(r"^\| `(\w+)` \|.*\| built in \|$", table, re.M))
    source = open(os.path.join(models, "../../ir/src/builtin.rs")).read()
    return names | set(re.findall(r'"(\w+)"', source)) | {"stdin", "stdout", "stderr", "memcpy", "memmove", "memset", "alloca"}


def main():
    corpus, cache = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    models = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../crates/frontend/models")
    if cache and os.path.exists(cache):
        rows = json.load(open(cache))
    else:
        rows = collect(corpus)
        if cache:
            json.dump(rows, open(cache, "w"))
    have = covered(models)
    count, suites = collections.Counter(), collections.defaultdict(set)
    for row in rows:
        for symbol in row["symbols"] or []:
            if symbol not in have and not symbol.startswith(("__VERIFIER", "__CPROVER")):
                count[symbol] += 1
                suites[symbol].add(row["suite"])
    failed = [row["file"] for row in rows if row["symbols"] is None]
    print(f"{len(rows)} programs, {len(failed)} did not compile; {len(count)} symbols without a model or built-in rule")
    for symbol, number in sorted(count.items(), key=lambda item: (-item[1], item[0])):
        print(f"{number:5} {symbol} {','.join(sorted(suites[symbol]))}")
    for file in failed:
        print(f"did not compile: {file}")


main()
