// Results of live reads are stored without ever replacing anything newer, and after a lost race they are fetched again.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIDNIGHT, position } from "../../../test/support/nouns.ts";
import { openTestStore, type SuiteStore, silent } from "../suite-support.ts";
import { createLiveKeeper, type LiveKeeper } from "./live-keeper.ts";

const withKeeper = (body: (store: SuiteStore, keeper: LiveKeeper) => Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-keeper-"));
  const store = await openTestStore({ location: async () => ({ file: join(folder, "store.sqlite") }) });
  try {
    await body(store, createLiveKeeper({ store, clock: store.clock, log: silent }));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const captured = (userId: string) => ({ userId, capturedAt: MIDNIGHT, openComplete: true, closedTotal: 0 });

test(
  "a position that was read live is stored, and puts no trader in doubt",
  withKeeper(async (store, keeper) => {
    const live = position({ userId: "owl" });
    await store.captures.save(captured("owl"));
    expect(await keeper.positions([live], MIDNIGHT)).toBe(true);
    expect(await store.positions.byId(live.tradeId)).toEqual(live);
    expect(await store.captures.doubted(9)).toEqual([]);
  }),
);

test(
  "a live read from lagging books overwrites nothing, and its trader is fetched again",
  withKeeper(async (store, keeper) => {
    const known = position({ userId: "owl", lastActivityAt: MIDNIGHT + 1_000 });
    const late = { ...known, lastActivityAt: MIDNIGHT, boughtAmount: 1 };
    await store.captures.save(captured("owl"));
    await store.positions.save([known], MIDNIGHT);
    expect(await keeper.positions([late], MIDNIGHT + 60_000)).toBe(true);
    expect(await store.positions.byId(known.tradeId)).toEqual(known);
    expect(await store.captures.doubted(9)).toEqual(["owl"]);
    // An answer to a request sent after the doubt settles it; one sent before does not.
    const doubtedAt = store.clock.now();
    await store.captures.save({ ...captured("owl"), capturedAt: doubtedAt - 1 });
    expect(await store.captures.doubted(9)).toEqual(["owl"]);
    await store.captures.save({ ...captured("owl"), capturedAt: doubtedAt });
    expect(await store.captures.doubted(9)).toEqual([]);
  }),
);

test(
  "a live read that capture overtook is not stored, and its trader is fetched again",
  withKeeper(async (store, keeper) => {
    const known = position({ userId: "owl" });
    await store.captures.save(captured("owl"));
    await store.positions.save([known], MIDNIGHT + 5_000);
    await keeper.positions([{ ...known, boughtAmount: 1 }], MIDNIGHT);
    expect(await store.positions.byId(known.tradeId)).toEqual(known);
    expect(await store.captures.doubted(9)).toEqual(["owl"]);
  }),
);

test("a failed write shows in the result and harms no one; pending writes are bounded", async () => {
  const saves: (() => void)[] = [];
  const theses = {
    save: () =>
      new Promise<void>((_, reject) => {
        saves.push(() => reject(new Error("away")));
      }),
  };
  const store = { theses } as never;
  const keeper = createLiveKeeper({ store, clock: { now: () => 0 } as never, log: silent });
  const all = Array.from({ length: 200 }, () => keeper.theses([], 0));
  expect(saves.length).toBeLessThan(100);
  for (const fail of saves) fail();
  await keeper.finish();
  expect(await Promise.all(all)).toEqual(all.map(() => false));
});
