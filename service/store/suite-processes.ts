// Several processes on one database: they may start together, write together, and be killed at any moment.
import { describe, expect, test } from "bun:test";
import type { DatabaseLocation } from "../../database/open.ts";
import { sql } from "../../database/sql.ts";
import { manualClock } from "../../kit/clock.ts";
import { appEvent, MIDNIGHT } from "../../test/support/nouns.ts";
import { migrations } from "./migrations.ts";
import { openStore } from "./store.ts";
import { type StoreBench, silent } from "./suite-support.ts";

const CHILD = new URL("../../test/support/store-child.ts", import.meta.url).pathname;
const TEST_TIMEOUT_MS = 900_000;

function child(location: DatabaseLocation, verb: string) {
  return Bun.spawn([process.execPath, CHILD, verb, JSON.stringify(location)], {
    stdout: "pipe",
    stderr: "inherit",
    stdin: "ignore",
  });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

export function processesSuite(bench: StoreBench): void {
  describe("several processes", () => {
    test(
      "may migrate a new database at the same moment",
      async () => {
        const location = await bench.location();
        const children = [child(location, "open"), child(location, "open"), child(location, "open")];
        expect(await Promise.all(children.map((one) => one.exited))).toEqual([0, 0, 0]);
        const store = await openStore({ location, clock: manualClock(MIDNIGHT), log: silent });
        const applied = await store.database.read.all(sql`SELECT id FROM schema_migration`);
        expect(applied).toHaveLength(migrations.length);
        await store.close();
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "may write while another does, and both keep everything",
      async () => {
        const location = await bench.location();
        const store = await openStore({ location, clock: manualClock(MIDNIGHT), log: silent });
        const lease = await store.leases.acquire("writer", "parent", 600_000);
        if (!lease) throw new Error("the lease is taken");
        const other = child(location, "traders");
        let appended = 0;
        while (other.exitCode === null) {
          await store.log.append(lease, { events: [appEvent(), appEvent()], capturedAt: MIDNIGHT });
          appended += 2;
          await Bun.sleep(1);
        }
        expect(other.exitCode).toBe(0);
        expect(await store.traders.count()).toBe(200);
        expect((await store.log.head()).seq).toBe(appended);
        await store.close();
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "that are killed with -9 while they append lose nothing that was confirmed to them",
      async () => {
        const location = await bench.location();
        const acknowledged: string[] = [];
        for (let round = 0; round < 3; round++) {
          const writer = child(location, "append");
          let lines = 0;
          for await (const line of linesOf(writer.stdout)) {
            acknowledged.push(...line.split(" "));
            lines += 1;
            if (lines === 10 + round * 7) writer.kill("SIGKILL");
          }
          await writer.exited;
        }
        const store = await openStore({ location, clock: manualClock(MIDNIGHT), log: silent });
        const { seq } = await store.log.head();
        const stored = await store.log.readAfter(0, { limit: seq + 1 });
        expect(stored.map((event) => event.seq)).toEqual(Array.from({ length: seq }, (_, n) => n + 1));
        const ids = new Set(stored.map((event) => event.eventId));
        expect(acknowledged.length).toBeGreaterThan(100);
        expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
        // The position names the last stored batch, so a new writer continues exactly there.
        expect(await store.progress.position("app")).toBe(seq);
        await store.close();
      },
      TEST_TIMEOUT_MS,
    );
  });
}
