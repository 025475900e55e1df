// Posts a digest to a Discord channel: the best traders of a window and the tokens everybody is buying. One run, one message; let
// cron or a timer run it. 500 credits each.
//   CROWDTAPE_KEY=ct_… DISCORD_WEBHOOK=https://discord.com/api/webhooks/… node discord-digest.js [24h|7d|30d|all]
import { createClient } from "@crowdtape/client";

const [window = "24h"] = process.argv.slice(2);
const { CROWDTAPE_SERVER: server, CROWDTAPE_KEY: key, DISCORD_WEBHOOK: webhook } = process.env;
if (!webhook) throw new Error("Set DISCORD_WEBHOOK to the address of a channel's webhook.");
const client = createClient({ server, key, maxCredits: 1_000 });
const ROWS = 5;
const LENGTH_MAX = 2_000;
const ATTEMPTS_MAX = 5;

// Names come from strangers: their markup, mentions and links are escaped.
const named = (text) =>
  String(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .slice(0, 40)
    .replace(/[\\*_~`|>#[\]()<@:-]/g, "\\$&");
const usd = (value) =>
  value === null
    ? "–"
    : `${value < 0 ? "−" : ""}$${Math.abs(value).toLocaleString("en", { maximumFractionDigits: 0 })}`;
const percent = (value) => (value === null ? "–" : `${value > 0 ? "+" : ""}${value.toFixed(1)} %`);

const { simulated } = await client.getInfo();
const board = await client.getLeaderboard({ window, limit: ROWS });
const now = await client.listTokenActivity({ window: "24h", side: "buy", limit: ROWS });
const content = [
  `**Best of ${window}**${simulated ? " (simulated)" : ""}`,
  ...board.traders.map(({ rank, handle, pnlUsd }) => `${rank}\\. ${named(handle)} ${usd(pnlUsd)}`),
  "**Bought most in 24 h**",
  ...now.tokens.map(
    ({ token, chain, buyers, netUsd, changePct }) =>
      `${named(token.symbol)} on ${chain}: ${buyers} buyers, net ${usd(netUsd)}, price ${percent(changePct)}`,
  ),
]
  .join("\n")
  .slice(0, LENGTH_MAX);

async function post() {
  const response = await fetch(`${webhook}?wait=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
  });
  if (response.status !== 429) return response;
  const { retry_after: seconds = 5 } = await response.json();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return null;
}

let response = null;
for (let attempt = 1; response === null && attempt <= ATTEMPTS_MAX; attempt++) response = await post();
// The URL contains the webhook's token, so it is not part of the message.
if (!response?.ok) throw new Error(`Discord answered ${response?.status ?? 429}.`);
console.log(`posted ${board.count} traders and ${now.count} tokens, ${client.credits.spent} credits`);
