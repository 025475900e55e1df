// What a notification says, and where it leads: of a page that is open, and of one that the server sent.
import type { CrowdNews } from "../../contract/crowd.ts";
import type { Pushed, PushedAlert } from "../../contract/push.ts";
import { counted, usd } from "../shared/format.ts";

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

/** In place of the one that it takes back. Its trade may have no page any more. */
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

/** The words for what the server sent; a worker has to show something for each. */
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
