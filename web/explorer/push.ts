// This browser's Web Push: subscribed at its push service, and stored by the server as long as it is renewed. The server
// learns the watchlist only of those who turn it on.
import type { PushWish } from "../../contract/push.ts";
import { DAY_MS } from "../../kit/units.ts";
import { callSite, failureOf } from "../shared/api.ts";
import { now } from "../shared/clock.ts";
import type { NotifyChoice } from "../shared/notify-choice.ts";
import type { Watchlist } from "../shared/watchlist.ts";
import { registerWorker } from "../shared/worker-registration.ts";

const SENT_STORED = "crowdtape-push";
/** Well before the server drops subscriptions that are not renewed. */
const RENEWED_AFTER_MS = DAY_MS;

export const canPush = (): boolean =>
  typeof navigator !== "undefined" && "serviceWorker" in navigator && typeof PushManager !== "undefined";

const encoded = (buffer: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

async function subscriptionFor(pushKey: string): Promise<PushSubscription> {
  // Without a worker, `ready` would never resolve.
  if (!(await registerWorker())) throw new Error("The service worker was refused.");
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  // A subscription made for another key of this server no longer receives anything.
  if (known && encoded(known.options.applicationServerKey) === pushKey) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
}

function wishOf(
  subscription: Pick<PushSubscription, "endpoint" | "getKey">,
  { traders, tokens }: Watchlist,
  choice: NotifyChoice,
): PushWish {
  return {
    endpoint: subscription.endpoint,
    p256dh: encoded(subscription.getKey("p256dh")),
    auth: encoded(subscription.getKey("auth")),
    traders: choice.each || choice.crowd > 0 ? traders : [],
    tokens: choice.tokens ? tokens.map(({ address }) => address) : [],
    each: choice.each,
    crowd: choice.crowd,
  };
}

/** Turns it on, or updates the server's copy of the watchlist. Null, or why it did not work. */
export async function keepPush(
  pushKey: string,
  list: Watchlist,
  choice: NotifyChoice,
): Promise<string | null> {
  let wish: PushWish;
  try {
    wish = wishOf(await subscriptionFor(pushKey), list, choice);
  } catch {
    return "This browser's push service does not answer. Notifications come while a page is open.";
  }
  const text = JSON.stringify([pushKey, wish]);
  const sent = sentBefore();
  if (sent?.text === text && now() - sent.at < RENEWED_AFTER_MS) return null;
  const failure = failureOf(await callSite("POST", "/push", wish));
  if (failure) return failure.message;
  remember({ text, at: now() });
  return null;
}

export async function endPush(): Promise<void> {
  remember(null);
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  await callSite("DELETE", "/push", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

interface SentWish {
  text: string;
  at: number;
}

function sentBefore(): SentWish | null {
  try {
    return JSON.parse(localStorage.getItem(SENT_STORED) ?? "null") as SentWish | null;
  } catch {
    return null;
  }
}

function remember(sent: SentWish | null): void {
  try {
    if (sent) localStorage.setItem(SENT_STORED, JSON.stringify(sent));
    else localStorage.removeItem(SENT_STORED);
  } catch {
    // Without storage every page load renews it.
  }
}
