// Discord's REST interface. Each response says how many calls are left in its bucket and when it refills; a webhook's URL
// contains its token, so no URL and no runtime error leaves this file.
import { readBody } from "../../kit/body.ts";
import { MIB } from "../../kit/units.ts";
import { parseJson } from "../core/endpoint.ts";

export interface DiscordAnswer {
  status: number;
  body: Record<string, unknown>;
  /** Until the bucket has room again; 0 while it has. */
  restMs: number;
  /** Of a 429. */
  retryAfterMs: number | null;
  isGlobal: boolean;
}

export interface DiscordApi {
  /** Throws DiscordFailed without a response. `path` begins with a slash; a full URL is used as it is. */
  call(method: string, path: string, input?: unknown, signal?: AbortSignal): Promise<DiscordAnswer>;
}

/** It is unknown whether the call was executed. */
export class DiscordFailed extends Error {}

const TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = MIB;
/** Discord requires this format. */
const AGENT = "DiscordBot (crowdtape, 1)";

export function createDiscordApi({ base, token }: { base: string; token: string | null }): DiscordApi {
  return {
    async call(method, path, input, signal) {
      const deadline = AbortSignal.timeout(TIMEOUT_MS);
      const isOurs = path.startsWith("/");
      // For logs: the name of the call without its ids and tokens.
      const name = isOurs ? `${method} /${path.split("/")[1]}` : `${method} webhook`;
      try {
        const response = await fetch(isOurs ? base + path : path, {
          method,
          headers: {
            "user-agent": AGENT,
            ...(isOurs && token !== null ? { authorization: `Bot ${token}` } : {}),
            ...(input === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(input === undefined ? {} : { body: JSON.stringify(input) }),
          redirect: "error",
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        const read = await readBody(response, ANSWER_BYTES_MAX);
        if (read.kind !== "whole") throw new DiscordFailed();
        return answerOf(response, parseJson(new TextDecoder().decode(read.bytes)));
      } catch {
        throw new DiscordFailed(`${name} got no answer${deadline.aborted ? " in time" : ""}`);
      }
    },
  };
}

function answerOf({ status, headers }: Response, parsed: unknown): DiscordAnswer {
  const body = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const seconds = (value: unknown) => {
    const number = value === null || value === undefined ? Number.NaN : Number(value);
    return number >= 0 ? Math.ceil(number * 1_000) : null;
  };
  const isEmpty = headers.get("x-ratelimit-remaining") === "0";
  return {
    status,
    body,
    restMs: (isEmpty ? seconds(headers.get("x-ratelimit-reset-after")) : null) ?? 0,
    retryAfterMs: seconds(body.retry_after) ?? seconds(headers.get("retry-after")),
    isGlobal: body.global === true || headers.get("x-ratelimit-global") === "true",
  };
}
