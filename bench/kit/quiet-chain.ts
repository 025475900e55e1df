// A stand-in for a provider of an EVM chain without any activity: its head follows from the time, it announces new heads on a
// socket, and it counts calls as providers bill them.
import type { Clock } from "../../kit/clock.ts";

interface RpcQuestion {
  id: number;
  method: string;
  params: unknown[];
}

export interface QuietChain {
  url: string;
  webSocketUrl: string;
  /** Each head sent on a socket counts as one. */
  calls(): number;
  stop(): Promise<void>;
}

const hex = (value: number, digits = 0) => `0x${Math.floor(value).toString(16).padStart(digits, "0")}`;

/** Height and hash of its blocks can be derived from each other. */
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
  const stopping = new AbortController();
  const tell = async (socket: Bun.ServerWebSocket<undefined>): Promise<void> => {
    for (let head = Math.floor(clock.now() / blockMs); !stopping.signal.aborted; ) {
      await clock.sleep(blockMs / 10, stopping.signal);
      for (; head < Math.floor(clock.now() / blockMs); calls += 1) {
        head += 1;
        const params = { subscription: "0x1", result: block(head) };
        socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }));
      }
    }
  };
  const server = Bun.serve<undefined>({
    port: 0,
    hostname: "127.0.0.1",
    websocket: {
      message(socket, text) {
        const { id, params } = JSON.parse(String(text)) as RpcQuestion;
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: hex(id) }));
        if (params[0] === "newHeads") void tell(socket);
      },
    },
    async fetch(request, own) {
      if (own.upgrade(request, { data: undefined })) return undefined;
      const asked = (await request.json()) as RpcQuestion | RpcQuestion[];
      return Response.json(Array.isArray(asked) ? asked.map(answer) : answer(asked));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    webSocketUrl: `ws://127.0.0.1:${server.port}`,
    calls: () => calls,
    stop() {
      stopping.abort();
      return server.stop(true);
    },
  };
}
