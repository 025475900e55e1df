// For any trades, transfers, forks, restarts and faults: the reader's final state equals a clean replay of the final chain, and
// every retraction along the way named something that was stored and not final.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { STEPS, seedOption, take } from "./test-steps.ts";
import { makeWorld } from "./test-world.ts";

const RUNS = 6;
const TIMEOUT_MS = 900_000;

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
    `${listedWalletsMax > 0 ? "listing wallets" : "reading blocks"} ends up equal to a clean replay`,
    () =>
      fc.assert(
        fc.asyncProperty(steps, async (script) => {
          // The third trader is a stranger: it is not watched, but sends to those who are.
          const world = await makeWorld({ listedWalletsMax, traders: 3 });
          world.watch.set.delete(world.traders[2]?.address ?? "");
          try {
            for (const step of script) await take(world, step);
            world.node.instead = () => undefined;
            world.node.delayMs = () => 0;
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
