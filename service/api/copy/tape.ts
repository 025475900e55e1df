// The tape as the service reads it: whole hours of a token, asked of the platform once and kept in memory up to a bound, so
// that the next replay over the same hours asks nothing. What the platform doesn't know is left out, and shows as coverage.
import { createLru } from "../../../kit/lru.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { type TokenTape, tapeOf } from "../../../replay/tape.ts";
import type { Token } from "../../model/token.ts";
import type { Outcome, TicksPage, TicksQuery, Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { inTurn } from "../in-turn.ts";
import { didNotFinish } from "../live.ts";
import { orUnsupported } from "../unsupported.ts";

export type TapeToken = Pick<Token, "networkId" | "address">;

export interface TapeWish {
  token: TapeToken;
  /** Hours since 1970, in any order. */
  hours: ReadonlySet<number>;
}

export interface TapeReader {
  /** By `networkId:address`. */
  read(wishes: readonly TapeWish[], call: RouteCall): Promise<Map<string, TokenTape>>;
}

type Ticks = Parameters<typeof tapeOf>[0];

/** Ticks that are kept, over all tokens: some sixty megabytes of small objects at the most. */
const TICKS_KEPT_MAX = 400_000;
/** What an hour weighs without its ticks. */
const HOUR_TICKS = 4;
/** Ticks that one replay reads; beyond, the rest is not covered. */
const TICKS_READ_MAX = 1_000_000;
const ASKED_MAX = 4;
/** An hour that is over for so long can't change any more. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS;
/** Hours that are asked for in one walk. */
const WALK_HOURS_MAX = 6;

export const tapeName = ({ networkId, address }: TapeToken): string => `${networkId}:${address}`;

export function createTapeReader(upstream: Upstream): TapeReader {
  const kept = createLru<string, Ticks>(TICKS_KEPT_MAX, (ticks) => ticks.length + HOUR_TICKS);

  const readHours = async (
    token: TapeToken,
    first: number,
    count: number,
    call: RouteCall,
  ): Promise<Ticks[]> => {
    const hours = Array.from({ length: count }, (): Ticks[number][] => []);
    const [from, to] = [first * HOUR_MS, (first + count) * HOUR_MS];
    for (let cursor: string | null = null; ; ) {
      const query: TicksQuery = {
        networkId: token.networkId,
        from,
        to,
        ...(cursor === null ? {} : { cursor }),
      };
      const outcome: Outcome<TicksPage> | null = await orUnsupported(
        upstream.ticks(token.address, query, call),
      );
      if (outcome === null || outcome.kind === "notFound" || outcome.kind === "unsupported") return hours;
      if (outcome.kind !== "found") throw didNotFinish("the tape");
      for (const { at, priceUsd, depthUsd, feeBps } of outcome.value.rows)
        hours[Math.floor(at / HOUR_MS) - first]?.push({ at, priceUsd, depthUsd, feeBps });
      cursor = outcome.value.nextCursor;
      if (cursor === null) return hours;
      await servingTurn();
    }
  };

  const readToken = async ({ token, hours }: TapeWish, call: RouteCall): Promise<TokenTape> => {
    const wanted = [...hours].sort((a, b) => a - b);
    const keyOf = (hour: number) => `${tapeName(token)}@${hour}`;
    const found = new Map<number, Ticks>();
    for (const hour of wanted) {
      const ticks = kept.get(keyOf(hour));
      if (ticks) found.set(hour, ticks);
    }
    for (const run of runsOf(wanted.filter((hour) => !found.has(hour)))) {
      const read = await readHours(token, run.first, run.count, call);
      for (const [index, ticks] of read.entries()) {
        const hour = run.first + index;
        found.set(hour, ticks);
        if ((hour + 1) * HOUR_MS + SETTLED_AFTER_MS <= call.asOf) kept.set(keyOf(hour), ticks);
      }
    }
    return tapeOf(wanted.flatMap((hour) => found.get(hour) ?? []));
  };

  return {
    async read(wishes, call) {
      const tapes = new Map<string, TokenTape>();
      let ticks = 0;
      await inTurn(wishes, ASKED_MAX, async (wish) => {
        if (ticks >= TICKS_READ_MAX) return;
        const tape = await readToken(wish, call);
        ticks += tape.at.length;
        tapes.set(tapeName(wish.token), tape);
        await servingTurn();
      });
      return tapes;
    },
  };
}

/** Hours that follow each other are asked for together. */
function runsOf(hours: readonly number[]): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last && last.first + last.count === hour && last.count < WALK_HOURS_MAX) last.count += 1;
    else runs.push({ first: hour, count: 1 });
  }
  return runs;
}
