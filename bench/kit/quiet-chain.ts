// A stand-in for a provider of an EVM chain on which nothing happens: its head follows from the time, and it counts what it is
// asked as providers bill it.
import type { Clock } from "../../kit/clock.ts";

interface RpcQuestion {
  id: number;
  method: string;
  params: unknown[];
}

export interface QuietChain {
  url: string;
  calls(): number;
  stop(): Promise<void>;
}

const hex = (value: number, digits = 0) => `0x${Math.floor(value).toString(16).padStart(digits, "0")}`;

/** Height and hash of its blocks follow from each other. */
export const quietHash = (height: number): string => hex(height + 1, 64);

export function serveQuietChain(clock: Clock, blockMs: number): QuietChain {
  const block = (height: number) => ({
    number: hex(height),
    hash: quietHash(height),
    parentHash: quietHash(height - 1),
    timestamp: hex((height * blockMs) / 1_000),
    transactions: [],
  });
  let calls = 0;
  const answer = ({ id, method, params }: RpcQuestion) => {
    calls += 1;
    const head = Math.floor(clock.now() / blockMs);
    const height = params[0] === "latest" ? head : Number(params[0]);
    const result = method === "eth_getLogs" ? [] : height > head ? null : block(height);
    return { jsonrpc: "2.0", id, result };
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const asked = (await request.json()) as RpcQuestion | RpcQuestion[];
      return Response.json(Array.isArray(asked) ? asked.map(answer) : answer(asked));
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, calls: () => calls, stop: () => server.stop(true) };
}
