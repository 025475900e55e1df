// `crowdtape export`: a whole list between two times, page after page, to a file or a pipe. Only one page is in memory. With
// --out it can be interrupted at any moment and continues at the page it was at; each row is written once.

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { csvHead, csvLine } from "../../kit/csv.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { OPERATIONS } from "../src/generated.ts";
import type { CallOptions, Fields } from "../src/operation.ts";
import { COLUMNS } from "./columns.ts";
import { type Coverage, cover, coveredLine, missingOf, newCoverage, refuseMissing } from "./coverage.ts";
import { type EverybodysWalk, everybodysPositions, type PagesClient } from "./everybodys-positions.ts";
import { loadJson, saveJson } from "./files.ts";
import { progressBar } from "./progress.ts";
import { costOf, type Reading, reading, write } from "./reading.ts";
import { Refused } from "./refused.ts";
import { count } from "./units.ts";

const text = { type: "string" } as const;
const OPTIONS = {
  from: text,
  to: text,
  format: text,
  out: text,
  trader: text,
  token: text,
  interval: text,
  chain: text,
  type: text,
  source: text,
  partial: { type: "boolean" },
} as const;
type TextOption = Exclude<keyof typeof OPTIONS, "partial">;

type Values = Reading<typeof OPTIONS>["values"];
type Pages = (input: never, options?: CallOptions) => AsyncIterableIterator<object>;

interface Source {
  operation: keyof typeof COLUMNS;
  /** A row's time field, and the walk's direction. */
  time: string;
  order: "newest first" | "oldest first" | "mixed";
  input(values: Values): Fields;
  /** A walk over several lists; defaults to the operation's. */
  pages?(client: PagesClient, walk: EverybodysWalk): AsyncIterableIterator<Fields>;
}

const needs = (values: Values, name: TextOption): string => {
  const value = values[name];
  if (value === undefined) throw new Refused(`Say which one: --${name}`);
  return value;
};
const given = (values: Values, ...names: TextOption[]): Fields =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));

const SOURCES: Record<string, Source> = {
  trades: {
    operation: "listTrades",
    time: "ts",
    order: "mixed",
    input: (values) => ({ handle: needs(values, "trader") }),
  },
  "fills of everybody": {
    operation: "listFills",
    time: "at",
    order: "oldest first",
    input: (values) => ({ ...given(values, "from", "to", "token", "chain"), limit: 100 }),
  },
  traders: {
    operation: "listTraders",
    time: "upstreamCreatedAt",
    order: "mixed",
    input: () => ({ limit: 100 }),
  },
  fills: {
    operation: "listSwaps",
    time: "at",
    order: "newest first",
    input: (values) => ({ handle: needs(values, "trader"), limit: 100, ...given(values, "token", "chain") }),
  },
  positions: {
    operation: "listPositions",
    time: "createdAt",
    order: "mixed",
    input: (values) => ({
      handle: needs(values, "trader"),
      status: "all",
      limit: 100,
      ...given(values, "token", "chain"),
    }),
  },
  "positions of everybody": {
    operation: "listPositions",
    time: "createdAt",
    order: "mixed",
    input: (values) => ({ status: "all", limit: 500, ...given(values, "token", "chain") }),
    pages: everybodysPositions,
  },
  alerts: {
    operation: "listAlerts",
    time: "ts",
    order: "oldest first",
    input: (values) => ({
      ...given(values, "trader", "token", "chain", "type", "source"),
      ...(values.from === undefined ? {} : { since: values.from }),
      order: "asc",
      limit: 100,
    }),
  },
  theses: {
    operation: "listTheses",
    time: "ts",
    order: "newest first",
    input: (values) => ({ ...given(values, "chain"), limit: 100 }),
  },
  candles: {
    operation: "listCandles",
    time: "t",
    order: "oldest first",
    input: (values) => ({
      address: needs(values, "token"),
      limit: 1_000,
      ...given(values, "interval", "from", "to"),
    }),
  },
};

const NAMES = Object.keys(SOURCES).filter((name) => !name.includes(" "));

export const exportRows = reading({
  usage:
    "export fills|traders|positions|trades|alerts|theses|candles [--from TIME] [--to TIME] [--format csv|ndjson] [--out FILE] [--partial]",
  summary: "A whole list between two times, to a file or a pipe; prints its cost and coverage.",
  details: `  --from TIME        from then on: an ISO 8601 time, such as 2026-03-14
  --to TIME          until then, not included
  --format FORMAT    csv, or ndjson (the default)
  --out FILE         write there; run the same command again to continue where it ended
  --partial          take what there is where the asked time is not all kept; it is an error otherwise
  --trader @HANDLE   whose fills or positions (everybody's without it), or trades; with alerts, only this trader
  --token ADDRESS    whose candles; with alerts, only this token
  --interval 1m|5m|15m|1h|4h|1d   of candles
  --chain, --type, --source       with alerts: only these`,
  options: OPTIONS,
  words: [1, 1],
  async run(run) {
    const what = String(run.words[0]);
    const ofAll = run.values.trader === undefined ? SOURCES[`${what} of everybody`] : undefined;
    const source = ofAll ?? SOURCES[what];
    if (!source) throw new Refused(`Say what to export: ${NAMES.join(", ")}.`);
    await exportFrom(source, run);
  },
});

/** A cursor is never an empty string. */
const FINISHED = "";

interface State {
  /** The request; a different one can't continue here. */
  question: string;
  /** Null before the first page, FINISHED after the last. */
  cursor: string | null;
  rows: number;
  bytes: number;
  coverage: Coverage;
}

async function exportFrom(source: Source, run: Reading<typeof OPTIONS>): Promise<void> {
  const { values, client } = run;
  const format = values.format ?? "ndjson";
  if (format !== "csv" && format !== "ndjson") throw new Refused("--format must be csv or ndjson.");
  const from = instant(values.from, "--from", Number.NEGATIVE_INFINITY);
  const to = instant(values.to, "--to", Number.POSITIVE_INFINITY);
  const now = Date.now();
  refuseMissing(missingOf(newCoverage(), from, to, now), values.partial === true);
  const input = source.input(values);
  const question = JSON.stringify([source.operation, input, values.from ?? null, values.to ?? null, format]);
  const output = values.out === undefined ? toPipe(question) : toFile(values.out, question);
  const columns = COLUMNS[source.operation];
  const list = OPERATIONS[source.operation][2]?.walk?.[0] ?? "";
  const bar = progressBar(process.stderr, source.order, from, to);
  const { state } = output;
  let ended = false;
  let note: unknown = null;
  const missing = () => missingOf(state.coverage, from, to, now);
  try {
    if (format === "csv" && state.bytes === 0) await output.append(csvHead(columns), 0, state.cursor);
    const { cursor } = state;
    const isPartial = values.partial === true;
    for await (const page of cursor === FINISHED
      ? []
      : walkOf(source, client, { input, place: cursor, isPartial })) {
      const rows = (page as Fields)[list] as Fields[];
      const times = rows.map((row) => new Date(row[source.time] as string | number).getTime());
      const kept = rows.filter((_, index) => Number(times[index]) >= from && Number(times[index]) < to);
      const lines = kept.map((row) =>
        format === "csv" ? csvLine(row, columns) : `${JSON.stringify(row)}\n`,
      );
      cover(state.coverage, page as Fields, times);
      note = (page as Fields).note;
      // Known from the first page if the service says how far back it reaches: nothing has been written and little spent.
      refuseMissing(missing(), values.partial === true);
      const next = (page as Fields).nextCursor;
      await output.append(lines.join(""), kept.length, typeof next === "string" ? next : FINISHED);
      bar.show(state.rows, client.credits.spent, times);
      if (isPast(source.order, times, from, to)) break;
    }
    ended = true;
    if (typeof note === "string") process.stderr.write(`${note}\n`);
    if (missing() !== null) process.stderr.write(`Not all of that time is there: ${missing()}.\n`);
  } finally {
    bar.end();
    output.close(ended);
    process.stderr.write(`${count(state.rows)} rows, ${costOf(client)}\n`);
    if (ended) process.stderr.write(`${coveredLine(state.coverage, from, to, now)}\n`);
    else if (values.out !== undefined && missing() === null)
      process.stderr.write("Not finished. Run the same command again to continue.\n");
  }
}

function walkOf(source: Source, client: PagesClient, walk: EverybodysWalk): AsyncIterable<object> {
  if (source.pages) return source.pages(client, walk);
  const begin = walk.place === null ? {} : { cursor: walk.place };
  const pages = client.pages[source.operation] as unknown as Pages;
  return pages({ ...walk.input, ...begin } as never);
}

/** The app shows some events minutes late, so a list is only roughly ordered by time. */
const LATE_MS = HOUR_MS;

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
  const state: State = { question, cursor: null, rows: 0, bytes: 0, coverage: newCoverage() };
  return {
    state,
    async append(lines, rows, cursor) {
      if (lines !== "") await write(lines);
      Object.assign(state, { cursor, rows: state.rows + rows, bytes: state.bytes + lines.length });
    },
    close() {},
  };
}

/** Rows first, then the state: anything written after the last saved state is cut off before continuing. */
function toFile(file: string, question: string): Output {
  const stateFile = `${file}.resume`;
  const saved = loadJson(stateFile) as State | null;
  if (saved && saved.question !== question)
    throw new Refused(`${stateFile} belongs to another export. Finish that one, or remove the file.`);
  const state: State = saved ?? { question, cursor: null, rows: 0, bytes: 0, coverage: newCoverage() };
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
      // Nothing was written, so there is nothing to continue from.
      else if (!existsSync(stateFile)) rmSync(file, { force: true });
    },
  };
}

const HAS_TIME = /[T ]\d{2}:/;
const HAS_ZONE = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/** Without a zone it is UTC, as in the service. */
export function instant(value: string | undefined, name: string, otherwise: number): number {
  if (value === undefined) return otherwise;
  const at = Date.parse(HAS_TIME.test(value) && !HAS_ZONE.test(value) ? `${value}Z` : value);
  if (Number.isNaN(at)) throw new Refused(`${name} must be an ISO 8601 time, such as 2026-03-14T15:00:00Z.`);
  return at;
}
