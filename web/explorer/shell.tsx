/** @jsxImportSource preact */
// The frame of each page of the explorer: the header, the search dialog, the keyboard shortcuts, the footer.
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type PageData, readPageData } from "../shared/data.ts";
import { BottomBar, Foot, Masthead, useShortcut } from "../shared/masthead.tsx";
import { useNotifyChoice } from "../shared/notify-choice.ts";
import { Page, usePage } from "../shared/query.tsx";
import { takeOver } from "../shared/take-over.tsx";
import { useWatchlist } from "../shared/watchlist.ts";
import { isInstalled, registerWorker } from "../shared/worker-registration.ts";
import { SearchDialog } from "./search-dialog.tsx";

function Shell({ current, children }: { current: string; children: ComponentChildren }) {
  const [isSearching, setSearching] = useState(false);
  useShortcut(() => setSearching(true));
  useRowKeys();
  useNotifier();
  useEffect(() => {
    if (isInstalled()) void registerWorker();
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Masthead
        current={current}
        explorer
        isSimulated={usePage().isSimulated}
        onSearch={() => setSearching(true)}
      />
      {isSearching ? <SearchDialog onClose={() => setSearching(false)} /> : null}
      <main id="main" class="site">
        {children}
      </main>
      <Foot />
      <BottomBar current={current} onSearch={() => setSearching(true)} />
    </>
  );
}

export function App({ data, view: View, current }: { data: PageData; view: ComponentType; current: string }) {
  return (
    <Page.Provider value={data}>
      <Shell current={current}>
        <View />
      </Shell>
    </Page.Provider>
  );
}

export function mount(view: ComponentType): void {
  takeOver(<App data={readPageData()} view={view} current={location.pathname} />);
}

/** Starts notifications for those who enabled them; others don't load the code. */
function useNotifier(): void {
  const { mode, pushKey } = usePage();
  const choice = useNotifyChoice();
  const list = useWatchlist();
  const traders = list?.traders.join(",") ?? "";
  const isPushed = choice?.push === true && pushKey !== undefined;
  const isWanted = choice !== null && (choice.each || choice.crowd > 0) && traders !== "" && !isPushed;
  useEffect(() => {
    if (!isWanted || !mayNotify()) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    void import("./notifier.ts").then(({ startNotifier }) => {
      if (!isOver) stop = startNotifier({ mode, traders: traders.split(","), choice });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [isWanted, choice?.each, choice?.crowd, traders]);
  useEffect(() => {
    if (!isPushed || !pushKey || list === null || choice === null || !mayNotify()) return;
    void import("./push.ts").then(({ keepPush }) => keepPush(pushKey, list, choice));
  }, [isPushed, list, choice]);
}

const mayNotify = () => typeof Notification !== "undefined" && Notification.permission === "granted";

/** j and k walk through rows: the first link of the next one gets the focus. */
function useRowKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.key !== "j" && event.key !== "k") || event.metaKey || event.ctrlKey || event.altKey) return;
      if ((event.target as Element).matches?.("input, textarea, select")) return;
      const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
      const here = document.activeElement?.closest<HTMLElement>("[data-row]") ?? null;
      const next = rows[here ? rows.indexOf(here) + (event.key === "j" ? 1 : -1) : 0];
      next?.querySelector<HTMLElement>("a, button")?.focus();
      next?.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
