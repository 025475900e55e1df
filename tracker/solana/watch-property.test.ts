// For wallets that come and go at any moment, each with a back-fill, few enough to be listed or too many: the data stored for
// those watched in the end equals a clean replay of the final chain.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventually } from "../../test/support/eventually.ts";
import { STEPS, seedOption, take } from "./test-steps.ts";
import { makeWorld, type World } from "./test-world.ts";

const RUNS = 6;
const TIMEOUT_MS = 900_000;
const RETRY_MS = 5;

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(...STEPS, ...(["join", "leave", "join", "leave"] as const)),
    who: fc.integer({ min: 0, max: 2 }),
    size: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 20, maxLength: 40 },
);

test.each([
  ["listed", 100],
  ["read by blocks", 0],
  ["alternately listed and read by blocks", 1],
])(
  "wallets that come and go, %s, end up equal to a clean replay",
  (_name, listedWalletsMax) =>
    fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const world = await makeWorld({ listedWalletsMax, traders: 3 });
        const pasts: Promise<void>[] = [];
        try {
          for (const { what, ...rest } of script) {
            const wallet = world.traders[rest.who]?.address ?? "";
            if (what === "leave") world.watch.remove(wallet);
            else if (what !== "join") await take(world, { what, ...rest });
            else if (!world.watch.set.has(wallet)) {
              world.watch.add(wallet);
              pasts.push(readPast(world, wallet, `past ${pasts.length}`));
            }
          }
          world.node.instead = () => undefined;
          world.node.delayMs = () => 0;
          world.node.view.behind = 0;
          await Promise.all(pasts);
          await caughtUp(world);
          expect(world.sink.broken).toEqual([]);
        } finally {
          await world.close();
        }
      }),
      { numRuns: RUNS, endOnFailure: true, ...seedOption() },
    ),
  TIMEOUT_MS,
);

/** Like the roster: until it is done, whatever happens to nodes and readers meanwhile. */
async function readPast(world: World, wallet: string, name: string): Promise<void> {
  for (;;)
    try {
      return await world.reader.backfill({ wallets: [wallet], sinceMs: 0, name });
    } catch {
      await Bun.sleep(RETRY_MS);
    }
}

/** Like the world's own, but only for watched wallets: for others, some data may remain. */
async function caughtUp({ ledger, sink, watch, replay }: World): Promise<void> {
  ledger.produce();
  ledger.finalize();
  const marks = [...watch.set].map((wallet) => ` ${wallet.slice(0, 6)} `);
  const kept = () => sink.flows().filter((line) => marks.some((mark) => line.includes(mark)));
  await eventually(() => Bun.deepEquals(kept(), replay()), "the sink holds what a clean replay gives").catch(
    (error: unknown) => {
      const [seen, right] = [new Set(kept()), new Set(replay())];
      const missing = [...right].filter((line) => !seen.has(line));
      const extra = [...seen].filter((line) => !right.has(line));
      throw new Error(`${error} missing: ${missing.join("\n")} extra: ${extra.join("\n")}`);
    },
  );
}
