// For tests: a Solana node over real HTTP and WebSocket, in front of the test ledger. Subscribers are notified when a
// commitment advances; a test may make the node refuse, lie, fall behind or drop its sockets.
import type { ServerWebSocket } from "bun";
import type { Level, TestLedger } from "./ledger.ts";
import { RpcError, RpcView } from "./rpc.ts";

interface Subscription {
  id: number;
  socket: ServerWebSocket<undefined>;
  method: string;
  level: Level;
  /** The address or signature that must be mentioned. */
  target: string | null;
  /** How many blocks of this level it was notified of, and the last one's hash. */
  sent: number;
}

interface Call {
  id: unknown;
  method: string;
  params?: unknown[];
}

/** Answers instead of the node: for the whole request, with a result, with a refusal, or undefined to let the node answer. */
export type Instead = (
  method: string,
  params: unknown[],
) => Response | { result: unknown } | { error: { code: number; message: string } } | undefined;

export class TestNode {
  readonly view: RpcView;
  readonly calls: string[] = [];
  instead: Instead = () => undefined;
  /** The delay of the next request, both before the node reads the ledger and before its answer is sent. */
  delayMs: () => number = () => 0;
  /** Sends every notification twice. */
  duplicates = false;
  private readonly server: Bun.Server<undefined>;
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly sockets = new Set<ServerWebSocket<undefined>>();
  private nextId = 1;

  constructor(ledger: TestLedger) {
    this.view = new RpcView(ledger);
    const before = ledger.onAdvance;
    ledger.onAdvance = () => {
      before();
      this.notify();
    };
    this.server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, server) => {
        if (request.headers.get("upgrade") === "websocket" && server.upgrade(request)) return undefined;
        return this.http(request);
      },
      websocket: {
        open: (socket) => void this.sockets.add(socket),
        close: (socket) => this.forget(socket),
        message: (socket, text) => this.hear(socket, String(text)),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/?api-key=canary-of-the-rpc`;
  }

  get wsUrl(): string {
    return this.url.replace("http:", "ws:");
  }

  get subscribers(): number {
    return this.subscriptions.size;
  }

  dropSockets(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  stop(): Promise<void> {
    return this.server.stop(true);
  }

  private async http(request: Request): Promise<Response> {
    const body = (await request.json()) as Call | Call[];
    await this.delay();
    const calls = Array.isArray(body) ? body : [body];
    const answers: unknown[] = [];
    for (const call of calls) {
      this.calls.push(call.method);
      const other = this.instead(call.method, call.params ?? []);
      if (other instanceof Response) return other;
      const answer = other ?? this.answer(call.method, call.params ?? []);
      answers.push({ jsonrpc: "2.0", id: call.id, ...answer });
    }
    await this.delay();
    return Response.json(Array.isArray(body) ? answers : answers[0]);
  }

  private async delay(): Promise<void> {
    const delayMs = this.delayMs();
    if (delayMs > 0) await Bun.sleep(delayMs);
  }

  private answer(method: string, params: unknown[]): { result: unknown } | { error: unknown } {
    try {
      return { result: this.view.answer(method, params) ?? null };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  private hear(socket: ServerWebSocket<undefined>, text: string): void {
    const { id, method, params = [] } = JSON.parse(text) as Call;
    const reply = (body: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    if (method.endsWith("Unsubscribe"))
      return void reply({ result: this.subscriptions.delete(Number(params[0])) });
    if (!/^(logs|slot|root|signature)Subscribe$/.test(method))
      return void reply({ error: { code: -32601, message: "Method not found" } });
    const level = (params[1] as { commitment?: Level } | undefined)?.commitment ?? "finalized";
    const target = targetOf(method, params[0]);
    const sent = this.view.blocks(levelOf(method, level)).length;
    const subscription = { id: this.nextId++, socket, method, level, target, sent };
    reply({ result: subscription.id });
    this.subscriptions.set(subscription.id, subscription);
  }

  private forget(socket: ServerWebSocket<undefined>): void {
    this.sockets.delete(socket);
    for (const [id, each] of this.subscriptions) if (each.socket === socket) this.subscriptions.delete(id);
  }

  private notify(): void {
    for (const subscription of this.subscriptions.values()) {
      const blocks = this.view.blocks(levelOf(subscription.method, subscription.level));
      const fresh = blocks.slice(subscription.sent);
      subscription.sent = blocks.length;
      for (const { slot, parentSlot, transactions } of fresh) {
        if (subscription.method === "slotSubscribe")
          this.tell(subscription, "slotNotification", {
            slot,
            parent: parentSlot,
            root: this.view.head().slot,
          });
        else if (subscription.method === "rootSubscribe") this.tell(subscription, "rootNotification", slot);
        else
          for (const { signature, keys, logs, meta } of transactions) {
            const context = { slot };
            const { method, target } = subscription;
            if (method === "logsSubscribe" && (target === null || keys.includes(target)))
              this.tell(subscription, "logsNotification", {
                context,
                value: { signature, err: meta.err, logs },
              });
            if (method === "signatureSubscribe" && signature === target)
              this.tell(subscription, "signatureNotification", { context, value: { err: meta.err } });
          }
      }
    }
  }

  private tell({ socket, id }: Subscription, method: string, result: unknown): void {
    const text = JSON.stringify({ jsonrpc: "2.0", method, params: { subscription: id, result } });
    for (let times = this.duplicates ? 2 : 1; times > 0; times--) socket.send(text);
  }
}

function levelOf(method: string, level: Level): Level {
  if (method === "slotSubscribe") return "processed";
  return method === "rootSubscribe" ? "finalized" : level;
}

function targetOf(method: string, filter: unknown): string | null {
  if (method === "signatureSubscribe") return String(filter);
  const mentions = (filter as { mentions?: string[] } | undefined)?.mentions;
  return mentions?.[0] ?? null;
}
