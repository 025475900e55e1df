// Where the explorer's own pages turn Web Push on and off, for this browser only.
import { PushEnd, PushWish } from "../../contract/push.ts";
import { readInput } from "../../contract/read.ts";
import { VISITOR_PREFIX } from "../../web/shared/api.ts";
import type { Visitors } from "../access/visitors.ts";
import { parseJson, readBodyText } from "../api/body.ts";
import type { PageRequest, SitePage } from "../api/page.ts";
import type { PagePace } from "./page-pace.ts";
import { json } from "./pages.ts";

export interface PushDoor {
  /** The key that a browser needs to subscribe at its push service. */
  publicKey: string;
  subscribe(wish: PushWish, address: string): Promise<void>;
  unsubscribe(endpoint: string): Promise<void>;
}

export function pushPages(push: PushDoor, visitors: Visitors, pace: PagePace): Record<string, SitePage> {
  const read = async (request: PageRequest, address: string) => {
    await visitors.require(request, address);
    await pace(address);
    return Object(parseJson(await readBodyText(request))) as Record<string, unknown>;
  };
  return {
    [`${VISITOR_PREFIX}/push`]: {
      POST: async (request, address) => {
        await push.subscribe(readInput(PushWish, await read(request, address), "body"), address);
        return json({ ok: true });
      },
      DELETE: async (request, address) => {
        await push.unsubscribe(readInput(PushEnd, await read(request, address), "body").endpoint);
        return json({ ok: true });
      },
    },
  };
}
