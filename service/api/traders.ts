// From what a caller typed to whom it means. The directory answers where it can; upstream knows those it has not
// captured yet, and has the last word on who exists.
import type { TraderKey } from "../../contract/parts.ts";
import type { Call } from "./answer.ts";
import { found } from "./live.ts";
import type { Services } from "./services.ts";

export interface Identity {
  userId: string;
  handle: string;
}

export type Identify = (asked: TraderKey, call: Call) => Promise<Identity>;

export function nameOf(asked: TraderKey): string {
  return asked.kind === "handle" ? `trader called ${asked.key}` : "trader with this userId";
}

export function createIdentify({ store, upstream }: Pick<Services, "store" | "upstream">): Identify {
  return async (asked, call) => {
    const { traders } = store;
    const known = await (asked.kind === "userId" ? traders.byId(asked.key) : traders.byHandle(asked.key));
    if (known) return { userId: known.userId, handle: known.handle };
    const { userId, handle } = found(await askUpstream(upstream, asked, call), nameOf(asked));
    return { userId, handle };
  };
}

export function askUpstream(upstream: Services["upstream"], asked: TraderKey, call: Call) {
  return asked.kind === "userId"
    ? upstream.traderById(asked.key, call)
    : upstream.traderByHandle(asked.key, call);
}
