// The client: one method per operation, built from the generated table; walks over every cursor; the two streams.
import { type Budget, createBudget } from "./budget.ts";
import { type Methods, OPERATIONS, type Pages, type Rows } from "./generated.ts";
import {
  batchCeilingOf,
  batchCostOf,
  type CallOptions,
  ceilingOf,
  type Fields,
  type Input,
  type OperationRow,
  requestOf,
} from "./operation.ts";
import { type AlertStream, type AlertStreamOptions, alertStream } from "./stream/alerts.ts";
import type { StreamParts, WebSocketLike } from "./stream/socket.ts";
import { type TradeStream, type TradeStreamOptions, tradeStream } from "./stream/trades.ts";
import { systemTime } from "./time.ts";
import { type Answer, createTransport, type Receipt, type TransportOptions } from "./transport.ts";
import { walkPages, walkRows } from "./walk.ts";

export interface ClientOptions extends TransportOptions {
  /** For runtimes without a built-in WebSocket, such as Node 20. */
  WebSocket?: new (
    url: string,
  ) => WebSocketLike;
}

export interface Crowdtape extends Methods {
  /** `for await (const trade of client.rows.listTrades({ handle }))`. */
  rows: Rows;
  pages: Pages;
  /** The app's feed, live. It reconnects and resumes automatically. */
  alerts(options?: AlertStreamOptions): AlertStream;
  /** Trades read from the chain, live. Needs a plan with on-chain data. */
  trades(options?: TradeStreamOptions): TradeStream;
  /** Sends any request that the service accepts, unchanged. Its price is not known beforehand, so no budget can refuse it. */
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** This client's spending, and the remaining balance reported by the service. */
  readonly credits: { spent: number; remaining: number | null };
}

const receipts = new WeakMap<object, Receipt>();

/** An answer's cost and other header values; undefined for anything that is not an answer of this client. */
export function receiptOf(answer: object): Receipt | undefined {
  return receipts.get(answer);
}

type Table = Record<string, OperationRow>;

export function createClient(options: ClientOptions = {}): Crowdtape {
  const transport = createTransport(options);

  const ask = async (row: OperationRow, input: Input, callOptions?: CallOptions, budget?: Budget) => {
    const isFree = row[2]?.keyless && !transport.hasKey;
    const isBatch = row === OPERATIONS.batch;
    const credits = isFree ? 0 : isBatch ? batchCeilingOf(OPERATIONS, input) : ceilingOf(row, input);
    // With its idempotency key nothing in a batch is charged twice.
    const request = {
      ...requestOf(row, input),
      credits,
      isFree: credits === 0 || isBatch,
      ...(isBatch ? { costOf: batchCostOf } : {}),
    };
    const { body, receipt } = await transport.send(request, callOptions, budget);
    if (typeof body === "object" && body !== null) receipts.set(body, receipt);
    return body;
  };

  const pagesOf = (row: OperationRow, input: Input, callOptions?: CallOptions) => {
    const { walk } = row[2] ?? {};
    if (!walk) throw new TypeError("This operation has no pages.");
    // One budget for the whole walk.
    const budget = callOptions?.maxCredits === undefined ? undefined : createBudget(callOptions.maxCredits);
    return walkPages(walk, input, (page) => ask(row, page, callOptions, budget) as Promise<Fields>);
  };

  const methods: Fields = {};
  const pages: Fields = {};
  const rows: Fields = {};
  for (const [id, row] of Object.entries(OPERATIONS as Table)) {
    const walk = row[2]?.walk;
    methods[id] = (input: Input = {}, each?: CallOptions) => ask(row, input, each);
    if (!walk) continue;
    pages[id] = (input: Input = {}, each?: CallOptions) => pagesOf(row, input, each);
    const [list] = walk;
    if (list === null) continue;
    rows[id] = (input: Input = {}, each?: CallOptions) => walkRows(list, pagesOf(row, input, each));
  }

  const client = Object.assign(methods as unknown as Methods, {
    rows: rows as unknown as Rows,
    pages: pages as unknown as Pages,
    alerts: (each?: AlertStreamOptions) => alertStream(parts(), each),
    trades: (each?: TradeStreamOptions) => tradeStream(parts(), each),
    send: (method: string, path: string, body?: unknown, each?: CallOptions) =>
      transport.send(
        {
          method,
          path,
          credits: 0,
          isFree: false,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        each,
      ),
  }) as Crowdtape;
  Object.defineProperty(client, "credits", {
    get: () => ({ spent: transport.spent(), remaining: transport.remaining() }),
  });
  const parts = (): StreamParts => ({
    client,
    server: transport.server,
    hasKey: transport.hasKey,
    time: options.time ?? systemTime,
    WebSocket: options.WebSocket ?? globalThis.WebSocket,
  });
  return client;
}
