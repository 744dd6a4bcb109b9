#!/usr/bin/env python3
"""How fast an editor is answered: scripts/soak_editor.py BELAY [--edits 20]

A server is given a library of 300 lines. Measured are the seconds until its first diagnostics and until all of it is checked, then the same after edits of single functions, and the server's memory with that
of the checks under it. Exits with 1 where the first diagnostics take 2 s or more, those after an edit half a second or more in the median, or memory gets beyond 1 GB.
"""

import argparse
import json
import pathlib
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# A third of the library; each function has its number in its name.
FUNCTIONS = r"""
struct ring@ {
    unsigned char bytes[64];
    unsigned head;
    unsigned count;
};

static struct ring@ ring@;

int ring_put@(unsigned char byte)
{
    if (ring@.count >= sizeof ring@.bytes)
        return -1;
    ring@.bytes[(ring@.head + ring@.count) % sizeof ring@.bytes] = byte;
    ring@.count++;
    return 0;
}

int ring_get@(void)
{
    if (ring@.count == 0)
        return -1;
    unsigned char byte = ring@.bytes[ring@.head];
    ring@.head = (ring@.head + 1) % sizeof ring@.bytes;
    ring@.count--;
    return byte;
}

unsigned bits@(unsigned word)
{
    unsigned count = 0;
    while (word) {
        word &= word - 1;
        count++;
    }
    return count;
}

unsigned checksum@(unsigned start, unsigned rounds)
{
    unsigned sum = start;
    for (unsigned round = 0; round < rounds; round++) {
        sum = (sum << 5) ^ (sum >> 27) ^ round;
        sum += bits@(sum);
    }
    return sum;
}

int digit@(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int divide@(int dividend, int divisor)
{
    if (divisor == 0 || (dividend == -2147483647 - 1 && divisor == -1))
        return 0;
    return dividend / divisor;
}

int middle@(int low, int high)
{
    if (low < 0 || high < low)
        return -1;
    return low + (high - low) / 2;
}

unsigned long gcd@(unsigned long a, unsigned long b)
{
    while (b) {
        unsigned long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int table@(int at, int value)
{
    static int cells[32];
    if (at < 0 || at >= 32)
        return -1;
    int before = cells[at];
    cells[at] = value;
    return before;
}
"""


class Editor:
    def __init__(self, belay):
        self.server = subprocess.Popen([belay, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.write({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
        self.wait(lambda message: message.get("id") == 1)
        self.write({"method": "initialized", "params": {}})

    def read(self):
        while line := self.server.stdout.readline():
            length = int(line.split(b":")[1])
            self.server.stdout.readline()
            self.messages.put(json.loads(self.server.stdout.read(length)))

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def wait(self, is_wanted):
        while not is_wanted(message := self.messages.get(timeout=120)):
            pass
        return message

    def checked(self, uri, version, text):
        """Seconds until the first diagnostics of a version and until all of it is checked, and the diagnostics."""
        method = "textDocument/didOpen" if version == 1 else "textDocument/didChange"
        document = {"uri": uri, "version": version}
        if version == 1:
            params = {"textDocument": {**document, "languageId": "c", "text": text}}
        else:
            params = {"textDocument": document, "contentChanges": [{"text": text}]}
        start, first, shown = time.monotonic(), None, []
        self.write({"method": method, "params": params})
        while True:
            message = self.wait(lambda message: message.get("params", {}).get("version") == version)
            if message["method"] == "textDocument/publishDiagnostics":
                first, shown = first or time.monotonic() - start, message["params"]["diagnostics"]
            elif message["method"] == "$/belay/checked":
                return first, time.monotonic() - start, shown


def resident(process):
    """KiB that a process and those under it hold."""
    total = 0
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        total += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)
        for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
            total += resident(child)
    except OSError:
        pass
    return total


def watch_memory(process, peak, is_done):
    while not is_done.wait(0.05):
        peak[0] = max(peak[0], resident(process))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("belay")
    parser.add_argument("--edits", type=int, default=20)
    args = parser.parse_args()
    text = "".join(FUNCTIONS.replace("@", str(number)) for number in range(1, 5))
    text = "".join(text.splitlines(keepends=True)[:300])
    text = text[: text.rindex("\n}\n") + 3]
    editor, peak, is_done = Editor(args.belay), [0], threading.Event()
    watcher = threading.Thread(target=watch_memory, args=(editor.server.pid, peak, is_done))
    watcher.start()
    with tempfile.TemporaryDirectory() as folder:
        uri = f"file://{folder}/library.c"
        first, whole, shown = editor.checked(uri, 1, text)
        lines, wrong = text.count("\n"), sum(one["severity"] == 1 for one in shown)
        print(f"{lines} lines, {text.count(chr(10) + '{')} functions: first diagnostics after {first:.2f} s, all checked after {whole:.2f} s, {wrong} violations")
        after, stale = [], 0
        for edit in range(args.edits):
            number, is_broken = edit % 3 + 1, edit % 2
            name = f"int table{number}(int at, int value)\n{{"
            before, own = text.split(name)
            own = own.replace("at >= 32", f"at >= {32 + is_broken}", 1)
            *times, shown = editor.checked(uri, edit + 2, f"{before}{name}\n    value += {edit} & 1;{own}")
            after.append(times)
            stale += any(one["code"] == "valid-deref" for one in shown) != is_broken
        told, all_checked = [statistics.median(times) for times in zip(*after)]
        print(f"{args.edits} edits of one function: diagnostics after {told:.2f} s in the median ({max(first for first, _ in after):.2f} s at most), all checked after {all_checked:.2f} s, {stale} wrong")
    is_done.set()
    watcher.join()
    print(f"memory, the checks included: {peak[0] / 1024:.0f} MiB at most")
    editor.server.kill()
    editor.server.wait()
    sys.exit(0 if first < 2 and told < 0.5 and peak[0] < 1 << 20 and not stale else 1)


if __name__ == "__main__":
    main()
