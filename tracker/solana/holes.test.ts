// A transaction that is not available yet holds back the rest of its block and everything after it, for every wallet involved:
// no cursor moves past something unstored, even when all of it is final already.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { ATTEMPTS_MIN } from "./limits.ts";
import { makeWorld, type World } from "./test-world.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);

const SOL = 10n ** 9n;

let world: World;
afterEach(() => world.close());

/** A reader that was down while its two wallets traded. */
async function away() {
  world = await makeWorld();
  await world.reader.stop();
  const [one, two] = world.traders as [World["traders"][0], World["traders"][0]];
  return { ...world, one, two };
}

/** The node lists this transaction, but does not return it the first few times. Returns whether it was asked often enough. */
function withhold(node: TestNode, signature: string): () => boolean {
  let asked = 0;
  node.instead = (method, [wanted]) => {
    if (method !== "getTransaction" || wanted !== signature) return undefined;
    asked++;
    return asked <= WITHHELD_TIMES ? { result: null } : undefined;
  };
  return () => asked > WITHHELD_TIMES;
}
/** More attempts than a reader needs before it may give up: it also waits for the chain to go on. */
const WITHHELD_TIMES = 3 * ATTEMPTS_MIN;

test("another wallet's trade in the block of one that is withheld is read with it", async () => {
  const { market, pool, node, one, two, sink } = await away();
  const withheld = await market.buy(one, pool, SOL);
  await market.buy(two, pool, SOL);
  world.advance();
  world.ledger.finalize();
  const isGiven = withhold(node, withheld.signature);
  await world.restart();
  await eventually(isGiven, "the withheld trade is asked for again");
  await world.caughtUp();
  expect(sink.flows().length).toBe(2);
  expect(sink.broken).toEqual([]);
});

test("blocks that wait for an older trade of one wallet wait as a whole, and so do later ones", async () => {
  const { market, pool, node, one, two, sink } = await away();
  const withheld = await market.buy(one, pool, SOL);
  world.advance();
  await market.sell(one, pool, 10n);
  await market.buy(two, pool, SOL);
  world.advance();
  const last = await market.sell(two, pool, 20n);
  world.advance();
  world.ledger.finalize();
  const isGiven = withhold(node, withheld.signature);
  const orderOfTwo: string[] = [];
  const apply = sink.apply.bind(sink);
  sink.apply = (reads, cursor) => {
    for (const { flows } of reads)
      orderOfTwo.push(...flows.filter(({ wallet }) => wallet === two.address).map(({ hash }) => hash));
    return apply(reads, cursor);
  };
  await world.restart();
  await eventually(isGiven, "the withheld trade is asked for again");
  await world.caughtUp();
  expect(sink.flows().length).toBe(4);
  expect(orderOfTwo.length).toBe(2);
  expect(orderOfTwo.at(-1)).toBe(last.signature);
  expect(sink.broken).toEqual([]);
});

test("a trade whose block turns out lost when it should be final is read from where it landed again", async () => {
  const { market, pool, node, ledger, one, sink } = await away();
  await market.buy(one, pool, SOL);
  world.advance();
  const slot = ledger.at("confirmed").at(-1)?.slot;
  let isLost = false;
  node.instead = (method, params) => {
    const { commitment } = (params.at(-1) ?? {}) as { commitment?: string };
    if (isLost || commitment !== "finalized") return undefined;
    // One node is on a fork that it considers final; the next one knows better.
    if (method === "getSlot") return { result: slot };
    if (method !== "getBlock") return undefined;
    isLost = true;
    ledger.fork(1, () => true);
    ledger.produce();
    ledger.finalize();
    return undefined;
  };
  await world.restart();
  await eventually(() => isLost, "the block is lost");
  await world.caughtUp();
  expect(sink.retractions).toBe(1);
  expect(sink.flows().length).toBe(1);
  expect(sink.broken).toEqual([]);
});
