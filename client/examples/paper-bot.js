// A copy-trade bot on paper: whenever one of the day's best traders buys, it buys for $100, and it sells its holding
// of a token when the trader it copied sells. No order is ever sent; it prints the profit it would have made.
//   CROWDTAPE_KEY=ct_… node paper-bot.js [TRADERS TO COPY, AT MOST 150] [FILLS TO WATCH]
import { createClient } from "@crowdtape/client";

const [copied = "20", fills = "Infinity"] = process.argv.slice(2);
const STAKE_USD = 100;
/** Smaller fills are noise, and fees would make copying them pointless. */
const MIN_FILL_USD = 5;

const client = createClient({
  server: process.env.CROWDTAPE_SERVER,
  key: process.env.CROWDTAPE_KEY,
  maxCredits: 50_000,
});

const { simulated } = await client.getInfo();
if (simulated) console.log("The world behind this server is simulated: no trade here is real.");
const { traders } = await client.getLeaderboard({ window: "24h", limit: Number(copied) });
console.log(`Copying ${traders.length} traders: ${traders.map(({ handle }) => handle).join(", ")}`);

/** By trader and token: our paper holding and its cost. */
const held = new Map();
let earnedUsd = 0;

function copy(alert) {
  const name = `${alert.userId} ${alert.chainId} ${alert.tokenAddress}`;
  const position = held.get(name);
  // Without a price it can't be copied.
  if (!alert.priceUsd) return;
  if (alert.alertType === "buy") {
    const amount = (position?.amount ?? 0) + STAKE_USD / alert.priceUsd;
    held.set(name, { amount, costUsd: (position?.costUsd ?? 0) + STAKE_USD });
    console.log(`buy  $${STAKE_USD} of ${alert.token} after ${alert.trader}`);
  } else if (position) {
    const gainUsd = position.amount * alert.priceUsd - position.costUsd;
    earnedUsd += gainUsd;
    held.delete(name);
    console.log(
      `sell ${alert.token} after ${alert.trader}: ${gainUsd >= 0 ? "+" : ""}${gainUsd.toFixed(2)} USD`,
    );
  }
}

const stream = client.alerts({
  trader: traders.map(({ userId }) => userId),
  type: ["buy", "sell"],
  minUsd: MIN_FILL_USD,
  // Old fills are not worth copying: better to lose some than to trade late.
  buffer: { max: 100, whenFull: "dropOldest" },
});
let seen = 0;
for await (const item of stream) {
  if (item.type !== "alert") continue;
  copy(item);
  seen += 1;
  if (seen >= Number(fills)) break;
}
console.log(
  `${seen} fills seen, ${held.size} positions open, ${earnedUsd.toFixed(2)} USD earned on paper${simulated ? ", in a simulated world" : ""}`,
);
