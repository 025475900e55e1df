"""Webhook verification: only requests signed with the secret recently are accepted."""

import base64
import hashlib
import hmac
import time
import unittest
from typing import Dict

from crowdtape import WebhookRefused, verify_webhook

KEY = b"a secret of thirty-two bytes ..."
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = '{"alerts": [{"trader": "zo\u00eb"}]}'


def sign(body: str = BODY, at: float = 0, key: bytes = KEY) -> Dict[str, str]:
    seconds = int(at or time.time())
    digest = hmac.new(key, f"msg_1.{seconds}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(seconds), "Webhook-Signature": f"v1,AAAA {signature}"}


class WebhookTest(unittest.TestCase):
    def test_a_signed_request_gives_its_json(self) -> None:
        self.assertEqual(verify_webhook(SECRET, sign(), BODY)["alerts"][0]["trader"], "zo\u00eb")
        self.assertEqual(verify_webhook(SECRET, sign(), BODY.encode()), verify_webhook(SECRET, sign(), BODY))

    def test_anything_else_is_refused(self) -> None:
        for headers, body in (
            (sign(), BODY + " "),
            (sign(key=b"another secret"), BODY),
            (sign(at=time.time() - 600), BODY),
            ({}, BODY),
        ):
            with self.assertRaises(WebhookRefused):
                verify_webhook(SECRET, headers, body)


if __name__ == "__main__":
    unittest.main()
