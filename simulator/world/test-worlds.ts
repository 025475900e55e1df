// Small worlds for tests, and a fingerprint to compare two of them.
import { columnBytes } from "./columns.ts";
import { type Tables, usedRows } from "./state.ts";
import { World } from "./world.ts";

/** A Tuesday evening in America, when most trade. */
export const TEST_GENESIS = Date.UTC(2026, 2, 17, 23, 7, 31);

export function smallWorld(
  seed: string,
  options: { traders?: number; copiers?: number; seconds: number; rate: number },
): World {
  const until = TEST_GENESIS + options.seconds * 1000;
  const segments = [{ from: TEST_GENESIS, until, rate: options.rate }];
  const { traders = 150, copiers = 0 } = options;
  return new World({ seed, genesis: TEST_GENESIS, traders, copiers, segments });
}

/** Equal for equal worlds: covers everything in the state. */
export function fingerprint(world: World): string {
  const { state, population, tokens } = world.context;
  const rows = usedRows(state, population.traders.length, tokens.list.length);
  const sums = (Object.keys(rows) as (keyof Tables)[]).flatMap((table) =>
    columnBytes(state.tables[table], rows[table]).map(([name, data]) => `${table}.${name} ${Bun.hash(data)}`),
  );
  return [JSON.stringify(state.counters), state.random.state().join(), ...sums].join("\n");
}
