// From what a caller typed to whom it means. The directory answers where it can; upstream knows those it has not
// captured yet, and has the last word on who exists.
import type { TraderKey } from "../../contract/parts.ts";
import { normaliseHandle } from "../model/handle.ts";
import type { Outcome } from "../upstream/port.ts";
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
  const stored = async (asked: TraderKey) => {
    if (asked.kind === "userId") return store.traders.byId(asked.key);
    const handle = normaliseHandle(asked.key);
    return handle === null ? null : store.traders.byHandle(handle);
  };
  return async (asked, call) => {
    const known = await stored(asked);
    if (known) return { userId: known.userId, handle: known.handle };
    const { userId, handle } = found(await askUpstream(upstream, asked, call), nameOf(asked));
    return { userId, handle };
  };
}

export async function askUpstream(upstream: Services["upstream"], asked: TraderKey, call: Call) {
  if (asked.kind === "userId") return upstream.traderById(asked.key, call);
  const handle = normaliseHandle(asked.key);
  const nobody: Outcome<never> = { kind: "notFound" };
  return handle === null ? nobody : upstream.traderByHandle(handle, call);
}
