// JSON-RPC over HTTP for @solana/kit, with an end to everything: time, size of an answer, calls at once. Whatever goes
// wrong becomes a ChainUnavailable, which never carries the URL, because RPC providers put keys into URLs.
import type { RpcTransport } from "@solana/kit";
import { type ChainFault, ChainUnavailable } from "./chain.ts";

export interface TransportLimits {
  timeoutMs: number;
  answerBytes: number;
  callsAtOnce: number;
  callsWaiting: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  // Public nodes answer in well under a second; past this one is ill, and another try is better than a longer wait.
  timeoutMs: 10_000,
  // A page of 100 signatures is 30 KB, the largest transaction with its logs and balances below 1 MB.
  answerBytes: 4 * 1024 * 1024,
  // The free tiers of RPC providers allow around ten calls a second.
  callsAtOnce: 4,
  // The watcher asks a few at a time by itself; a longer queue means something else is wrong.
  callsWaiting: 64,
};

export type CountFault = (reason: ChainFault | "none") => void;

export function boundedTransport(url: string, limits: TransportLimits, count: CountFault): RpcTransport {
  const gate = createGate(limits.callsAtOnce, limits.callsWaiting);
  const send = async (payload: unknown, outer: AbortSignal | undefined): Promise<unknown> => {
    await gate.enter();
    try {
      const deadline = AbortSignal.timeout(limits.timeoutMs);
      const signal = outer ? AbortSignal.any([outer, deadline]) : deadline;
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(payload, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
        signal,
        redirect: "error",
      }).catch((problem) => {
        throw new ChainUnavailable(isTimeout(problem) ? "timeout" : "network");
      });
      const text = await readBounded(response, limits.answerBytes);
      if (!response.ok) throw new ChainUnavailable("status");
      return parse(text);
    } finally {
      gate.leave();
    }
  };
  return async <Answer>({ payload, signal }: { payload: unknown; signal?: AbortSignal }) => {
    try {
      const answer = (await send(payload, signal)) as Answer;
      count("none");
      return answer as never;
    } catch (problem) {
      const known = problem instanceof ChainUnavailable ? problem : new ChainUnavailable("network");
      count(known.reason);
      throw known;
    }
  };
}

async function readBounded(response: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > mostBytes) throw new ChainUnavailable("malformed");
      parts.push(part);
    }
  } catch (problem) {
    if (problem instanceof ChainUnavailable) throw problem;
    throw new ChainUnavailable(isTimeout(problem) ? "timeout" : "network");
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

function isTimeout(problem: unknown): boolean {
  return problem instanceof Error && (problem.name === "TimeoutError" || problem.name === "AbortError");
}

function createGate(atOnce: number, waitingAtMost: number) {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (inside < atOnce) {
        inside++;
        return;
      }
      if (waiting.length >= waitingAtMost) throw new ChainUnavailable("busy");
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** The place passes straight to who has waited longest. */
    leave(): void {
      const next = waiting.shift();
      if (next) next();
      else inside--;
    },
  };
}
