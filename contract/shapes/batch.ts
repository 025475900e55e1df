// The answer of a batch: one response per request, in the same order, each with the status, headers and body that the
// request would have got separately.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

const headerText = (description: string, example: string) => leaf.text(description, example).optional();

const BatchHeaders = shape("BatchHeaders", "The headers that one request of a batch was answered with.", {
  "x-credits-cost": leaf.text("What this request cost.", "250"),
  "x-credits-remaining": leaf.text("What the account had left after it.", "249750"),
  "x-request-id": leaf.text("Names this request in logs and errors.", "req_4Jm1s9bQ4vm0C2xq"),
  ratelimit: leaf.text("What was left of the rate limit after it.", '"minute";r=59;t=42'),
  "ratelimit-policy": leaf.text("The rate limit and its window in seconds.", '"minute";q=60;w=60'),
  "cache-control": leaf.text("How long the answer may be reused.", "private, max-age=15"),
  "content-type": headerText("The body's type; a 304 has none.", "application/json; charset=utf-8"),
  etag: headerText("Send it as if-none-match: an unchanged answer is free.", '"b7c1f0a2"'),
  "retry-after": headerText("Seconds to wait before trying again.", "3"),
});

const BatchResponse = shape("BatchResponse", "The answer to one request of a batch.", {
  id: leaf.text("The request's id; null when it had none.", "board").nullable(),
  status: z
    .int()
    .min(100)
    .max(599)
    .meta({ description: "As if the request were sent alone.", examples: [200] }),
  headers: BatchHeaders,
  body: z
    .union([z.record(z.string(), z.unknown()), z.string(), z.null()])
    .meta({ description: "The answer or the error; text where it is not JSON, null on 304." }),
});

export const BatchAnswer = shape("BatchAnswer", "Answers in the order of the requests.", {
  responses: z.array(BatchResponse),
});
