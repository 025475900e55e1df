// A scripted server for the client's tests that records the requests it gets.
import type { Server, ServerWebSocket } from "bun";

export interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

export interface ScriptedServer {
  url: string;
  asked: Asked[];
  /** The query of each opened socket. */
  opened: URLSearchParams[];
  sockets: ServerWebSocket<undefined>[];
  stop(): Promise<void>;
}

/** A response, or null to hang up without one. */
export type Reply = (asked: Asked, count: number) => Response | null;

export interface Script {
  reply?: Reply;
  /** Called when a socket opens; sockets are counted from 0. */
  onOpen?: (socket: ServerWebSocket<undefined>, query: URLSearchParams, count: number) => void;
}

export const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  Response.json(body, { status, headers: { "x-credits-cost": "0", "x-request-id": "req_1", ...headers } });

export const refusal = (error: string, status: number, more: object = {}, headers = {}) =>
  json(
    { error, message: "No.", status, retryable: false, requestId: "req_1", docs: "/docs", ...more },
    headers,
    status,
  );

export function serveScript({ reply, onOpen }: Script): ScriptedServer {
  const asked: Asked[] = [];
  const opened: URLSearchParams[] = [];
  const sockets: ServerWebSocket<undefined>[] = [];
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, self) {
      const { pathname, search, searchParams } = new URL(request.url);
      if (pathname.startsWith("/ws/")) {
        opened.push(searchParams);
        return self.upgrade(request) ? undefined : new Response(null, { status: 400 });
      }
      const one = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: await request.text(),
      };
      asked.push(one);
      const response = reply?.(one, asked.length) ?? null;
      if (response) return response;
      if (pathname === "/v2/stream-tickets") return json({ ticket: `tkt_${asked.length}` }, {}, 201);
      // Closed before a byte was sent: the caller can't know the outcome of its request.
      self.timeout(request, 1);
      return new Promise<Response>(() => {});
    },
    websocket: {
      open(socket) {
        sockets.push(socket);
        onOpen?.(socket, opened.at(-1) ?? new URLSearchParams(), sockets.length - 1);
      },
      message() {},
    },
  });
  return { url: server.url.href.replace(/\/$/, ""), asked, opened, sockets, stop: () => server.stop(true) };
}
