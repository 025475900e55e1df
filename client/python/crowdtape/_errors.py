"""All errors, as classes: refusals by the service (one class per code, in _generated.py), and errors detected by the
client itself. None of them contains a key."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Optional


class CrowdtapeError(Exception):
    """Any error that this client raises on purpose."""


class ApiError(CrowdtapeError):
    """A refusal by the service. `code` is from its closed list; the message is its own sentence."""

    def __init__(self, body: Mapping[str, Any], cost: int, retry_after_seconds: Optional[float]) -> None:
        super().__init__(f"{body.get('message')} ({body.get('error')}, {body.get('requestId')})")
        self.body = dict(body)
        self.code = str(body.get("error"))
        self.status = int(body.get("status", 0))
        self.retryable = bool(body.get("retryable"))
        self.request_id = str(body.get("requestId"))
        self.cost = cost
        self.param: Optional[str] = body.get("param")
        self.plan: Optional[str] = body.get("plan")
        self.remaining: Optional[int] = body.get("remaining")
        self.required: Optional[int] = body.get("required")
        own = body.get("retryAfterSeconds")
        self.retry_after_seconds: Optional[float] = own if own is not None else retry_after_seconds
        resets_at = body.get("resetsAt")
        self.resets_at = datetime.fromisoformat(resets_at) if resets_at else None


class ConnectionFailed(CrowdtapeError):
    """No response, or not one from this service. Whether the request was charged is unknown."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class BudgetExceeded(CrowdtapeError):
    """The call was not made, because it might have exceeded max_credits."""

    def __init__(self, spent: int, required: int, max_credits: int) -> None:
        super().__init__(
            f"This call may cost {required} credits; {spent} of at most {max_credits} are spent or promised to calls under way."
        )
        self.spent = spent
        self.required = required
        self.max_credits = max_credits


class StreamClosed(CrowdtapeError):
    """A stream ended for a reason that reconnecting can't fix."""

    def __init__(self, close_code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.close_code = close_code
        self.reason = reason


class BufferOverflow(CrowdtapeError):
    """The reader of a stream fell behind, and its policy is to fail."""
