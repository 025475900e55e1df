// A careful bot author's client: it uses the published client's own transport, and never drops anything silently. Anything
// that it would have to drop is recorded as a complaint.
import { type Crowdtape, createClient } from "../../client/src/client.ts";
import { connect, type Frame } from "../../client/src/stream/socket.ts";
import { systemTime } from "../../client/src/time.ts";
import { type Check, cursor as cursorForm } from "./forms.ts";
import { alert, retractFrame, tradeFrame } from "./frame-shapes.ts";

type StreamName = Parameters<typeof connect>[1];
export type Body = Record<string, unknown>;
export type Row = Record<string, unknown>;

export interface Walk {
  /** The list's name in the answer. */
  rows: string;
  /** Two rows with the same key are the same. */
  key(row: Row): string;
  check: Check;
  /** The cursor's input, and the field that contains the next one. */
  by?: { parameter: string; from: string };
  /** The first cursor; defaults to none. */
  start?: string;
}

export interface StrictClient {
  complaints: string[];
  complain(about: string): void;
  get(path: string, check?: Check): Promise<Body>;
  /** Every row of a list, each once, from the first page to the last. */
  walk(path: string, walk: Walk): Promise<Row[]>;
  /** One page's rows, checked. */
  list(path: string, rows: string, check: Check): Promise<Row[]>;
  listen(stream: StreamName): Promise<Tape>;
}

/** The frames from one socket. */
export interface Tape {
  welcome: Body;
  frames: Body[];
  close(): void;
}

/** A walk that continues after this many pages is going in circles. */
const PAGES_MAX = 2_000;

export function createStrictClient(url: string, key: string): StrictClient {
  const client = createClient({ server: url, key, retries: 0 });
  const complaints: string[] = [];
  const complain = (about: string) => void complaints.push(about);

  const get = async (path: string, check?: Check): Promise<Body> => {
    // Throws on a refusal, and retries nothing: a careful author wants to know.
    const answer = await client.send("GET", path);
    const { headers, notModified } = answer.receipt;
    if (!notModified && !/^application\/json/.test(headers.get("content-type") ?? ""))
      complain(`${path}: not JSON`);
    for (const name of ["x-credits-cost", "x-credits-remaining"])
      if (!/^\d+$/.test(headers.get(name) ?? "")) complain(`${path}: the header ${name}`);
    for (const name of ["x-request-id", "ratelimit", "ratelimit-policy"])
      if (!headers.get(name)) complain(`${path}: the header ${name}`);
    const body = answer.body as Body;
    if (typeof body !== "object" || body === null || Array.isArray(body)) complain(`${path}: not an object`);
    check?.(body, path, complaints);
    return body;
  };

  const rowsOf = (path: string, body: Body, name: string, check: Check): Row[] => {
    const rows = body[name];
    if (!Array.isArray(rows)) {
      complain(`${path}: no list ${name}`);
      return [];
    }
    if (Object.hasOwn(body, "count") && body.count !== rows.length)
      complain(`${path}: count ${body.count}, but ${rows.length} rows`);
    for (const [index, one] of rows.entries()) check(one, `${path} ${name}[${index}]`, complaints);
    return rows as Row[];
  };

  return {
    complaints,
    complain,
    get,
    list: async (path, rows, check) => rowsOf(path, await get(path), rows, check),
    async walk(path, { rows, key: keyOf, check, by = { parameter: "cursor", from: "nextCursor" }, start }) {
      const seen = new Map<string, Row>();
      let cursor: unknown = start ?? null;
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const page =
          cursor === null
            ? path
            : `${path}${path.includes("?") ? "&" : "?"}${by.parameter}=${String(cursor)}`;
        const body = await get(page);
        for (const one of rowsOf(page, body, rows, check)) {
          if (seen.has(keyOf(one))) complain(`${page}: ${keyOf(one)} came twice`);
          seen.set(keyOf(one), one);
        }
        const next = body[by.from];
        if (next === null || next === undefined) {
          if (next === undefined) complain(`${page}: no ${by.from}`);
          return [...seen.values()];
        }
        cursorForm(next, `${page} ${by.from}`, complaints);
        if (next === cursor) {
          complain(`${page}: the same cursor again`);
          return [...seen.values()];
        }
        cursor = next;
      }
      complain(`${path}: continues for ever`);
      return [...seen.values()];
    },
    listen: (stream) => listen(stream, url, client, complaints),
  };
}

const FORMS: Record<string, Check> = { alert, trade: tradeFrame, retract: retractFrame };
/** The maximum length of a frame. */
const FRAME_LENGTH_MAX = 65_536;

async function listen(
  stream: StreamName,
  server: string,
  client: Crowdtape,
  complaints: string[],
): Promise<Tape> {
  const frames: Body[] = [];
  let lastSeq = -1;
  let closing = false;
  const { promise: welcomed, resolve: welcome } = Promise.withResolvers<Body>();
  const onFrame = (frame: Frame) => {
    const { type } = frame;
    if (type === "welcome") return welcome(frame);
    if (type === "heartbeat") return;
    const { length } = JSON.stringify(frame);
    if (length > FRAME_LENGTH_MAX) complaints.push(`${stream}: a frame of ${length}`);
    const check = FORMS[type];
    if (!check) return void complaints.push(`${stream}: a frame of type ${type}, which was not asked for`);
    check(frame, `${stream} ${type}`, complaints);
    if (!(Number(frame.seq) > lastSeq)) complaints.push(`${stream}: seq ${frame.seq} after ${lastSeq}`);
    lastSeq = Number(frame.seq);
    frames.push(frame);
  };
  const parts = { client, server, hasKey: true, time: systemTime, WebSocket };
  const connection = await connect(parts, stream, {}, null, onFrame);
  connection.closed.then(({ code, reason }) => {
    if (!closing) complaints.push(`${stream} was closed: ${code} ${reason}`);
  });
  const refused = connection.closed.then(({ code }) => {
    throw new Error(`${stream} can't be opened: ${code}`);
  });
  // Only a close before the welcome is a refusal.
  refused.catch(() => {});
  return {
    welcome: await Promise.race([welcomed, refused]),
    frames,
    close() {
      closing = true;
      connection.close();
    },
  };
}
