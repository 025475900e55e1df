// One of the measurements of bench/history-store.ts, in its own process, over the store that the settings name; prints the
// result. It uses only the service's own code; the platform supports nothing, so that everything comes from the store.
import { createChains } from "../contract/chains.ts";
import { servingTurn } from "../kit/turn.ts";
import { DAY_MS } from "../kit/units.ts";
import { STANDARD_TERMS } from "../replay/test-market.ts";
import type { RouteCall } from "../service/api/answer.ts";
import { createFollow } from "../service/api/copy/follow.ts";
import { copiedBooks } from "../service/api/copy/leader.ts";
import { createTapeReader } from "../service/api/copy/tape.ts";
import { createProfits } from "../service/api/profit/profits.ts";
import { fillRoutes } from "../service/api/routes/fills.ts";
import { UnsupportedRead } from "../service/api/unsupported.ts";
import { atTheDesk, type Desk } from "../service/commands/operator.ts";
import type { Upstream } from "../service/upstream/port.ts";
import { CANDLE_DAYS, endsAt, userOf } from "./history-store-rows.ts";

interface Reading {
  done: number;
  note: string;
}

const LOG_PAGE = 1_000;
const EXPORTED_MAX = 200_000;
const EXPORT_PAGE = 100;
const LEADER = { userId: userOf(0), handle: "handle-0" };

const callAt = (asOf: number) =>
  ({ asOf, deadlineMs: 60_000, signal: new AbortController().signal, delayMs: 0 }) as RouteCall;

/** As a returning node does, or a socket that resumes from the first event. */
async function readLog({ store }: Desk): Promise<Reading> {
  let [seq, done] = [0, 0];
  for (;;) {
    const events = await store.log.readAfter(seq, { limit: LOG_PAGE });
    done += events.length;
    const last = events.at(-1);
    if (!last) return { done, note: "" };
    seq = last.seq;
    await servingTurn();
  }
}

async function exportFills({ config, store }: Desk, order: "asc" | "desc"): Promise<Reading> {
  const chains = createChains(config.altchain);
  const { listFills } = fillRoutes({ store, chains }, async () => {
    throw new Error("nobody is asked for");
  });
  const call = callAt(Number.MAX_SAFE_INTEGER);
  let [cursor, done, chars]: [string | undefined, number, number] = [undefined, 0, 0];
  do {
    const query = { order, limit: EXPORT_PAGE, format: "csv", ...(cursor ? { cursor } : {}) } as const;
    const { body, instead } = await listFills({ params: {}, query, body: undefined } as never, call);
    done += body.count;
    chars += instead?.text.length ?? 0;
    cursor = body.nextCursor ?? undefined;
    await servingTurn();
  } while (cursor !== undefined && done < EXPORTED_MAX);
  return { done, note: `${chars} characters` };
}

async function replayOne({ config, store, kit }: Desk): Promise<Reading> {
  const unsupported = async () => {
    throw new UnsupportedRead("anything");
  };
  const away = async () => ({ kind: "failed" });
  const upstream = new Proxy({} as Upstream, { get: (_, name) => (name === "quotes" ? away : unsupported) });
  const profits = createProfits({ upstream, store, clock: kit.clock });
  const tapes = createTapeReader({ upstream, store, log: kit.log, bytesMax: config.tapeBytesMax });
  const to = endsAt(kit.clock.now());
  const terms = { ...STANDARD_TERMS, from: to - CANDLE_DAYS * DAY_MS, to, capitalUsd: 100_000 };
  const books = await profits.books.read(LEADER, to, callAt(to));
  const copied = copiedBooks(books.rows, terms);
  const leaders = [{ who: LEADER, books, copied, chosen: null }];
  const { answer } = await createFollow(profits, tapes)({ leaders, terms }, callAt(to));
  return { done: copied.fills, note: `${answer.orders.length} orders` };
}

export const TASKS: Record<string, { what: string; run(desk: Desk): Promise<Reading> }> = {
  log: { what: "the log, from first to last", run: readLog },
  oldest: { what: "the oldest fills as CSV", run: (desk) => exportFills(desk, "asc") },
  newest: { what: "the newest fills as CSV", run: (desk) => exportFills(desk, "desc") },
  replay: { what: `following one trader for ${CANDLE_DAYS} days`, run: replayOne },
};

if (import.meta.main) {
  const task = TASKS[String(process.argv[2])];
  if (task) console.log(JSON.stringify(await atTheDesk(task.run)));
}
