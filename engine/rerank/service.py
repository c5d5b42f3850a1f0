"""A rerank service over HTTP, in the form that Cohere's `/rerank` has and many servers share."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import SplitResult, urlsplit

import numpy as np
from pydantic import BaseModel, Field, ValidationError

from engine.encoders.readable import readable
from engine.errors import BadInput, Unavailable
from engine.types import Floats

if TYPE_CHECKING:
    import httpx

KEY_VARIABLE = "RANKSCOPE_RERANK_KEY"
HOSTS_VARIABLE = "RANKSCOPE_RERANK_HOSTS"
PATIENCE_SECONDS = 30.0
MOST_BYTES = 10_000_000
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class _Result(BaseModel):
    index: Annotated[int, Field(ge=0)]
    relevance_score: Annotated[float, Field(allow_inf_nan=False)]


class _Answer(BaseModel):
    results: list[_Result]


class RerankService:
    """How well texts answer a query, asked of a service: `POST address` with `query`, `documents` and `model`.

    `name` is the address, ending in `/rerank`, and after a `#` the model, where the service has several. Results are
    placed by the `index` that the service states, whatever their order. The key, where there is one, is taken from the
    environment variable `RANKSCOPE_RERANK_KEY` at each call, and stands in no name, message or log. Texts and key go to
    no other host than this machine and those that `RANKSCOPE_RERANK_HOSTS` lists: a link to a search can name any
    address. `BadInput` for another address; `Unavailable` where the service does not answer in time and in form.
    """

    languages: frozenset[str] | None = None
    gives: Literal["logit", "probability"] = "probability"

    def __init__(self, name: str, patience: float = PATIENCE_SECONDS) -> None:
        self.name = name
        self._patience = patience
        self._parts = _checked_address(name)

    @property
    def fingerprint(self) -> str:
        """The address with the model; what a service changes behind it, nobody can see."""
        return f"service {self.name}"

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """One score per text, shape (len(texts),), from 0 to 1 as Cohere's are; other services may go beyond."""
        documents = [readable(text) for text in texts]
        body = {"query": readable(query), "documents": documents, "top_n": len(documents)}
        if self._parts.fragment:
            body["model"] = self._parts.fragment
        return self._placed(self._post(body), len(documents))

    def _post(self, body: dict[str, object]) -> bytes:
        import httpx

        headers = self._headers()
        try:
            with (
                httpx.Client(timeout=self._patience, headers=headers) as client,
                client.stream("POST", self._parts._replace(fragment="").geturl(), json=body) as response,
            ):
                self._refuse_failure(response.status_code)
                return self._read(response)
        except httpx.TimeoutException:
            raise self._too_slow() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            kind = type(error).__name__
            raise self._fault(f"cannot be asked ({kind})", "Check that it runs and its address.") from None

    def _headers(self) -> dict[str, str]:
        """The key as a header, where there is one; httpx would quote in its log a key that no header can hold."""
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise Unavailable(f"The key in {KEY_VARIABLE} has characters that no key has.", "Copy it again.")
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _read(self, response: httpx.Response) -> bytes:
        """The whole answer, within the time and the size that an answer may have."""
        deadline = time.monotonic() + self._patience
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if time.monotonic() > deadline:
                raise self._too_slow()
            if len(content) > MOST_BYTES:
                raise self._fault(f"answers with more than {MOST_BYTES:,} bytes", "Check its address.")
        return bytes(content)

    def _refuse_failure(self, status: int) -> None:
        if status in (401, 403):
            raise self._fault(f"refuses the key (status {status})", f"Set {KEY_VARIABLE} to a key of that service.")
        if status == 429:
            raise self._fault("has too much to do (status 429)", "Wait a little, or rerank fewer chunks.")
        if status != 200:
            raise self._fault(f"answers with status {status}", "Check its address, and the model after the #.")

    def _placed(self, content: bytes, count: int) -> Floats:
        try:
            results = _Answer.model_validate_json(content).results
        except ValidationError:
            raise self._fault("does not answer in the form of /rerank", "Check its address.") from None
        if sorted(result.index for result in results) != list(range(count)):
            raise self._fault(
                f"does not score each of {count} texts once ({len(results)} results)", "Use another service."
            )
        scores = np.empty(count, dtype=np.float64)
        for result in results:
            scores[result.index] = result.relevance_score
        return scores

    def _too_slow(self) -> Unavailable:
        return self._fault(f"does not answer within {self._patience:g} s", "Rerank fewer chunks, or try again.")

    def _fault(self, what: str, hint: str) -> Unavailable:
        return Unavailable(f"The rerank service {self.name} {what}.", hint)


def is_address(name: str) -> bool:
    """Whether the name of a reranker is the address of a service."""
    return name.lower().startswith(("http://", "https://"))


def _checked_address(name: str) -> SplitResult:
    """The parts of a service's address; `BadInput` where it is none, or where texts may not be sent there."""
    try:
        parts = urlsplit(name)
        host = parts.hostname
        parts.port  # noqa: B018 - a port that is no number is refused when it is read
    except ValueError:
        host = None
    if not host or not parts.path.rstrip("/").endswith("/rerank"):
        raise BadInput("The address of a rerank service ends in /rerank.", "Write https://host/v2/rerank#model.")
    if parts.username is not None or parts.query:
        raise BadInput(
            "The address of a rerank service holds no user, password or question mark: names travel in links.",
            f"Give the key in the environment variable {KEY_VARIABLE}.",
        )
    allowed = {each.strip().lower() for each in os.environ.get(HOSTS_VARIABLE, "").split(",")}
    if host not in _LOOPBACK | allowed:
        raise BadInput(
            f"Texts are not sent to {host}: it is not among the hosts that {HOSTS_VARIABLE} lists.",
            f"Start RankScope with {HOSTS_VARIABLE}={host} to allow it.",
        )
    return parts
