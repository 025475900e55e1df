// The service worker: an offline page when there is no connection, the server's pushes as notifications, and a tap on one that
// opens its subject. It caches nothing else: a page is always the server's, or none.
import type { Pushed } from "../../contract/push.ts";
import { type NotifierCall, pushedCall } from "../explorer/notifier-calls.ts";

/** The parts of a worker's globals in use; the compiler only knows a page's. */
interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchedEvent extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface PushedEvent extends LastingEvent {
  data: { json(): unknown } | null;
}
interface TappedEvent extends LastingEvent {
  notification: Notification;
}
interface WorkerWorld {
  addEventListener(name: "install" | "activate", run: (event: LastingEvent) => void): void;
  addEventListener(name: "fetch", run: (event: FetchedEvent) => void): void;
  addEventListener(name: "push", run: (event: PushedEvent) => void): void;
  addEventListener(name: "notificationclick", run: (event: TappedEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  clients: { claim(): Promise<void>; openWindow(href: string): Promise<unknown> };
}

const OFFLINE = "/offline";
const KEPT = "crowdtape-offline-1";

const worker = self as unknown as WorkerWorld;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" })))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(
    fetch(event.request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()),
  );
});

/** A browser requires a visible notification for each message, even an unreadable one. */
function wordsOf(event: PushedEvent): NotifierCall {
  try {
    return pushedCall(event.data?.json() as Pushed);
  } catch {
    return pushedCall({ kind: "many", count: 1, seq: 0 });
  }
}

worker.addEventListener("push", (event) => {
  const { title, body, href, tag } = wordsOf(event);
  const options = { body, tag, icon: "/favicon.svg", data: { href } };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const href = String((event.notification.data as { href?: string } | null)?.href ?? "/");
  // Only pages of this site, whatever a notification contains.
  if (!href.startsWith("/") || href.startsWith("//")) return;
  event.waitUntil(worker.clients.openWindow(href));
});
