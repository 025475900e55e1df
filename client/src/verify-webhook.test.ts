// Webhook verification against another implementation of the same rules.
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "./verify-webhook.ts";

const SECRET = `whsec_${btoa("a secret of thirty-two bytes ...")}`;
const BODY = JSON.stringify({ type: "alerts", alerts: [{ trader: "zoë", fillUsd: 12.5 }] });

function sign(body = BODY, at = new Date(), secret = SECRET): Record<string, string> {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", at, body),
  };
}

test("a request signed with the secret gives its JSON, from plain headers and from Headers", async () => {
  expect(await verifyWebhook({ secret: SECRET, headers: sign(), body: BODY })).toEqual(JSON.parse(BODY));
  const headers = new Headers(sign());
  expect(await verifyWebhook({ secret: SECRET, headers, body: BODY })).toEqual(JSON.parse(BODY));
});

test("one of two signatures is enough while a secret is rotated", async () => {
  const headers = sign();
  headers["webhook-signature"] = `v1,AAAA ${headers["webhook-signature"]}`;
  expect(await verifyWebhook({ secret: SECRET, headers, body: BODY })).toEqual(JSON.parse(BODY));
});

test.each([
  ["another body", { body: `${BODY} ` }],
  [
    "another secret",
    { headers: sign(BODY, new Date(), `whsec_${btoa("another secret of enough bytes .")}`) },
  ],
  ["an old request", { headers: sign(BODY, new Date(Date.now() - 600_000)) }],
  ["one from the future", { headers: sign(BODY, new Date(Date.now() + 600_000)) }],
  ["no signature", { headers: {} }],
  ["a signature that is not base64", { headers: { ...sign(), "webhook-signature": "v1,%%%" } }],
])("%s is refused", async (_, change) => {
  const verifying = verifyWebhook({ secret: SECRET, headers: sign(), body: BODY, ...change });
  const error = await verifying.catch((each: Error) => each);
  expect((error as Error).name).toBe("WebhookRefused");
});
