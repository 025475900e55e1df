// The captured fills behind a chart's marks: all of the visible range, in steps that a visitor may read at once. Fills stay
// cached, whichever way the chart is moved and whatever its candle length.
import { useEffect, useRef, useState } from "preact/hooks";
import type { FillsAnswer, TraderFill } from "../../client/src/generated.ts";
import { call, canRecover, failureOf, keyOfTab } from "../shared/api.ts";
import { usePage } from "../shared/query.tsx";
import { createRetry } from "../shared/retry.ts";
import { pathOf } from "./answers.ts";
import { type ChartSpan, gapIn, joined, walkFills } from "./chart-marks.ts";

/** A thousand trades, read within a second or two; older ones when they are requested. */
const PAGES_A_STEP = 10;
/** A chart that is being dragged sends its request once it rests. */
const RESTS_AFTER_MS = 250;

export interface MarkedFills {
  fills: readonly TraderFill[];
  state: "reading" | "failed" | "read";
  /** Trades before this are not shown, although the chart covers their time; null when all are. */
  cutAt: number | null;
  /** Before this, only trades that were still available when captured are known; null before the first answer. */
  coveredFrom: number | null;
  /** Sets the visible range; past the last candle it ends at infinity. */
  look(shown: ChartSpan): void;
  older(): void;
}

interface KeptFills {
  fills: Map<string, TraderFill>;
  known: ChartSpan[];
  coveredFrom: number | null;
}

const nothing = (): KeptFills => ({ fills: new Map(), known: [], coveredFrom: null });

export function useMarkedFills(token: { address: string; networkId: number }): MarkedFills {
  const { mode } = usePage();
  const [shown, setShown] = useState<ChartSpan | null>(null);
  const [steps, setSteps] = useState(1);
  const [state, setState] = useState<MarkedFills["state"]>("reading");
  const [, setFound] = useState(0);
  const kept = useRef<KeptFills>(nothing());
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    kept.current = nothing();
  }, [token.address, token.networkId]);
  useEffect(() => {
    const gap = shown && gapIn(kept.current.known, shown);
    if (gap === null) return;
    const gone = new AbortController();
    const read = async (cursor: string | null) => {
      const to = Number.isFinite(gap.to) ? gap.to : null;
      const of = { token: token.address, chain: token.networkId, order: "desc", limit: 100 };
      // As everywhere: where visitors read for free, browsing spends no credits.
      const key = mode === "open" ? null : keyOfTab();
      const path = pathOf("/v2/fills", { ...of, from: gap.from, to, cursor });
      const loaded = await call(path, mode, { signal: gone.signal, key });
      const failure = failureOf(loaded);
      if (failure) throw failure;
      const page = loaded.body as FillsAnswer;
      // Shown as they arrive; whether the read was complete is known only at the end.
      for (const fill of page.fills) kept.current.fills.set(fill.swapId, fill);
      setFound(kept.current.fills.size);
      return page;
    };
    const walk = async () => {
      try {
        const { cutAt, coveredFrom } = await walkFills(read, PAGES_A_STEP);
        if (gone.signal.aborted) return;
        const { current } = kept;
        // There may be more at the very moment of the cut.
        current.known = joined(current.known, { from: cutAt === null ? gap.from : cutAt + 1, to: gap.to });
        current.coveredFrom = coveredFrom;
        setState("read");
        // A read that ended at an older range may have more to read beyond it.
        if (cutAt === null && shown && gapIn(current.known, shown) !== null) setSteps((before) => before + 1);
      } catch (failure) {
        if (gone.signal.aborted) return;
        setState("failed");
        const { status = 0, retryAfterSeconds } = failure as { status?: number; retryAfterSeconds?: number };
        if (canRecover({ status, message: "" })) retry.fail(retryAfterSeconds);
      }
    };
    const retry = createRetry(() => void walk());
    setState("reading");
    void walk();
    return () => {
      gone.abort();
      retry.stop();
    };
  }, [token.address, token.networkId, shown?.from, shown?.to, steps, mode]);
  useEffect(() => () => clearTimeout(rest.current), []);
  const { known, fills, coveredFrom } = kept.current;
  const gap = shown && gapIn(known, shown);
  return {
    fills: [...fills.values()],
    state,
    cutAt: gap === null ? null : gap.to,
    coveredFrom,
    look(next) {
      clearTimeout(rest.current);
      rest.current = setTimeout(() => setShown(next), RESTS_AFTER_MS);
    },
    older: () => setSteps((before) => before + 1),
  };
}
