// Sits between a reader and a node like a provider's cheapest plan: small batches, small ranges, few concurrent calls, no old
// state. Everything that it lets through is the node's own answer, and it counts the calls.
import type { Server } from "bun";

export interface StrictRules {
  /** Calls in one request; and the refusal for more. */
  batch?: { max: number; by: "413" | "one error" | "error for each" | "page" };
  /** Blocks in one `eth_getLogs`. */
  rangeMax?: number;
  /** Values in one position of a filter's topics. */
  topicsMax?: number;
  /** Only this many of each batch's calls are answered; the others are over the rate limit, inside an HTTP 200. */
  answeredMax?: number;
  /** Offers `eth_getBlockReceipts`, which the test chain does not have, with the chain's own receipts. */
  blockReceipts?: boolean;
  /** The answer to this call instead of passing it on; null: pass it on. */
  refuse?(method: string, params: readonly unknown[]): { code: number; message: string } | null;
}

interface StrictCall {
  id: unknown;
  method: string;
  params?: readonly unknown[];
}

export interface StrictProxy {
  url: string;
  /** Calls by method, as providers bill them; HTTP requests under "requests". */
  counts: Record<string, number>;
  /** Replaces the rules. */
  set(rules: StrictRules): void;
  stop(): Promise<void>;
}

const RATE_LIMITED = { code: 429, message: "Your app has exceeded its compute units per second capacity" };

export function createStrictProxy(target: string, first: StrictRules): StrictProxy {
  let rules = first;
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };

  const refusalOf = ({ method, params = [] }: StrictCall) => {
    const refused = rules.refuse?.(method, params) ?? null;
    if (refused || method !== "eth_getLogs") return refused;
    const {
      fromBlock,
      toBlock,
      topics = [],
    } = (params[0] ?? {}) as {
      fromBlock?: string;
      toBlock?: string;
      topics?: unknown[];
    };
    const blocks = Number(toBlock) - Number(fromBlock) + 1;
    if (rules.rangeMax !== undefined && blocks > rules.rangeMax)
      return { code: -32600, message: "You can make eth_getLogs requests with a smaller block range only" };
    const widest = Math.max(0, ...topics.map((topic) => (Array.isArray(topic) ? topic.length : 1)));
    if (rules.topicsMax !== undefined && widest > rules.topicsMax)
      return { code: -32602, message: "exceed max topics" };
    return null;
  };

  const refuseBatch = (calls: readonly StrictCall[]): Response => {
    const error = { code: -32600, message: "batch is larger than this plan allows" };
    if (rules.batch?.by === "413") return new Response("", { status: 413 });
    if (rules.batch?.by === "page") return new Response("<html>bad request</html>", { status: 400 });
    if (rules.batch?.by === "one error") return Response.json({ jsonrpc: "2.0", id: null, error });
    return Response.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, error })));
  };

  async function answer(request: Request): Promise<Response> {
    const asked = (await request.json()) as StrictCall | StrictCall[];
    const calls = Array.isArray(asked) ? asked : [asked];
    count("requests");
    for (const { method } of calls) count(method);
    if (rules.batch && calls.length > rules.batch.max) return refuseBatch(calls);
    const refused = calls.map((call, at) =>
      at >= (rules.answeredMax ?? Number.POSITIVE_INFINITY) ? RATE_LIMITED : refusalOf(call),
    );
    const passed = calls.filter((_, at) => refused[at] === null);
    const replies = passed.length > 0 ? await forward(passed) : [];
    const byId = new Map(replies.map((reply) => [reply.id, reply]));
    const said = calls.map((call, at) =>
      refused[at] ? { jsonrpc: "2.0", id: call.id, error: refused[at] } : byId.get(call.id),
    );
    return Response.json(Array.isArray(asked) ? said : said[0]);
  }

  async function forward(calls: readonly StrictCall[]): Promise<{ id: unknown }[]> {
    const isWhole = ({ method }: StrictCall) =>
      rules.blockReceipts === true && method === "eth_getBlockReceipts";
    const others = calls.filter((call) => !isWhole(call));
    const whole = await Promise.all(
      calls.filter(isWhole).map(async ({ id, params = [] }) => ({ id, result: await receiptsOf(params[0]) })),
    );
    return others.length > 0 ? [...(await send(others)), ...whole] : whole;
  }

  async function receiptsOf(height: unknown): Promise<unknown[]> {
    const question = { jsonrpc: "2.0", id: 0, method: "eth_getBlockByNumber", params: [height, false] };
    const [block] = (await send([question])) as { id: unknown; result?: { transactions: string[] } }[];
    const calls = (block?.result?.transactions ?? []).map((hash, id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_getTransactionReceipt",
      params: [hash],
    }));
    return (await send(calls)).map((reply) => (reply as { result?: unknown }).result);
  }

  async function send(calls: readonly StrictCall[]): Promise<{ id: unknown }[]> {
    const response = await fetch(target, {
      method: "POST",
      // The node closes idle connections by itself.
      keepalive: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls),
    });
    return (await response.json()) as { id: unknown }[];
  }

  const server: Server<undefined> = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  return {
    url: `http://127.0.0.1:${server.port}`,
    counts,
    set(next) {
      rules = next;
    },
    stop: () => server.stop(true),
  };
}
