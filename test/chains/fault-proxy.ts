// Sits between a reader and a node and misbehaves by a seed, the way providers do: rate limits, dropped connections, truncated
// answers, HTML instead of JSON, results that are late, repeated, missing or wrong. It can be turned off.
import type { Server, ServerWebSocket } from "bun";

export interface Fault {
  /** Out of a hundred calls of this method. */
  percent: number;
  methods: readonly string[];
  /** The node's answer, made worse. */
  spoil(result: unknown, params: readonly unknown[], chance: () => number): unknown;
}

export interface FaultProxyOptions {
  target: string;
  webSocketTarget: string | null;
  /** A number from 0 to 1, seeded by the test. */
  chance: () => number;
  /** Out of a hundred HTTP requests: refused with 429, cut off, truncated, answered with an HTML page. */
  limited: number;
  dropped: number;
  truncated: number;
  pages: number;
  /** Out of a hundred socket notifications: repeated, lost, or the socket is closed instead. */
  repeatedNotices: number;
  lostNotices: number;
  closedSockets: number;
  faults: readonly Fault[];
  /** The messages that a socket forwards in place of one from the node. */
  relay?(message: string): readonly string[];
  /** Methods that the proxy answers itself. */
  answers?: Record<string, (params: readonly unknown[]) => unknown>;
}

export interface FaultProxy {
  url: string;
  webSocketUrl: string;
  /** How often it misbehaved. */
  count(): number;
  setEnabled(enabled: boolean): void;
  stop(): Promise<void>;
}

interface Request {
  id: unknown;
  method: string;
  params?: readonly unknown[];
}

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: unknown;
}

interface Line {
  target: WebSocket | null;
  waiting: string[];
}

export function createFaultProxy(options: FaultProxyOptions): FaultProxy {
  const { chance } = options;
  let isEnabled = true;
  let count = 0;
  const happens = (percent: number): boolean => {
    const does = isEnabled && chance() * 100 < percent;
    if (does) count += 1;
    return does;
  };

  const spoilt = (request: Request, answer: Answer): unknown => {
    const own = options.answers?.[request.method];
    if (own) return { jsonrpc: "2.0", id: request.id, result: own(request.params ?? []) };
    if (!("result" in answer)) return answer;
    let { result } = answer;
    for (const fault of options.faults)
      if (fault.methods.includes(request.method) && happens(fault.percent))
        result = fault.spoil(result, request.params ?? [], chance);
    return result === REFUSED
      ? {
          jsonrpc: "2.0",
          id: request.id,
          error: { code: -32005, message: "query returned more than 10000 results" },
        }
      : { ...answer, result };
  };

  async function forward(request: globalThis.Request): Promise<Response> {
    const text = await request.text();
    if (happens(options.limited))
      return new Response("slow down", { status: 429, headers: { "retry-after": "0" } });
    if (happens(options.pages)) return new Response("<html>502</html>", { status: 502 });
    const response = await fetch(options.target, {
      method: "POST",
      // The only faults are those that are asked for, and the node closes idle connections by itself.
      keepalive: false,
      headers: { "content-type": "application/json" },
      body: text,
    });
    const asked = JSON.parse(text) as Request | Request[];
    const answers = (await response.json()) as Answer[] | Answer;
    const requests = Array.isArray(asked) ? asked : [asked];
    const byId = new Map((Array.isArray(answers) ? answers : [answers]).map((one) => [one.id, one]));
    const spoiltAnswers = requests.map((one) => spoilt(one, byId.get(one.id) ?? {}));
    const body = JSON.stringify(Array.isArray(asked) ? spoiltAnswers : spoiltAnswers[0]);
    if (happens(options.truncated)) return new Response(body.slice(0, body.length / 2));
    return new Response(body, { headers: { "content-type": "application/json" } });
  }

  const server: Server<Line> = Bun.serve<Line>({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, own) {
      if (own.upgrade(request, { data: { target: null, waiting: [] } })) return undefined;
      // A body that never ends within the client's patience would only slow tests down; an error closes the connection.
      if (happens(options.dropped)) return Promise.reject(new Error("dropped"));
      return forward(request);
    },
    error: () => new Response(null, { status: 500 }),
    websocket: {
      open: (socket) => connect(socket),
      message: (socket, message) => {
        const { target, waiting } = socket.data;
        if (target?.readyState === WebSocket.OPEN) target.send(String(message));
        else waiting.push(String(message));
      },
      close: (socket) => socket.data.target?.close(),
    },
  });

  function connect(socket: ServerWebSocket<Line>): void {
    if (options.webSocketTarget === null) return void socket.close();
    const target = new WebSocket(options.webSocketTarget);
    socket.data.target = target;
    target.onopen = () => {
      for (const message of socket.data.waiting.splice(0)) target.send(message);
    };
    target.onmessage = ({ data }) => {
      if (happens(options.closedSockets)) return void socket.close();
      if (happens(options.lostNotices)) return;
      for (const message of options.relay?.(String(data)) ?? [String(data)]) socket.send(message);
      if (happens(options.repeatedNotices)) socket.send(String(data));
    };
    target.onclose = () => socket.close();
    target.onerror = () => socket.close();
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    webSocketUrl: `ws://127.0.0.1:${server.port}`,
    count: () => count,
    setEnabled: (enabled) => {
      isEnabled = enabled;
    },
    stop: () => server.stop(true),
  };
}

/** Returned by `spoil` to refuse the call instead. */
export const REFUSED = Symbol("refused");
