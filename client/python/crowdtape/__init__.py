"""A typed client of a Crowdtape service: every route, every cursor, two live streams."""

from ._client import Crowdtape
from ._errors import ApiError, BudgetExceeded, BufferOverflow, ConnectionFailed, CrowdtapeError, StreamClosed
from ._generated import *  # noqa: F403
from ._operation import CallOptions
from ._stream import Gap, StreamPosition, PositionStore, Stream, StreamOptions
from ._transport import Answer, Receipt, receipt_of
from ._webhook import WebhookRefused, verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "BudgetExceeded",
    "BufferOverflow",
    "CallOptions",
    "ConnectionFailed",
    "Crowdtape",
    "CrowdtapeError",
    "Gap",
    "StreamPosition",
    "PositionStore",
    "Receipt",
    "Stream",
    "StreamClosed",
    "StreamOptions",
    "WebhookRefused",
    "receipt_of",
    "verify_webhook",
]
