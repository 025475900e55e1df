// `crowdtape watch URL [--key KEY]`: prints a stream's frames, a line each, until it closes, is interrupted, or nobody
// reads on. The key travels in a header, so that it is part of no address.
import { readArguments } from "./arguments.ts";
import { CommandRefused } from "./run.ts";
import { untilSignal } from "./signals.ts";

/** How long the server may take to say why it refused. */
const REASON_TIMEOUT_MS = 5_000;
const NORMAL_CLOSE = 1000;

export async function watch(argv: string[]): Promise<void> {
  const { values, positionals } = readArguments(argv, { key: { type: "string" } }, true);
  const url = URL.parse(positionals[0] ?? "");
  if (positionals.length !== 1 || !url || !["ws:", "wss:"].includes(url.protocol)) {
    throw new CommandRefused('Say which stream: crowdtape watch "ws://127.0.0.1:8080/ws/alerts?type=buy"');
  }
  const headers: Record<string, string> =
    values.key === undefined ? {} : { authorization: `Bearer ${values.key}` };
  // Bun takes headers here, which the browser's type does not know.
  const socket = new WebSocket(url, { headers } as never);
  let opened = false;
  socket.onopen = () => {
    opened = true;
  };
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve;
  });
  // The reader of a pipe may have seen enough: `crowdtape watch … | head`.
  const unread = new Promise<null>((resolve) => process.stdout.on("error", () => resolve(null)));
  socket.onmessage = (message) => process.stdout.write(`${message.data}\n`);

  const ended = await Promise.race([closed, unread, untilSignal().then(() => null)]);
  if (ended === null) return socket.close(NORMAL_CLOSE);
  if (!opened) throw new CommandRefused(await whyRefused(url, headers));
  if (ended.code !== NORMAL_CLOSE) {
    throw new CommandRefused(`The stream closed (${ended.code}${ended.reason ? `: ${ended.reason}` : ""}).`);
  }
}

/** A socket that does not open says nothing; the same question as a plain request gets an answer in words. */
async function whyRefused(url: URL, headers: Record<string, string>): Promise<string> {
  const plain = new URL(url);
  plain.protocol = url.protocol === "wss:" ? "https:" : "http:";
  try {
    const response = await fetch(plain, {
      headers: {
        ...headers,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": btoa("crowdtape watch!"),
      },
      signal: AbortSignal.timeout(REASON_TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    const message = body && typeof body === "object" && "message" in body ? `: ${body.message}` : ".";
    return `The stream was refused with ${response.status}${message}`;
  } catch {
    return `Nothing answers at ${plain.origin}. Is the server running?`;
  }
}
