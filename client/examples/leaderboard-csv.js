// Mirrors a leaderboard to a CSV file, repeatedly. An unchanged board costs nothing: the client keeps its ETag.
//   node leaderboard-csv.js 24h board.csv [TIMES] [SECONDS BETWEEN]
import { rename, writeFile } from "node:fs/promises";
import { createClient, receiptOf } from "@crowdtape/client";

const [window = "24h", file = "leaderboard.csv", times = "1", seconds = "30"] = process.argv.slice(2);
const client = createClient({
  server: process.env.CROWDTAPE_SERVER,
  key: process.env.CROWDTAPE_KEY,
  // A mirror that runs all day must not use up the month's credits.
  maxCredits: 100_000,
});

const COLUMNS = ["rank", "handle", "pnlUsd", "volumeUsd", "trades", "followers", "userId"];
// A spreadsheet would run a name that starts like a formula.
const cell = (value) => {
  const text = String(value ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

for (let time = 1; time <= Number(times); time++) {
  const board = await client.getLeaderboard({ window, limit: 100 });
  const lines = [COLUMNS, ...board.traders.map((row) => COLUMNS.map((name) => row[name]))];
  await writeFile(`${file}.new`, `${lines.map((line) => line.map(cell).join(",")).join("\n")}\n`);
  await rename(`${file}.new`, file);
  const receipt = receiptOf(board);
  const what = receipt?.notModified ? "unchanged" : `${board.count} traders`;
  console.log(`${file}: ${what}, ${receipt?.cost ?? 0} credits, ${client.credits.spent} spent in all`);
  if (time < Number(times)) await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
}
