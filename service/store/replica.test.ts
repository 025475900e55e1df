import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { needing } from "../../test/support/needing.ts";
import { appEvent, fill, position, thesis } from "../../test/support/nouns.ts";
import { type ThrowAwayPostgres, throwAwayPostgres } from "../../test/support/postgres.ts";
import { type ThrowAwayReplica, throwAwayReplica } from "../../test/support/postgres-replica.ts";
import { openStore, type Store } from "./store.ts";
import { silent } from "./suite-support.ts";

const clock = systemClock();
needing("postgres").describe("history from a replica", () => {
  let primary: ThrowAwayPostgres;
  let standby: ThrowAwayReplica;
  let url: string;
  let store: Store;
  beforeAll(async () => {
    primary = await throwAwayPostgres();
    url = await primary.createDatabase();
    // The replica is made from an existing store, as an operator's is.
    await (await openStore({ location: { url }, clock, log: silent })).close();
    standby = await throwAwayReplica(primary);
    store = await openStore({ location: { url }, replicaUrl: standby.urlOf(url), clock, log: silent });
    await eventually(() => store.replica() === "used", "the replica is used");
  }, 900_000);
  afterAll(async () => {
    await store.close();
    await standby.stop();
    await primary.stop();
  });

  test("of the log is read there only as far as the replica has it", async () => {
    const lease = await store.leases.acquire("writer", "test", 60_000);
    if (!lease) throw new Error("the lease is taken");
    const append = () =>
      store.log.append(lease, { events: [appEvent(), appEvent()], capturedAt: clock.now() });
    await append();
    await standby.pause();
    await append();
    const page = await store.log.page({ limit: 9, before: 5 });
    expect(page.events.map((event) => event.seq)).toEqual([4, 3, 2, 1]);
    expect((await store.log.page({ limit: 9 })).events).toHaveLength(4);
    await standby.resume();
  });

  test("continues, with the same answers, through nouns that are written and read back", async () => {
    const mine = { userId: "me" };
    const [trade, swap, words] = [position(mine), fill(mine), thesis(mine)];
    await store.positions.save([trade], clock.now());
    await store.fills.save([swap]);
    await store.theses.save([words], clock.now());
    const read = async () => [
      (await store.positions.byTrader("me", { limit: 9, sort: "recent" })).rows,
      (await store.fills.byTrader("me", { limit: 9 })).rows,
      (await store.theses.byTrader("me", { limit: 9, sort: "likes" })).rows,
    ];
    expect(await read()).toEqual([[trade], [swap], [words]]);
  });
});
