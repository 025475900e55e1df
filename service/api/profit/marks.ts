// Prices of past moments: requested from the platform in batches, so that ours are those it ranks by, and cached. Prices it
// doesn't know are looked up on the captured tape. Its prices at the ends of buckets are stored, because all traders' curves
// share those moments; the rest is cached for a while.
import { type PriceMark, usableMark } from "../../../accounting/marks.ts";
import type { Clock } from "../../../kit/clock.ts";
import { createLru } from "../../../kit/lru.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { nameOfToken, type TokenRef } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { inTurn } from "../in-turn.ts";

export interface Marks {
  /**
   * The marks of these tokens at these moments that are usable in a window of this length. They stay until the lookup is
   * dropped, whatever others request meanwhile. Beyond `WANTED_MAX` nothing is looked up: those have no mark.
   */
  load(wanted: Iterable<WantedMark>, windowMs: number, call: RouteCall): Promise<MarkLookup>;
}

export interface WantedMark {
  token: TokenRef;
  at: number;
}

export type MarkLookup = (token: TokenRef, at: number) => PriceMark | null;

/** The most a platform accepts per request. */
const QUOTES_MAX = 100;
const ASKED_IN_FLIGHT_MAX = 6;
/** Some megabytes: the tokens of a few hundred traders at the ends of their windows. */
const REMEMBERED_MAX = 50_000;
/** Per call: a trader who holds 139 tokens for a month, by the hour. */
export const WANTED_MAX = 100_000;
/** Processed per turn of the event loop: a millisecond or two. */
const WANTED_PER_TURN = 2_000;
/** A platform may correct prices younger than this: blocks are orphaned, and trades arrive late. */
const SETTLED_AFTER_MS = HOUR_MS;
/** How long a price that may still be corrected is cached. */
const UNSETTLED_MS = MINUTE_MS;
/** How long an unknown old price is assumed to stay unknown: a curve may have hundreds, and each is a request. */
const UNKNOWN_MS = HOUR_MS;

interface Remembered {
  mark: PriceMark | null;
  until: number;
}

const nameOf = ({ networkId, address }: TokenRef, at: number) => `${networkId}:${address}@${at}`;

export function createMarks({
  upstream,
  store,
  clock,
}: {
  upstream: Upstream;
  store: Pick<Store, "marks" | "candles">;
  clock: Pick<Clock, "now">;
}): Marks {
  const remembered = createLru<string, Remembered>(REMEMBERED_MAX);
  const isSettled = (at: number) => at <= clock.now() - SETTLED_AFTER_MS;

  const remember = (name: string, at: number, mark: PriceMark | null): void => {
    const isSaid = mark?.source === "quote";
    const keptMs = !isSettled(at) ? UNSETTLED_MS : isSaid ? Number.POSITIVE_INFINITY : UNKNOWN_MS;
    remembered.set(name, { mark, until: clock.now() + keptMs });
  };

  const ask = async (
    tokens: readonly TokenRef[],
    at: number,
    call: RouteCall,
  ): Promise<(PriceMark | null)[] | null> => {
    const outcome = await upstream.quotes(tokens, at, call);
    if (outcome.kind !== "found") return null;
    return outcome.value.map((quote) =>
      quote === null || quote.priceUsd === null
        ? null
        : { priceUsd: quote.priceUsd, at: Math.min(quote.asOf, at), source: "quote" },
    );
  };

  /** The close of the last captured candle that ended by then. */
  const fromTape = async (token: TokenRef, at: number): Promise<PriceMark | null> => {
    const candles = await store.candles.range(token.address, {
      networkId: token.networkId,
      length: "1m",
      from: at - HOUR_MS,
      to: at - MINUTE_MS + 1,
      limit: HOUR_MS / MINUTE_MS,
    });
    const last = candles.at(-1);
    return last ? { priceUsd: last.close, at: last.opensAt + MINUTE_MS, source: "candle" } : null;
  };

  /** Adds what it finds to `found`. */
  const lookUp = async (
    tokens: readonly TokenRef[],
    at: number,
    call: RouteCall,
    found: Map<string, PriceMark | null>,
  ): Promise<void> => {
    const isKept = at % HOUR_MS === 0 && isSettled(at);
    const kept = isKept ? await store.marks.at(tokens, at) : new Map<string, PriceMark>();
    const missing = tokens.filter((token) => {
      const mark = kept.get(nameOfToken(token));
      if (!mark) return true;
      found.set(nameOf(token, at), mark);
      remember(nameOf(token, at), at, mark);
      return false;
    });
    if (missing.length === 0) return;
    const asked = await ask(missing, at, call);
    const fresh: { token: TokenRef; at: number; mark: PriceMark }[] = [];
    for (const [index, token] of missing.entries()) {
      const quoted = asked?.[index] ?? null;
      const mark = quoted ?? (await fromTape(token, at));
      if (quoted && isKept) fresh.push({ token, at, mark: quoted });
      found.set(nameOf(token, at), mark);
      // Unanswered prices are requested again.
      if (mark || asked) remember(nameOf(token, at), at, mark);
    }
    if (fresh.length > 0) await store.marks.save(fresh);
  };

  return {
    async load(wanted, windowMs, call) {
      const found = new Map<string, PriceMark | null>();
      const byMoment = new Map<number, Map<string, TokenRef>>();
      let looked = 0;
      for (const { token, at } of wanted) {
        if (++looked > WANTED_MAX) break;
        if (looked % WANTED_PER_TURN === 0) await servingTurn();
        const name = nameOf(token, at);
        const known = remembered.get(name);
        if (known && clock.now() < known.until) found.set(name, known.mark);
        else {
          const tokens = byMoment.get(at) ?? new Map<string, TokenRef>();
          tokens.set(name, token);
          byMoment.set(at, tokens);
        }
      }
      const batches = [...byMoment].flatMap(([at, tokens]) => {
        const all = [...tokens.values()];
        return Array.from({ length: Math.ceil(all.length / QUOTES_MAX) }, (_, index) => ({
          at,
          tokens: all.slice(index * QUOTES_MAX, (index + 1) * QUOTES_MAX),
        }));
      });
      await inTurn(batches, ASKED_IN_FLIGHT_MAX, ({ at, tokens }) => lookUp(tokens, at, call, found));
      return (token, at) => usableMark(found.get(nameOf(token, at)) ?? null, at, windowMs);
    },
  };
}
