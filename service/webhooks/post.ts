// One request to an endpoint. The name is resolved here, every address behind it has to be public, and the connection goes
// to the address that was checked, under the endpoint's own name: a name that answers differently the next moment changes
// nothing, and neither does a proxy of the environment. Redirects are not followed, the answer's body is not read, and all
// of it ends at one deadline.

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Fault } from "../../contract/errors.ts";
import type { DELIVERY_OUTCOMES } from "../../contract/shapes/webhooks.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { isPublicAddress } from "./addresses.ts";
import { type AnswerHead, exchange } from "./exchange.ts";
import { readTarget, type Target, type Targets } from "./target.ts";

type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export interface Posted {
  outcome: DeliveryOutcome;
  /** Null when nothing answered. */
  status: number | null;
  durationMs: number;
  /** A message for the owner; never an address, which would reveal our network. */
  note: string | null;
  /** The endpoint's Retry-After. */
  retryAfterMs: number;
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface PostParts {
  targets: Targets;
  clock: Clock;
  timeoutMs: number;
  resolve?: Resolve;
  /** Certificates to trust in addition to the system's; for tests. */
  ca?: string;
}

export type Post = (
  url: string,
  request: { headers: Record<string, string>; body: string | Uint8Array },
  signal: AbortSignal,
) => Promise<Posted>;

/** More of a name's addresses than this are not looked at: none is tried but the first. */
const ADDRESSES_MAX = 64;
/** An endpoint can ask to be left alone for this long, not for ever. */
const RETRY_AFTER_MS_MAX = HOUR_MS;

const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

type PostEnding = Omit<Posted, "durationMs" | "retryAfterMs"> & { retryAfterMs?: number };

const unreached = (outcome: DeliveryOutcome, note: string): PostEnding => ({ outcome, status: null, note });

export function createPost({ targets, clock, timeoutMs, resolve = resolveBySystem, ca }: PostParts): Post {
  const addressOf = async ({ host }: Target): Promise<string | PostEnding> => {
    const addresses = isIP(host) !== 0 ? [host] : await resolve(host).catch(() => []);
    const [first] = addresses;
    if (first === undefined) return unreached("unreachable", "The host name could not be resolved.");
    const isOpen = addresses.length <= ADDRESSES_MAX && addresses.every(isPublicAddress);
    if (targets === "public" && !isOpen)
      return unreached("address_refused", "The host name leads to an address that is not public.");
    return first;
  };

  const send = async (...[text, { headers, body }, signal]: Parameters<Post>): Promise<PostEnding> => {
    const target = readTarget(text, targets);
    const address = await addressOf(target);
    if (typeof address !== "string") return address;
    if (signal.aborted) throw signal.reason;
    const answer = await exchange(target, address, {
      headers: { ...headers, "user-agent": `Crowdtape-Webhooks/${SERVICE_VERSION}` },
      body,
      ca,
      signal,
    });
    return endingOf(answer, clock.now());
  };

  return async (url, request, signal) => {
    const startedAt = clock.now();
    const deadline = new AbortController();
    const over = AbortSignal.any([signal, deadline.signal]);
    const done = new AbortController();
    const late = clock.sleep(timeoutMs, AbortSignal.any([done.signal, signal])).then((): PostEnding => {
      deadline.abort();
      return unreached("timeout", `No answer within ${Math.round(timeoutMs / 1_000)} seconds.`);
    });
    // The first to end counts: a resolver can't be interrupted.
    const ending = await Promise.race([send(url, request, over).catch(errorOf), late]);
    done.abort();
    return { retryAfterMs: 0, ...ending, durationMs: Math.max(0, Math.round(clock.now() - startedAt)) };
  };
}

function endingOf({ status, retryAfter }: AnswerHead, now: number): PostEnding {
  const ending = (outcome: DeliveryOutcome, note: string | null): PostEnding => ({ outcome, status, note });
  if (status >= 200 && status < 300) return ending("delivered", null);
  if (status >= 300 && status < 400)
    return ending("redirected", `It answered ${status}; redirects are not followed.`);
  if (status === 410) return ending("gone", "It answered 410: it wants no more.");
  return {
    ...ending("refused", `It answered ${status}.`),
    retryAfterMs: retryAfterOf(retryAfter, now),
  };
}

function retryAfterOf(text: string | null, now: number): number {
  if (text === null) return 0;
  const waitMs = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(waitMs) ? Math.min(RETRY_AFTER_MS_MAX, Math.max(0, waitMs)) : 0;
}

function errorOf(error: unknown): PostEnding {
  if (error instanceof Fault) return unreached("address_refused", error.message);
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = String(code ?? "");
  if (name === "AbortError") return unreached("unreachable", "The attempt was cut short.");
  if (/CERT|TLS|SSL/i.test(word)) return unreached("unreachable", "Its certificate is not trusted.");
  if (/REFUSED/i.test(word)) return unreached("unreachable", "The connection was refused.");
  return unreached("unreachable", "The connection failed.");
}
