// Calls several routes for one composite: a few at a time, each charged as its own route, and the sum is the composite's cost.
// A failed call omits its part and is counted; if the first call fails, its refusal is the only answer.
import type { RouteId } from "../../contract/routes.ts";
import { chunksOf } from "../../kit/chunks.ts";
import type { Carrier, ToolResult } from "./carrier.ts";
import { TOOLS, type ToolInput } from "./tools.ts";

export interface Asking {
  /** The answer; throws on a refusal. */
  need<Body>(id: RouteId, input: ToolInput): Promise<Body>;
  /** The answer, or null on a refusal. */
  ask<Body>(id: RouteId, input: ToolInput): Promise<Body | null>;
  /** Runs for each item, a few at a time. */
  each<Item, Found>(items: readonly Item[], work: (item: Item) => Promise<Found>): Promise<Found[]>;
  cost(): number;
  remaining(): number | null;
  failed(): number;
}

/** A call whose refusal is returned as the answer. */
export class RefusedCall extends Error {
  constructor(readonly result: ToolResult) {
    super("A call was refused.");
  }
}

/** Calls in flight at once: plans allow few. */
const TOGETHER_MAX = 4;

export function createAsking(carry: Carrier): Asking {
  let cost = 0;
  let remaining: number | null = null;
  let failed = 0;
  const call = async (id: RouteId, input: ToolInput): Promise<ToolResult> => {
    const tool = TOOLS.find(({ name }) => name === id);
    if (!tool) throw new Error(`Unknown tool ${id}.`);
    const texts = Object.entries(input).filter(([, value]) => value !== undefined);
    const result = await carry(tool, Object.fromEntries(texts.map(([name, value]) => [name, String(value)])));
    cost += result.cost;
    if (result.remaining !== null) remaining = Math.min(remaining ?? result.remaining, result.remaining);
    return result;
  };
  return {
    async need<Body>(id: RouteId, input: ToolInput) {
      const result = await call(id, input);
      if (!result.ok) throw new RefusedCall(result);
      return result.body as Body;
    },
    async ask<Body>(id: RouteId, input: ToolInput) {
      const result = await call(id, input);
      if (!result.ok) failed += 1;
      return result.ok ? (result.body as Body) : null;
    },
    async each<Item, Found>(items: readonly Item[], work: (item: Item) => Promise<Found>) {
      const found: Found[] = [];
      for (const some of chunksOf(items, TOGETHER_MAX)) found.push(...(await Promise.all(some.map(work))));
      return found;
    },
    cost: () => cost,
    remaining: () => remaining,
    failed: () => failed,
  };
}
