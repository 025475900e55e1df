"""One request against a server that misbehaves: what is retried, what never is, and the cost."""

import asyncio
import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple

import crowdtape
from crowdtape import BudgetExceeded, CallOptions, ConnectionFailed, Crowdtape, receipt_of

Reply = Optional[Tuple[int, Dict[str, str], str]]


class Scripted:
    """A scripted server that records its requests. None hangs up without a response."""

    def __init__(self, reply: Callable[[Any, int], Reply]) -> None:
        self.asked: List[Any] = []
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                self.rfile.read(length)
                scripted.asked.append(self)
                made = reply(self, len(scripted.asked))
                if made is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                status, headers, text = made
                self.send_response(status)
                sent = {"content-type": "application/json", "x-credits-cost": "0", "x-request-id": "req_1", **headers}
                for name, value in {**sent, "content-length": str(len(text.encode()))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                return

            def handle_error(self, *_: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def ok(body: Any, **headers: str) -> Reply:
    return 200, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body)


def refusal(error: str, status: int, headers: Optional[Dict[str, str]] = None, **more: Any) -> Reply:
    body = {"error": error, "message": "No.", "status": status, "retryable": False, "requestId": "req_1", **more}
    return status, headers or {}, json.dumps(body)


BOARD = {"board": "trending", "tokens": []}


class TransportTest(unittest.IsolatedAsyncioTestCase):
    backend: Optional[str] = "urllib"

    def against(self, reply: Callable[[Any, int], Reply], **options: Any) -> Tuple[Scripted, Crowdtape, List[float]]:
        server = Scripted(reply)
        self.addCleanup(server.stop)
        waits: List[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        client = Crowdtape(
            server.url, "ct_test_k", backend=self.backend, sleep=sleep, chance=lambda: 0.5, **options
        )
        self.addAsyncCleanup(client.close)
        return server, client, waits

    async def test_a_free_retryable_refusal_is_tried_again_after_as_long_as_it_says(self) -> None:
        def reply(_: Any, count: int) -> Reply:
            if count == 1:
                return refusal("rate_limited", 429, {"retry-after": "7"}, retryable=True)
            return ok(BOARD, x_credits_cost="250", x_credits_remaining="9750")

        server, client, waits = self.against(reply)
        answer = await client.get_trending_tokens()
        receipt = receipt_of(answer)
        assert receipt is not None
        self.assertEqual((receipt.cost, receipt.remaining, client.spent), (250, 9750, 250))
        self.assertEqual(len(server.asked), 2)
        self.assertTrue(7 <= waits[0] <= 8.4)

    async def test_what_can_not_help_is_not_tried_again_and_has_the_class_of_its_code(self) -> None:
        server, client, _ = self.against(
            lambda *_: refusal("credits_exhausted", 402, required=250, resetsAt="2026-12-01T00:00:00.000Z")
        )
        with self.assertRaises(crowdtape.CreditsExhausted) as caught:
            await client.get_trending_tokens()
        self.assertEqual(caught.exception.required, 250)
        assert caught.exception.resets_at is not None
        self.assertEqual(caught.exception.resets_at.year, 2026)
        self.assertEqual(len(server.asked), 1)

    async def test_a_priced_miss_is_counted_and_never_paid_twice(self) -> None:
        server, client, _ = self.against(
            lambda *_: refusal("not_found", 404, {"x-credits-cost": "250"}, retryable=True)
        )
        with self.assertRaises(crowdtape.NotFound):
            await client.get_trader(handle="nobody")
        self.assertEqual((len(server.asked), client.spent), (1, 250))

    async def test_a_metered_call_without_an_answer_is_not_sent_again_unless_asked_to(self) -> None:
        def lost(_: Any, count: int) -> Reply:
            return None if count == 1 else ok(BOARD)

        server, client, _ = self.against(lost)
        with self.assertRaises(ConnectionFailed):
            await client.get_trending_tokens()
        self.assertEqual(len(server.asked), 1)
        _, eager, _ = self.against(lost, retry_unanswered=True)
        self.assertEqual(await eager.get_trending_tokens(), BOARD)
        free_server, free, _ = self.against(lost)
        await free.get_me()
        self.assertEqual(len(free_server.asked), 2)

    async def test_a_post_carries_one_idempotency_key_through_its_attempts(self) -> None:
        server, client, _ = self.against(lambda _, count: None if count == 1 else ok({"id": "key_1"}))
        await client.create_key(name="a")
        await client.create_key(name="a", options=CallOptions(idempotency_key="mine"))
        keys = [each.headers.get("idempotency-key") for each in server.asked]
        self.assertRegex(keys[0], "^[0-9a-f]{32}$")
        self.assertEqual([keys[1], keys[2]], [keys[0], "mine"])

    async def test_a_batch_without_an_answer_is_sent_again_until_the_first_answer_is_there(self) -> None:
        answer = {"responses": [{"id": None, "status": 200, "headers": {"x-credits-cost": "250"}, "body": {}}]}

        def reply(_: Any, count: int) -> Reply:
            if count == 1:
                return None
            return refusal("conflict", 409, retryAfterSeconds=1) if count == 2 else ok(answer)

        server, client, _ = self.against(reply)
        self.assertEqual(await client.batch(requests=[{"path": "/v2/leaderboard/7d"}]), answer)
        self.assertEqual(len({each.headers.get("idempotency-key") for each in server.asked}), 1)
        self.assertEqual((len(server.asked), client.spent), (3, 250))

    async def test_an_unchanged_answer_comes_from_here_and_costs_nothing(self) -> None:
        def reply(asked: Any, _: int) -> Reply:
            if asked.headers.get("if-none-match") == '"v1"':
                return 304, {}, ""
            return ok(BOARD, etag='"v1"', x_credits_cost="250")

        server, client, _ = self.against(reply)
        first = await client.get_trending_tokens(limit=5)
        second = await client.get_trending_tokens(limit=5)
        self.assertEqual(first, second)
        receipt = receipt_of(second)
        self.assertTrue(receipt is not None and receipt.not_modified)
        self.assertEqual(client.spent, 250)

    async def test_a_budget_is_not_passed_by_calls_at_once_fan_outs_or_walks(self) -> None:
        def reply(asked: Any, _: int) -> Reply:
            return ok({"trades": [{}], "nextCursor": str(len(asked.path))}, x_credits_cost="250")

        server, client, _ = self.against(reply, max_credits=1_000)
        outcomes = await asyncio.gather(
            *(client.get_trending_tokens(limit=limit) for limit in range(1, 7)), return_exceptions=True
        )
        self.assertEqual(sum(isinstance(each, BudgetExceeded) for each in outcomes), 2)
        self.assertEqual(len(server.asked), 4)
        _, other, _ = self.against(reply)
        with self.assertRaises(BudgetExceeded):
            await other.list_trades(handle="a", deep=5, options=CallOptions(max_credits=1_000))
        rows = 0
        with self.assertRaises(BudgetExceeded):
            async for _row in other.rows.list_trades(handle="a", options=CallOptions(max_credits=500)):
                rows += 1
        self.assertEqual(rows, 2)

    async def test_a_key_of_a_wrong_form_is_refused_without_repeating_it(self) -> None:
        with self.assertRaises(TypeError) as caught:
            Crowdtape(key="ct_live_\n")
        self.assertNotIn("ct_live", str(caught.exception))

    async def test_a_walk_that_gets_the_same_cursor_twice_ends_with_an_error(self) -> None:
        _, client, _ = self.against(lambda *_: ok({"theses": [], "nextCursor": "again"}))
        with self.assertRaisesRegex(crowdtape.CrowdtapeError, "same cursor"):
            async for _page in client.pages.list_theses():
                pass


class HttpxTransportTest(TransportTest):
    backend = "httpx"


if __name__ == "__main__":
    unittest.main()
