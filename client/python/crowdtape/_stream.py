"""A stream that runs until it is closed: it connects, resumes where it was, and delivers each event once, in the order
of the log. What could not be had is a gap among the items, never silence."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Deque, Dict, Generic, Literal, Optional, Protocol, Tuple, TypedDict, TypeVar, Union
from urllib.parse import urlencode

from ._errors import ApiError, BufferOverflow, ConnectionFailed, CrowdtapeError, StreamClosed
from ._generated import CLOSE_CODES, HEARTBEAT_SECONDS, STREAM_FIELDS, STREAM_PATHS
from ._operation import text_of

try:
    import websockets
except ImportError:  # pragma: no cover - depends on the machine
    websockets = None

# The time from start to the first frame.
WELCOME_SECONDS = 15.0
# One heartbeat can be late, two can't.
BEATS_MISSED_MAX = 2.5
BUFFER_MAX = 1_000
SAVE_EVERY_SECONDS = 1.0
BACKOFF_BASE_SECONDS = 0.5
BACKOFF_LONGEST_SECONDS = 30.0
# If the first connection never gets a welcome, the reason is one that retrying won't fix.
FIRST_ATTEMPTS_MAX = 6
FRAME_BYTES_MAX = 65_536
CUT = 1006
TOO_MANY_MESSAGES = 4029
TOO_MANY_MESSAGES_SECONDS = 5.0

Frame = Dict[str, Any]
Item = TypeVar("Item")
WhenFull = Literal["pause", "drop_oldest", "fail"]
Reason = Literal["retention", "epoch", "buffer", "fill_max", "start"]


class StreamPosition(TypedDict, total=False):
    """A position in the log: its epoch, the last seq processed, and the time of that event."""

    epoch: str
    seq: int
    ts: int


class Gap(TypedDict):
    """Events that did not come over the socket. Rows from REST follow if `filling` is true."""

    type: Literal["gap"]
    reason: Reason
    fromSeq: Optional[int]
    toSeq: Optional[int]
    filling: bool


class PositionStore(Protocol):
    """Stores positions between runs; either method may be a coroutine."""

    def load(self) -> Union[Optional[StreamPosition], Awaitable[Optional[StreamPosition]]]: ...

    def save(self, position: StreamPosition) -> Union[None, Awaitable[None]]: ...


@dataclass
class StreamOptions:
    resume: Optional[StreamPosition] = None
    """Where to continue; without it and without a saved position, from now on."""
    store: Optional[PositionStore] = None
    save_every_seconds: float = SAVE_EVERY_SECONDS
    buffer_max: int = BUFFER_MAX
    when_full: WhenFull = "pause"
    """pause: the socket is not read until there is room, and nothing is lost. drop_oldest: a gap replaces the oldest. fail:
    the stream ends with BufferOverflow."""
    on_status: Optional[Callable[[str, Dict[str, Any]], None]] = None


@dataclass
class _Entry:
    item: Optional[Frame]
    position: StreamPosition
    gap: Optional[Gap] = None


# Reads the missing range, oldest first; None when that is impossible.
Fill = Callable[[Gap, Optional[StreamPosition], StreamPosition], Optional[AsyncIterator[Frame]]]


class Parts(Protocol):
    """The parts of the client that a stream needs."""

    server: str
    has_key: bool

    async def ticket(self) -> str: ...

    async def explain(self, stream: str, code: int) -> None: ...

    async def sleep(self, seconds: float) -> None: ...

    def backoff(self, attempt: int, base: float, longest: float) -> float: ...


def _gap(reason: Reason, from_seq: Optional[int], to_seq: Optional[int], filling: bool = False) -> Gap:
    return {"type": "gap", "reason": reason, "fromSeq": from_seq, "toSeq": to_seq, "filling": filling}


def _frame_of(data: Any) -> Optional[Frame]:
    """A proxy in between may send anything."""
    try:
        frame = json.loads(data)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) and "type" in frame else None


def _at(position: StreamPosition, seq: int) -> StreamPosition:
    moved = position.copy()
    moved["seq"] = seq
    return moved


class Stream(Generic[Item]):
    """`async for item in stream`. Leaving the loop closes it; the current item is repeated the next time, unless
    `await stream.done()` marked it as processed."""

    def __init__(
        self,
        parts: Parts,
        name: str,
        filter: Dict[str, Any],
        item_types: Tuple[str, ...],
        options: StreamOptions,
        fill: Fill,
        starts_with_fill: bool,
    ) -> None:
        self._parts = parts
        self._name = name
        self._filter = filter
        self._item_types = item_types
        self._options = options
        self._fill = fill
        self._starts_with_fill = starts_with_fill
        self._entries: Deque[_Entry] = deque()
        self._dropped: Optional[Tuple[int, StreamPosition]] = None
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._received: Optional[StreamPosition] = None
        self._handed: Optional[StreamPosition] = None
        self._in_hand: Optional[StreamPosition] = None
        self._welcomed: Optional[StreamPosition] = None
        self._ever_welcomed = False
        self._stage = "connecting"
        self._problem: Optional[BaseException] = None
        self._over = False
        self._saved_at = float("-inf")
        self._unsaved: Optional[StreamPosition] = None
        self._taken = False

    @property
    def position(self) -> Optional[StreamPosition]:
        """The last position that was processed."""
        return self._handed

    def close(self) -> None:
        self._end(None)

    async def done(self) -> None:
        """Marks the current item as processed."""
        if self._in_hand is not None:
            await self._dealt_with(self._in_hand)

    def __aiter__(self) -> AsyncIterator[Item]:
        if self._taken:
            raise CrowdtapeError("A stream is read once; open another.")
        self._taken = True
        return self._items()

    async def _items(self) -> AsyncIterator[Any]:
        reader = asyncio.create_task(self._run())
        try:
            while True:
                entry = await self._take()
                if entry is None:
                    return
                if entry.gap is not None:
                    async for item in self._across(entry.gap, entry.position):
                        yield item
                elif entry.item is not None and self._is_news(entry.position):
                    self._in_hand = entry.position
                    yield entry.item
                await self._dealt_with(entry.position)
        finally:
            self._end(None)
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await self._flush()

    async def _across(self, gap: Gap, to: StreamPosition) -> AsyncIterator[Any]:
        rows = self._fill(gap, self._handed, to)
        # A position of another log can't be compared with this one's.
        if gap["reason"] == "epoch":
            self._handed = None
        if gap["reason"] != "start":
            yield _gap(gap["reason"], gap["fromSeq"], gap["toSeq"], rows is not None)
        if rows is None:
            return
        async for item in rows:
            if item["type"] == "gap":
                yield item
                continue
            position: StreamPosition = {"epoch": to["epoch"], "seq": int(item["seq"])}
            if not self._is_news(position):
                continue
            self._in_hand = position
            yield item
            await self._dealt_with(position)

    def _is_news(self, position: StreamPosition) -> bool:
        handed = self._handed
        return handed is None or handed["epoch"] != position["epoch"] or position["seq"] > handed["seq"]

    async def _dealt_with(self, position: StreamPosition) -> None:
        self._in_hand = None
        if not self._is_news(position):
            return
        self._handed = position
        self._unsaved = position
        if time.monotonic() - self._saved_at >= self._options.save_every_seconds:
            await self._flush()

    async def _flush(self) -> None:
        position, store = self._unsaved, self._options.store
        if position is None or store is None:
            return
        self._unsaved = None
        self._saved_at = time.monotonic()
        saved = store.save(position)
        if inspect.isawaitable(saved):
            await saved

    def _end(self, problem: Optional[BaseException]) -> None:
        if self._over:
            return
        self._over = True
        self._problem = problem
        self._changed.set()
        self._room.set()

    async def _take(self) -> Optional[_Entry]:
        while not self._entries and self._dropped is None:
            if self._problem is not None:
                raise self._problem
            if self._over:
                return None
            self._changed.clear()
            await self._changed.wait()
        if self._dropped is not None:
            first, last = self._dropped
            self._dropped = None
            return _Entry(None, last, _gap("buffer", first, last["seq"]))
        entry = self._entries.popleft()
        self._room.set()
        return entry

    async def _push(self, entry: _Entry) -> None:
        last = self._entries[-1] if self._entries else None
        if entry.item is None and entry.gap is None and last is not None and last.item is None and last.gap is None:
            # A position without an item replaces the one before it.
            self._entries.pop()
        while len(self._entries) >= self._options.buffer_max and not self._over:
            if self._options.when_full == "fail":
                raise BufferOverflow(f"{self._options.buffer_max} items wait to be read.")
            if self._options.when_full == "drop_oldest":
                oldest = self._entries.popleft()
                first = oldest.position["seq"] if self._dropped is None else self._dropped[0]
                self._dropped = (first, oldest.position)
            else:
                self._room.clear()
                await self._room.wait()
        self._entries.append(entry)
        self._received = entry.position
        self._changed.set()

    async def _run(self) -> None:
        try:
            await self._connect_for_ever()
        except asyncio.CancelledError:
            raise
        except BaseException as problem:  # handed to the reader of the stream
            self._end(problem)
        else:
            self._end(None)

    async def _connect_for_ever(self) -> None:
        options = self._options
        received = options.resume
        if received is None and options.store is not None:
            loaded: Any = options.store.load()
            received = await loaded if inspect.isawaitable(loaded) else loaded
        self._received = self._handed = received
        attempt = 0
        while not self._over:
            code, reason = await self._connect_once()
            if self._over:
                return
            attempt = 0 if self._stage == "proven" else attempt
            await self._refuse_if_final(code, reason, attempt)
            delay = self._parts.backoff(attempt, BACKOFF_BASE_SECONDS, BACKOFF_LONGEST_SECONDS)
            if code == TOO_MANY_MESSAGES:
                delay += TOO_MANY_MESSAGES_SECONDS
            self._tell("waiting", {"code": code, "reason": reason, "delay_seconds": delay})
            await self._parts.sleep(delay)
            attempt += 1

    def _tell(self, state: str, details: Dict[str, Any]) -> None:
        if self._options.on_status is not None:
            self._options.on_status(state, details)

    async def _connect_once(self) -> Tuple[int, str]:
        if websockets is None:
            raise ImportError("Streams need the package websockets (Debian: python3-websockets).")
        self._stage = "connecting"
        self._tell("connecting", {})
        try:
            ticket = await self._parts.ticket() if self._parts.has_key else None
        except (ApiError, ConnectionFailed) as problem:
            if isinstance(problem, ApiError) and not problem.retryable:
                raise
            return CUT, str(problem)
        patience = WELCOME_SECONDS
        try:
            async with websockets.connect(self._address(ticket), max_size=FRAME_BYTES_MAX, ping_interval=None) as socket:
                try:
                    while not self._over:
                        frame = _frame_of(await asyncio.wait_for(socket.recv(), patience))
                        if frame is None:
                            return CUT, "not a frame"
                        if frame["type"] == "welcome":
                            patience = float(frame.get("heartbeatSeconds", HEARTBEAT_SECONDS)) * BEATS_MISSED_MAX
                        if frame["type"] == "reconnect":
                            return 1001, "going away"
                        await self._on_frame(frame)
                except asyncio.TimeoutError:
                    # A dead connection may take minutes to close, so don't wait for it.
                    socket.transport.abort()
                    return CUT, "no heartbeat"
                except websockets.ConnectionClosed:
                    return socket.close_code or CUT, socket.close_reason or ""
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as problem:
            return CUT, type(problem).__name__
        return 1000, ""

    def _address(self, ticket: Optional[str]) -> str:
        query = {"notices": "true"}
        for name, value in self._filter.items():
            if value is not None:
                query[STREAM_FIELDS.get(name, name)] = text_of(value)
        if self._received is not None:
            query["resume"] = f"{self._received['epoch']}.{self._received['seq']}"
        if ticket is not None:
            query["ticket"] = ticket
        return f"ws{self._parts.server[4:]}{STREAM_PATHS[self._name]}?{urlencode(query)}"

    async def _on_frame(self, frame: Frame) -> None:
        seq = int(frame.get("seq", frame.get("to", 0)) or 0)
        if frame["type"] == "welcome":
            return await self._on_welcome(frame, seq)
        received = self._received
        if received is None:
            return
        self._stage = "proven"
        if frame["type"] == "gap":
            if frame["toSeq"] is None:
                await self._push(_Entry(None, self._welcomed or received, _gap("epoch", None, None)))
            else:
                await self._push(_Entry(None, _at(received, int(frame["toSeq"])), _gap("retention", int(frame["fromSeq"]), int(frame["toSeq"]))))
        elif frame["type"] in self._item_types:
            if seq > received["seq"]:
                at = int(frame.get("ts", frame.get("blockTs", 0)))
                await self._push(_Entry(frame, {"epoch": received["epoch"], "seq": seq, "ts": at}))
        elif frame["type"] in ("heartbeat", "resumed") and seq > received["seq"]:
            await self._push(_Entry(None, _at(received, seq)))

    async def _on_welcome(self, frame: Frame, seq: int) -> None:
        welcomed: StreamPosition = {"epoch": str(frame["epoch"]), "seq": seq}
        if self._received is not None and "ts" in self._received:
            welcomed["ts"] = self._received["ts"]
        self._welcomed = welcomed
        self._stage = "welcomed"
        self._ever_welcomed = True
        if self._received is None:
            await self._push(_Entry(None, welcomed, _gap("start", None, seq) if self._starts_with_fill else None))
        self._tell("live", {"welcome": frame})

    async def _refuse_if_final(self, code: int, reason: str, attempt: int) -> None:
        name, reconnect = CLOSE_CODES.get(code, ("", True))
        if not reconnect:
            raise StreamClosed(code, reason, f"The stream was closed: {reason or name} ({code}).")
        if self._ever_welcomed or self._stage != "connecting":
            return
        await self._parts.explain(self._name, code)
        if attempt + 1 >= FIRST_ATTEMPTS_MAX:
            raise StreamClosed(code, reason, "The stream does not open: check the server, the filter and how many sockets are open.")
