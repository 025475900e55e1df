// One HTTP/1.1 request on its own connection, read only up to the end of the response headers. It is hand-written
// because reads must be bounded: HTTP clients silently accept any number of interim responses (1xx), and
// may send the request to a proxy named in the environment, which would then choose where the connection goes.
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { KIB } from "../../kit/units.ts";
import type { Target } from "./target.ts";

export interface ExchangeRequest {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** Certificates to trust in addition to the system's. */
  ca: string | undefined;
  signal: AbortSignal;
}

export interface AnswerHead {
  status: number;
  retryAfter: string | null;
}

/** All heads of one answer together, interim ones included: more than servers send, and little to read even byte by byte. */
const HEAD_BYTES_MAX = 16 * KIB;

/** Posts to that address and no other. Rejects with the socket's error, or when the answer is not HTTP or too long. */
export function exchange(target: Target, address: string, request: ExchangeRequest): Promise<AnswerHead> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const socket = connectTo(target, address, request.ca);
    const cut = () => end(() => reject(signal.reason));
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", cut);
      socket.destroy();
      settle();
    };
    signal.addEventListener("abort", cut, { once: true });
    let head = "";
    let read = 0;
    socket.on("error", (error) => end(() => reject(error)));
    socket.on("close", () => end(() => reject(new Error("The connection ended before an answer."))));
    socket.on("data", (bytes: Buffer) => {
      // The rest of a large part may be the body, which is not read.
      const part = bytes.subarray(0, HEAD_BYTES_MAX - read);
      read += part.length;
      head += part.toString("latin1");
      if (part.includes("\n")) head = afterInterim(head);
      const answer = part.includes("\n") ? answerOf(head) : null;
      if (answer) end(() => resolve(answer));
      else if (read >= HEAD_BYTES_MAX) end(() => reject(new Error("The answer's head is too long.")));
      else if (!isHttp(head)) end(() => reject(new Error("The answer is not HTTP.")));
    });
    socket.write(headOf(target, request));
    socket.write(request.body);
  });
}

/** Connects to that address, under the target's own name. */
export function connectTo({ url, host }: Target, address: string, ca: string | undefined): Socket {
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (!isSecure) return connectPlain({ host: address, port });
  // The certificate is checked against the name; an address is checked as such.
  const named = isIP(host) === 0 ? { servername: host } : {};
  return connectSecure({ host: address, port, ALPNProtocols: ["http/1.1"], ...named, ...(ca ? { ca } : {}) });
}

function headOf({ url }: Target, { headers, body }: ExchangeRequest): string {
  const all = {
    host: url.host,
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    // A connection that is kept could be used for another name behind the same address.
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}\r\n`);
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

const INTERIM = /^HTTP\/1\.[01] (?!101)1\d\d[\s\S]*?\r?\n\r?\n/;

/** Without the whole interim answers that it begins with. */
function afterInterim(text: string): string {
  let rest = text;
  for (let interim = INTERIM.exec(rest); interim; interim = INTERIM.exec(rest))
    rest = rest.slice(interim[0].length);
  return rest;
}

function answerOf(head: string): AnswerHead | null {
  const [, status, fields] = /^HTTP\/1\.[01] (\d{3})\b[^\n]*\n((?:[\s\S]*?\n)?)\r?\n/.exec(head) ?? [];
  if (status === undefined) return null;
  const retryAfter = /^retry-after:[ \t]*(.*?)[ \t]*\r?$/im.exec(fields ?? "");
  return { status: Number(status), retryAfter: retryAfter?.[1] ?? null };
}

/** Or may still become it. */
function isHttp(head: string): boolean {
  const start = "HTTP/1.";
  return head.length < start.length ? start.startsWith(head) : head.startsWith(start);
}
