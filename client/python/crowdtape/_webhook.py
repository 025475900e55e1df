"""Verifies a webhook's request by the rules of Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Union

from ._errors import CrowdtapeError

_PREFIX = "whsec_"


class WebhookRefused(CrowdtapeError):
    """The request was not signed with this secret, or not recently."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[str, bytes], tolerance_seconds: float = 300
) -> Any:
    """The request's JSON. The body must be exactly as received: JSON that is serialized again has another signature."""
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdigit():
        raise WebhookRefused("The request is not a signed webhook.")
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("The request was signed too long ago, or the clock here is wrong.")
    raw = body.encode() if isinstance(body, str) else body
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX))
    except binascii.Error:
        raise WebhookRefused("The secret has a wrong form.") from None
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    for each in given.get("webhook-signature", "").split(" "):
        if hmac.compare_digest(each.encode(), expected.encode()):
            return json.loads(raw)
    raise WebhookRefused("The signature is not of this secret and body.")
