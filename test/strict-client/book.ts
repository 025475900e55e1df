// Positions as a client tracks them from the stream alone: the sum of the alerts, compared with the service's answer about the
// same position.
import type { Body, Row } from "./client.ts";
import { isAbout } from "./forms.ts";

interface Kept {
  fills: Body[];
  transfers: string[];
}

export interface Book {
  tradeIds(): string[];
  /** Differences between this detail and the stream's fills between the two times. */
  compare(tradeId: string, detail: Body, shown: { since: number; until: number }): string[];
  /** The times of this detail's fills and transfers, since then, that the stream has yet to send. */
  untold(tradeId: string, detail: Body, since: number): number[];
}

/** The app shows dollars in cents, and sums of many rounded values differ by a few. */
const CENTS = 0.011;

export function keepBook(alerts: readonly Body[]): Book {
  const kept = new Map<string, Kept>();
  for (const alert of alerts) {
    if (typeof alert.tradeId !== "string" || alert.alertType === "thesis") continue;
    const one = kept.get(alert.tradeId) ?? { fills: [], transfers: [] };
    kept.set(alert.tradeId, one);
    if (alert.alertType === "transfer") one.transfers.push(String(alert.transferId));
    else one.fills.push(alert);
  }
  // Some arrive minutes late; the app's display is in the order of its times.
  for (const { fills } of kept.values()) fills.sort((a, b) => Number(a.ts) - Number(b.ts));
  return {
    tradeIds: () => [...kept.keys()],
    untold(tradeId, detail, since) {
      const { fills, transfers } = kept.get(tradeId) ?? { fills: [], transfers: [] };
      const reported = new Set<unknown>([...fills.map(({ txHash }) => txHash), ...transfers]);
      return [...(detail.swaps as Row[]), ...(detail.transfers as Row[])]
        .filter(({ txHash, transferId }) => !reported.has(transferId ?? txHash))
        .map(({ at }) => Date.parse(String(at)))
        .filter((at) => at >= since);
    },
    compare(tradeId, detail, { since, until }) {
      const { fills, transfers } = kept.get(tradeId) ?? { fills: [], transfers: [] };
      const wrong: string[] = [];
      const say = (sentence: string) => void wrong.push(`position ${tradeId}: ${sentence}`);
      const reported = new Set(fills.map(({ txHash }) => txHash));
      const coming = (detail.swaps as Row[]).filter(
        ({ txHash, at }) => !reported.has(txHash) && Date.parse(String(at)) > until,
      );
      const swaps = (detail.swaps as Row[]).filter((swap) => !coming.includes(swap));
      compareFills(fills, swaps, since, say);
      const known = new Set((detail.transfers as Row[]).map(({ transferId }) => transferId));
      for (const id of transfers) if (!known.has(id)) say(`the transfer ${id} is not in its detail`);
      // Fills that the app is about to show are in the detail already, and can't be in our sums.
      if (coming.length > 0) return wrong;
      compareProfit(fills, detail, say);
      const startsHere = Date.parse(String(detail.createdAt)) >= since;
      if (startsHere) compareTotals(fills, detail, say);
      return wrong;
    },
  };
}

/** Fill by fill, by transaction: the app does not name the swap. */
function compareFills(fills: Body[], swaps: Row[], since: number, say: (sentence: string) => void): void {
  const reported = new Map(fills.map((fill) => [fill.txHash, fill]));
  for (const swap of swaps) {
    const fill = reported.get(swap.txHash);
    reported.delete(swap.txHash);
    if (!fill) {
      if (Date.parse(String(swap.at)) >= since)
        say(`the fill ${swap.swapId} of ${swap.at} was not on the stream`);
      continue;
    }
    const leg = (swap.side === "buy" ? swap.tokenOut : swap.tokenIn) as Row;
    if (fill.alertType !== swap.side) say(`${swap.swapId}: a ${fill.alertType}, and a ${swap.side}`);
    // Only some platforms provide it.
    if (fill.swapId !== null && fill.swapId !== swap.swapId)
      say(`${swap.swapId}: an alert of the fill names the swap ${fill.swapId}`);
    if (!isAbout(fill.amount, leg.amount, 1e-9))
      say(`${swap.swapId}: ${fill.amount} and ${leg.amount} tokens`);
    if (!isAbout(fill.fillUsd, leg.usd, 1e-6, CENTS))
      say(`${swap.swapId}: ${fill.fillUsd} and ${leg.usd} dollars`);
    if (String(leg.address).toLowerCase() !== String(fill.tokenAddress).toLowerCase())
      say(`${swap.swapId}: ${leg.address} and ${fill.tokenAddress}`);
  }
  for (const id of reported.keys()) say(`the fill ${id} of the stream is not in its detail`);
}

/**
 * Each sell adds its part to the running profit, and the last one's is the position's. The app shows some minutes late, and
 * two may be in one block: only the position's own list tells which came first.
 */
function compareProfit(fills: Body[], detail: Body, say: (sentence: string) => void): void {
  const places = new Map((detail.swaps as Row[]).map(({ txHash }, place) => [txHash, place]));
  const placeOf = ({ txHash }: Body) => places.get(txHash) ?? Number.POSITIVE_INFINITY;
  let running: number | null = null;
  for (const fill of fills.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    // A buy subtracts its fee, and nothing else.
    if (fill.alertType === "buy" && running !== null) running -= Number(fill.feesUsd);
    if (fill.alertType !== "sell") continue;
    const before: number = running ?? Number(fill.realizedPnlUsd) - Number(fill.realizedPnlUsdDelta);
    running = before + Number(fill.realizedPnlUsdDelta);
    if (!isAbout(running, fill.realizedPnlUsd, 1e-6, CENTS))
      say(`${running} taken by its sells, but ${fill.realizedPnlUsd} reported`);
    running = Number(fill.realizedPnlUsd);
  }
  if (running !== null && !isAbout(running, detail.realizedPnlUsd, 1e-6, CENTS))
    say(`${running} taken, but its detail says ${detail.realizedPnlUsd}`);
}

/** A position whose whole life was on the stream is the sum of the stream's events. */
function compareTotals(fills: Body[], detail: Body, say: (sentence: string) => void): void {
  const sum = (side: string, field: string) =>
    fills
      .filter(({ alertType }) => alertType === side)
      .reduce((total, fill) => total + Number(fill[field]), 0);
  const expected: Record<string, number> = {
    boughtAmount: sum("buy", "amount"),
    soldAmount: sum("sell", "amount"),
    costBasisUsd: sum("buy", "fillUsd"),
    realizedPnlUsd: sum("sell", "realizedPnlUsdDelta") - sum("buy", "feesUsd"),
  };
  for (const direction of ["in", "out"]) {
    const moved = (detail.transfers as Row[]).filter((transfer) => transfer.direction === direction);
    const field = direction === "in" ? "transferredInAmount" : "transferredOutAmount";
    expected[field] = moved.reduce((total, transfer) => total + Number(transfer.amount), 0);
  }
  for (const [field, value] of Object.entries(expected))
    if (!isAbout(detail[field], value, 1e-6, field.endsWith("Usd") ? CENTS * (fills.length + 1) : 1e-6))
      say(`${field} is ${detail[field]}, the stream adds up to ${value}`);
}
