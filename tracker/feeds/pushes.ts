// Push notifications: large trades, once final, because a notification can't be taken back.
import { derivedUuid } from "../../kit/ids.ts";
import type { WireAppItem, WirePushItem } from "../../protocol/shapes/event.ts";

const LARGE_USD = 4_000;
const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** null: not large, or not a trade. */
export function pushOf(alert: WireAppItem): WirePushItem | null {
  const { kind, fillUsd, displayName, token } = alert;
  if ((kind !== "buy" && kind !== "sell") || Number(fillUsd ?? 0) < LARGE_USD) return null;
  const size = dollars.format(Number(fillUsd));
  return {
    eventId: derivedUuid("push", alert.eventId),
    notificationType: kind === "buy" ? "LARGE_BUY" : "LARGE_SELL",
    title: `${size} of ${token?.symbol ?? "a token"} ${kind === "buy" ? "bought" : "sold"}`,
    text: `${displayName} ${kind === "buy" ? "bought" : "sold"} ${size} of ${token?.name ?? "it"}`,
    userId: alert.userId,
    handle: alert.handle,
    token: token ?? null,
    at: alert.at,
  };
}
