"""How long does a command run, and how much memory does it touch?

Usage: measure.py RESULT.json COMMAND...
A small process of its own: Linux counts the memory of the process that forks into the child's peak, so a benchmark that
holds a truth of a few hundred megabytes must not start the commands it measures itself.
"""
import json
import os
import sys
import time


def main():
    result, command = sys.argv[1], sys.argv[2:]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    with open(result, "w") as file:
        json.dump({"exit": os.waitstatus_to_exitcode(status), "seconds": seconds, "peak_bytes": usage.ru_maxrss * 1024,
                   "cpu_seconds": usage.ru_utime + usage.ru_stime}, file)


main()
