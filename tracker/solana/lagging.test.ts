// A node that is behind the previously asked one only causes delay: nothing is finalized, treated as history or left to another
// part before a node that has it was asked.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { makeWorld, type World, type WorldOptions } from "./test-world.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);

const SOL = 10n ** 9n;
/** More slots than can pass without activity before the final one is stored. */
const LONG_SLOTS = 200;

type Trader = World["traders"][0];
let world: World;
afterEach(() => world.close());

async function open(options?: WorldOptions) {
  world = await makeWorld(options);
  return { ...world, traders: world.traders as [Trader, Trader, Trader] };
}

/** A node that knows the newest block when asked for the heads, but not for any later query. */
function lagAfterHeads(node: TestNode): { looks(): number } {
  let looks = 0;
  let sinceHeads = 0;
  node.instead = (method, params) => {
    const { commitment } = (params.at(-1) ?? {}) as { commitment?: string };
    const begins = method === "getSlot" && commitment === "finalized";
    sinceHeads = begins ? 0 : sinceHeads + 1;
    if (begins) looks++;
    node.view.behind = sinceHeads < HEADS_CALLS ? 0 : 1;
    return undefined;
  };
  return { looks: () => looks };
}
/** The final slot and the confirmed one. */
const HEADS_CALLS = 2;

async function lookedAgain({ node }: World): Promise<void> {
  const calls = node.calls.length;
  await eventually(() => node.calls.length > calls + LOOKS_CALLS, "the reader looked several times");
}
/** More calls than three passes make. */
const LOOKS_CALLS = 60;

test("a block missing from the node's list is not skipped when it becomes final", async () => {
  const { market, pool, node, ledger, traders, sink } = await open({ listedWalletsMax: 0 });
  await market.buy(traders[0], pool, SOL);
  await world.caughtUp();
  await world.reader.stop();
  ledger.skip(LONG_SLOTS);
  await market.buy(traders[0], pool, SOL);
  ledger.produce();
  ledger.finalize();
  const lagging = lagAfterHeads(node);
  await world.restart();
  await eventually(() => lagging.looks() > 3, "the reader looked several times");
  node.instead = () => undefined;
  node.view.behind = 0;
  await world.caughtUp();
  expect(sink.flows().length).toBe(2);
  expect(sink.broken).toEqual([]);
});

test("a back-fill does not end before live reading began, even if its node is behind", async () => {
  const { market, pool, node, ledger, sink, watch } = await open({ traders: 1 });
  const late = await market.addTrader();
  await market.buy(late, pool, SOL);
  const { slot } = ledger.produce();
  ledger.finalize();
  await eventually(() => world.reader.status().head === slot, "the reader knows what is final");
  watch.add(late.address);
  await lookedAgain(world);
  await world.reader.stop();
  const request = { wallets: [late.address], sinceMs: 0, name: "all of it" };
  node.view.behind = 1;
  await world.restart();
  await eventually(() => world.reader.status().head !== null, "the reader is back");
  await expect(world.reader.backfill(request)).rejects.toThrow("could not be listed");
  node.view.behind = 0;
  await world.reader.backfill(request);
  await world.caughtUp();
  expect(sink.flows().length).toBe(1);
  expect(sink.broken).toEqual([]);
});

test("a wallet beyond the limit is read from where it was added, though blocks can't take over yet", async () => {
  const { market, pool, node, traders, sink, watch } = await open({ traders: 3, listedWalletsMax: 2 });
  const [one, two, three] = traders;
  watch.remove(three.address);
  await market.buy(one, pool, SOL);
  await world.caughtUp();
  let isRefused = true;
  node.instead = (method, [address]) =>
    isRefused && method === "getSignaturesForAddress" && address === one.address
      ? { error: { code: -32_000, message: "busy" } }
      : undefined;
  watch.add(three.address);
  await lookedAgain(world);
  await market.buy(three, pool, SOL);
  await market.buy(two, pool, SOL);
  world.advance();
  world.ledger.finalize();
  await eventually(() => sink.flows({ finalOnly: false }).length > 1, "listed wallets are read");
  await lookedAgain(world);
  isRefused = false;
  await world.caughtUp();
  expect(sink.flows().length).toBe(3);
  expect(sink.broken).toEqual([]);
});
