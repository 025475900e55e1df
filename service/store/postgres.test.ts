import { expect, test } from "bun:test";
import { StoreUnavailable } from "../../database/errors.ts";
import { manualClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { needing } from "../../test/support/needing.ts";
import { appEvent, MIDNIGHT } from "../../test/support/nouns.ts";
import { sharedPostgres, throwAwayPostgres } from "../../test/support/postgres.ts";
import { createStoreDatabase } from "../../test/support/postgres-store.ts";
import { openStore } from "./store.ts";
import { storeSuite } from "./suite.ts";
import { silent } from "./suite-support.ts";

/** Prevents a busy loop while the server is down. */
const WRITE_EVERY_MS = 1;
const TEST_TIMEOUT_MS = 900_000;
const location = async () => ({ url: await (await sharedPostgres()).createDatabase() });
const openedLocation = async () => ({ url: await createStoreDatabase(MIDNIGHT) });

needing("postgres").describe("the store on PostgreSQL", () => {
  storeSuite({ location, openedLocation });

  test(
    "throws typed errors while the server is down and recovers when it is back, with everything stored",
    async () => {
      const server = await throwAwayPostgres();
      const store = await openStore({
        location: { url: await server.createDatabase() },
        clock: manualClock(MIDNIGHT),
        log: silent,
      });
      const lease = await store.leases.acquire("writer", "test", 600_000);
      if (!lease) throw new Error("the lease is taken");
      const acknowledged: string[] = [];
      const faults: unknown[] = [];
      let stop = false;
      const writing = Array.from({ length: 4 }, async () => {
        while (!stop) {
          const event = appEvent();
          await store.log.append(lease, { events: [event], capturedAt: MIDNIGHT }).then(
            () => acknowledged.push(event.eventId),
            (error) => faults.push(error),
          );
          await store.log.head().catch((error) => faults.push(error));
          await Bun.sleep(WRITE_EVERY_MS);
        }
      });
      const goesOn = async () => {
        const before = acknowledged.length;
        await eventually(() => acknowledged.length > before + 20, "events are appended");
      };
      await goesOn();
      await server.restart("immediate");
      await goesOn();
      await server.kill();
      await eventually(() => faults.length > 0, "the fault is noticed");
      await server.start();
      await goesOn();
      stop = true;
      await Promise.all(writing);
      for (const fault of faults) expect(fault).toBeInstanceOf(StoreUnavailable);
      const stored = await store.log.readAfter(0, { limit: 100_000 });
      expect(stored.map((event) => event.seq)).toEqual(stored.map((_, n) => n + 1));
      const ids = new Set(stored.map((event) => event.eventId));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      await store.close();
      await server.stop();
    },
    TEST_TIMEOUT_MS,
  );
});
