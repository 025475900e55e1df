// Rings when several different traders buy the same token within minutes: one buyer is a whim, three are news.
//   CROWDTAPE_KEY=ct_… node convergence-alarm.js [TRADERS] [MINUTES] [LEAST BUY IN USD] [ALARMS TO WAIT FOR]
import { createClient } from "@crowdtape/client";

const [traders = "3", minutes = "10", minUsd = "100", alarms = "Infinity"] = process.argv.slice(2);
const client = createClient({ server: process.env.CROWDTAPE_SERVER, key: process.env.CROWDTAPE_KEY });
const WINDOW_MS = Number(minutes) * 60_000;
/** At most this many tokens are watched; the one quiet for longest is dropped first. */
const TOKENS_MAX = 5_000;

/** By token: each trader's last buy. */
const buys = new Map();
/** By token: the time until which it does not ring again. */
const quiet = new Map();
let rung = 0;

const named = (text) => String(text ?? "?").replace(/[\p{Cc}\p{Cf}]+/gu, " ");

function watch({ userId, trader, chainId, chain, tokenAddress, token, fillUsd, ts }) {
  if (userId === null || tokenAddress === null) return;
  const key = `${chainId} ${tokenAddress}`;
  const byTrader = buys.get(key) ?? new Map();
  byTrader.set(userId, { trader, usd: (byTrader.get(userId)?.usd ?? 0) + (fillUsd ?? 0), ts });
  for (const [id, buy] of byTrader) if (ts - buy.ts > WINDOW_MS) byTrader.delete(id);
  buys.delete(key);
  buys.set(key, byTrader);
  if (buys.size > TOKENS_MAX) buys.delete(buys.keys().next().value);
  if (byTrader.size < Number(traders) || (quiet.get(key) ?? 0) > ts) return;
  quiet.set(key, ts + WINDOW_MS);
  for (const [each, until] of quiet) if (until <= ts) quiet.delete(each);
  const all = [...byTrader.values()];
  const usd = all.reduce((sum, buy) => sum + buy.usd, 0);
  rung += 1;
  console.log(
    `${new Date(ts).toISOString()} ${all.length} traders bought ${named(token)} on ${chain} for $${usd.toFixed(0)}: ` +
      `${all.map((buy) => named(buy.trader)).join(", ")} (${tokenAddress})`,
  );
}

// The stream is free. Events missed in a short break are read later, so that no buy is missing from the count.
for await (const item of client.alerts({ type: "buy", minUsd: Number(minUsd), fill: true })) {
  if (item.type !== "alert") continue;
  watch(item);
  if (rung >= Number(alarms)) break;
}
