// One request to an endpoint. The name is resolved here, every address behind it has to be public, and the connection goes
// to the address that was checked, under the endpoint's own name: a name that answers differently the next moment changes
// nothing, and neither does a proxy of the environment. Redirects are not followed, the answer's body is not read, and all
// of it ends at one deadline.
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { Fault } from "../../contract/errors.ts";
import type { DELIVERY_OUTCOMES } from "../../contract/shapes/webhooks.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import type { Clock } from "../../kit/clock.ts";
import { isPublicAddress } from "./addresses.ts";
import { readTarget, type Target, type Targets } from "./target.ts";

type Outcome = (typeof DELIVERY_OUTCOMES)[number];

export interface Posted {
  outcome: Outcome;
  /** Null when nothing answered. */
  status: number | null;
  durationMs: number;
  /** In words for the owner; never an address, which would tell about our network. */
  note: string | null;
  /** How long the endpoint asked to be left alone. */
  retryAfterMs: number;
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface PostParts {
  targets: Targets;
  clock: Clock;
  timeoutMs: number;
  resolve?: Resolve;
  /** Certificates to trust beside the system's; for tests. */
  ca?: string;
}

export type Post = (
  url: string,
  request: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
) => Promise<Posted>;

/** More of a name's addresses than this are not looked at: none is tried but the first. */
const ADDRESSES_MAX = 64;
/** An endpoint can ask to be left alone for this long, not for ever. */
const RETRY_AFTER_MAX_MS = 3_600_000;

const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

type Ending = Omit<Posted, "durationMs" | "retryAfterMs"> & { retryAfterMs?: number };

const unreached = (outcome: Outcome, note: string): Ending => ({ outcome, status: null, note });

export function createPost({ targets, clock, timeoutMs, resolve = resolveBySystem, ca }: PostParts): Post {
  const addressOf = async ({ host }: Target): Promise<string | Ending> => {
    const addresses = isIP(host) !== 0 ? [host] : await resolve(host).catch(() => []);
    const [first] = addresses;
    if (first === undefined) return unreached("unreachable", "The host name could not be resolved.");
    const isOpen = addresses.length <= ADDRESSES_MAX && addresses.every(isPublicAddress);
    if (targets === "public" && !isOpen)
      return unreached("address_refused", "The host name leads to an address that is not public.");
    return first;
  };

  const send: Post extends (...given: infer Given) => unknown ? (...given: Given) => Promise<Ending> : never =
    async (text, { headers, body }, signal) => {
      const target = readTarget(text, targets);
      const address = await addressOf(target);
      if (typeof address !== "string") return address;
      if (signal.aborted) throw signal.reason;
      const response = await exchange(target, address, { headers, body, ca, signal });
      response.on("error", () => {});
      response.destroy();
      return endingOf(response, clock.now());
    };

  return async (url, request, signal) => {
    const startedAt = clock.now();
    const deadline = new AbortController();
    const over = AbortSignal.any([signal, deadline.signal]);
    const done = new AbortController();
    const late = clock.sleep(timeoutMs, AbortSignal.any([done.signal, signal])).then((): Ending => {
      deadline.abort();
      return unreached("timeout", `No answer within ${Math.round(timeoutMs / 1_000)} seconds.`);
    });
    // The first to end counts: a resolver can't be interrupted.
    const ending = await Promise.race([send(url, request, over).catch(problemOf), late]);
    done.abort();
    return { retryAfterMs: 0, ...ending, durationMs: Math.max(0, Math.round(clock.now() - startedAt)) };
  };
}

/**
 * To that address and no other. Not by fetch, which would send it to a proxy named in the environment: that one, and not
 * we, would then open the connection.
 */
function exchange(
  { url, host }: Target,
  address: string,
  { headers, body, ca, signal }: Parameters<Post>[1] & { ca: string | undefined; signal: AbortSignal },
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const options = {
    method: "POST",
    host: address,
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      "user-agent": `Crowdtape-Webhooks/${SERVICE_VERSION}`,
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
    },
    // A connection that is kept could be used for another name behind the same address.
    agent: false as const,
    signal,
  };
  return new Promise((resolve, reject) => {
    const call = isSecure
      ? requestSecure(
          { ...options, servername: isIP(host) === 0 ? host : "", ...(ca ? { ca } : {}) },
          resolve,
        )
      : requestPlain(options, resolve);
    call.on("error", reject);
    call.end(body);
  });
}

function endingOf({ statusCode: status = 0, headers }: IncomingMessage, now: number): Ending {
  const ending = (outcome: Outcome, note: string | null): Ending => ({ outcome, status, note });
  if (status >= 200 && status < 300) return ending("delivered", null);
  if (status >= 300 && status < 400)
    return ending("redirected", `It answered ${status}; redirects are not followed.`);
  if (status === 410) return ending("gone", "It answered 410: it wants no more.");
  return {
    ...ending("refused", `It answered ${status}.`),
    retryAfterMs: retryAfterOf(headers["retry-after"], now),
  };
}

function retryAfterOf(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const waitMs = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(waitMs) ? Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs)) : 0;
}

function problemOf(problem: unknown): Ending {
  if (problem instanceof Fault) return unreached("address_refused", problem.message);
  const { code, name } = (problem ?? {}) as { code?: unknown; name?: unknown };
  const word = String(code ?? "");
  if (name === "AbortError") return unreached("unreachable", "The attempt was cut short.");
  if (/CERT|TLS|SSL/i.test(word)) return unreached("unreachable", "Its certificate is not trusted.");
  if (/REFUSED/i.test(word)) return unreached("unreachable", "The connection was refused.");
  return unreached("unreachable", "The connection failed.");
}
