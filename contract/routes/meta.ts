// The two calls that are open to anyone.
import { defineRoute, FREE, NO_CACHE } from "../route.ts";
import { HealthAnswer, InfoAnswer } from "../shapes/account.ts";

export const getInfo = defineRoute({
  id: "getInfo",
  path: "/v1",
  tag: "Meta",
  summary: "What this service is",
  description:
    "Version, the caller's tier and rate limit, how much data there is, and every endpoint. Works without a key.",
  access: "keyless",
  price: FREE,
  cache: NO_CACHE,
  answer: InfoAnswer,
  example: {},
});

export const getHealth = defineRoute({
  id: "getHealth",
  path: "/health",
  tag: "Meta",
  summary: "Whether it is well",
  description: "For load balancers and monitors. Never metered.",
  access: "open",
  price: FREE,
  cache: NO_CACHE,
  answer: HealthAnswer,
  example: {},
});
