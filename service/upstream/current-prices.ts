// One price: captured positions are shown at the quote that every other route shows at this moment. If a platform has no
// quotes, or does not answer in time, they stay at the price they were captured with.

import type { Position } from "../../protocol/shapes/position.ts";
import { QUOTES_MAX, type Quote } from "../../protocol/shapes/token.ts";
import { atPrice } from "../model/position.ts";
import { nameOfToken, type TokenRef } from "../model/token.ts";
import type { Call, Upstream } from "./port.ts";

/** Captured data is ready, so an upstream that stalls may delay it only this long. */
const QUOTES_DEADLINE_MS = 700;
/** Tokens quoted per answer: as many as the longest page of positions can have. */
const TOKENS_MAX = 5 * QUOTES_MAX;

type PricedQuote = Quote & { priceUsd: number };

/** By chain and address. `at` null: now. Tokens without a quote in time are left out. */
export async function currentPrices(
  upstream: Upstream,
  wanted: readonly TokenRef[],
  at: number | null,
  call: Call,
): Promise<{ of(token: TokenRef): PricedQuote | undefined }> {
  const tokens = [...new Map(wanted.map((token) => [nameOfToken(token), token])).values()].slice(
    0,
    TOKENS_MAX,
  );
  const brief = { ...call, deadlineMs: Math.min(call.deadlineMs, QUOTES_DEADLINE_MS) };
  const pages = Array.from({ length: Math.ceil(tokens.length / QUOTES_MAX) }, (_, index) =>
    tokens.slice(index * QUOTES_MAX, (index + 1) * QUOTES_MAX),
  );
  const prices = new Map<string, PricedQuote>();
  await Promise.all(
    pages.map(async (page) => {
      const outcome = await upstream.quotes(page, at, brief);
      if (outcome.kind !== "found") return;
      for (const [index, quote] of outcome.value.entries()) {
        const token = page[index];
        if (token && quote && quote.priceUsd !== null)
          prices.set(nameOfToken(token), { ...quote, priceUsd: quote.priceUsd });
      }
    }),
  );
  return { of: (token) => prices.get(nameOfToken(token)) };
}

/** `isCurrent`: every open position is at its quote. */
export async function atCurrentPrices(
  upstream: Upstream,
  positions: readonly Position[],
  call: Call,
): Promise<{ positions: Position[]; isCurrent: boolean }> {
  const open = positions.filter(({ status }) => status === "open");
  const prices = await currentPrices(
    upstream,
    open.map(({ token }) => token),
    null,
    call,
  );
  return {
    positions: positions.map((position) => {
      const quote = position.status === "open" ? prices.of(position.token) : undefined;
      return quote === undefined ? position : atPrice(position, quote.priceUsd, quote);
    }),
    isCurrent: open.every(({ token }) => prices.of(token) !== undefined),
  };
}
