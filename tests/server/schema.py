#!/usr/bin/env python3
"""Requests that schemathesis makes of /openapi.json, valid and invalid ones, and whether the answers are as described.

    tests/server/schema.py PROGRAM [EXAMPLES]

Skipped (77) where schemathesis is not installed: tools/setup.sh python.
"""
import os
import subprocess
import sys

import running

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"


def main():
    tool = os.path.join(os.path.dirname(sys.executable), "schemathesis")
    if not os.path.exists(tool):
        print("schemathesis is not installed: skipped")
        return 77
    examples = sys.argv[2] if len(sys.argv) > 2 else "10"
    worst = 0
    for create in ((), ("--measure", "hamming", "--threshold", "3"), ("--keep", "max:score")):
        server = running.Server(create)
        try:
            for i in range(4):  # something to find
                server.ask("POST", "/v1/add", {"id": f"d{i}", "text": running.text("same")})
            run = subprocess.run([tool, "run", f"http://127.0.0.1:{server.port}/openapi.json", "--checks", CHECKS, "--max-examples", examples, "--seed", "1",
                                  "--generation-deterministic", "--phases", "examples,coverage,fuzzing", "--no-color",
                                  # A snapshot costs a copy of the index each time, and lines of JSON are not a media type that schemathesis
                                  # can make; api.py tests both.
                                  "--exclude-operation-id", "snapshot", "--exclude-operation-id", "bulk"],
                                 cwd=server.own, capture_output=True, text=True)
            alive = server.ask("GET", "/readyz")[0] == 200
        finally:
            code = server.stop()
        if run.returncode != 0 or not alive or code != 0 or server.said:
            print(run.stdout[-20000:], run.stderr[-4000:], server.said, f"alive: {alive}, exit code {code}", sep="\n")
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
