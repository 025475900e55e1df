// Prices of past moments: asked of the platform, so that ours are those it ranks by, in batches, and remembered. What it
// can't say is looked for on the captured tape. A price at the end of a bucket is kept in the store, because everybody's
// curves share those moments; the ends of rolling windows are remembered for a while.
import { type PriceMark, usableMark } from "../../../accounting/marks.ts";
import { createLru } from "../../../kit/lru.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { nameOfToken, type TokenRef } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { inTurn } from "../in-turn.ts";

export interface Marks {
  /** The marks of these tokens at these moments that may stand for them in a window of this length. */
  load(
    wanted: readonly { token: TokenRef; at: number }[],
    windowMs: number,
    call: RouteCall,
  ): Promise<MarkLookup>;
}

export type MarkLookup = (token: TokenRef, at: number) => PriceMark | null;

/** What a platform takes in one question. */
const QUOTES_MAX = 100;
const ASKED_IN_FLIGHT_MAX = 6;
/** Some megabytes: the tokens of a few hundred traders at the ends of their windows. */
const REMEMBERED_MAX = 50_000;

const nameOf = ({ networkId, address }: TokenRef, at: number) => `${networkId}:${address}@${at}`;

export function createMarks({
  upstream,
  store,
}: {
  upstream: Upstream;
  store: Pick<Store, "marks" | "candles">;
}): Marks {
  const remembered = createLru<string, PriceMark | null>(REMEMBERED_MAX);

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

  const lookUp = async (tokens: readonly TokenRef[], at: number, call: RouteCall): Promise<void> => {
    const isKept = at % HOUR_MS === 0;
    const kept = isKept ? await store.marks.at(tokens, at) : new Map<string, PriceMark>();
    const missing = tokens.filter((token) => {
      const mark = kept.get(nameOfToken(token));
      if (mark) remembered.set(nameOf(token, at), mark);
      return !mark;
    });
    if (missing.length === 0) return;
    const asked = await ask(missing, at, call);
    const found: { token: TokenRef; at: number; mark: PriceMark }[] = [];
    for (const [index, token] of missing.entries()) {
      const mark = asked?.[index] ?? (await fromTape(token, at));
      if (mark && asked && isKept) found.push({ token, at, mark });
      // What nobody answered is asked for again.
      if (mark || asked) remembered.set(nameOf(token, at), mark);
    }
    if (found.length > 0) await store.marks.save(found);
  };

  return {
    async load(wanted, windowMs, call) {
      const byMoment = new Map<number, Map<string, TokenRef>>();
      for (const { token, at } of wanted) {
        if (remembered.get(nameOf(token, at)) !== undefined) continue;
        const tokens = byMoment.get(at) ?? new Map<string, TokenRef>();
        tokens.set(nameOf(token, at), token);
        byMoment.set(at, tokens);
      }
      const batches = [...byMoment].flatMap(([at, tokens]) => {
        const all = [...tokens.values()];
        return Array.from({ length: Math.ceil(all.length / QUOTES_MAX) }, (_, index) => ({
          at,
          tokens: all.slice(index * QUOTES_MAX, (index + 1) * QUOTES_MAX),
        }));
      });
      await inTurn(batches, ASKED_IN_FLIGHT_MAX, ({ at, tokens }) => lookUp(tokens, at, call));
      return (token, at) => usableMark(remembered.get(nameOf(token, at)) ?? null, at, windowMs);
    },
  };
}
