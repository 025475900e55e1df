// For tests: script steps in which trades, forks, faults and restarts come in any order.
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { World } from "./test-world.ts";

const SOL = 10n ** 9n;
/** Longer than a script step takes, so that answers arrive when the chain has moved on. */
const SLOW_MS_MAX = 20;
/** More calls than one pass makes. */
const LOOK_CALLS = 20;

export type Step = { what: (typeof STEPS)[number]; who: number; size: number };
export const STEPS = [
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
  "gap",
  "gap",
  "wake",
  "look",
  "look",
  "look",
  "faults",
  "slow",
  "behind",
  "store fails",
] as const;

export async function take(world: World, { what, who, size }: Step): Promise<void> {
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
    case "gap":
      // Anything that happens while the reader is down is final when the reader first sees it.
      await world.reader.stop();
      ledger.produce();
      ledger.finalize(size % 2);
      return world.restart();
    case "wake":
      return world.reader.wake([trader.address]);
    case "look":
      return looked(world);
    case "slow":
      // The reader's data is then as old as a few of these steps.
      node.delayMs = () => (random.chance(0.3) ? random.below(SLOW_MS_MAX) : 0);
      return;
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

/** Lets the reader see the current state, before the next step changes it. */
async function looked({ node, reader }: World): Promise<void> {
  const calls = node.calls.length;
  reader.wake();
  await eventually(() => node.calls.length > calls + LOOK_CALLS, "the reader looked");
}

/** The seed printed by a failed run, if given: fast-check then generates the same scripts again. */
export function seedOption(): { seed?: number } {
  const seed = Number(process.env.SEED);
  return Number.isInteger(seed) && seed !== 0 ? { seed } : {};
}
