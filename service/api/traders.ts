// Resolves a caller's input to a trader. The directory answers if it can; upstream knows those it has not
// captured yet, and has the last word on who exists.
import type { TraderKey } from "../../contract/parts.ts";
import type { RouteCall } from "./answer.ts";
import { found } from "./live.ts";
import type { Services } from "./services.ts";

export interface TraderIdentity {
  userId: string;
  handle: string;
}

export type Identify = (asked: TraderKey, call: RouteCall) => Promise<TraderIdentity>;

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

export function askUpstream(upstream: Services["upstream"], asked: TraderKey, call: RouteCall) {
  return asked.kind === "userId"
    ? upstream.traderById(asked.key, call)
    : upstream.traderByHandle(asked.key, call);
}
