// A later-added wallet's history and its live reading meet without a gap or a repetition.
import { expect, setDefaultTimeout, test } from "bun:test";
import { closeAccount, tokenAccountOf } from "../../test/chains/solana/instructions.ts";
import { eventually } from "../../test/support/eventually.ts";
import { makeWorld } from "./test-world.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);

const SOL = 10n ** 9n;

/** If a wallet is added before the reader has passed its blocks, they are read live, which leaves less to the back-fill. */
async function knowsWhatIsFinal({ node }: Awaited<ReturnType<typeof makeWorld>>): Promise<void> {
  const asked = () => node.calls.filter((method) => method === "getSlot").length;
  const before = asked();
  // A look first asks for two slots, the final one and the newest. A look in progress may still have one of them to ask for.
  await eventually(() => asked() >= before + 3, "a look has begun that finds what is final now");
}

test("a later-added wallet gets its history, in order, and resumes after an interruption", async () => {
  const world = await makeWorld({ traders: 1 });
  const { market, pool, ledger, sink, watch, node } = world;
  const late = await market.addTrader();
  for (let at = 0; at < 120; at++) {
    await market.buy(late, pool, SOL / 100n);
    if (at % 20 === 19) ledger.produce();
  }
  ledger.finalize();
  await knowsWhatIsFinal(world);
  watch.add(late.address);
  const sell = await market.sell(late, pool, 1_000n);
  world.advance();
  const live = () => sink.flows({ finalOnly: false });
  await eventually(
    () => live().some((line) => line.includes(sell.signature.slice(0, 12))),
    "it is read live",
  );
  expect(live().length).toBe(1);

  const request = { wallets: [late.address], sinceMs: 0, name: "backfill of added" };
  const progress: number[] = [];
  let gone = false;
  node.instead = () => (gone ? new Response("gone", { status: 500 }) : undefined);
  const interrupted = world.reader.backfill({
    ...request,
    onProgress: ({ height }) => {
      progress.push(height);
      gone = true;
    },
  });
  await expect(interrupted).rejects.toThrow();
  expect(progress.length).toBe(1);
  const before = sink.blocks.size;
  node.instead = () => undefined;
  await world.reader.backfill({ ...request, onProgress: ({ height }) => void progress.push(height) });
  expect(sink.blocks.size).toBeGreaterThan(before);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  await world.caughtUp();
  expect(sink.flows().length).toBe(121);
  expect(sink.broken).toEqual([]);
  await world.close();
});

test("a wallet's history before it was added is not read live when its holdings change later", async () => {
  const world = await makeWorld({ traders: 1 });
  const { market, pool, ledger, sink, watch, node, traders } = world;
  const [other] = traders as [(typeof traders)[0]];
  watch.set.clear();
  const late = await market.addTrader();
  await market.buy(other, pool, SOL);
  await market.buy(late, pool, SOL);
  ledger.produce();
  ledger.finalize();
  await knowsWhatIsFinal(world);
  watch.add(late.address);
  const compared = () => node.calls.filter((method) => method === "getTokenAccountsByOwner").length;
  const before = compared();
  // Two queries each time; by the third time, a result has been processed.
  await eventually(() => compared() >= before + 6, "what it holds was compared");
  // It names no owner: only the wallet's holdings reveal it, and then the token account's own history is read.
  await market.transfer(other, late.address, pool.mint, 10n);
  world.advance();
  const live = () => sink.flows({ finalOnly: false });
  await eventually(() => live().some((line) => line.includes("transfer-in")), "the transfer is read live");
  expect(live().length).toBe(1);
  await world.close();
});

test("a back-fill goes no further back than requested", async () => {
  const world = await makeWorld({ traders: 1 });
  const { market, pool, ledger, sink, watch } = world;
  const late = await market.addTrader();
  await market.buy(late, pool, SOL);
  ledger.produce();
  ledger.skip(1_000);
  await market.buy(late, pool, SOL);
  const { time } = ledger.produce();
  ledger.finalize();
  await knowsWhatIsFinal(world);
  watch.add(late.address);
  await world.reader.backfill({ wallets: [late.address], sinceMs: (time - 60) * 1_000, name: "recent" });
  expect(sink.flows({ finalOnly: false }).length).toBe(1);
  await world.close();
});

test("a back-fill finds transfers that named no owner, into existing and closed accounts", async () => {
  const world = await makeWorld({ traders: 1 });
  const { market, pool, ledger, sink, watch, traders } = world;
  const [stranger] = traders as [(typeof traders)[0]];
  watch.set.clear();
  const late = await market.addTrader();
  const other = await market.addPool(10n ** 12n, 10n ** 12n);
  await market.buy(stranger, pool, SOL);
  await market.buy(stranger, other, SOL);
  for (const { mint } of [pool, other]) {
    await market.transfer(stranger, late.address, mint, 10n);
    ledger.produce();
    await market.transfer(stranger, late.address, mint, 20n);
    ledger.produce();
  }
  await market.sell(late, other, 30n);
  const own = await tokenAccountOf(late.address, other.mint);
  await market.send([late], [closeAccount(late.address, own, late.address)]);
  ledger.produce();
  ledger.finalize();
  watch.add(late.address);
  await world.reader.backfill({ wallets: [late.address], sinceMs: 0, name: "all of it" });
  await world.caughtUp();
  expect(sink.flows().filter((line) => line.includes("transfer-in")).length).toBe(4);
  expect(sink.broken).toEqual([]);
  await world.close();
});
