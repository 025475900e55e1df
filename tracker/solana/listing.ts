// New entries for each wallet since its anchor, from the per-address history of a node. The listing goes backwards from the
// newest, but is returned oldest first, so storing part of it leaves no hole behind.
import type { ListRequest, SignatureEntry, SolanaCalls } from "./calls.ts";
import { PAGES_MAX, SIGNATURES_PAGE_MAX } from "./limits.ts";
import type { Anchor } from "./state.ts";

export interface Listing {
  wallet: string;
  /** Oldest first, failed ones included. */
  entries: SignatureEntry[];
}

/** Lists addresses back to their anchors. One that the node would not list completely is left out. */
export async function listSince(
  calls: SolanaCalls,
  anchors: ReadonlyMap<string, Anchor>,
  atLeast: number,
  isEnough: (entry: SignatureEntry) => boolean = () => false,
): Promise<Listing[]> {
  const listed: Listing[] = [];
  let open = [...anchors].map(([wallet, anchor]) => ({
    anchor,
    entries: [] as SignatureEntry[],
    request: { address: wallet, until: anchor.signature, before: null } as ListRequest,
  }));
  for (let page = 0; open.length > 0 && page < PAGES_MAX; page++) {
    const pages = await calls.list(
      open.map(({ request }) => request),
      atLeast,
    );
    open = open.filter(({ request, anchor, entries }, at) => {
      const found = pages[at];
      if (!found) return false;
      const fresh = found.slice(0, endOf(found, anchor, isEnough));
      entries.push(...fresh);
      if (found.length === SIGNATURES_PAGE_MAX && fresh.length === found.length) {
        request.before = found.at(-1)?.signature ?? null;
        return true;
      }
      listed.push({ wallet: request.address, entries: entries.reverse() });
      return false;
    });
  }
  return listed;
}

/** Where the already-read part begins. The node may have forgotten the anchor's signature, so slots count too. */
function endOf(
  entries: SignatureEntry[],
  anchor: Anchor,
  isEnough: (entry: SignatureEntry) => boolean,
): number {
  const end = entries.findIndex(
    (entry) =>
      entry.signature === anchor.signature ||
      entry.slot < anchor.slot ||
      (anchor.signature === null && entry.slot === anchor.slot) ||
      isEnough(entry),
  );
  return end < 0 ? entries.length : end;
}
