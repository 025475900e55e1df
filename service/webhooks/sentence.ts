// An alert as one line for people. Traders' text is untrusted: it is truncated, put on one line, and left to
// the format to escape.
import type { ServedAlert } from "../../contract/shapes/types.ts";
import type { ServedBooking } from "../../contract/shapes/webhooks.ts";

/** Characters of one line: ten of them fit into a message of either chat. */
const LINE_LENGTH_MAX = 160;

const MARKS: Record<ServedAlert["type"], string> = {
  buy: "🟢",
  sell: "🔴",
  thesis: "📝",
  perp: "📈",
  transfer: "🔁",
  listing: "🆕",
  push: "🔔",
};

export const sentenceOf = (alert: ServedAlert): string => oneLine(`${MARKS[alert.type]} ${words(alert)}`);

/** An alert that no longer holds. */
export function takenBackSentence(alert: ServedAlert, reason: string): string {
  const why = reason === "reorg" ? "Undone by a re-org" : "Taken back";
  return oneLine(`↩️ ${why}: ${words(alert)}`);
}

/** An order of a paper follow. */
export function bookedSentence({ handle, order }: ServedBooking): string {
  const { side, symbol, usd, skipped, correction } = order;
  const did =
    correction !== null
      ? `corrected what it holds of ${symbol}`
      : skipped !== null
        ? `left out a ${side} of ${symbol} (${skipped})`
        : `${side === "buy" ? "bought" : "sold"} ${dollars(usd)}${symbol}`;
  return oneLine(`📄 On paper, following ${handle}: ${did}`);
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= LINE_LENGTH_MAX
    ? line
    : `${characters.slice(0, LINE_LENGTH_MAX - 1).join("")}…`;
}

function words(alert: ServedAlert): string {
  const who = alert.trader ?? "Somebody";
  const token = alert.token ?? "a token";
  const where = alert.chain === null ? "" : ` on ${alert.chain}`;
  switch (alert.type) {
    case "buy":
      return `${who} bought ${dollars(alert.fillUsd)}${token}${where}`;
    case "sell":
      return `${who} sold ${dollars(alert.fillUsd)}${token}${where}${profit(alert.realizedPnlUsdDelta)}`;
    case "thesis":
      return `${who} on ${token}: ${alert.text ?? ""}`;
    case "perp":
      return `${who}: ${alert.action ?? "moved"} ${alert.side ?? ""} ${alert.market ?? token} ${dollars(alert.sizeUsd).replace(/ of $/, "")}`;
    case "transfer":
      return `${who} ${alert.direction === "out" ? "sent" : "received"} ${dollars(alert.valueUsd)}${token}${where}`;
    case "listing":
      return `${token} was listed${where}`;
    case "push":
      return alert.text ?? `${who}, ${token}`;
  }
}

const amount = (value: number) =>
  `$${Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const dollars = (value: number | null | undefined) => (value == null ? "" : `${amount(value)} of `);

function profit(value: number | null | undefined): string {
  if (value == null) return "";
  return value < 0 ? ` (${amount(value)} loss)` : ` (${amount(value)} profit)`;
}
