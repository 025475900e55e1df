// A node's messages only tell when to look, and at which wallets.
import { expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { TestWatch } from "./test-world.ts";
import { createSolanaWakes } from "./wakes.ts";

async function setUp(listedWalletsMax: number) {
  const ledger = new TestLedger();
  const market = await TestMarket.open(ledger);
  const traders = await Promise.all([market.addTrader(), market.addTrader(), market.addTrader()]);
  const node = new TestNode(ledger);
  const watch = new TestWatch(new Set<string>(traders.slice(0, 2).map(({ address }) => address)));
  const woken: (string | null)[] = [];
  const lost: number[] = [];
  const reader = {
    wake: (wallets?: readonly string[]) => void woken.push(wallets?.join() ?? null),
    lost: () => void lost.push(node.subscribers),
  };
  const wakes = createSolanaWakes({
    url: node.wsUrl,
    clock: systemClock(),
    log: createLog("silent", () => 0),
    random: seededRandom("wakes"),
    watch,
    reader,
    listedWalletsMax,
  });
  wakes.start();
  const close = async () => {
    wakes.stop();
    await node.stop();
  };
  return { ledger, market, traders, node, watch, wakes, woken, lost, close };
}

test("a trade wakes its wallet, a dropped socket wakes all, and a new wallet is subscribed to", async () => {
  const { ledger, market, traders, node, watch, wakes, woken, lost, close } = await setUp(100);
  const [one, two, three] = traders;
  await eventually(() => node.subscribers === 2, "both wallets are subscribed to");
  // Once the node is subscribed: anything earlier is in that look.
  await eventually(() => wakes.isHearing(), "the node has agreed");
  expect(woken).toEqual([null]);
  const trade = async (trader: typeof one) => {
    await market.transferSol(trader, two.address, 5n);
    ledger.produce();
    ledger.confirm();
  };
  node.duplicates = true;
  await trade(one);
  await eventually(
    () => woken.filter((each) => each === one.address).length === 2,
    "the trader is woken twice",
  );
  await trade(three);
  await eventually(() => woken.includes(two.address), "who receives is woken too");
  expect(woken).not.toContain(three.address);
  woken.length = 0;
  expect([wakes.isHearing(), lost.length]).toEqual([true, 0]);
  node.dropSockets();
  await eventually(() => lost.length === 1, "the loss is noticed");
  await eventually(() => node.subscribers === 2 && woken.includes(null), "it is back and looks at everybody");
  watch.add(three.address);
  await eventually(() => node.subscribers === 3, "the new wallet is subscribed to");
  await close();
  expect(wakes.isHearing()).toBe(false);
}, 900_000);

test("with more wallets than can be listed, every slot wakes", async () => {
  const { ledger, node, woken, close } = await setUp(1);
  await eventually(() => node.subscribers === 1, "slots are subscribed to");
  ledger.produce();
  await eventually(() => woken.length === 2, "the slot woke");
  expect(woken).toEqual([null, null]);
  await close();
});
