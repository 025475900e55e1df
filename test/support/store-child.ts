// A second process for the store's tests: opens the given store, does one thing, and prints what was stored.
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { appEvent, trader } from "./nouns.ts";

const [verb, location] = process.argv.slice(2);
const clock = systemClock();
const log = createLog("warn", clock.now);
const store = await openStore({ location: JSON.parse(location ?? ""), clock, log });

const BATCH = 20;

/** Until it is killed: prints one line of event ids per batch, after the store has confirmed it. */
async function appendForever({ leases, log: events }: Store): Promise<never> {
  const lease = await leases.acquire("writer", "child", 600_000);
  if (!lease) throw new Error("another process has the lease");
  let { seq } = await events.head();
  for (;;) {
    const batch = Array.from({ length: BATCH }, () => appEvent());
    seq += BATCH;
    const positions = [{ source: "test", feed: "app" as const, position: seq }];
    await events.append(lease, { events: batch, capturedAt: clock.now(), positions });
    process.stdout.write(`${batch.map((event) => event.eventId).join(" ")}\n`);
    await Bun.sleep(0);
  }
}

async function saveTraders({ traders }: Store): Promise<void> {
  for (let n = 0; n < 100; n++) await traders.save([trader(), trader()], clock.now());
}

if (verb === "append") await appendForever(store);
if (verb === "traders") await saveTraders(store);
await store.close();
