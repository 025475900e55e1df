// Where the cards are: pictures of a trader, a trade, a thesis, a token, or of what copying would have come to.
import { pathOf } from "./answers.ts";

const file = (name: string) => `${encodeURIComponent(name)}.png`;

export const traderCard = (handle: string, window = "") =>
  pathOf(`/cards/trader/${file(handle)}`, { window });
export const tradeCard = (tradeId: string, ofThesis = false) =>
  `/cards/${ofThesis ? "thesis" : "trade"}/${file(tradeId)}`;
export const tokenCard = (address: string, networkId: number) => `/cards/token/${networkId}/${file(address)}`;

/** `copy`, `size` and `delay` as the trader's page has them in its address. */
export function copyCard(handle: string, terms: Readonly<Record<string, string>>): string {
  const size = Number(terms.size);
  return pathOf(`/cards/copy/${file(handle)}`, {
    window: terms.copy,
    size: terms.size,
    capital: size > 0 ? size * ORDERS_PAID_FOR : undefined,
    delay: terms.delay,
  });
}

/** How many orders of a size a copier's account has money for. */
export const ORDERS_PAID_FOR = 10;
