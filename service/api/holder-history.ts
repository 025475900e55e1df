// How many tracked traders held a token at each whole hour or day, and now. The rows that one call reads are bounded:
// points beyond that, or from a time that is not captured yet, are left out.
import { fault } from "../../contract/errors.ts";
import type { Keyset } from "../../database/keyset.ts";
import { servingTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { TokenInfo } from "../../protocol/shapes/token.ts";
import { createHolderRewind } from "../model/holder-rewind.ts";
import type { TokenRef } from "../model/token.ts";
import type { Services } from "./services.ts";

/** Rows per turn of the event loop: a few milliseconds of parsing. */
const PAGE_ROWS = 200;
/** A busy token's fills of a week. */
const FILLS_MAX = 10_000;

const APART_MS = { "1h": HOUR_MS, "1d": DAY_MS } as const;

export interface HolderPoint {
  at: number;
  holders: number;
}

export interface HolderQuestion {
  interval: keyof typeof APART_MS;
  /** The most points, including the current one. */
  limit: number;
  now: number;
  signal: AbortSignal;
}

/** Oldest first. */
export async function holderHistory(
  store: Services["store"],
  token: TokenRef & Pick<TokenInfo, "launchedAt">,
  { interval, limit, now, signal }: HolderQuestion,
): Promise<HolderPoint[]> {
  const apartMs = APART_MS[interval];
  const newest = Math.ceil(now / apartMs) * apartMs - apartMs;
  const rewind = createHolderRewind(await store.positions.held(token.address, token.networkId));
  const points: HolderPoint[] = [{ at: now, holders: rewind.holders() }];
  const coveredFrom = await capturedSince(store, now);
  const from = Math.max(coveredFrom, token.launchedAt ?? 0, newest - (limit - 2) * apartMs);
  const nextAt = () => newest - (points.length - 1) * apartMs;
  const of = { kind: "token", address: token.address, networkId: token.networkId } as const;
  let cursor: Keyset | null = null;
  for (let looked = 0; looked < FILLS_MAX; looked += PAGE_ROWS) {
    const page = await store.fills.between({
      from,
      to: now + 1,
      order: "desc",
      of,
      limit: PAGE_ROWS,
      cursor,
    });
    for (const fill of page.rows) {
      while (nextAt() > fill.at) points.push({ at: nextAt(), holders: rewind.holders() });
      rewind.undo(fill);
    }
    if (page.next === null) {
      while (nextAt() >= from) points.push({ at: nextAt(), holders: rewind.holders() });
      break;
    }
    cursor = page.next;
    await servingTurn();
    if (signal.aborted) throw fault("unavailable", "The caller has gone.");
  }
  return points.reverse();
}

/** The past is backfilled newest first: until that is done, only the range captured live is complete. */
async function capturedSince({ log }: Services["store"], now: number): Promise<number> {
  const isReadingPast = (await log.historyLeft()).length > 0;
  return isReadingPast ? log.beganAt() : ((await log.oldest()).capturedAt ?? now);
}
