// The captured fills behind a chart's marks: all of the range that is shown, in steps that a visitor may read at once.
import { useEffect, useState } from "preact/hooks";
import type { FillsAnswer } from "../../client/src/generated.ts";
import { call, canRecover, failureOf, keyOfTab } from "../shared/api.ts";
import { usePage } from "../shared/query.tsx";
import { createRetry } from "../shared/retry.ts";
import { pathOf } from "./answers.ts";
import { type Walked, walkFills } from "./chart-marks.ts";

/** A thousand trades, read within a second or two; older ones when they are asked for. */
const PAGES_A_STEP = 10;

export interface MarkedFills {
  walked: Walked | null;
  failed: boolean;
  older(): void;
}

/** `from` is the beginning of the first candle; null before it is known. Read again when the range is another one. */
export function useMarkedFills(
  token: { address: string; networkId: number },
  range: { name: string; from: number | null },
): MarkedFills {
  const { mode } = usePage();
  const [steps, setSteps] = useState(1);
  const [state, setState] = useState<{ range: string; walked: Walked | null; failed: boolean }>();
  const { from } = range;
  useEffect(() => {
    if (from === null) return;
    const gone = new AbortController();
    const read = async (cursor: string | null) => {
      const query = { token: token.address, chain: token.networkId, order: "desc", limit: 100, from, cursor };
      // As everywhere: where visitors read for free, looking around spends nobody's credits.
      const key = mode === "open" ? null : keyOfTab();
      const loaded = await call(pathOf("/v2/fills", query), mode, { signal: gone.signal, key });
      const failure = failureOf(loaded);
      if (failure) throw failure;
      return loaded.body as FillsAnswer;
    };
    const walk = async () => {
      try {
        const walked = await walkFills(read, steps * PAGES_A_STEP);
        if (!gone.signal.aborted) setState({ range: range.name, walked, failed: false });
      } catch (failure) {
        if (gone.signal.aborted) return;
        setState((before) => ({ range: range.name, walked: before?.walked ?? null, failed: true }));
        const { status = 0, retryAfterSeconds } = failure as { status?: number; retryAfterSeconds?: number };
        if (canRecover({ status, message: "" })) retry.fail(retryAfterSeconds);
      }
    };
    const retry = createRetry(() => void walk());
    void walk();
    return () => {
      gone.abort();
      retry.stop();
    };
  }, [token.address, token.networkId, range.name, from === null, steps, mode]);
  const known = state?.range === range.name ? state : undefined;
  return {
    walked: known?.walked ?? null,
    failed: known?.failed ?? false,
    older: () => setSteps((before) => before + 1),
  };
}
