// A buy since the start of the service: earlier ones are history, which no socket replays.
import { eventually } from "./eventually.ts";
import type { LiveService } from "./live-service.ts";

export interface FreshBuy {
  trader: string;
  epoch: string;
  seq: number;
}

export async function freshBuy({ service }: Pick<LiveService, "service">): Promise<FreshBuy> {
  let found: FreshBuy | null = null;
  await eventually(async () => {
    const { epoch } = await service.store.log.head();
    const { events } = await service.store.log.page({ feed: "app", kinds: ["buy"], limit: 50 });
    const event = events.findLast((one) => one.isHistory !== true);
    if (event?.feed !== "app" || event.handle === null) return false;
    found = { trader: event.handle, epoch, seq: event.seq };
    return true;
  }, "somebody bought since the start");
  if (!found) throw new Error("there are no buys");
  return found;
}
