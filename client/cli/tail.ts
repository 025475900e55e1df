// `crowdtape tail`: live events. A coloured table in a terminal, one line of JSON per event in a pipe; with --resume it
// continues where it was, even after a crash.
import type { AlertFrame, RetractFrame, TradeFrame } from "../src/generated.ts";
import type { StreamPosition } from "../src/stream/position.ts";
import type { Frame } from "../src/stream/socket.ts";
import type { Gap } from "../src/stream/stream.ts";
import { loadJson, saveJson } from "./files.ts";
import { type Reading, reading } from "./reading.ts";
import { Refused } from "./refused.ts";
import { type Colour, cut, pad, safe } from "./terminal.ts";
import * as unit from "./units.ts";
import { wholeNumber } from "./verb.ts";

type Item = AlertFrame | TradeFrame | RetractFrame | Gap;

const text = { type: "string" } as const;

const OPTIONS = {
  trader: text,
  token: text,
  chain: text,
  type: text,
  source: text,
  side: text,
  "min-usd": text,
  since: text,
  resume: text,
  count: text,
  trades: { type: "boolean" },
  fill: { type: "boolean" },
  frames: { type: "boolean" },
} as const;

export const tail = reading({
  usage: "tail [--trades] [--trader A,B] [--token A,B] [--chain C] [--type T] [--min-usd N] [--resume FILE]",
  summary: "Alerts as they happen; with --trades, fills as they are seen on the chain.",
  details: `  --trades           the on-chain stream (Growth or Scale)
  --trader A,B       only these traders
  --token A,B        only these tokens: symbols or addresses
  --chain A,B        only these chains
  --type A,B         only these kinds: buy, sell, thesis, perp, transfer, listing, push
  --source A         only feed, or only push
  --side A           with --trades: only buy, or only sell
  --min-usd N        only fills of at least N dollars
  --since TIME       begin with what happened since then
  --resume FILE      keep the place in FILE, and continue there
  --fill             read from REST what a gap left out
  --count N          end after N events
  --frames           every frame of the socket as it is, heartbeats included, a line of JSON each`,
  options: OPTIONS,
  async run(run) {
    const wanted = wholeNumber("--count", run.values.count) ?? Number.POSITIVE_INFINITY;
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, onSignal);
    const stream = open(run, stop.signal);
    const print = run.values.frames
      ? async () => {}
      : run.isTerminal && !run.isJson
        ? printer(run)
        : (item: Item) => run.write(`${JSON.stringify(item)}\n`);
    let seen = 0;
    try {
      for await (const item of stream) {
        await print(item);
        if (item.type === "gap" || ++seen < wanted) continue;
        await stream.done();
        break;
      }
    } finally {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, onSignal);
    }
  },
});

function open({ client, values, remark, write }: Reading<typeof OPTIONS>, signal: AbortSignal) {
  const { trades, fill, resume, since, "min-usd": minUsd } = values;
  const { trader, token, chain, type, source, side } = values;
  const filter = Object.fromEntries(
    Object.entries({ trader, token, chain, type, source, side }).filter(([, value]) => value !== undefined),
  );
  const dollars = minUsd === undefined ? {} : { minUsd: Number(minUsd) };
  if (Number.isNaN(dollars.minUsd ?? 0)) throw new Refused("--min-usd must be a number.");
  const options = {
    ...filter,
    ...dollars,
    ...(resume === undefined ? {} : { store: storeIn(resume) }),
    onStatus: ({ state, reason, delayMs }: { state: string; reason?: string; delayMs?: number }) => {
      if (state === "waiting")
        remark(`connection lost (${reason || "closed"}), again in ${Math.ceil((delayMs ?? 0) / 1000)} s`);
    },
    ...(values.frames ? { onFrame: (frame: Frame) => void write(`${JSON.stringify(frame)}\n`) } : {}),
    signal,
  };
  if (trades) {
    for (const name of ["type", "source", "since", "fill"] as const)
      if (values[name] !== undefined) throw new Refused(`--${name} is for alerts, not for --trades.`);
    return client.trades(options);
  }
  if (values.side !== undefined) throw new Refused("--side is for --trades; alerts take --type buy,sell.");
  return client.alerts({
    ...options,
    ...(fill === true ? { fill } : {}),
    ...(since === undefined ? {} : { since }),
  });
}

function storeIn(file: string) {
  return {
    load: () => {
      const saved = loadJson(file) as Partial<StreamPosition> | null;
      if (saved === null) return null;
      if (typeof saved.epoch !== "string" || typeof saved.seq !== "number")
        throw new Refused(`${file} holds no place of a stream. Move it away to start over.`);
      return saved as StreamPosition;
    },
    save: (position: StreamPosition) => saveJson(file, position),
  };
}

const WIDTHS = [19, 8, 20, 12, 8, 14, 14] as const;
const HEADS = ["when (UTC)", "what", "trader", "token", "chain", "size (USD)", "price (USD)"];
/** One screen. */
const ROWS_PER_HEAD = 40;
const COLOURS: Record<string, Colour> = { buy: "green", sell: "red", thesis: "cyan", retract: "yellow" };

function printer({ paint, write }: Pick<Reading, "paint" | "write">): (item: Item) => Promise<void> {
  let rows = 0;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        pad(
          cut(safe(cell), WIDTHS[index] ?? 60),
          WIDTHS[index] ?? 0,
          index === 5 || index === 6 ? "right" : "left",
        ),
      )
      .join("  ")
      .trimEnd();
  return async (item) => {
    if (rows % ROWS_PER_HEAD === 0) await write(`${paint(line(HEADS), "bold")}\n`);
    rows += 1;
    if (item.type === "gap")
      return write(
        `${paint(`some events were missed (${item.reason})${item.filling ? "; reading them now" : ""}`, "yellow")}\n`,
      );
    const cells = cellsOf(item);
    await write(`${paint(line(cells), COLOURS[String(cells[1])] ?? null)}\n`);
  };
}

function cellsOf(item: Exclude<Item, Gap>): string[] {
  if (item.type === "retract") return [unit.time(item.ts), "retract", item.reason, item.id, item.chain];
  if (item.type === "trade") {
    const who = item.trader.handle === null ? item.trader.wallet : `@${item.trader.handle}`;
    return [
      unit.time(item.blockTs),
      item.side,
      who,
      item.token.symbol,
      item.chain,
      unit.usd(item.usdValue),
      unit.price(item.priceUsd),
    ];
  }
  return [
    unit.time(item.ts),
    item.alertType,
    item.trader === null ? "–" : `@${item.trader}`,
    unit.text(item.token),
    unit.text(item.chain),
    unit.usd(item.fillUsd),
    unit.price(item.priceUsd),
    item.text ?? "",
  ];
}
