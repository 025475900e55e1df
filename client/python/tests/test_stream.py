"""Streams against a scripted server: every event once and in order through closed and silent
sockets, gaps, another log and slow readers; and the end, when reconnecting can't help."""

import asyncio
import json
import unittest
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional
from urllib.parse import parse_qs, urlparse

from websockets import serve

from crowdtape import BufferOverflow, StreamClosed, StreamOptions, StreamPosition
from crowdtape._stream import Fill, Stream

OnOpen = Callable[[Any, Dict[str, str], int], Awaitable[None]]


def welcome(seq: int, epoch: str = "e1", beat: float = 20) -> Dict[str, Any]:
    return {"type": "welcome", "seq": seq, "epoch": epoch, "heartbeatSeconds": beat}


def alert(seq: int) -> Dict[str, Any]:
    return {"type": "alert", "alertType": "buy", "seq": seq, "ts": 1_000 + seq}


class Parts:
    """A client's side of a stream, without a service."""

    has_key = True

    def __init__(self, server: str) -> None:
        self.server = server
        self.tickets = 0

    async def ticket(self) -> str:
        self.tickets += 1
        return f"tkt_{self.tickets}"

    async def explain(self, stream: str, code: int) -> None:
        return None

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)

    def backoff(self, attempt: int, base: float, longest: float) -> float:
        return 0.0


class StreamTest(unittest.IsolatedAsyncioTestCase):
    async def open(
        self,
        on_open: OnOpen,
        options: Optional[StreamOptions] = None,
        fill: Fill = lambda *_: None,
        starts_with_fill: bool = False,
    ) -> Stream[Any]:
        self.opened: List[Dict[str, str]] = []

        async def handle(socket: Any, *_: Any) -> None:
            query = {name: values[0] for name, values in parse_qs(urlparse(socket.path).query).items()}
            self.opened.append(query)
            await on_open(socket, query, len(self.opened) - 1)
            await socket.wait_closed()

        server = await serve(handle, "127.0.0.1", 0)
        self.addCleanup(server.close)
        port = server.sockets[0].getsockname()[1]
        return Stream(Parts(f"http://127.0.0.1:{port}"), "alerts", {"type": ["buy", "sell"]}, ("alert",), options or StreamOptions(), fill, starts_with_fill)

    async def read(self, stream: Stream[Any], count: int) -> List[Any]:
        got: List[Any] = []
        async for item in stream:
            got.append(f"gap:{item['reason']}" if item["type"] == "gap" else item["seq"])
            if len(got) == count:
                await stream.done()
                break
        return got

    async def test_a_socket_that_closes_is_resumed_and_no_event_comes_twice(self) -> None:
        async def on_open(socket: Any, query: Dict[str, str], count: int) -> None:
            await socket.send(json.dumps(welcome(10)))
            after = int(query.get("resume", "e1.10").split(".")[1])
            # A server that repeats events already received.
            for seq in range(after - 1 if count else after + 1, after + 3):
                await socket.send(json.dumps(alert(seq)))
            if count < 2:
                await socket.close(1001 if count == 0 else 4008)

        stream = await self.open(on_open)
        self.assertEqual(await self.read(stream, 6), [11, 12, 13, 14, 15, 16])
        self.assertEqual([each.get("resume") for each in self.opened], [None, "e1.12", "e1.14"])
        self.assertEqual([each.get("ticket") for each in self.opened], ["tkt_1", "tkt_2", "tkt_3"])
        self.assertEqual(self.opened[0]["type"], "buy,sell")

    async def test_positions_are_saved_once_they_were_dealt_with(self) -> None:
        saved: List[int] = []

        class Store:
            def load(self) -> Optional[StreamPosition]:
                return {"epoch": "e1", "seq": 5}

            async def save(self, position: StreamPosition) -> None:
                saved.append(position["seq"])

        async def on_open(socket: Any, *_: Any) -> None:
            for frame in (welcome(5), alert(6), alert(7), {"type": "heartbeat", "seq": 90}, alert(91)):
                await socket.send(json.dumps(frame))

        stream = await self.open(on_open, StreamOptions(store=Store(), save_every_seconds=0))
        items = stream.__aiter__()
        self.assertEqual((await items.__anext__())["seq"], 6)
        self.assertEqual(saved, [])
        self.assertEqual((await items.__anext__())["seq"], 7)
        self.assertEqual(saved, [6])
        self.assertEqual((await items.__anext__())["seq"], 91)
        self.assertEqual(saved, [6, 7, 90])
        await items.aclose()  # type: ignore[attr-defined]
        self.assertEqual(self.opened[0]["resume"], "e1.5")

    async def test_a_gap_is_a_value_and_is_filled_when_it_can_be(self) -> None:
        async def on_open(socket: Any, *_: Any) -> None:
            for frame in (welcome(20), {"type": "gap", "fromSeq": 5, "toSeq": 8}, alert(9)):
                await socket.send(json.dumps(frame))

        async def rows() -> AsyncIterator[Dict[str, Any]]:
            for seq in range(3, 9):
                yield alert(seq)

        resume: StreamPosition = {"epoch": "e1", "seq": 4}
        resumed = await self.open(on_open, StreamOptions(resume=resume))
        self.assertEqual(await self.read(resumed, 2), ["gap:retention", 9])
        filled = await self.open(on_open, StreamOptions(resume=resume), lambda *_: rows())
        self.assertEqual(await self.read(filled, 6), ["gap:retention", 5, 6, 7, 8, 9])

    async def test_another_log_is_a_gap_and_its_positions_are_news(self) -> None:
        async def on_open(socket: Any, *_: Any) -> None:
            for frame in (welcome(2, "e2"), {"type": "gap", "fromSeq": None, "toSeq": None}, alert(3)):
                await socket.send(json.dumps(frame))

        stream = await self.open(on_open, StreamOptions(resume={"epoch": "e1", "seq": 900}))
        self.assertEqual(await self.read(stream, 2), ["gap:epoch", 3])
        self.assertEqual(stream.position, {"epoch": "e2", "seq": 3, "ts": 1_003})

    async def test_a_silent_socket_is_given_up(self) -> None:
        async def on_open(socket: Any, _: Any, count: int) -> None:
            await socket.send(json.dumps(welcome(0, beat=0.02)))
            if count > 0:
                await socket.send(json.dumps(alert(1)))

        states: List[str] = []
        options = StreamOptions(on_status=lambda state, _: states.append(state))
        self.assertEqual(await self.read(await self.open(on_open, options), 1), [1])
        self.assertEqual(states[:5], ["connecting", "live", "waiting", "connecting", "live"])

    async def test_a_close_code_that_can_not_be_mended_ends_the_stream(self) -> None:
        async def on_open(socket: Any, *_: Any) -> None:
            await socket.send(json.dumps(welcome(0)))
            await socket.close(4001)

        with self.assertRaises(StreamClosed) as caught:
            await self.read(await self.open(on_open), 1)
        self.assertEqual(caught.exception.close_code, 4001)
        self.assertEqual(len(self.opened), 1)

    async def test_a_slow_reader_loses_nothing_or_sees_a_gap_or_fails_by_its_policy(self) -> None:
        async def flood(socket: Any, query: Dict[str, str], _: int) -> None:
            await socket.send(json.dumps(welcome(0)))
            for seq in range(int(query.get("resume", "e1.0").split(".")[1]) + 1, 301):
                await socket.send(json.dumps(alert(seq)))

        self.assertEqual(await self.read(await self.open(flood, StreamOptions(buffer_max=10)), 300), list(range(1, 301)))

        stream = await self.open(flood, StreamOptions(buffer_max=10, when_full="drop_oldest"))
        got: List[int] = []
        missing: List[int] = []
        async for item in stream:
            if item["type"] == "gap":
                missing.extend(range(item["fromSeq"], item["toSeq"] + 1))
            else:
                got.append(item["seq"])
            # A slow reader: it holds its first item until something had to be dropped.
            while got == [1] and not missing and stream._dropped is None:
                await asyncio.sleep(0.001)
            if got and got[-1] == 300:
                break
        self.assertTrue(missing)
        self.assertEqual(sorted(got + missing), list(range(1, 301)))

        failing = await self.open(flood, StreamOptions(buffer_max=10, when_full="fail"))
        with self.assertRaises(BufferOverflow):
            async for _item in failing:
                while failing._problem is None:
                    await asyncio.sleep(0.001)


if __name__ == "__main__":
    unittest.main()
