#!/usr/bin/env python3
"""What the service refuses and survives: tests/server/hostile.py PROGRAM [TEST...]"""
import gzip
import json
import signal
import threading

import running
from running import Server, ServerTest, text

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def exchange(server, sent):
    """Sends bytes, closes that direction, returns everything that comes back."""
    with server.socket() as connected:
        connected.sendall(sent)
        connected.shutdown(1)
        received = b""
        while piece := connected.recv(65536):
            received += piece
    return received


class Http(ServerTest):
    serve = ("--max-body", "1M")

    def test_pipelined_requests_are_answered_in_order(self):
        bodies = [json.dumps({"id": f"p{i}", "text": text(f"p{i}")}).encode() for i in range(50)]
        head = b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        received = exchange(self.server, b"".join(head % len(body) + body for body in bodies))
        positions = [received.find(b'{"id":"p%d"' % i) for i in range(50)]
        self.assertNotIn(-1, positions)
        self.assertEqual(positions, sorted(positions))

    def test_a_request_in_single_bytes_is_read(self):
        with self.server.socket() as connected:
            for i in range(len(REQUEST)):
                connected.sendall(REQUEST[i:i + 1])
            self.assertTrue(connected.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_what_is_not_http_is_refused(self):
        for sent in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\r\n\r\n\r\n\r\n", b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                     b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                     b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                     b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"):
            received = exchange(self.server, sent)
            self.assertTrue(received.startswith(b"HTTP/1.1 400 ") and b'"code":"bad_http"' in received, (sent, received))
            self.assertEqual(received.count(b"HTTP/1.1"), 1)

    def test_large_headers_are_refused(self):
        for sent in (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20000 + b"\r\n\r\n",
                     b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 200 + b"\r\n", b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            self.assertTrue(exchange(self.server, sent).startswith(b"HTTP/1.1 431 "))

    def test_large_bodies_are_refused_before_they_are_read(self):
        with self.server.socket() as connected:
            connected.sendall(b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9999999999\r\n\r\n")
            self.assertTrue(connected.recv(65536).startswith(b"HTTP/1.1 413 "))
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        received = exchange(self.server, b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" + piece * 20)
        self.assertTrue(received.startswith(b"HTTP/1.1 413 "))

    def test_compressed_bodies_are_read_and_bombs_are_not(self):
        body = gzip.compress(json.dumps({"text": text("zip")}).encode())
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        self.assertEqual(self.ask("POST", "/v1/check", body, headers)[0], 200)
        self.problem(self.ask("POST", "/v1/check", body[:-5], headers), 400, "bad_encoding")
        self.problem(self.ask("POST", "/v1/check", b"no gzip", headers), 400, "bad_encoding")
        bomb = gzip.compress(b" " * (64 << 20))
        self.problem(self.ask("POST", "/v1/check", bomb, headers), 413, "body_too_large")
        self.problem(self.ask("POST", "/v1/check", body, {**headers, "Content-Encoding": "br"}), 415, "unsupported_media_type")
        stream = self.ask("POST", "/v1/bulk", bomb, {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"})
        self.assertEqual(json.loads(stream[2].splitlines()[-1])["error"]["code"], "body_too_large")

    def test_bad_json_is_refused(self):
        for body in ("", "{", "nul", '{"text":"a"} x', '{"text":"\\ud800"}', '{"text":"\xff"}'.encode("latin1"), "[" * 100000, '{"a":' * 100000):
            self.problem(self.ask("POST", "/v1/check", body, {"Content-Type": "application/json"}), 400, "bad_json")
        for body in ("[]", "1", "{}", '{"text":1}', '{"text":"a","html":"b"}', '{"text":"a","text":"b"}', '{"text":"a","other":1}', '{"documents":[]}', '{"documents":[1]}', '{"text":"a","id":""}'):
            self.problem(self.ask("POST", "/v1/check", body, {"Content-Type": "application/json"}), 400, "bad_request")

    def test_unknown_paths_methods_and_parameters_are_refused(self):
        self.problem(self.ask("GET", "/v1/nothing"), 404, "not_found")
        self.problem(self.ask("GET", "/v1/documents/a/b"), 404, "not_found")
        self.problem(self.ask("GET", "/v1/../etc/passwd"), 404, "not_found")
        self.problem(self.ask("POST", "/nothing"), 404, "not_found")
        answer = self.ask("GET", "/v1/check")
        self.problem(answer, 405, "method_not_allowed")
        self.assertEqual(answer[1]["Allow"], "POST")
        self.problem(self.ask("OPTIONS", "/v1/check"), 405, "method_not_allowed")
        self.problem(self.ask("GET", "/v1/clusters?limti=3"), 400, "bad_request")
        self.problem(self.ask("GET", "/v1/clusters?limit=0"), 400, "bad_request")
        self.problem(self.ask("GET", "/v1/clusters?limit=%zz"), 400, "bad_request")
        self.problem(self.ask("POST", "/v1/check", "x"), 415, "unsupported_media_type")

    def test_head_has_no_body(self):
        received = exchange(self.server, b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertTrue(received.startswith(b"HTTP/1.1 200 OK\r\n") and received.endswith(b"\r\n\r\n") and b"Content-Length: 3" in received)

    def test_a_client_that_waits_for_100_continue_gets_it(self):
        with self.server.socket() as connected:
            connected.sendall(b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            self.assertEqual(connected.recv(4096), b"HTTP/1.1 100 Continue\r\n\r\n")
            connected.sendall(b"abc")
            self.assertTrue(connected.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_other_hosts_and_origins_are_refused(self):
        self.problem(self.ask("GET", "/healthz", headers={"Host": "attacker.example"}), 421, "bad_host")
        self.problem(self.ask("GET", "/healthz", headers={"Host": "localhost.attacker.example:80"}), 421, "bad_host")
        for host in ("localhost", "localhost:1", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST"):
            self.assertEqual(self.ask("GET", "/healthz", headers={"Host": host})[0], 200, host)
        self.assertTrue(exchange(self.server, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        document = {"text": "x"}
        for origin in ("http://attacker.example", "null", "https://localhost"):
            self.problem(self.ask("POST", "/v1/check", document, {"Host": "localhost", "Origin": origin}), 403, "bad_origin")
        self.assertEqual(self.ask("POST", "/v1/check", document, {"Host": "localhost:7", "Origin": "http://localhost:7"})[0], 200)
        self.problem(self.ask("GET", "/v1/stats", headers={"Sec-Fetch-Site": "cross-site"}), 403, "bad_origin")

    def test_half_open_and_slow_connections_do_not_hold_up_others(self):
        slow = [self.server.socket() for _ in range(300)]
        for i, connected in enumerate(slow):
            connected.sendall(REQUEST[:i % len(REQUEST)])
        self.assertEqual(self.ask("POST", "/v1/check", {"text": "x"})[0], 200)
        for connected in slow:
            connected.close()
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)

    def test_clients_that_leave_in_the_middle_do_no_harm(self):
        head = b"POST /v1/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n"
        for sent in (head, head + json.dumps({"id": "gone", "text": "a b c d e f"}).encode() + b"\n", head[:40]):
            with self.server.socket() as connected:
                connected.sendall(sent)
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)


class Limits(ServerTest):
    serve = ("--max-connections", "5")

    def test_connections_beyond_the_limit_are_refused(self):
        held = [self.server.connect() for _ in range(5)]
        for connection in held:
            self.assertEqual(self.ask("GET", "/healthz", connection=connection)[0], 200)
        answer = self.ask("GET", "/healthz")
        self.problem(answer, 503, "busy")
        self.assertEqual(answer[1]["Retry-After"], "1")
        for connection in held:
            connection.close()


class Ending(running.unittest.TestCase):
    def test_sigterm_answers_what_was_asked_and_ends_with_0(self):
        server = Server()
        document = json.dumps({"id": "last", "text": text("last")}).encode()
        idle = server.socket()
        with server.socket() as connected:
            connected.sendall(b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(document))
            connected.sendall(document[:10])
            self.assertEqual(server.ask("GET", "/healthz")[0], 200)  # the part above was read before this
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(idle.recv(10), b"")  # idle connections are closed first
            connected.sendall(document[10:])
            received = b""
            while piece := connected.recv(65536):
                received += piece
        idle.close()
        self.assertTrue(received.startswith(b"HTTP/1.1 200 OK\r\n") and b"Connection: close" in received, received)
        self.assertEqual(server.stop(None), 0)

    def test_a_stream_is_told_that_the_server_ends(self):
        server = Server()
        with server.socket() as connected:
            stream = connected.makefile("rb")
            connected.sendall(b"POST /v1/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
            while stream.readline() != b"\r\n":
                pass
            server.process.send_signal(signal.SIGTERM)
            with self.assertRaises(OSError):  # nobody listens any more
                while True:
                    server.socket().close()
            line = json.dumps({"id": "a", "text": text("a")}).encode() + b"\n"
            connected.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            rest = stream.read()
        self.assertIn(b'"status":"added"', rest)
        self.assertIn(b'"code":"draining"', rest)
        self.assertTrue(rest.endswith(b"0\r\n\r\n"))
        self.assertEqual(server.stop(None), 0)

    def test_what_was_acknowledged_is_there_after_a_kill(self):
        server = Server()
        acknowledged, stop = [], threading.Event()

        def add(worker):
            connection = server.connect()
            for i in range(10000):
                try:
                    if server.ask("POST", "/v1/add", {"id": f"{worker}-{i}", "text": text(f"{worker}-{i}", 8)}, connection=connection)[0] == 200:
                        acknowledged.append(f"{worker}-{i}")
                except OSError:
                    return
                except running.http.client.HTTPException:
                    return
                if len(acknowledged) > 200:
                    stop.set()

        threads = [threading.Thread(target=add, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        stop.wait(60)
        server.process.kill()
        server.process.wait()
        for thread in threads:
            thread.join()
        again = Server(folder=server.folder)
        try:
            missing = [key for key in acknowledged if again.ask("GET", f"/v1/documents/{key}")[0] != 200]
            self.assertEqual(missing, [])
            self.assertGreater(len(acknowledged), 200)
        finally:
            again.stop()
            server.stop(None)

    def test_a_second_server_on_the_same_index_ends_with_4(self):
        server = Server()
        second = running.subprocess.run([running.PROGRAM, "serve", server.folder, "--listen", "127.0.0.1:0"], capture_output=True)
        self.assertEqual(second.returncode, 4)
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    running.main()
