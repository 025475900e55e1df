"""One request, with everything around it: the key in a header, the budget, the ETag, and retries depending on the
refusal. A call that may have been charged is never retried, unless it is free or has an idempotency key."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Tuple

from ._errors import ApiError, BudgetExceeded, ConnectionFailed, CrowdtapeError
from ._generated import ERRORS
from ._operation import Addressed, CallOptions
from ._wire import Reply, open_wire

RETRIES = 4
# Longer than any deadline of the service's own reads.
TIMEOUT_SECONDS = 30.0
BACKOFF_BASE_SECONDS = 0.25
BACKOFF_LONGEST_SECONDS = 8.0
# A longer Retry-After is left to the caller: the error contains it.
WAIT_MAX_SECONDS = 60.0
# Enough for the boards and traders that a dashboard shows, and a few megabytes at most.
ETAGS_MAX = 200
ETAGS_LENGTH_MAX = 4_000_000


@dataclass(frozen=True)
class Receipt:
    """An answer's cost and other header values."""

    path: str
    status: int
    cost: int
    remaining: Optional[int]
    request_id: Optional[str]
    not_modified: bool
    headers: Mapping[str, str]


class Answer(Dict[str, Any]):
    """An answer is its JSON object, with its receipt attached."""

    receipt: Receipt


def receipt_of(answer: Any) -> Optional[Receipt]:
    """The cost of an answer; None if it is not an answer of this client."""
    return getattr(answer, "receipt", None)


class Budget:
    """A limit that concurrent calls can't exceed together: each reserves its maximum cost before it is sent."""

    def __init__(self, max_credits: Optional[int]) -> None:
        self._max = max_credits
        self.spent = 0
        self._reserved = 0

    def reserve(self, credits: int) -> None:
        if self._max is not None and self.spent + self._reserved + credits > self._max:
            raise BudgetExceeded(self.spent + self._reserved, credits, self._max)
        self._reserved += credits

    def settle(self, credits: int, cost: int) -> None:
        self._reserved -= credits
        self.spent += cost


class _Etags:
    def __init__(self) -> None:
        self._kept: "OrderedDict[str, Tuple[str, str]]" = OrderedDict()
        self._length = 0

    def find(self, path: str) -> Optional[Tuple[str, str]]:
        if path in self._kept:
            self._kept.move_to_end(path)
        return self._kept.get(path)

    def keep(self, path: str, etag: str, text: str) -> None:
        _, old = self._kept.pop(path, ("", ""))
        self._kept[path] = (etag, text)
        self._length += len(text) - len(old)
        while self._kept and (len(self._kept) > ETAGS_MAX or self._length > ETAGS_LENGTH_MAX):
            _, (_, dropped) = self._kept.popitem(last=False)
            self._length -= len(dropped)


class Transport:
    def __init__(
        self,
        server: str,
        key: Optional[str],
        *,
        max_credits: Optional[int] = None,
        retries: int = RETRIES,
        timeout_seconds: float = TIMEOUT_SECONDS,
        retry_unanswered: bool = False,
        on_receipt: Optional[Callable[[Receipt], None]] = None,
        backend: Optional[str] = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        # Refused here, because a library's own error message would repeat the key.
        if key is not None and not re.fullmatch(r"[\x21-\x7e]{1,256}", key):
            raise TypeError("The key has a wrong form.")
        self.server = server.rstrip("/")
        self.has_key = key is not None
        self.budget = Budget(max_credits)
        self.remaining: Optional[int] = None
        self.sleep = sleep
        self.chance = chance
        self._key = key
        self._retries = retries
        self._retry_unanswered = retry_unanswered
        self._on_receipt = on_receipt
        self._etags = _Etags()
        self._wire = open_wire(timeout_seconds, backend)

    async def close(self) -> None:
        await self._wire.close()

    async def send(
        self,
        request: Addressed,
        credits: int,
        options: Optional[CallOptions] = None,
        budget: Optional[Budget] = None,
        is_free: Optional[bool] = None,
        cost_of: Optional[Callable[[Any], int]] = None,
    ) -> Any:
        options = options or CallOptions()
        own = budget or Budget(options.max_credits)
        key = (options.idempotency_key or secrets.token_hex(16)) if request.method == "POST" else None
        own.reserve(credits)
        try:
            self.budget.reserve(credits)
        except BudgetExceeded:
            own.settle(credits, 0)
            raise
        cost = 0
        try:
            tried = 0
            while True:
                try:
                    answer, cost = await self._attempt(request, key)
                    # The cost of the first attempt, read from the answer that a later one got in its place.
                    if tried > 0 and cost_of is not None:
                        cost = cost_of(answer)
                    return answer
                except CrowdtapeError as problem:
                    if isinstance(problem, ApiError):
                        cost = problem.cost
                    delay = max(self._retry_after(problem), self.backoff(tried, BACKOFF_BASE_SECONDS, BACKOFF_LONGEST_SECONDS))
                    harmless = credits == 0 if is_free is None else is_free
                    if tried >= self._retries or delay > WAIT_MAX_SECONDS or not self._may_repeat(request, harmless, problem):
                        raise
                    await self.sleep(delay)
                    tried += 1
        finally:
            own.settle(credits, cost)
            self.budget.settle(credits, cost)

    def backoff(self, attempt: int, base: float, longest: float) -> float:
        """Full jitter: anywhere from 0 to a bound that doubles with each attempt."""
        return self.chance() * min(longest, base * 2.0**attempt)

    def _retry_after(self, problem: CrowdtapeError) -> float:
        seconds = (problem.retry_after_seconds or 0.0) if isinstance(problem, ApiError) else 0.0
        # Up to a fifth more, so that clients with the same delay do not all retry at once.
        return seconds * (1 + self.chance() / 5)

    def _may_repeat(self, request: Addressed, is_free: bool, problem: CrowdtapeError) -> bool:
        if isinstance(problem, ApiError):
            # The first attempt, whose answer was lost, is still running; its answer will be this one's.
            under_way = problem.code == "conflict" and problem.retry_after_seconds is not None
            return (problem.retryable or under_way) and problem.cost == 0
        if not isinstance(problem, ConnectionFailed):
            return False
        # A gateway that responds 429 or 503 did not forward the request.
        if problem.status in (429, 503):
            return True
        return self._retry_unanswered or (is_free and request.method != "DELETE")

    async def _attempt(self, request: Addressed, idempotency_key: Optional[str]) -> Tuple[Any, int]:
        kept = self._etags.find(request.path) if request.method == "GET" else None
        headers = {"accept": "application/json"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        if request.body is not None:
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if kept is not None:
            headers["if-none-match"] = kept[0]
        reply = await self._wire.send(request.method, self.server + request.path, headers, request.body)
        receipt = _receipt(request.path, reply)
        self.remaining = self.remaining if receipt.remaining is None else receipt.remaining
        if self._on_receipt is not None:
            self._on_receipt(receipt)
        if receipt.not_modified and kept is not None:
            return _answer(kept[1], receipt), 0
        if not 200 <= reply.status < 300:
            raise _refusal(reply, receipt)
        if "json" not in reply.headers.get("content-type", ""):
            return reply.text, receipt.cost
        etag = reply.headers.get("etag")
        if etag is not None and request.method == "GET":
            self._etags.keep(request.path, etag, reply.text)
        return _answer(reply.text, receipt), receipt.cost


def _answer(text: str, receipt: Receipt) -> Answer:
    try:
        answer = Answer(json.loads(text))
    except ValueError:
        raise ConnectionFailed("The answer was cut off, or is not JSON.") from None
    answer.receipt = receipt
    return answer


def _count(headers: Mapping[str, str], name: str) -> Optional[int]:
    text = headers.get(name, "")
    return int(text) if text.isdigit() else None


def _receipt(path: str, reply: Reply) -> Receipt:
    return Receipt(
        path=path,
        status=reply.status,
        cost=_count(reply.headers, "x-credits-cost") or 0,
        remaining=_count(reply.headers, "x-credits-remaining"),
        request_id=reply.headers.get("x-request-id"),
        not_modified=reply.status == 304,
        headers=reply.headers,
    )


def _refusal(reply: Reply, receipt: Receipt) -> CrowdtapeError:
    try:
        body = json.loads(reply.text)
    except ValueError:
        body = None
    if isinstance(body, dict) and "error" in body and "requestId" in body:
        kind = ERRORS.get(str(body["error"]), ApiError)
        return kind(body, receipt.cost, _count(reply.headers, "retry-after"))
    return ConnectionFailed(f"Something answered {reply.status}, but not this service.", reply.status)
