// HTTP/1.1 as bytes: requests are sent exactly as given, valid or not, and answers are parsed by our own rules. A connection
// that the server cut is an outcome, not an error.
import { connect, type Socket } from "node:net";

export interface WireAnswer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

export interface Wire {
  /** Bytes as latin-1 text. Null: the connection ended before a complete answer came. */
  exchange(request: string | Buffer, options?: { bodyless?: boolean }): Promise<WireAnswer | null>;
  close(): void;
}

/** A server that neither answers nor cuts the connection for this long has failed; its own limit is a quarter of it. */
const SILENCE_MS_MAX = 120_000;

export class SilentServer extends Error {}

/** One connection at a time, reopened after it was cut. */
export function openWire(port: number): Wire {
  let socket: Socket | null = null;
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake: (() => void) | null = null;

  const open = () => {
    const fresh = connect({ port, host: "127.0.0.1", noDelay: true });
    socket = fresh;
    received = Buffer.alloc(0);
    ended = false;
    fresh.on("data", (bytes: Buffer) => {
      if (socket !== fresh) return;
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      wake?.();
    });
    const over = () => {
      if (socket !== fresh) return;
      ended = true;
      wake?.();
    };
    fresh.on("error", over);
    fresh.on("end", over);
    fresh.on("close", over);
    return fresh;
  };

  const moved = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        wake = null;
        reject(new SilentServer(`No answer within ${SILENCE_MS_MAX} ms.`));
      }, SILENCE_MS_MAX);
      wake = () => {
        clearTimeout(timer);
        wake = null;
        resolve();
      };
    });

  return {
    async exchange(request, { bodyless = false } = {}) {
      const line = socket !== null && !ended && !socket.destroyed ? socket : open();
      line.write(typeof request === "string" ? Buffer.from(request, "latin1") : request);
      for (;;) {
        const read = readAnswer(received, bodyless, ended);
        if (read) {
          received = received.subarray(read.length);
          if (read.answer.status === 100) continue;
          if (read.answer.headers.get("connection") === "close") line.destroy();
          return read.answer;
        }
        if (ended) return null;
        await moved();
      }
    },
    close() {
      socket?.destroy();
      socket = null;
    },
  };
}

/** The first complete answer in these bytes; null if it is incomplete. */
export function readAnswer(
  bytes: Buffer,
  bodyless: boolean,
  ended: boolean,
): { answer: WireAnswer; length: number } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!Number.isInteger(status)) throw new Error(`Not an HTTP answer: ${first.slice(0, 100)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const start = headEnd + 4;
  const whole = (body: Buffer, length: number) => ({ answer: { status, headers, body }, length });
  if (bodyless || status < 200 || status === 204 || status === 304) return whole(Buffer.alloc(0), start);
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, start, whole);
  const length = headers.get("content-length");
  if (length === undefined) return ended ? whole(bytes.subarray(start), bytes.length) : null;
  const end = start + Number(length);
  return bytes.length < end ? null : whole(bytes.subarray(start, end), end);
}

function readChunks<T>(bytes: Buffer, from: number, whole: (body: Buffer, length: number) => T): T | null {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return whole(Buffer.concat(parts), next);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
