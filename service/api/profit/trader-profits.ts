// The profit in /v2/users: computed from the trader's books at the moment of the call, like /pnl. If a platform's books
// can't be read, its own figures are used, and the answer says so.
import { PNL_WINDOWS, type PnlWindow, type Trader } from "../../../protocol/shapes/trader.ts";
import type { RouteCall } from "../answer.ts";
import { iso, type TraderProfits } from "../present/common.ts";
import type { Services } from "../services.ts";
import { secondsLeft } from "./moment.ts";
import { presentProfit } from "./present.ts";

/** The platform's own figures change independently; one read of them is used for this long. */
const PLATFORM_SECONDS = 15;

type Windows = TraderProfits["windows"];

export async function traderProfits(
  { profits, clock }: Pick<Services, "profits" | "clock">,
  trader: Trader,
  call: RouteCall,
): Promise<{ figures: TraderProfits; freshSeconds: number }> {
  const books = await profits.books.read(trader, call.asOf, call);
  if (!books.isLive) return { ...platformsOwn(trader, clock.now()), freshSeconds: PLATFORM_SECONDS };
  const windows = {} as Windows;
  for (const name of PNL_WINDOWS) {
    const window = await profits.window(books, name, call);
    windows[name] = {
      ...presentProfit(window.total),
      complete: window.isComplete,
      unpriced: window.unpriced,
    };
  }
  return {
    figures: { ...profitsOf(windows), pnlSource: "books", asOf: iso(books.asOf) },
    freshSeconds: secondsLeft(books.asOf, clock.now()),
  };
}

function platformsOwn(trader: Trader, now: number) {
  const ownOf = (window: PnlWindow) => ({
    pnlUsd: trader.pnl[window],
    grossPnlUsd: null,
    feesUsd: null,
    complete: false,
    unpriced: 0,
  });
  const windows = Object.fromEntries(PNL_WINDOWS.map((window) => [window, ownOf(window)])) as Windows;
  return { figures: { ...profitsOf(windows), pnlSource: "platform" as const, asOf: iso(now) } };
}

function profitsOf(windows: Windows): Omit<TraderProfits, "pnlSource" | "asOf"> {
  const pnl = Object.fromEntries(PNL_WINDOWS.map((window) => [window, windows[window].pnlUsd]));
  const { grossPnlUsd, feesUsd } = windows.all;
  return { pnl: pnl as TraderProfits["pnl"], windows, grossPnlUsd, feesUsd };
}
