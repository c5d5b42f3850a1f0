"""The service against a real server on this machine."""

import json
import logging
import threading
import time
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer

import pytest

from engine.errors import BadInput, Unavailable
from engine.rerank.service import HOSTS_VARIABLE, KEY_VARIABLE, RerankService

KEY = "secret-9f2c"
GOOD = {"results": [{"index": index, "relevance_score": score} for index, score in ((1, 0.9), (2, 0.5), (0, 0.1))]}


class Server(ThreadingTCPServer):
    """Answers every request with what `answer` says, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []
        self.status, self.body, self.wait, self.headers = 200, json.dumps(GOOD).encode(), 0.0, {}

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v2/rerank"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        server = self.server
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append((self.path, self.headers.get("Authorization"), sent))
        self.send_response(server.status)
        for name, value in server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(server.body)))
        self.end_headers()
        try:
            for byte in server.body[:20]:
                time.sleep(server.wait / 20)
                self.wfile.write(bytes([byte]))
            self.wfile.write(server.body[20:])
        except OSError:
            pass  # the one who asked has gone

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    for name in (KEY_VARIABLE, HOSTS_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def ask(server, suffix="", **knobs):
    return RerankService(server.address + suffix, **knobs).scores("q", ["a", "b", "c"])


def test_scores_are_placed_by_the_index_of_the_service(server):
    # The answer lists (index 1, 0.9), (2, 0.5), (0, 0.1).
    assert ask(server).tolist() == [0.1, 0.9, 0.5]
    path, authorization, sent = server.asked[0]
    assert (path, authorization) == ("/v2/rerank", None)
    assert sent == {"query": "q", "documents": ["a", "b", "c"], "top_n": 3}


def test_the_model_stands_after_the_hash(server):
    ask(server, "#rerank-v3.5")
    assert server.asked[0][0] == "/v2/rerank"
    assert server.asked[0][2]["model"] == "rerank-v3.5"


def test_the_key_is_sent_and_stands_nowhere_else(server, monkeypatch, caplog):
    monkeypatch.setenv(KEY_VARIABLE, f"{KEY}\n")  # as a file read into it ends
    with caplog.at_level(logging.DEBUG):
        ask(server)
        server.status, server.body = 401, f"the key {KEY} is wrong".encode()
        with pytest.raises(Unavailable, match=rf"refuses the key \(status 401\)\. Set {KEY_VARIABLE}") as refused:
            ask(server)
        for unsendable in (f"{KEY}é", f"{KEY}\n{KEY}"):
            monkeypatch.setenv(KEY_VARIABLE, unsendable)
            with pytest.raises(Unavailable, match=f"key in {KEY_VARIABLE} has characters that no key has") as odd:
                ask(server)
    assert [authorization for _, authorization, _ in server.asked] == [f"Bearer {KEY}"] * 2
    service = RerankService(server.address)
    said = [caplog.text, str(refused.value), str(odd.value), service.name, service.fingerprint, repr(service)]
    assert not any(KEY in text for text in said)


@pytest.mark.parametrize(
    ("status", "reason"),
    [(500, "answers with status 500"), (404, "the model after the #"), (429, "too much to do"), (302, "status 302")],
)
def test_a_failure_is_named(server, status, reason):
    server.status, server.headers = status, {"Location": "http://127.0.0.1:9/rerank"}
    with pytest.raises(Unavailable, match=reason):
        ask(server)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"[1, 2, 3]",
        b'{"results": 3}',
        b'{"results": [{"index": 0}]}',
        b'{"results": [{"index": -1, "relevance_score": 0.5}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}]}',
        b'{"results": [{"index": 0, "relevance_score": "high"}]}',
        b"\xff\xfe\x00",
    ],
)
def test_nonsense_is_refused(server, body):
    server.body = body
    with pytest.raises(Unavailable, match="does not answer in the form of /rerank"):
        ask(server)


@pytest.mark.parametrize("indices", [(0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 2)])
def test_an_answer_that_does_not_score_each_text_once_is_refused(server, indices):
    server.body = json.dumps({"results": [{"index": each, "relevance_score": 0.5} for each in indices]}).encode()
    with pytest.raises(Unavailable, match=rf"does not score each of 3 texts once \({len(indices)} results\)"):
        ask(server)


def test_a_slow_server_is_given_up(server):
    server.wait = 2.0  # twenty bytes, each a tenth of a second after the other: none of them is late by itself
    with pytest.raises(Unavailable, match=r"does not answer within 0\.4 s"):
        ask(server, patience=0.4)


def test_an_endless_answer_is_given_up(server, monkeypatch):
    monkeypatch.setattr("engine.rerank.service.MOST_BYTES", 50)
    with pytest.raises(Unavailable, match="more than 50 bytes"):
        ask(server)


def test_a_server_that_is_not_there_is_said(server):
    address = server.address.replace(str(server.server_address[1]), "9")
    with pytest.raises(Unavailable, match=r"cannot be asked \(ConnectError\)\. Check that it runs"):
        RerankService(address).scores("q", ["a"])


def test_odd_texts_can_be_sent(server):
    RerankService(server.address).scores("q \ud800", ["a\x00b", "\udfff", "é"])
    assert server.asked[0][2]["documents"] == ["a b", " ", "é"]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://127.0.0.1/embed", "ends in /rerank"),
        ("http:///rerank", "ends in /rerank"),
        ("http://localhost:many/rerank", "ends in /rerank"),
        ("http://user:word@localhost/rerank", "no user, password or question mark"),
        ("http://localhost/rerank?key=word", "no user, password or question mark"),
        ("https://example.org/rerank", f"not sent to example.org: it is not among the hosts that {HOSTS_VARIABLE}"),
        ("https://127.0.0.1.example.org/rerank", "not sent to 127.0.0.1.example.org"),
        ("https://localhost@example.org/rerank", "no user, password"),
    ],
)
def test_an_address_that_must_not_be_asked_is_refused(address, reason, monkeypatch):
    monkeypatch.delenv(HOSTS_VARIABLE, raising=False)
    with pytest.raises(BadInput, match=reason) as refused:
        RerankService(address)
    assert "word" not in str(refused.value).replace("password", "")


def test_hosts_that_the_environment_lists_may_be_asked(monkeypatch):
    monkeypatch.setenv(HOSTS_VARIABLE, "api.cohere.com, Example.org")
    service = RerankService("https://example.org/rerank#m")
    assert (service.languages, service.gives) == (None, "probability")
    assert service.fingerprint == "service https://example.org/rerank#m"
