// `crowdtape export`: a whole list between two times, page after page, to a file or a pipe. Only one page is in memory.
// With --out it can be ended at any moment and goes on at the page it was at; a row is written once.
import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import type { CallOptions } from "../src/operation.ts";
import { COLUMNS } from "./columns.ts";
import { type Command, costOf, type Run, write } from "./command.ts";
import { csvHead, csvLine } from "./csv.ts";
import { loadJson, saveJson } from "./files.ts";
import { progressBar } from "./progress.ts";
import { Refused } from "./refused.ts";
import { count } from "./units.ts";

type Row = Record<string, unknown>;
type Values = Run["values"];
type Pages = (input: never, options?: CallOptions) => AsyncIterableIterator<object>;

interface Source {
  operation: keyof typeof COLUMNS;
  rows: string;
  /** The field of a row that tells its time, and which way a walk goes. */
  time: string;
  order: "newest first" | "oldest first" | "mixed";
  cursor: { parameter: string; from: string };
  input(values: Values): Row;
}

const needs = (values: Values, name: string): string => {
  const value = values[name];
  if (typeof value !== "string") throw new Refused(`Say which one: --${name}`);
  return value;
};
const given = (values: Values, ...names: string[]): Row =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));

const onwards = { parameter: "cursor", from: "nextCursor" };
const SOURCES: Record<string, Source> = {
  trades: {
    ...{ operation: "listTrades", rows: "trades", time: "ts", order: "mixed", cursor: onwards },
    input: (values) => ({ handle: needs(values, "trader") }),
  },
  alerts: {
    ...{ operation: "listAlerts", rows: "alerts", time: "ts", order: "oldest first", cursor: onwards },
    input: (values) => ({
      ...given(values, "trader", "token", "chain", "type", "source"),
      ...(values.from === undefined ? {} : { since: values.from }),
      ...{ order: "asc", limit: 100 },
    }),
  },
  theses: {
    ...{ operation: "listTheses", rows: "theses", time: "ts", order: "newest first", cursor: onwards },
    input: (values) => ({ ...given(values, "chain"), limit: 100 }),
  },
  candles: {
    ...{ operation: "listCandles", rows: "candles", time: "t", order: "oldest first", cursor: onwards },
    input: (values) => ({
      ...{ address: needs(values, "token"), limit: 1_000 },
      ...given(values, "interval", "from", "to"),
    }),
  },
};

const text = { type: "string" } as const;

export const exportRows: Command = {
  usage: "export trades|alerts|theses|candles [--from TIME] [--to TIME] [--format csv|ndjson] [--out FILE]",
  summary: "A whole list between two times, to a file or a pipe; prints what it cost.",
  details: `  --from TIME        from then on: an ISO 8601 time, such as 2026-03-14
  --to TIME          until then, not included
  --format FORMAT    csv, or ndjson (the default)
  --out FILE         write there; run the same command again to go on where it ended
  --trader @HANDLE   whose trades; with alerts, only this trader
  --token ADDRESS    whose candles; with alerts, only this token
  --interval 1m|5m|15m|1h|4h|1d   of candles
  --chain, --type, --source       with alerts: only these`,
  options: {
    ...{ from: text, to: text, format: text, out: text, trader: text, token: text, interval: text },
    ...{ chain: text, type: text, source: text },
  },
  words: [1, 1],
  async run(run) {
    const source = SOURCES[String(run.words[0])];
    if (!source) throw new Refused(`Say what to export: ${Object.keys(SOURCES).join(", ")}.`);
    await exportFrom(source, run);
  },
};

/** No cursor is an empty text. */
const FINISHED = "";

interface State {
  /** What was asked for; another question can't go on here. */
  question: string;
  /** Null before the first page, FINISHED after the last. */
  cursor: string | null;
  rows: number;
  bytes: number;
}

async function exportFrom(source: Source, run: Run): Promise<void> {
  const { values, client } = run;
  const format = values.format ?? "ndjson";
  if (format !== "csv" && format !== "ndjson") throw new Refused("--format must be csv or ndjson.");
  const from = instant(values.from, "--from", Number.NEGATIVE_INFINITY);
  const to = instant(values.to, "--to", Number.POSITIVE_INFINITY);
  const input = source.input(values);
  const question = JSON.stringify([source.operation, input, values.from ?? null, values.to ?? null, format]);
  const output = values.out === undefined ? toPipe(question) : toFile(String(values.out), question);
  const columns = COLUMNS[source.operation];
  const bar = progressBar(process.stderr, source.order, from, to);
  const { state } = output;
  let ended = false;
  try {
    if (format === "csv" && state.bytes === 0) await output.append(csvHead(columns), 0, state.cursor);
    const { cursor } = state;
    const begin = cursor === null ? {} : { [source.cursor.parameter]: cursor };
    const pages = client.pages[source.operation] as unknown as Pages;
    const walk = cursor === FINISHED ? [] : pages({ ...input, ...begin } as never);
    for await (const page of walk) {
      const rows = (page as Row)[source.rows] as Row[];
      const times = rows.map((row) => new Date(row[source.time] as string | number).getTime());
      const kept = rows.filter((_, index) => Number(times[index]) >= from && Number(times[index]) < to);
      const lines = kept.map((row) =>
        format === "csv" ? csvLine(row, columns) : `${JSON.stringify(row)}\n`,
      );
      const next = (page as Row)[source.cursor.from];
      await output.append(lines.join(""), kept.length, typeof next === "string" ? next : FINISHED);
      bar.show(state.rows, client.credits.spent, times);
      if (isPast(source.order, times, from, to)) break;
    }
    ended = true;
  } finally {
    bar.end();
    output.close(ended);
    process.stderr.write(`${count(state.rows)} rows, ${costOf(client)}\n`);
    if (!ended && values.out !== undefined)
      process.stderr.write("Not finished. Run the same command again to go on.\n");
  }
}

/** The app shows some events minutes late, so a list is by time only roughly. */
const LATE_MS = 3_600_000;

function isPast(order: Source["order"], times: readonly number[], from: number, to: number): boolean {
  if (times.length === 0 || order === "mixed") return false;
  return order === "newest first"
    ? times.every((at) => at < from - LATE_MS)
    : times.every((at) => at > to + LATE_MS);
}

interface Output {
  state: State;
  append(lines: string, rows: number, cursor: string | null): Promise<void>;
  close(ended: boolean): void;
}

function toPipe(question: string): Output {
  const state: State = { question, cursor: null, rows: 0, bytes: 0 };
  return {
    state,
    async append(lines, rows, cursor) {
      if (lines !== "") await write(lines);
      Object.assign(state, { cursor, rows: state.rows + rows, bytes: state.bytes + lines.length });
    },
    close() {},
  };
}

/** Rows first, then the place: what was written after the last saved place is cut off before going on. */
function toFile(file: string, question: string): Output {
  const stateFile = `${file}.resume`;
  const saved = loadJson(stateFile) as State | null;
  if (saved && saved.question !== question)
    throw new Refused(`${stateFile} belongs to another export. Finish that one, or remove the file.`);
  const state: State = saved ?? { question, cursor: null, rows: 0, bytes: 0 };
  const handle = openSync(file, saved ? "r+" : "wx", 0o644);
  if (saved) ftruncateSync(handle, saved.bytes);
  return {
    state,
    async append(lines, rows, cursor) {
      const bytes = Buffer.from(lines);
      for (let written = 0; written < bytes.length; )
        written += writeSync(handle, bytes, written, bytes.length - written, state.bytes + written);
      fsyncSync(handle);
      Object.assign(state, { cursor, rows: state.rows + rows, bytes: state.bytes + bytes.length });
      saveJson(stateFile, state);
    },
    close(ended) {
      closeSync(handle);
      if (ended) rmSync(stateFile, { force: true });
    },
  };
}

function instant(value: string | boolean | undefined, name: string, otherwise: number): number {
  if (value === undefined) return otherwise;
  const at = Date.parse(String(value));
  if (Number.isNaN(at)) throw new Refused(`${name} must be an ISO 8601 time, such as 2026-03-14T15:00:00Z.`);
  return at;
}
