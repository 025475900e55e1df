// For any trades, transfers, forks, restarts and faults: what the reader ends up with equals a clean replay of the final
// chain, and every retraction on the way named something that was stored and not final.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { makeWorld, type World } from "./test-world.ts";

const SOL = 10n ** 9n;
const RUNS = 6;
/** More calls than one pass makes. */
const LOOK_CALLS = 20;
const TIMEOUT_MS = 120_000;

type Step = { what: (typeof STEPS)[number]; who: number; size: number };
const STEPS = [
  "buy",
  "buy",
  "sell",
  "send token",
  "send token",
  "send sol",
  "fail",
  "advance",
  "advance",
  "produce",
  "skip",
  "finalize",
  "fork",
  "restart",
  "wake",
  "look",
  "look",
  "look",
  "faults",
  "behind",
  "store fails",
] as const;

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(...STEPS),
    who: fc.integer({ min: 0, max: 2 }),
    size: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 20, maxLength: 40 },
);

for (const listedWalletsMax of [100, 0])
  test(
    `${listedWalletsMax > 0 ? "listing wallets" : "reading blocks"} ends where a clean replay does`,
    () =>
      fc.assert(
        fc.asyncProperty(steps, async (script) => {
          // The third trader is a stranger: nobody watches it, but it sends to those who are.
          const world = await makeWorld({ listedWalletsMax, traders: 3 });
          world.watch.set.delete(world.traders[2]?.address ?? "");
          try {
            for (const step of script) await take(world, step);
            world.node.instead = () => undefined;
            world.node.view.behind = 0;
            await world.caughtUp();
            expect(world.sink.broken).toEqual([]);
            expect(world.logged.filter((line) => line.includes("skipped"))).toEqual([]);
          } finally {
            await world.close();
          }
        }),
        { numRuns: RUNS, endOnFailure: true, ...seedOption() },
      ),
    TIMEOUT_MS,
  );

async function take(world: World, { what, who, size }: Step): Promise<void> {
  const { market, pool, ledger, node, sink, traders } = world;
  const trader = traders[who] as (typeof traders)[0];
  const other = traders[(who + 1 + (size % 2)) % traders.length] as (typeof traders)[0];
  const balance = await market.balance(trader.address, pool.mint);
  const random = seededRandom(what, who, size);
  switch (what) {
    case "buy":
      return void (await market.buy(trader, pool, SOL / BigInt(size + 1)));
    case "sell":
      return void (await market.sell(trader, pool, balance / BigInt(size + 1)));
    case "send token":
      return void (await market.transfer(trader, other.address, pool.mint, balance / BigInt(size + 2)));
    case "send sol":
      return void (await market.transferSol(trader, other.address, BigInt(size + 1)));
    case "fail":
      return void (await market.sell(trader, pool, balance + 1n));
    case "advance":
      return world.advance();
    case "produce":
      return void ledger.produce();
    case "skip":
      return ledger.skip(size + 1);
    case "finalize":
      return ledger.finalize(size);
    case "fork":
      return void ledger.fork(size + 1, () => random.chance(0.5));
    case "restart":
      return world.restart();
    case "wake":
      return world.reader.wake([trader.address]);
    case "look":
      return looked(world);
    case "behind":
      node.view.behind = size % 3;
      return;
    case "store fails":
      sink.failNext = size % 2 === 0 ? "before" : "after";
      return;
    case "faults":
      node.instead = (method) => {
        if (random.chance(0.03))
          return new Response("busy", { status: 429, headers: { "retry-after": "0" } });
        if (random.chance(0.02)) return new Response("<html>", { status: 502 });
        if (method === "getTransaction" && random.chance(0.3)) return { result: null };
        return undefined;
      };
  }
}

/** Lets the reader see what there is now, before the next step changes it. */
async function looked({ node, reader }: World): Promise<void> {
  const calls = node.calls.length;
  reader.wake();
  await eventually(() => node.calls.length > calls + LOOK_CALLS, "the reader looked");
}

function seedOption(): { seed?: number } {
  const seed = Number(process.env.SEED);
  return Number.isInteger(seed) && seed !== 0 ? { seed } : {};
}
