// Paths of the cards: pictures of a trader, a trade, a thesis, a token, or of a copying result.
import { pathOf } from "./answers.ts";

const file = (name: string) => `${encodeURIComponent(name)}.png`;

export const traderCard = (handle: string, window = "") =>
  pathOf(`/cards/trader/${file(handle)}`, { window });
export const tradeCard = (tradeId: string, ofThesis = false) =>
  `/cards/${ofThesis ? "thesis" : "trade"}/${file(tradeId)}`;
export const tokenCard = (address: string, networkId: number) => `/cards/token/${networkId}/${file(address)}`;

/** `copy`, `size` and `delay` as in the address of the trader's page. */
export function copyCard(handle: string, terms: Readonly<Record<string, string>>): string {
  const size = Number(terms.size);
  return pathOf(`/cards/copy/${file(handle)}`, {
    window: terms.copy,
    size: terms.size,
    capital: size > 0 ? size * ORDERS_PAID_FOR : undefined,
    delay: terms.delay,
  });
}

/** How many orders of that size a copier's account can pay for. */
export const ORDERS_PAID_FOR = 10;
