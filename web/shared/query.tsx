/** @jsxImportSource preact */
// Calls as components use them: first the answers that the server sent with the page, then fresh ones, while an older answer
// stays on the screen until a newer one arrives.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { call, canRecover, type Failure, failureOf, keyOfTab } from "./api.ts";
import type { Loaded, PageData } from "./data.ts";
import { createRetry } from "./retry.ts";

export const Page = createContext<PageData>({
  page: "",
  params: {},
  query: {},
  mode: "key",
  chains: [],
  loaded: {},
  renderedAt: 0,
  isSimulated: false,
});

export const usePage = () => useContext(Page);

export interface Asked<Body> {
  body: Body | null;
  /** Why the latest attempt failed; an older body may still be there. */
  failure: Failure | null;
  loading: boolean;
  at: number | null;
  /** Calls need a key here, and none is set. */
  needsKey: boolean;
  retry(): void;
}

/** A path, or null while there is nothing to request. `everyMs` repeats the call while the page is visible. */
export function useAnswer<Body>(path: string | null, options: { everyMs?: number } = {}): Asked<Body> {
  const page = usePage();
  const first = path === null ? undefined : page.loaded[path];
  const [state, setState] = useState<{ path: string | null; latest?: Loaded; good?: Loaded }>(() => ({
    path,
    ...(first ? { latest: first, ...(failureOf(first) ? {} : { good: first }) } : {}),
  }));
  const [tries, setTries] = useState(0);
  const [hasKey, setHasKey] = useState(true);
  const known = state.path === path ? state : { path };
  const needsKey = page.mode === "key" && !hasKey;

  useEffect(() => {
    setHasKey(keyOfTab() !== null);
  }, []);

  useEffect(() => {
    if (path === null || (page.mode === "key" && keyOfTab() === null)) return;
    const controller = new AbortController();
    const ask = async () => {
      // Where visitors read for free, browsing does not spend the credits of a key in the tab.
      const key = page.mode === "open" ? null : keyOfTab();
      const latest = await call(path, page.mode, { signal: controller.signal, key }).catch(() => null);
      if (latest === null || controller.signal.aborted) return;
      const failure = failureOf(latest);
      if (failure === null) retry.succeed();
      else if (canRecover(failure)) retry.fail(failure.retryAfterSeconds);
      page.loaded[path] = latest;
      setState((before) => ({
        path,
        latest,
        ...(failure ? (before.path === path && before.good ? { good: before.good } : {}) : { good: latest }),
      }));
    };
    const retry = createRetry(() => void ask());
    const held = page.loaded[path];
    if (tries > 0 || held === undefined || failureOf(held) !== null || state.path !== path) {
      if (held && !failureOf(held) && tries === 0) setState({ path, latest: held, good: held });
      else void ask();
    }
    const timer =
      options.everyMs === undefined
        ? null
        : setInterval(() => document.visibilityState === "visible" && void ask(), options.everyMs);
    return () => {
      controller.abort();
      retry.stop();
      if (timer !== null) clearInterval(timer);
    };
  }, [path, tries, page.mode]);

  const latest = "latest" in known ? known.latest : undefined;
  const good = "good" in known ? known.good : undefined;
  return {
    body: (good?.body as Body | undefined) ?? null,
    failure: latest ? failureOf(latest) : null,
    loading: path !== null && latest === undefined && !needsKey,
    at: good?.at ?? null,
    needsKey,
    retry: () => setTries((n) => n + 1),
  };
}
