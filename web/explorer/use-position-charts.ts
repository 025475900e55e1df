// The small charts of a list of positions: loaded for a page of the list at once, when the first row of that page comes into
// view. A page has the same address for everybody, so that later visitors share its answer.
import { useEffect, useRef, useState } from "preact/hooks";
import type { PositionChart, PositionChartsAnswer } from "../../client/src/generated.ts";
import { call, canRecover, failureOf, keyOfTab } from "../shared/api.ts";
import { usePage } from "../shared/query.tsx";
import { createRetry, type Retry } from "../shared/retry.ts";
import { pathOf, traderPath } from "./answers.ts";

export interface PositionCharts {
  of(tradeId: string): PositionChart | null;
  /** Its row came into view. */
  see(tradeId: string): void;
}

/** The limit of one call, and the size of a list page. */
export const CHARTS_A_CALL = 15;

/** The call for the page of the list that this position is on. */
export function chartsPath(handle: string, tradeIds: readonly string[], tradeId: string): string | null {
  const place = tradeIds.indexOf(tradeId);
  if (place < 0) return null;
  const begins = Math.floor(place / CHARTS_A_CALL) * CHARTS_A_CALL;
  const page = tradeIds.slice(begins, begins + CHARTS_A_CALL);
  return pathOf(`${traderPath(handle)}/positions/charts`, { tradeIds: page.join(",") });
}

export function usePositionCharts(handle: string, tradeIds: readonly string[]): PositionCharts {
  const { mode } = usePage();
  const [charts, setCharts] = useState<ReadonlyMap<string, PositionChart>>(new Map());
  const asked = useRef(new Map<string, Retry>());
  const gone = useRef<AbortController>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    gone.current = leaving;
    return () => {
      leaving.abort();
      for (const retry of asked.current.values()) retry.stop();
      asked.current.clear();
      setCharts(new Map());
    };
  }, [handle, mode]);

  const read = async (path: string) => {
    const signal = gone.current?.signal;
    // As everywhere: where visitors read for free, browsing spends no credits.
    const key = mode === "open" ? null : keyOfTab();
    const answer = await call(path, mode, { key, ...(signal ? { signal } : {}) }).catch(() => null);
    if (answer === null || signal?.aborted) return;
    const failure = failureOf(answer);
    const retry = asked.current.get(path);
    if (failure !== null) {
      if (canRecover(failure)) retry?.fail(failure.retryAfterSeconds);
      return;
    }
    retry?.succeed();
    const found = (answer.body as PositionChartsAnswer).charts;
    setCharts((known) => new Map([...known, ...found.map((chart) => [chart.tradeId, chart] as const)]));
  };

  return {
    of: (tradeId) => charts.get(tradeId) ?? null,
    see(tradeId) {
      const path = chartsPath(handle, tradeIds, tradeId);
      if (path === null || charts.has(tradeId) || asked.current.has(path)) return;
      asked.current.set(
        path,
        createRetry(() => void read(path)),
      );
      void read(path);
    },
  };
}
