// Pages have a separate rate limit, by address: each costs the server as much as many calls.
import { VISITOR } from "../../contract/plans.ts";
import type { Access } from "../access/access.ts";
import { addressSubject } from "../access/identity/address.ts";
import type { SitePage } from "../api/page.ts";

/** Counts a page against its address; throws the 429. */
export type PagePace = (address: string) => Promise<unknown>;

export function createPagePace(access: Pick<Access, "pace">): PagePace {
  return async (address) =>
    access.pace(
      {
        kind: "keyless",
        address,
        subject: `pages:${addressSubject(address)}`,
        requestsPerMinute: VISITOR.pagesPerMinute,
      },
      "keyless",
    );
}

/** The same pages, with every view counted. Forms have separate limits. */
export function pacedPages(pages: Record<string, SitePage>, pace: PagePace): Record<string, SitePage> {
  const paced = ({ GET, ...others }: SitePage): SitePage => {
    if (!GET) return others;
    return {
      ...others,
      GET: async (request, address, peer) => {
        await pace(address);
        return GET(request, address, peer);
      },
    };
  };
  return Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, paced(page)]));
}
