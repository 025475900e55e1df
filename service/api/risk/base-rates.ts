// The base rates of what is counted for one trader: over the traders of the newest captured fills, computed in the
// background on request, and again when outdated. Until then an answer has the earlier rates, or none.
import type { Log } from "../../../kit/log.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { pooledRates, type RiskCounts, type RiskName } from "../../model/risk.ts";
import type { Store } from "../../store/store.ts";
import type { BooksReader } from "../profit/books-reader.ts";
import { RISK_WINDOW_MS, type RiskReader } from "./reader.ts";

export interface BaseRates {
  asOf: number;
  traders: number;
  rates: Record<RiskName, number | null>;
}

const TRADERS_MAX = 150;
const PAGE_ROWS = 250;
/** Pages of fills that are searched for this many traders. */
const PAGES_MAX = 80;
const KEPT_MS = 6 * HOUR_MS;
/** The earliest retry after a failure. */
const RETRY_MS = MINUTE_MS;
/** For one trader's read. */
const DEADLINE_MS = 10_000;

interface BaseParts {
  store: Pick<Store, "fills" | "traders">;
  profits: { books: BooksReader };
  read: RiskReader;
  log: Log;
}

/** Returns what is known now, and starts a refresh if it is outdated. */
export function createBaseRates({
  store,
  profits,
  read,
  log,
}: BaseParts): (asOf: number) => BaseRates | null {
  let known: BaseRates | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isBusy = false;

  const someTraders = async (asOf: number): Promise<string[]> => {
    const found = new Set<string>();
    let cursor: Parameters<typeof store.fills.between>[0]["cursor"] = null;
    for (let pages = 0; pages < PAGES_MAX && found.size < TRADERS_MAX; pages++) {
      const page: Awaited<ReturnType<typeof store.fills.between>> = await store.fills.between({
        from: asOf - RISK_WINDOW_MS,
        to: asOf,
        order: "desc",
        of: { kind: "everybody" },
        limit: PAGE_ROWS,
        cursor,
      });
      for (const { userId } of page.rows) if (found.size < TRADERS_MAX) found.add(userId);
      cursor = page.next;
      if (cursor === null) break;
      await servingTurn();
    }
    return [...found];
  };

  const work = async (asOf: number): Promise<void> => {
    const call = { asOf, deadlineMs: DEADLINE_MS };
    const all: RiskCounts[] = [];
    for (const userId of await someTraders(asOf)) {
      const own = await profits.books.read({ userId, handle: userId }, asOf, call);
      all.push((await read(userId, own, call)).counts);
      await servingTurn();
    }
    known = { asOf, traders: all.length, rates: pooledRates(all) };
  };

  return (asOf) => {
    const isOld = known === null || asOf - known.asOf > KEPT_MS;
    if (isOld && !isBusy && asOf - triedAt >= RETRY_MS) {
      isBusy = true;
      triedAt = asOf;
      work(asOf)
        .catch((error: unknown) => log.warn("base rates were not computed", { error: String(error) }))
        .finally(() => {
          isBusy = false;
        });
    }
    return known;
  };
}
