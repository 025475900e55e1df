"""The client: one method per operation, walks over every cursor, and the two streams."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Type, Union

from ._errors import CrowdtapeError, StreamClosed
from ._generated import (
    OPERATIONS,
    STREAM_FIELDS,
    AlertFrame,
    AlertsFilter,
    Methods,
    Pages,
    RetractFrame,
    Rows,
    TradeFrame,
    TradesFilter,
    UnknownFilter,
)
from ._operation import Addressed, CallOptions, batch_ceiling, batch_cost, text_of
from ._stream import Gap, StreamPosition, Stream, StreamOptions
from ._transport import Budget, Transport

SERVER = "http://127.0.0.1:8080"
# Ten pages: 1,250 credits.
FILL_MAX = 1_000
PAGE_ROWS = 100


class _Pages(Pages):
    def __init__(self, client: "Crowdtape") -> None:
        self._client = client

    def _walk(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> AsyncIterator[Any]:
        return self._client._pages(operation, values, options)


class _Rows(Rows):
    def __init__(self, client: "Crowdtape") -> None:
        self._client = client

    async def _walk(
        self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]
    ) -> AsyncIterator[Any]:
        walk = OPERATIONS[operation].walk
        async for page in self._client._pages(operation, values, options):
            for row in page[walk[0] if walk else ""]:
                yield row


class Crowdtape(Methods):
    """`async with Crowdtape(server=…, key=…) as client: board = await client.get_leaderboard(window="24h")`.

    Takes the same options as Transport: max_credits, retries, timeout_seconds, retry_unanswered, on_receipt."""

    def __init__(self, server: str = SERVER, key: Optional[str] = None, **transport: Any) -> None:
        self._transport = Transport(server, key, **transport)
        self.rows: Rows = _Rows(self)
        self.pages: Pages = _Pages(self)

    async def __aenter__(self) -> "Crowdtape":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    @property
    def spent(self) -> int:
        """Credits spent by this client."""
        return self._transport.budget.spent

    @property
    def remaining(self) -> Optional[int]:
        """Credits left, according to the last answer; None without a key."""
        return self._transport.remaining

    async def send(self, method: str, path: str, body: Optional[bytes] = None) -> Any:
        """Sends any request that the service accepts, unchanged. Its price is not known beforehand, so no budget can refuse it."""
        return await self._transport.send(Addressed(method, path, body), 0, is_free=False)

    async def _ask(
        self,
        operation: str,
        values: Mapping[str, Any],
        options: Optional[CallOptions],
        budget: Optional[Budget] = None,
    ) -> Any:
        row = OPERATIONS[operation]
        if operation == "batch":
            # With its idempotency key nothing in a batch is charged twice, so it may be repeated.
            credits = batch_ceiling(OPERATIONS, values)
            return await self._transport.send(
                row.request(values), credits, options, budget, is_free=True, cost_of=batch_cost
            )
        credits = 0 if row.keyless and not self._transport.has_key else row.ceiling(values)
        return await self._transport.send(row.request(values), credits, options, budget)

    async def _pages(
        self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]
    ) -> AsyncIterator[Any]:
        walk = OPERATIONS[operation].walk
        if walk is None:
            raise TypeError("This operation has no pages.")
        _, parameter, gives = walk
        is_feed = parameter == "before"
        # A feed is walked from new to old unless the order is ascending.
        if is_feed and values.get("order") == "asc":
            is_feed, parameter, gives = False, "cursor", "nextCursor"
        budget = Budget(options.max_credits if options else None)
        following = dict(values)
        if not is_feed and following.get(parameter) is None:
            following[parameter] = "start"
        while True:
            page = await self._ask(operation, following, options, budget)
            yield page
            cursor = page.get(gives)
            if cursor is None or page.get("hasMore") is False:
                return
            if cursor == following.get(parameter):
                raise CrowdtapeError("The same cursor came twice.")
            following[parameter] = cursor

    def alerts(
        self,
        filter: Optional[AlertsFilter] = None,
        *,
        options: Optional[StreamOptions] = None,
        since: Optional[str] = None,
        fill: bool = False,
        fill_max: int = FILL_MAX,
    ) -> Stream[Union[AlertFrame, RetractFrame, Gap]]:
        """The app's feed, live; a `retract` names an alert that a re-org undid. With `since` it starts with events since then; with `fill` it reads the
        events missing in a gap from REST."""
        wanted: Dict[str, Any] = dict(filter or {})

        def reading(gap: Gap, start: Optional[StreamPosition], to: StreamPosition) -> Optional[AsyncIterator[Dict[str, Any]]]:
            if gap["reason"] != "start" and not fill:
                return None
            return self._read_alerts(_range(gap, start, to, since), wanted, to, fill_max)

        return Stream(_StreamParts(self), "alerts", wanted, ("alert", "retract"), options or StreamOptions(), reading, since is not None)

    def trades(self, filter: Optional[TradesFilter] = None, *, options: Optional[StreamOptions] = None) -> Stream[Union[TradeFrame, RetractFrame, Gap]]:
        """Trades read from the chain, live. Needs a plan with on-chain data."""
        if not self._transport.has_key:
            raise TypeError("The on-chain stream needs a key.")
        parts = _StreamParts(self)
        return Stream(parts, "trades", dict(filter or {}), ("trade", "retract"), options or StreamOptions(), lambda *_: None, False)

    async def _read_alerts(
        self, bounds: Dict[str, Any], wanted: Dict[str, Any], to: StreamPosition, fill_max: int
    ) -> AsyncIterator[Dict[str, Any]]:
        asked = {STREAM_FIELDS.get(name, name): text_of(value) for name, value in wanted.items() if value is not None}
        count, last = 0, 0
        try:
            async for page in self._pages("listAlerts", {**asked, **bounds, "limit": min(PAGE_ROWS, fill_max)}, None):
                for alert in page["alerts"]:
                    if count == fill_max:
                        yield {"type": "gap", "reason": "fill_max", "fromSeq": last + 1, "toSeq": to["seq"], "filling": False}
                        return
                    count, last = count + 1, alert["seq"]
                    yield {**alert, "type": "alert", "replay": True}
        except UnknownFilter:
            # That trader or token is still unknown, so there is nothing to read.
            return


def _range(gap: Gap, start: Optional[StreamPosition], to: StreamPosition, since: Optional[str]) -> Dict[str, Any]:
    """Forward through the missing range. A cursor is a position in the log, both on REST and on the socket."""
    bounds: Dict[str, Any] = {"order": "asc", "before": f"{to['epoch']}.{to['seq'] + 1}"}
    if gap["reason"] == "start":
        return {**bounds, "since": since}
    # For another log only the time is known.
    if gap["reason"] != "epoch" and start is not None:
        return {**bounds, "cursor": f"{start['epoch']}.{start['seq']}"}
    if start is not None and "ts" in start:
        at = datetime.fromtimestamp(start["ts"] / 1000, timezone.utc)
        return {**bounds, "since": at.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
    return bounds


class _StreamParts:
    def __init__(self, client: Crowdtape) -> None:
        self._client = client
        self.server = client._transport.server
        self.has_key = client._transport.has_key

    async def ticket(self) -> str:
        return (await self._client.create_stream_ticket())["ticket"]

    async def explain(self, stream: str, code: int) -> None:
        """A refused socket gives no reason; the account says what its plan includes."""
        if stream != "trades":
            return
        me = await self._client.get_me()
        if not me["streams"]["onChain"]["included"]:
            raise StreamClosed(code, "plan_required", f"The plan {me['plan']} does not include the on-chain stream.")

    async def sleep(self, seconds: float) -> None:
        await self._client._transport.sleep(seconds)

    def backoff(self, attempt: int, base: float, longest: float) -> float:
        return self._client._transport.backoff(attempt, base, longest)
