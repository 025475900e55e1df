// Is it bait? One trader's counts next to the rates of many.
import type { Routes } from "../../../contract/routes.ts";
import { type RiskCount, type RiskName, rateOf } from "../../model/risk.ts";
import type { Handler } from "../answer.ts";
import { createTapeReader } from "../copy/tape.ts";
import { iso } from "../present/common.ts";
import { type BaseRates, createBaseRates } from "../risk/base-rates.ts";
import { createRiskReader, RISK_WINDOW_MS } from "../risk/reader.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

/** Counts that a platform may not provide, and those that no platform does yet. */
const UNKNOWN = [
  {
    count: "launchBlock",
    reason:
      "The platform does not say when the pools of these tokens were opened, or all were bought before.",
  },
  { count: "sharedFunder", reason: "The platform does not report where a wallet's first coins came from." },
] as const;

export function riskRoutes(
  {
    profits,
    upstream,
    store,
    log,
    tapeBytesMax,
  }: Pick<Services, "profits" | "upstream" | "store" | "log" | "tapeBytesMax">,
  identify: Identify,
): { getRisk: Handler<Routes["getRisk"]> } {
  const tape = createTapeReader({ upstream, store, log, bytesMax: tapeBytesMax });
  const read = createRiskReader(store, tape);
  const baseRates = createBaseRates({ store, profits, read, log });

  return {
    async getRisk({ params }, call) {
      const trader = await identify(params.handle, call);
      const books = await profits.books.read(trader, call.asOf, call);
      const { counts, truncated } = await read(trader.userId, books, call);
      const base = baseRates(call.asOf);
      const shown = (name: RiskName) => presentCount(counts[name], base?.rates[name] ?? null);
      return {
        found: Object.values(counts).some(({ n }) => n > 0),
        body: {
          handle: trader.handle,
          userId: trader.userId,
          from: iso(books.asOf - RISK_WINDOW_MS),
          asOf: iso(books.asOf),
          available: books.available,
          counts: {
            quickDump: shown("quickDump"),
            soldIntoFollowers: shown("soldIntoFollowers"),
            followersLeftHolding: shown("followersLeftHolding"),
            launchBlock: counts.launchBlock.n === 0 ? null : shown("launchBlock"),
            sharedFunder: null,
            roundTrips: shown("roundTrips"),
            winsWhileFollowersLose: shown("winsWhileFollowersLose"),
          },
          unknown: UNKNOWN.filter(({ count }) => count !== "launchBlock" || counts.launchBlock.n === 0),
          base: base && { traders: base.traders, asOf: iso(base.asOf) },
          othersFrom: iso(Math.max(await store.log.beganAt(), (await store.fills.oldestAt()) ?? 0)),
          truncated,
          source: books.isLive ? ("live-upstream" as const) : ("captured" as const),
          note: noteOf(base),
        },
      };
    },
  };
}

function presentCount(count: RiskCount, rateOfAll: number | null) {
  const { rate, low90, high90 } = rateOf(count);
  const flagged = low90 === null || rateOfAll === null ? null : low90 > rateOfAll;
  const { x, n, evidence } = count;
  return { x, n, rate, rateOfAll, low90, high90, flagged, evidence };
}

const noteOf = (base: BaseRates | null): string | null =>
  base === null ? "The rates of others are being worked out: ask again in a minute." : null;
