// How an endpoint that is behind catches up: pages of the log that its filter leads to, one reader at a time, until it is
// at the tail. Pruned parts of the log are a gap, which the next body reports.
import type { Log } from "../../kit/log.ts";
import { nextTurn } from "../../kit/turn.ts";
import { readAlerts } from "../feed/alerts.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import type { Endpoint } from "./endpoint.ts";
import type { LostRange } from "./message.ts";
import { joinTakenBack, takenBackAfter } from "./taken-back.ts";

export interface PagesParts {
  log: LogStore;
  logger: Log;
  newest(): number;
  /** Writes a change of the endpoint's row and takes it over. */
  write(endpoint: Endpoint, change: (row: StoredWebhook) => StoredWebhook): Promise<void>;
}

/** Events of one page: a batch of the largest kind, and the most that an endpoint holds in memory while it is behind. */
const PAGE_EVENTS = 100;

/** Reads the next page into `ready`, which is empty. */
export type ReadPage = (endpoint: Endpoint) => Promise<void>;

export function createPages({ log, logger, newest, write }: PagesParts): ReadPage {
  const inTurn = createTurns();

  /** Skips what was pruned, and records the gap. */
  const skipTo = (endpoint: Endpoint, position: number): Promise<void> => {
    const from = endpoint.coveredTo + 1;
    logger.warn("the log no longer reaches back to a webhook's position", {
      webhookId: endpoint.webhook.id,
      from,
      to: position,
    });
    endpoint.coveredTo = position;
    return write(endpoint, (row) => ({
      ...row,
      position: Math.max(row.position, position),
      gap: JSON.stringify(joined(row.gap, { fromSeq: from, toSeq: position })),
    }));
  };

  return async (endpoint) => {
    const { generation, pendingTo } = endpoint.webhook;
    const oldest = (await log.oldest()).seq;
    if (oldest - 1 > endpoint.coveredTo) await skipTo(endpoint, Math.min(oldest - 1, newest()));
    const from = endpoint.coveredTo;
    // A request that is tried again ends where it ended before.
    const upTo = pendingTo !== null && pendingTo > from ? Math.min(pendingTo, newest()) : newest();
    if (upTo <= from) return;
    const walk = { limit: PAGE_EVENTS, order: "asc", after: from, before: upTo + 1 } as const;
    const { page, own, readTo } = await inTurn(async () => {
      const alerts = await readAlerts(log, endpoint.filter, walk);
      // After the alerts, so that one which is taken back between the two reads is known.
      return { page: alerts, ...(await takenBackAfter(log, endpoint, from)) };
    });
    // Asked again after reading: if anything was pruned meanwhile, this page may lack it, and is read again.
    if ((await log.oldest()).seq - 1 > from || endpoint.webhook.generation !== generation) return;
    const reached = page.hasMore ? (page.reached ?? page.events.at(-1)?.seq ?? upTo) : upTo;
    const to = Math.min(reached, readTo);
    const news = page.events.filter(({ isHistory }) => isHistory !== true);
    endpoint.ready.push(...joinTakenBack(endpoint, { from, to }, news, own));
    endpoint.coveredTo = to;
  };
}

function joined(before: string | null, gap: LostRange): LostRange {
  const earlier = before === null ? null : (JSON.parse(before) as LostRange);
  return earlier ? { fromSeq: earlier.fromSeq, toSeq: gap.toSeq } : gap;
}

/** One read per turn of the event loop: a crowd that is catching up yields to other work in between. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.then(nextTurn, nextTurn);
    return mine;
  };
}
