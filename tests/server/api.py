#!/usr/bin/env python3
"""What the service answers: tests/server/api.py PROGRAM [TEST...]"""
import gzip
import json
import threading

import running
from running import ServerTest, text


class Documents(ServerTest):
    def test_a_text_is_new_once_and_then_a_duplicate(self):
        first = self.ask("POST", "/v1/check-or-add", {"id": "one", "text": text("once")})
        second = self.ask("POST", "/v1/check-or-add", {"id": "two", "text": text("once")})
        self.assertEqual((first[0], first[2]["status"], first[2]["duplicate"], first[2]["match"]), (200, "added", False, None))
        self.assertEqual((second[2]["status"], second[2]["match"]["id"], second[2]["match"]["score"]), ("duplicate", "one", 1))
        self.assertEqual(second[2]["match"]["evidence"], "features")
        self.assertEqual(self.ask("GET", "/v1/documents/two")[0], 404)

    def test_check_changes_nothing_and_needs_no_id(self):
        for _ in range(2):
            self.assertEqual(self.ask("POST", "/v1/check", {"text": text("unseen")})[2], {"duplicate": False, "match": None})

    def test_the_same_id_with_the_same_content_is_unchanged_and_with_other_content_a_conflict(self):
        self.assertEqual(self.ask("POST", "/v1/add", {"id": "k", "text": text("k")})[2]["status"], "added")
        self.assertEqual(self.ask("POST", "/v1/add", {"id": "k", "text": text("k")})[2]["status"], "unchanged")
        self.problem(self.ask("POST", "/v1/add", {"id": "k", "text": text("other")}), 409, "conflict")
        batch = self.ask("POST", "/v1/add", {"documents": [{"id": "k", "text": text("other")}, {"id": "k2", "text": text("k2")}]})
        self.assertEqual([result["status"] for result in batch[2]["results"]], ["conflict", "added"])
        self.assertEqual(self.ask("POST", "/v1/add?on_conflict=replace", {"id": "k", "text": text("other")})[2]["status"], "replaced")
        self.assertEqual(self.ask("GET", "/v1/documents/k")[2]["text"], text("other"))

    def test_raw_text_and_html_are_documents(self):
        page = "<html><head><title>T</title><script>x()</script></head><body><p>" + text("page") + "</body></html>"
        self.ask("POST", "/v1/add?id=page", page, {"Content-Type": "text/html; charset=utf-8"})
        plain = self.ask("POST", "/v1/check", text("page"), {"Content-Type": "text/plain"})
        self.assertEqual((plain[2]["match"]["id"], plain[2]["match"]["score"]), ("page", 1))
        self.assertEqual(self.ask("POST", "/v1/check", {"html": page})[2]["match"]["id"], "page")

    def test_ids_of_any_kind_come_back_as_they_were(self):
        for number, key in enumerate(["https://example.org/a?b=c&d", "with space", "ünï/cödé", "tab\tnew\nline", '"quotes"\\', "%41"]):
            self.assertEqual(self.ask("POST", "/v1/add", {"id": key, "text": text(f"id{number}")})[2]["id"], key)
            encoded = "".join(f"%{byte:02X}" for byte in key.encode())
            self.assertEqual(self.ask("GET", f"/v1/documents/{encoded}")[2]["id"], key)

    def test_removed_documents_are_gone(self):
        self.ask("POST", "/v1/add", {"documents": [{"id": f"r{i}", "text": text(f"r{i}")} for i in range(3)]})
        self.assertEqual(self.ask("DELETE", "/v1/documents/r0")[0], 204)
        self.assertEqual(self.ask("DELETE", "/v1/documents/r0")[0], 404)
        self.assertEqual(self.ask("POST", "/v1/remove", {"ids": ["r0", "r1", "r2"]})[2], {"removed": 2})
        self.assertFalse(self.ask("POST", "/v1/check", {"text": text("r1")})[2]["duplicate"])

    def test_all_matches_are_listed_best_first(self):
        base = text("m", 60).split()
        for i in range(3):
            self.ask("POST", "/v1/add", {"id": f"m{i}", "text": " ".join([*base, *[f"tail{j}" for j in range(i)]])})
        answer = self.ask("POST", "/v1/check?matches=10", {"text": " ".join(base)})[2]
        self.assertEqual([match["id"] for match in answer["matches"]], ["m0", "m1", "m2"])
        self.assertEqual(answer["match"], answer["matches"][0])
        self.assertEqual(len(self.ask("POST", "/v1/check?matches=2", {"text": " ".join(base)})[2]["matches"]), 2)

    def test_a_thousand_parallel_requests_with_one_text_add_it_once(self):
        statuses, lock = [], threading.Lock()

        def ask_some(first):
            connection = self.server.connect()
            for i in range(first, first + 25):
                status, _, answer = self.ask("POST", "/v1/check-or-add", {"id": f"race{i}", "text": text("race")}, connection=connection)
                with lock:
                    statuses.append((status, answer["status"]))
            connection.close()

        threads = [threading.Thread(target=ask_some, args=(i * 25,)) for i in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(statuses), 1000)
        self.assertEqual(statuses.count((200, "added")), 1)
        self.assertEqual(statuses.count((200, "duplicate")), 999)

    def test_a_refused_document_does_not_affect_requests_beside_it(self):
        results = {}

        def ask_one(i):
            key = "x" * 2000 if i % 2 else f"beside{i}"
            results[i] = self.ask("POST", "/v1/add?id=" + key, text(f"beside{i}"), {"Content-Type": "text/plain"})[0]

        threads = [threading.Thread(target=ask_one, args=(i,)) for i in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([results[i] for i in range(20)], [200, 400] * 10)


class Bulk(ServerTest):
    def lines(self, answer):
        self.assertEqual(answer[0], 200, answer)
        return [json.loads(line) for line in answer[2].splitlines()]

    def bulk(self, lines, query="", **headers):
        body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
        return self.ask("POST", "/v1/bulk" + query, body, {"Content-Type": "application/x-ndjson", **headers})

    def test_every_line_has_a_result_in_order_and_errors_stay_with_their_lines(self):
        results = self.lines(self.bulk([{"id": "b1", "text": text("b1")}, "{", {"id": "b2", "text": text("b1")}, {"text": "no id"}, "", {"id": "b3", "text": text("b3")}]))
        self.assertEqual([result.get("status") for result in results], ["added", None, "duplicate", None, "added"])
        self.assertEqual((results[1]["line"], results[1]["error"]["code"]), (2, "bad_json"))
        self.assertEqual((results[3]["line"], results[3]["error"]["code"]), (4, "bad_request"))

    def test_many_lines_chunked_and_compressed(self):
        lines = [{"id": f"n{i}", "text": text(f"n{i % 3000}", 8)} for i in range(6000)]
        body = gzip.compress("\n".join(map(json.dumps, lines)).encode())
        pieces = (body[i:i + 7777] for i in range(0, len(body), 7777))
        answer = self.ask("POST", "/v1/bulk", pieces, {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"})
        self.assertEqual([result["status"] for result in self.lines(answer)], ["added"] * 3000 + ["duplicate"] * 3000)

    def test_results_come_while_the_request_is_still_being_sent(self):
        connected = self.server.socket()
        stream = connected.makefile("rb")
        connected.sendall(b"POST /v1/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
        while stream.readline() != b"\r\n":
            pass
        for i in range(3):
            line = json.dumps({"id": f"s{i}", "text": text(f"s{i}")}).encode() + b"\n"
            connected.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            size = int(stream.readline(), 16)
            self.assertEqual(json.loads(stream.read(size + 2))["status"], "added")
        connected.sendall(b"0\r\n\r\n")
        self.assertEqual(stream.read(5), b"0\r\n\r\n")
        connected.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")  # the connection goes on
        self.assertEqual(stream.readline(), b"HTTP/1.1 200 OK\r\n")
        connected.close()

    def test_check_and_replace(self):
        self.lines(self.bulk([{"id": "c1", "text": text("c1")}]))
        self.assertEqual(self.lines(self.bulk([{"text": text("c1")}], "?action=check"))[0]["match"]["id"], "c1")
        self.assertEqual(self.lines(self.bulk([{"id": "c1", "text": text("c2")}], "?action=add"))[0]["status"], "conflict")
        self.assertEqual(self.lines(self.bulk([{"id": "c1", "text": text("c2")}], "?action=add&on_conflict=replace"))[0]["status"], "replaced")

    def test_a_broken_stream_ends_with_an_error(self):
        body = gzip.compress(json.dumps({"id": "z", "text": text("z")}).encode())[:-9]
        answer = self.ask("POST", "/v1/bulk", body, {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"})
        self.assertEqual(self.lines(answer)[-1]["error"]["code"], "bad_encoding")


class Clusters(ServerTest):
    def test_clusters_decisions_and_changes(self):
        base = text("cluster", 60)
        for key in ("p", "q", "r"):
            self.ask("POST", "/v1/add", {"id": key, "text": base + " " + key})
        page = self.ask("GET", "/v1/clusters?limit=1")[2]
        (cluster,) = page["clusters"]
        self.assertEqual((cluster["documents"], cluster["kept"]), (3, "p"))
        self.assertEqual(self.ask("GET", "/v1/clusters?min_size=4")[2]["clusters"], [])
        members = self.ask("GET", f"/v1/clusters/{cluster['id']}")[2]["members"]
        self.assertEqual(sorted(member["id"] for member in members), ["p", "q", "r"])
        first = self.ask("GET", f"/v1/clusters/{cluster['id']}?limit=2")[2]
        rest = self.ask("GET", f"/v1/clusters/{cluster['id']}?limit=2&after={first['next']}")[2]
        self.assertEqual(sorted(member["id"] for member in first["members"] + rest["members"]), ["p", "q", "r"])
        self.assertIsNone(rest["next"])

        changes = self.ask("GET", "/v1/changes")[2]
        self.assertIn(("joined", "q"), [(change["kind"], change["document"]) for change in changes["changes"]])
        decision = self.ask("POST", "/v1/decisions", {"kind": "keep", "a": "r", "author": "ann", "note": "newest"})
        self.assertEqual(decision[0], 201)
        self.assertEqual(self.ask("GET", f"/v1/clusters/{cluster['id']}")[2]["kept"], "r")
        later = self.ask("GET", f"/v1/changes?since={changes['last']}")[2]["changes"]
        self.assertEqual([(change["kind"], change["document"], change["reason"]) for change in later][-1], ("kept", "r", "decision"))
        listed = self.ask("GET", "/v1/decisions")[2]["decisions"]
        self.assertEqual([(one["kind"], one["a"], one["b"], one["author"], one["note"]) for one in listed], [("keep", "r", None, "ann", "newest")])
        self.assertEqual(self.ask("DELETE", f"/v1/decisions/{decision[2]['id']}")[0], 204)
        self.assertEqual(self.ask("DELETE", f"/v1/decisions/{decision[2]['id']}")[0], 404)
        self.assertEqual(self.ask("GET", f"/v1/clusters/{cluster['id']}")[2]["kept"], "p")

    def test_two_texts_are_compared_by_every_measure_with_a_diff(self):
        answer = self.ask("POST", "/v1/compare", {"a": {"text": "one two three four five six"}, "b": {"html": "<p>one two <b>three</b> four five seven"}})
        self.assertEqual(answer[0], 200)
        self.assertEqual(set(answer[2]["measures"]), {"jaccard", "cosine", "dice", "overlap", "containment", "contained", "edit", "hamming"})
        self.assertEqual([part["op"] for part in answer[2]["diff"]["parts"]], ["equal", "replaced"])
        self.problem(self.ask("POST", "/v1/compare", {"a": {"id": "nobody"}, "b": {"text": "x"}}), 404, "not_found")

    def test_snapshots_have_names_of_the_server_and_can_be_opened(self):
        self.ask("POST", "/v1/add", {"id": "snap", "text": text("snap")})
        name = self.ask("POST", "/v1/snapshots")[2]["name"]
        self.assertIn(name, self.ask("GET", "/v1/snapshots")[2]["snapshots"])
        copy = running.Server(folder=f"{self.server.folder}/snapshots/{name}")
        self.addCleanup(copy.stop)
        self.assertEqual(copy.ask("GET", "/v1/documents/snap")[2]["text"], text("snap"))


class Fingerprints(ServerTest):
    create = ("--measure", "hamming", "--threshold", "3")

    def test_a_ready_fingerprint_is_a_document_and_its_evidence_is_named(self):
        self.assertEqual(self.ask("POST", "/v1/check-or-add", {"id": "f", "fingerprint": "00000000000000ff"})[2]["status"], "added")
        answer = self.ask("POST", "/v1/check", {"fingerprint": "00000000000000fe"})[2]
        self.assertEqual((answer["match"]["id"], answer["match"]["score"], answer["match"]["evidence"]), ("f", 1, "simhash"))
        self.assertFalse(self.ask("POST", "/v1/check", {"fingerprint": "ff000000000000ff"})[2]["duplicate"])
        self.assertEqual(self.ask("GET", "/v1/documents/f")[2]["fingerprint"], "00000000000000ff")
        for wrong in ("ff", "00000000000000fg", "00000000000000ff0", ""):
            self.problem(self.ask("POST", "/v1/check", {"fingerprint": wrong}), 400, "bad_request")


class Fields(ServerTest):
    create = ("--keep", "max:score")

    def test_fields_of_keep_rules_decide_which_document_is_kept(self):
        self.assertEqual(self.ask("GET", "/v1/stats")[2]["fields"], ["score"])
        for key, score in (("low", 1), ("high", 9.5), ("none", None)):
            self.ask("POST", "/v1/add", {"id": key, "text": text("fields"), "fields": {"score": score}})
        self.assertTrue(self.ask("GET", "/v1/documents/high")[2]["kept"])
        self.assertEqual(self.ask("GET", "/v1/documents/high")[2]["fields"], {"score": "9.5"})
        self.problem(self.ask("POST", "/v1/add", {"id": "x", "text": "y", "fields": {"other": 1}}), 400, "bad_request")


class Observed(ServerTest):
    def test_health_metrics_and_the_description(self):
        for path in ("/healthz", "/livez", "/readyz"):
            self.assertEqual((self.ask("GET", path)[0], self.ask("GET", path)[2]), (200, b"ok\n"))
        self.ask("POST", "/v1/add", {"id": "m", "text": text("m")})
        metrics = self.ask("GET", "/metrics")[2].decode()
        self.assertIn('neardup_http_requests_total{route="/v1/add",method="POST",status="200"} 1\n', metrics)
        self.assertIn("neardup_index_documents 1\n", metrics)
        self.assertIn('neardup_http_request_duration_seconds_count{route="/v1/add",method="POST"} 1\n', metrics)
        description = self.ask("GET", "/openapi.json")[2]
        self.assertEqual(description["openapi"], "3.1.0")

    def test_the_description_has_the_routes_that_the_service_has(self):
        description = self.ask("GET", "/openapi.json")[2]
        for path, item in description["paths"].items():
            concrete = path.replace("{id}", "1")
            listed = {method.upper() for method in item if method != "parameters"}
            allowed = self.ask("PATCH", concrete)[1]["Allow"].replace(" ", "").split(",")
            self.assertEqual(listed, set(allowed) - {"HEAD"}, path)


if __name__ == "__main__":
    running.main()
