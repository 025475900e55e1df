// JSON-RPC over HTTP for @solana/kit, with an end to everything: time, size of an answer, calls at once. Whatever goes
// wrong becomes a ChainUnavailable, which never carries the URL, because RPC providers put keys into URLs.
import type { RpcTransport } from "@solana/kit";
import { createGate } from "../../../kit/gate.ts";
import { MIB } from "../../../kit/units.ts";
import { type ChainFault, ChainUnavailable } from "./chain.ts";

export interface TransportLimits {
  timeoutMs: number;
  answerBytesMax: number;
  underWayMax: number;
  waitingMax: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  // Public nodes answer in well under a second; past this one is ill, and another try is better than a longer wait.
  timeoutMs: 10_000,
  // A page of 100 signatures is 30 KB, the largest transaction with its logs and balances below 1 MB.
  answerBytesMax: 4 * MIB,
  // The free tiers of RPC providers allow around ten calls a second.
  underWayMax: 4,
  // The watcher asks a few at a time by itself; a longer queue means something else is wrong.
  waitingMax: 64,
};

export type CountFault = (reason: ChainFault | "none") => void;

export function boundedTransport(url: string, limits: TransportLimits, count: CountFault): RpcTransport {
  const gate = createGate(limits.underWayMax, limits.waitingMax);
  const send = async (payload: unknown, outer: AbortSignal | undefined): Promise<unknown> => {
    const deadline = AbortSignal.timeout(limits.timeoutMs);
    const signal = outer ? AbortSignal.any([outer, deadline]) : deadline;
    const leave = await gate.enter(signal);
    if (typeof leave === "string") throw new ChainUnavailable(leave === "busy" ? "busy" : "timeout");
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(payload, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
        signal,
        redirect: "error",
      }).catch((error) => {
        throw new ChainUnavailable(isTimeout(error) ? "timeout" : "network");
      });
      const text = await readBounded(response, limits.answerBytesMax);
      if (!response.ok) throw new ChainUnavailable("status");
      return parse(text);
    } finally {
      leave();
    }
  };
  return async <Answer>({ payload, signal }: { payload: unknown; signal?: AbortSignal }) => {
    try {
      const answer = (await send(payload, signal)) as Answer;
      count("none");
      return answer as never;
    } catch (error) {
      const known = error instanceof ChainUnavailable ? error : new ChainUnavailable("network");
      count(known.reason);
      throw known;
    }
  };
}

async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > bytesMax) throw new ChainUnavailable("malformed");
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof ChainUnavailable) throw error;
    throw new ChainUnavailable(isTimeout(error) ? "timeout" : "network");
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChainUnavailable("malformed");
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
}
