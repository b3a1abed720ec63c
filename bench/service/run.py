#!/usr/bin/env python3
"""Drives a real server with wrk (Debian) and prints one row per job.

    bench/service/run.py [--program build/release/neardup] [--entries 10000000] [--seconds 10] [--core 0]

The server runs on one core, wrk on another (taskset). The index is filled through /v1/bulk first, which is a job of its own. Answers are
checked: every response must have status 200, and afterwards the index must have as many documents as were acknowledged as added.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

SCRIPTS = {
    # Every request is a fingerprint of its own: each thread of wrk counts in its own range.
    "fingerprint": """
local thread_number = 0
function setup(thread) thread:set("number", thread_number); thread_number = thread_number + 1 end
function init(args) count = 0; math.randomseed(number * 7919 + tonumber(args[1])) end
function request()
  count = count + 1
  local body = string.format('{"id":"%s-%d-%d","fingerprint":"%08x%08x"}', SALT, number, count, math.random(0, 4294967295), math.random(0, 4294967295))
  return wrk.format("POST", "/v1/check-or-add", {["Content-Type"] = "application/json"}, body)
end
function response(status) if status ~= 200 then bad = (bad or 0) + 1 end end
""",
    "text": """
local thread_number = 0
function setup(thread) thread:set("number", thread_number); thread_number = thread_number + 1 end
function init(args) count = 0; math.randomseed(number * 104729 + tonumber(args[1])) end
function request()
  count = count + 1
  local words = {}
  for i = 1, 290 do words[i] = string.format("%06x", math.random(0, 16777215)) end
  local body = string.format('{"id":"%s-%d-%d","text":"%s"}', SALT, number, count, table.concat(words, " "))
  return wrk.format("POST", "/v1/check-or-add", {["Content-Type"] = "application/json"}, body)
end
""",
}


class Server:
    def __init__(self, arguments, folder, create, serve):
        self.folder = os.path.join(folder, "index")
        shutil.rmtree(self.folder, ignore_errors=True)
        subprocess.run([arguments.program, "index", "create", self.folder, "--quiet", *create], check=True)
        command = ["taskset", "-c", str(arguments.core), arguments.program, "serve", self.folder, "--listen", "127.0.0.1:0", "--access-log", "off", *serve]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stderr.readline())[1])

    def stats(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/v1/stats")
        return json.loads(connection.getresponse().read())

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()


def lines_of(kind, count):
    """Bodies of about 256 KB, and how many bytes they have in all."""
    state = 88172645463325252
    piece = []
    for i in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        if kind == "fingerprint":
            piece.append('{"id":"b%d","fingerprint":"%016x"}\n' % (i, state))
        else:
            piece.append('{"id":"b%d","text":"%s"}\n' % (i, " ".join("%06x" % ((state >> (j % 40)) * (j + 1) & 0xFFFFFF) for j in range(290))))
        if len(piece) == (5000 if kind == "fingerprint" else 120):
            yield "".join(piece).encode()
            piece = []
    if piece:
        yield "".join(piece).encode()


def bulk(server, kind, count):
    """Sends lines and reads results at the same time. Seconds include making the lines, which is on the other core."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.connect()
    received = []

    def read():
        total = 0
        while True:
            piece = connection.sock.recv(1 << 20)
            total += piece.count(b'"status"')
            if not piece or piece.endswith(b"0\r\n\r\n"):
                received.append(total)
                return

    bodies = list(lines_of(kind, count))
    reader = threading.Thread(target=read)
    begin, cpu = time.monotonic(), server.cpu()
    connection.sock.sendall(b"POST /v1/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
    reader.start()
    for body in bodies:
        connection.sock.sendall(b"%x\r\n" % len(body) + body + b"\r\n")
    connection.sock.sendall(b"0\r\n\r\n")
    reader.join()
    seconds = time.monotonic() - begin
    return seconds, server.cpu() - cpu, sum(map(len, bodies)), received[0]


def wrk(server, arguments, kind, folder):
    script = os.path.join(folder, "job.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f'SALT = "{time.monotonic_ns():x}"\n' + SCRIPTS[kind])
    before, cpu = server.stats()["documents"], server.cpu()
    command = ["taskset", "-c", str(1 - arguments.core), "wrk", "-t1", "-c64", f"-d{arguments.seconds}s", "--latency", "-s", script,
               f"http://127.0.0.1:{server.port}", "--", str(time.time_ns() % 100000)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    requests = int(re.search(r"(\d+) requests in", said)[1])
    rate = float(re.search(r"Requests/sec:\s*([\d.]+)", said)[1])
    p99 = re.search(r"99%\s+(\S+)", said)[1]
    added = server.stats()["documents"] - before
    errors = "Non-2xx" in said or "Socket errors" in said
    return {"rate": rate, "p99": p99, "requests": requests, "added": added, "errors": errors, "cpu_us": 1e6 * (server.cpu() - cpu) / max(requests, 1)}


def show(name, found):
    print(f"{name:<44} {found['rate']:>9,.0f}/s  p99 {found['p99']:>8}  {found['cpu_us']:6.1f} us CPU a request  added {found['added']:,} of {found['requests']:,}"
          f"{'  ERRORS' if found['errors'] else ''}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/neardup")
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--core", type=int, default=0)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="neardup-bench-")
    try:
        hamming = ("--measure", "hamming", "--threshold", "3")
        for durability in ("batch", "sync"):
            server = Server(arguments, folder, hamming, ("--durability", durability))
            seconds, cpu, size, results = bulk(server, "fingerprint", arguments.entries)
            print(f"bulk of fingerprints, {durability:<22} {results / seconds:>9,.0f}/s  {size / seconds / 1e6:.0f} MB/s  {1e6 * cpu / results:.1f} us CPU a line", flush=True)
            show(f"check-or-add of fingerprints, {durability}", wrk(server, arguments, "fingerprint", folder))
            server.stop()
        server = Server(arguments, folder, (), ("--durability", "batch"))
        seconds, cpu, size, results = bulk(server, "text", arguments.texts)
        print(f"bulk of texts of 2 KB, batch                 {results / seconds:>9,.0f}/s  {size / seconds / 1e6:.0f} MB/s  {1e6 * cpu / results:.1f} us CPU a line", flush=True)
        show("check-or-add of texts of 2 KB, batch", wrk(server, arguments, "text", folder))
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
