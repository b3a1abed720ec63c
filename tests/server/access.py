#!/usr/bin/env python3
"""Who may do what, and over which connection: tests/server/access.py PROGRAM [TEST...]"""
import hashlib
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile

import running
from running import Server, ServerTest, text

TOKENS = {"read": "a token for reading", "write": "a token for writing", "admin": "a token for everything"}


def make_tokens(folder):
    path = os.path.join(folder, "tokens.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# role, SHA-256, whose\n\n")
        for role, token in TOKENS.items():
            file.write(f"{role} {hashlib.sha256(token.encode()).hexdigest()} of {role}\n")
    return path


def bearer(role):
    return {"Authorization": f"Bearer {TOKENS[role]}"}


class Tokens(ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="neardup-access-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.server = Server(serve=("--tokens", make_tokens(cls.folder)))
        cls.addClassCleanup(cls.server.stop)

    def test_without_a_valid_token_only_health_the_page_and_the_description_are_open(self):
        for path in ("/healthz", "/livez", "/readyz", "/openapi.json", "/"):
            self.assertEqual(self.ask("GET", path)[0], 200, path)
        for path in ("/v1/stats", "/metrics", "/v1/clusters", "/v1/documents/a"):
            answer = self.ask("GET", path)
            self.problem(answer, 401, "unauthorized")
            self.assertTrue(answer[1]["WWW-Authenticate"].startswith("Bearer"))
        for header in ("Bearer wrong", "Bearer ", "Basic YTpi", f"Bearer {TOKENS['read']} ", hashlib.sha256(TOKENS["admin"].encode()).hexdigest()):
            self.problem(self.ask("GET", "/v1/stats", headers={"Authorization": header + "x"}), 401, "unauthorized")

    def test_each_role_may_do_what_it_says(self):
        document = {"id": "t", "text": text("t")}
        may = {"read": (200, 403, 403), "write": (200, 200, 403), "admin": (200, 200, 200)}
        for role, expected in may.items():
            got = (self.ask("POST", "/v1/check", document, bearer(role))[0], self.ask("POST", "/v1/add", document, bearer(role))[0],
                   self.ask("GET", "/v1/snapshots", headers=bearer(role))[0])
            self.assertEqual(got, expected, role)

    def test_a_refused_body_is_not_read(self):
        with self.server.socket() as connected:
            connected.sendall(b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n")
            received = connected.recv(65536)
        self.assertTrue(received.startswith(b"HTTP/1.1 401 ") and b"Connection: close" in received)


class Logged(running.unittest.TestCase):
    def test_the_access_log_has_a_line_per_request_and_no_secrets(self):
        folder = tempfile.mkdtemp(prefix="neardup-access-")
        self.addCleanup(shutil.rmtree, folder)
        log = os.path.join(folder, "access.jsonl")
        server = Server(serve=("--tokens", make_tokens(folder), "--access-log", log))
        server.ask("POST", "/v1/check?matches=3", "a secret text", {"Content-Type": "text/plain", **bearer("read")})
        server.ask("GET", "/v1/stats?token=secret")
        self.assertEqual(server.stop(), 0)
        with open(log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([(line["method"], line["path"], line["status"]) for line in lines], [("POST", "/v1/check", 200), ("GET", "/v1/stats", 401)])
        self.assertEqual((lines[0]["remote"], lines[0]["bytes_in"]), ("127.0.0.1", 13))
        with open(log, encoding="utf-8") as file:
            self.assertNotIn("secret", file.read())


class Addresses(running.unittest.TestCase):
    def refused(self, *flags):
        run = subprocess.run([running.PROGRAM, "serve", "nowhere", *flags], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2, run)
        return run.stderr

    def test_other_addresses_need_tokens_and_tls(self):
        self.assertIn("--tokens", self.refused("--listen", "0.0.0.0:0"))
        self.assertIn("--insecure-listen", self.refused("--listen", "0.0.0.0:0", "--tokens", "t"))
        self.assertIn("--cert and --key", self.refused("--listen", "127.0.0.1:0", "--cert", "c"))
        for wrong in ("8765", "localhost", "example.org:80", "127.0.0.1:99999", "127.0.0.1:"):
            self.assertIn("--listen", self.refused("--listen", wrong))

    def test_a_file_of_tokens_without_hashes_is_refused(self):
        folder = tempfile.mkdtemp(prefix="neardup-access-")
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "tokens.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("read my-plain-token\n")
        self.assertIn("tokens.txt:1", self.refused("--tokens", path))

    def test_tls(self):
        if shutil.which("openssl") is None:
            self.skipTest("needs openssl to make a certificate")
        folder = tempfile.mkdtemp(prefix="neardup-access-")
        self.addCleanup(shutil.rmtree, folder)
        cert, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert], check=True, capture_output=True)
        server = Server(serve=("--cert", cert, "--key", key))
        self.assertEqual(server.scheme, "https")
        trusted = ssl.create_default_context(cafile=cert)
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=trusted, timeout=30)
        for i in range(3):  # on one connection
            status, _, answer = server.ask("POST", "/v1/check-or-add", {"id": f"t{i}", "text": text("tls")}, connection=connection)
            self.assertEqual((status, answer["duplicate"]), (200, i > 0))
        lines = "\n".join(json.dumps({"id": f"b{i}", "text": text(f"b{i}", 8)}) for i in range(500))
        connection.request("POST", "/v1/bulk", lines, {"Content-Type": "application/x-ndjson"})
        self.assertEqual(connection.getresponse().read().count(b'"added"'), 500)
        connection.close()
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertNotIn(b"200 OK", plain.recv(4096))
        self.assertEqual(server.stop(), 0)


class Demo(running.unittest.TestCase):
    def test_the_demo_serves_copyright_files_and_leaves_nothing_behind(self):
        if not os.path.isdir("/usr/share/doc"):
            self.skipTest("needs copyright files of Debian packages")
        folder = tempfile.mkdtemp(prefix="neardup-access-")
        self.addCleanup(shutil.rmtree, folder)
        process = subprocess.Popen([running.PROGRAM, "serve", "--demo", "--listen", "127.0.0.1:0", "--temp", folder, "--access-log", "off"],
                                   stderr=subprocess.PIPE, text=True)
        port = 0
        for line in process.stderr:
            if found := running.re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                port = int(found[1])
                break
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/v1/clusters")
        self.assertTrue(json.loads(connection.getresponse().read())["clusters"])
        connection.close()
        process.terminate()
        self.assertEqual(process.wait(60), 0)
        process.stderr.close()
        self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    running.main()
