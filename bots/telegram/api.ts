// The Bot API over HTTP. The token is part of every URL there, so no URL and no runtime error, which would repeat it, leaves
// this file: a failure states only the method and the reason.
import { readBody } from "../../kit/body.ts";
import { MIB } from "../../kit/units.ts";

export interface TelegramOptions {
  token: string;
  /** https://api.telegram.org, or a server of the same protocol. */
  base: string;
}

export type TelegramAnswer<Result = unknown> =
  | { ok: true; result: Result }
  | { ok: false; status: number; reason: string; retryAfterMs: number | null; movedTo: string | null };

export interface TelegramApi {
  /** Throws TelegramFailed without a response from the Bot API. */
  call<Result>(method: string, input: object, options?: CallTimes): Promise<TelegramAnswer<Result>>;
}

export interface CallTimes {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** It is unknown whether the call was executed. */
export class TelegramFailed extends Error {}

const TIMEOUT_MS = 20_000;
/** A hundred updates, the maximum per response, are far smaller. */
const ANSWER_BYTES_MAX = 4 * MIB;

interface WireAnswer {
  ok?: unknown;
  result?: unknown;
  error_code?: unknown;
  description?: unknown;
  parameters?: { retry_after?: unknown; migrate_to_chat_id?: unknown };
}

export function createTelegramApi({ token, base }: TelegramOptions): TelegramApi {
  const withoutToken = (text: string) => text.replaceAll(token, "[token]");
  return {
    async call<Result>(method: string, input: object, { timeoutMs = TIMEOUT_MS, signal }: CallTimes = {}) {
      const deadline = AbortSignal.timeout(timeoutMs);
      let status: number;
      let text: string;
      try {
        const response = await fetch(`${base}/bot${token}/${method}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(input),
          redirect: "error",
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        status = response.status;
        const body = await readBody(response, ANSWER_BYTES_MAX);
        text = body.kind === "whole" ? new TextDecoder().decode(body.bytes) : "";
      } catch {
        throw new TelegramFailed(`${method} got no answer${deadline.aborted ? " in time" : ""}`);
      }
      const answer = parsed(text);
      if (!answer || typeof answer.ok !== "boolean")
        throw new TelegramFailed(`${method} was answered ${status} by something that is not the Bot API`);
      if (answer.ok) return { ok: true, result: answer.result as Result };
      return refusalOf(answer, status, withoutToken);
    },
  };
}

function refusalOf(
  { error_code, description, parameters }: WireAnswer,
  status: number,
  clean: (text: string) => string,
): Extract<TelegramAnswer, { ok: false }> {
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = parameters ?? {};
  return {
    ok: false,
    status: typeof error_code === "number" ? error_code : status,
    reason: clean(String(description ?? "")).slice(0, 200),
    retryAfterMs: typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : null,
    movedTo: typeof movedTo === "number" || typeof movedTo === "string" ? String(movedTo) : null,
  };
}

function parsed(text: string): WireAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
