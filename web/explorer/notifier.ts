// Calls someone about what the traders they follow do, as long as a page of this site is open. One tab does it for all; loaded
// only by those who asked for it.
import type { VisitorMode } from "../shared/data.ts";
import type { TapeEvent } from "../shared/feed.ts";
import { usd } from "../shared/format.ts";
import type { NotifyChoice } from "../shared/notify-choice.ts";
import { openSharedFeed } from "../shared/shared-feed.ts";
import { type CrowdNews, createCrowd } from "./crowd.ts";

export interface NotifierCall {
  title: string;
  body: string;
  href: string;
  /** Of two calls with one tag a system shows the later one. */
  tag: string;
}

const tokenHref = (address: string, networkId: number | null) =>
  `/tokens/${encodeURIComponent(address)}${networkId === null ? "" : `?networkId=${networkId}`}`;

/** What of an event is worth a call; null for what is not. */
export function callOf(event: TapeEvent): NotifierCall | null {
  const { alertType, trader, token, tradeId, tokenAddress, chainId, fillUsd, text, seq } = event;
  if (trader === null || !["buy", "sell", "thesis"].includes(alertType)) return null;
  const verb = { buy: "bought", sell: "sold" }[alertType as string] ?? "wrote about";
  const href = tradeId
    ? `/trades/${tradeId}`
    : tokenAddress
      ? tokenHref(tokenAddress, chainId)
      : `/traders/${encodeURIComponent(trader)}`;
  return {
    title: `@${trader} ${verb} ${token ?? "a token"}`,
    body: alertType === "thesis" ? (text ?? "").slice(0, 200) : usd(fillUsd),
    href,
    tag: `crowdtape ${seq}`,
  };
}

const NAMED_MAX = 4;

export function crowdCall({ symbol, address, networkId, traders }: CrowdNews): NotifierCall {
  const names = traders.slice(0, NAMED_MAX).map((trader) => `@${trader}`);
  const others = traders.length - names.length;
  return {
    title: `${traders.length} traders you follow bought ${symbol} within 10 minutes`,
    body: names.join(", ") + (others > 0 ? ` and ${others} more` : ""),
    href: tokenHref(address, networkId),
    tag: `crowdtape ${networkId} ${address}`,
  };
}

export interface NotifierParts {
  mode: VisitorMode;
  traders: readonly string[];
  choice: NotifyChoice;
  show?: (call: NotifierCall) => void;
}

/** Returns what stops it. */
export function startNotifier({ mode, traders, choice, show = showCall }: NotifierParts): () => void {
  const stopping = new AbortController();
  const follow = () => {
    const crowd = choice.crowd > 0 ? createCrowd(choice.crowd) : null;
    const feed = openSharedFeed({
      filter: { trader: traders.join(",") },
      mode,
      onView: () => {},
      onEvent(event) {
        // What a resumed stream brings of the past is no news.
        const news = crowd?.add(event) ?? null;
        if (news) show(crowdCall(news));
        const call = choice.each && !event.replay ? callOf(event) : null;
        if (call) show(call);
      },
    });
    return new Promise<void>((resolve) => {
      stopping.signal.addEventListener("abort", () => {
        feed.stop();
        resolve();
      });
    });
  };
  if (navigator.locks)
    navigator.locks.request("crowdtape-notify", { signal: stopping.signal }, follow).catch(() => {});
  else void follow();
  return () => stopping.abort();
}

/** Through the worker where there is one: phones show nothing else. */
function showCall({ title, body, href, tag }: NotifierCall): void {
  const options = { body, tag, icon: "/favicon.svg", data: { href } };
  const direct = () => {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      location.assign(href);
    };
  };
  const registered = navigator.serviceWorker?.getRegistration?.() ?? Promise.resolve(undefined);
  registered
    .then((worker) => (worker?.active ? worker.showNotification(title, options) : direct()))
    .catch(() => {});
}
