// Which shards a node holds, and under which term: what was begun under an older one counts no more.
import { afterEach, expect, test } from "bun:test";
import { createLog } from "../../kit/log.ts";
import { eventually } from "../../test/support/eventually.ts";
import { createClaims } from "./claims.ts";
import { openTape, startEndpoint, type TestEndpoint, type WebhookTape, wanted } from "./test-support.ts";

let tape: WebhookTape;
let endpoint: TestEndpoint;
afterEach(async () => {
  await tape?.close();
  await endpoint?.stop();
});

test("a node that slept too long holds what it held under a new term", async () => {
  endpoint = startEndpoint();
  tape = await openTape("sqlite");
  const { store, clock } = tape;
  const node = await tape.node();
  await node.manage.create(await tape.caller("growth"), wanted(endpoint.url("/one")));
  await node.stop();
  const lost = new Set<number>();
  const terms = new Map<number, number>();
  const claims = createClaims({
    database: store.database,
    clock,
    log: createLog("silent", clock.now),
    onHeld: async ({ shard, term }) => void terms.set(shard, term),
    onLost: (shard) => void lost.add(shard),
    windDown: () => true,
    goOn: () => {},
  });
  await claims.round();
  const before = new Map(terms);
  expect(claims.held()).toBeGreaterThan(0);
  claims.start();
  // Whether it renews or lets go first when it wakes is up to its timers.
  await eventually(() => {
    clock.push(60_000);
    return lost.size === before.size;
  }, "it lets go of all of them");
  await eventually(
    () => [...before].every(([shard, term]) => Number(claims.termOf(shard)) > term),
    "it holds them under new terms",
  );
  await claims.stop();
});
