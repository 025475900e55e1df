// A notification's text and link, both from an open page and from a server push.
import type { CrowdNews } from "../../contract/crowd.ts";
import type { Pushed, PushedAlert } from "../../contract/push.ts";
import { counted, usd } from "../shared/format.ts";

export interface NotifierCall {
  title: string;
  body: string;
  href: string;
  /** Of two notifications with the same tag the system shows the later one. */
  tag: string;
}

const tokenHref = (address: string, networkId: number | null) =>
  `/tokens/${encodeURIComponent(address)}${networkId === null ? "" : `?networkId=${networkId}`}`;

/** The notification for an event; null for one that is not worth it. */
export function callOf(event: PushedAlert): NotifierCall | null {
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

/** Replaces the one that it retracts. Its trade may have no page any more. */
function goneCall({ title, tag }: NotifierCall): NotifierCall {
  return { title: `Taken back: ${title}`, body: "The chain undid this trade.", href: "/following", tag };
}

const NAMED_MAX = 4;

export function crowdCall({ symbol, address, networkId, count, traders }: CrowdNews): NotifierCall {
  const names = traders.slice(0, NAMED_MAX).map((trader) => `@${trader}`);
  const others = count - names.length;
  return {
    title: `${count} traders you follow bought ${symbol} within 10 minutes`,
    body: names.join(", ") + (others > 0 ? ` and ${others} more` : ""),
    href: tokenHref(address, networkId),
    tag: `crowdtape ${networkId} ${address}`,
  };
}

/** The notification for a server push; a worker has to show something for each. */
export function pushedCall(pushed: Pushed): NotifierCall {
  if (pushed.kind === "crowd") return crowdCall(pushed.crowd);
  const call = pushed.kind === "many" ? null : callOf(pushed.alert);
  if (call) return pushed.kind === "gone" ? goneCall(call) : call;
  const { count, seq } = pushed.kind === "many" ? pushed : { count: 1, seq: 0 };
  return {
    title: `${counted(count, "thing")} happened`,
    body: "By traders and in tokens that you follow.",
    href: "/following",
    tag: `crowdtape ${seq}`,
  };
}
