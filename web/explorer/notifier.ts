// Notifies the visitor of trades by the traders they follow, as long as a page of this site is open. One tab does it for all;
// loaded only for those who enabled it.
import { createCrowd } from "../../contract/crowd.ts";
import type { VisitorMode } from "../shared/data.ts";
import type { NotifyChoice } from "../shared/notify-choice.ts";
import { openSharedFeed } from "../shared/shared-feed.ts";
import { callOf, crowdCall, type NotifierCall } from "./notifier-calls.ts";

export interface NotifierParts {
  mode: VisitorMode;
  traders: readonly string[];
  choice: NotifyChoice;
  show?: (call: NotifierCall) => void;
}

/** Returns a function that stops it. */
export function startNotifier({ mode, traders, choice, show = showCall }: NotifierParts): () => void {
  const stopping = new AbortController();
  const follow = () => {
    const crowd = choice.crowd > 0 ? createCrowd(choice.crowd) : null;
    const feed = openSharedFeed({
      filter: { trader: traders.join(",") },
      mode,
      onView: () => {},
      onEvent(event) {
        // Past events from a resumed stream are not news.
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

/** Through the worker where there is one: phones show notifications in no other way. */
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
