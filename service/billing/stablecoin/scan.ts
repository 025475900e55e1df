// Reading an address's transactions without ever passing one over. They come newest first, a page at a time; the
// cursor moves up only over what has been decided, and a long list is walked over several passes and restarts.
import type { ScanPlace } from "../../store/money/payment-transfers.ts";
import type { Notice, PaymentChain } from "./chain.ts";

/** Each notice may cost one more call of up to 10 s, and a pass must end within its claim of 5 minutes. */
export const PAGE_NOTICES = 25;

export interface ScannedPage {
  notices: Notice[];
  /** Whether it reaches down to what had been read before. */
  bottom: boolean;
}

export function freshPlace(address: string, since: number): ScanPlace {
  return {
    address,
    since,
    cursor: null,
    walkUntil: null,
    walkBefore: null,
    walkNewest: null,
    sweptAt: since,
  };
}

/** Begins a walk where none is under way: from the cursor on, or, to sweep, over everything once more. */
export function beginWalk(place: ScanPlace, sweep: boolean, now: number): ScanPlace {
  if (place.walkBefore !== null) return place;
  return {
    ...place,
    walkUntil: sweep ? null : place.cursor,
    walkNewest: null,
    sweptAt: sweep ? now : place.sweptAt,
  };
}

export async function readPage(chain: PaymentChain, place: ScanPlace): Promise<ScannedPage> {
  const all = await chain.notices(place.address, {
    until: place.walkUntil,
    before: place.walkBefore,
    limit: PAGE_NOTICES,
  });
  const notices = all.filter((notice) => notice.chainAt === null || notice.chainAt >= place.since);
  // A node that does not know where to stop gives more than was asked for; nothing is lost by reading it.
  return { notices, bottom: all.length < PAGE_NOTICES || notices.length < all.length };
}

/** Where to continue after a page. `unresolved` are those that could not be decided yet: the cursor stays below them. */
export function placeAfter(place: ScanPlace, page: ScannedPage, unresolved: ReadonlySet<string>): ScanPlace {
  let newest = place.walkNewest;
  for (const { signature } of page.notices) {
    if (unresolved.has(signature)) newest = null;
    else newest ??= signature;
  }
  if (page.bottom) {
    return { ...place, cursor: newest ?? place.cursor, walkUntil: null, walkBefore: null, walkNewest: null };
  }
  const last = page.notices[page.notices.length - 1];
  // A transaction that is not final may vanish and be no landmark for the next page; then the walk starts over.
  if (!last?.finalized) return { ...place, walkUntil: null, walkBefore: null, walkNewest: null };
  return { ...place, walkBefore: last.signature, walkNewest: newest };
}
