"""A real server on a free port of the loopback interface, with an index of its own in a temporary folder."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "neardup"
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon".split()


def text(seed, words=40):
    """A text that resembles no other one."""
    return " ".join(f"{WORDS[i % len(WORDS)]}{seed}x{i}" for i in range(words))


class Server:
    """Runs until stop(); create: flags of `index create`, serve: flags of `serve`."""

    def __init__(self, create=(), serve=(), folder=None):
        self.own = None if folder else tempfile.mkdtemp(prefix="neardup-server-")
        self.folder = folder or os.path.join(self.own, "index")
        if not folder:
            subprocess.run([PROGRAM, "index", "create", self.folder, "--quiet", *create], check=True)
        self.process = subprocess.Popen([PROGRAM, "serve", self.folder, "--listen", "127.0.0.1:0", *([] if "--access-log" in serve else ["--access-log", "off"]), *serve],
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"at (https?)://[^:]*:(\d+)/", line)
        if not found:
            self.process.wait()
            raise RuntimeError(f"the server did not start: {line}{self.process.stderr.read()}")
        self.scheme, self.port = found[1], int(found[2])

    def connect(self, **options):
        return http.client.HTTPConnection("127.0.0.1", self.port, **{"timeout": 30, **options})

    def socket(self):
        connected = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return connected

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Status, headers, and the body, parsed where it is JSON. A dict is sent as JSON."""
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        own = connection or self.connect()
        own.request(method, path, body, headers)
        response = own.getresponse()
        data = response.read()
        if connection is None:
            own.close()
        if "json" in response.headers.get("Content-Type", "") and "ndjson" not in response.headers["Content-Type"]:
            data = json.loads(data) if data else None
        return response.status, response.headers, data

    def stop(self, number=signal.SIGTERM):
        """The exit code. None: it was asked to end before."""
        if number is not None and self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        self.said = self.process.stderr.read()
        self.process.stderr.close()
        if self.own:
            shutil.rmtree(self.own, ignore_errors=True)
        return code


class ServerTest(unittest.TestCase):
    """Tests that share one server."""

    create, serve = (), ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(cls.create, cls.serve)
        cls.addClassCleanup(cls.server.stop)

    def ask(self, *arguments, **options):
        return self.server.ask(*arguments, **options)

    def problem(self, answer, status, code):
        """Checks that an answer is this problem."""
        self.assertEqual(answer[0], status, answer)
        self.assertEqual(answer[1]["Content-Type"], "application/problem+json")
        self.assertEqual(answer[2]["code"], code)
        self.assertEqual(answer[2]["status"], status)


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
