// Tables for a spreadsheet. =IMPORTDATA() can't send a key, so this server holds the key and serves CSV at URLs that only
// your sheet knows; each is read at most once a minute, whatever the sheet does.
//   CROWDTAPE_KEY=ct_… SHEET_SECRET=$(openssl rand -hex 16) node sheet-csv.js [PORT] [HOST]
//   =IMPORTDATA("https://you.example/SECRET/leaderboard/7d.csv")      rank, handle, profit, …   250 credits
//   =IMPORTDATA("https://you.example/SECRET/now.csv")                 tokens being bought       250 credits
//   =IMPORTDATA("https://you.example/SECRET/fills/HANDLE.csv")        the newest 100 fills      125 credits
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { ApiError, createClient } from "@crowdtape/client";

const [port = "8091", host = "127.0.0.1"] = process.argv.slice(2);
const { CROWDTAPE_SERVER: server, CROWDTAPE_KEY: key, SHEET_SECRET: secret = "" } = process.env;
if (!/^\w{16,128}$/.test(secret)) throw new Error("Set SHEET_SECRET to 16 letters and digits or more.");
const client = createClient({ server, key });
const KEPT_MS = 60_000;
const KEPT_MAX = 200;

// The spreadsheet would run a name that starts like a formula.
const cell = (value) => {
  const text = String(value ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const csv = (columns, rows) =>
  `${[columns, ...rows.map((row) => columns.map((name) => row[name]))].map((line) => line.map(cell).join(",")).join("\n")}\n`;

const TABLES = {
  async leaderboard(window) {
    const { traders } = await client.getLeaderboard({ window, limit: 100 });
    return csv(["rank", "handle", "pnlUsd", "volumeUsd", "trades", "winRate", "followers"], traders);
  },
  async now() {
    const { tokens } = await client.listTokenActivity({ window: "1h", side: "buy", limit: 50 });
    const rows = tokens.map(({ token, ...row }) => ({
      symbol: token.symbol,
      address: token.address,
      ...row,
    }));
    return csv(["rank", "symbol", "chain", "buyers", "netUsd", "priceUsd", "changePct", "address"], rows);
  },
  // The service itself returns these as CSV.
  fills: (trader) => client.listFills({ trader, order: "desc", format: "csv" }),
};

const kept = new Map();
async function read(name, argument) {
  const path = `${name}/${argument}`;
  const known = kept.get(path);
  if (known && performance.now() - known.at < KEPT_MS) return known.text;
  const text = TABLES[name](argument);
  kept.set(path, { at: performance.now(), text });
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value);
  text.catch(() => kept.delete(path));
  return text;
}

const hash = (text) => createHash("sha256").update(text).digest();
const isOurs = (given) => timingSafeEqual(hash(given), hash(secret));

const sheet = createServer(async (request, response) => {
  const [, given = "", name = "", argument = ""] =
    /^\/(\w+)\/(\w+)(?:\/([^/?]{1,120}))?\.csv$/.exec(request.url ?? "") ?? [];
  const answer = (status, text) => {
    response.writeHead(status, { "content-type": status === 200 ? "text/csv; charset=utf-8" : "text/plain" });
    response.end(text);
  };
  if (!isOurs(given) || !Object.hasOwn(TABLES, name)) return answer(404, "There is no such table.\n");
  try {
    answer(200, await read(name, decodeURIComponent(argument)));
  } catch (error) {
    // The service's own messages are meant for the person at the sheet; other errors are not.
    if (error instanceof ApiError) answer(error.status, `${error.message}\n`);
    else answer(502, "The service did not answer.\n");
  }
});
sheet.listen(Number(port), host, () =>
  console.log(`serves CSV on http://${host}:${sheet.address().port}/SECRET/…`),
);
