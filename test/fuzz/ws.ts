// A raw WebSocket client: it follows RFC 6455 unless requested otherwise, so that frames which no library would send can be
// sent.
import { connect, type Socket } from "node:net";
import { readAnswer, SilentServer, type WireAnswer } from "./wire.ts";

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export type Heard =
  | { kind: "frame"; frame: Record<string, unknown> }
  | { kind: "pong" }
  | { kind: "closed"; code: number | null; reason: string };

export interface RawSocket {
  /** Raw bytes: a frame of any kind, or none at all. */
  write(bytes: Buffer): void;
  sendText(text: string): void;
  /** The server's next frame; after the close it is always the close. */
  next(): Promise<Heard>;
  /** Skips the frames that the stream sends unprompted. */
  nextAnswer(): Promise<Heard>;
  pause(): void;
  destroy(): void;
}

const SILENCE_MS_MAX = 120_000;
/** Frames that a stream sends unprompted. */
const UNASKED = new Set(["alert", "trade", "retract", "heartbeat", "welcome", "resumed", "gap"]);

export function frameBytes(
  opcode: number,
  payload: Buffer,
  options: { fin?: boolean; masked?: boolean; reserved?: number } = {},
): Buffer {
  const { fin = true, masked = true, reserved = 0 } = options;
  const size = payload.length;
  const extended = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended);
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | (extended === 0 ? size : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(size, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(size), 2);
  if (!masked) return Buffer.concat([head, payload]);
  const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
  const hidden = Buffer.from(payload);
  for (let at = 0; at < size; at++) hidden[at] = (hidden[at] as number) ^ (mask[at % 4] as number);
  return Buffer.concat([head, mask, hidden]);
}

export interface Upgrade {
  port: number;
  /** Path and query as sent on the wire. */
  target: string;
  headers?: string[];
}

/** The socket, or the answer that refused it; null when it was cut. */
export async function openSocket({
  port,
  target,
  headers = [],
}: Upgrade): Promise<RawSocket | WireAnswer | null> {
  const line = connect({ port, host: "127.0.0.1", noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake: (() => void) | null = null;
  line.on("data", (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    wake?.();
  });
  for (const event of ["error", "end", "close"])
    line.on(event, () => {
      ended = true;
      wake?.();
    });
  const moved = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        line.destroy();
        reject(new SilentServer(`The socket said nothing for ${SILENCE_MS_MAX} ms.`));
      }, SILENCE_MS_MAX);
      wake = () => {
        clearTimeout(timer);
        wake = null;
        resolve();
      };
    });
  const lines = [
    `GET ${target} HTTP/1.1`,
    "Host: fuzz.example",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    ...headers,
  ];
  line.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
  for (;;) {
    const read = readAnswer(received, false, ended);
    if (read) {
      received = received.subarray(read.length);
      if (read.answer.status !== 101) {
        line.destroy();
        return read.answer;
      }
      break;
    }
    if (ended) return null;
    await moved();
  }

  const parse = (): Heard | null => {
    for (;;) {
      const read = readFrame(received);
      if (!read) return null;
      received = received.subarray(read.length);
      if (read.opcode === OPCODES.ping) write(line, frameBytes(OPCODES.pong, read.payload));
      else if (read.opcode === OPCODES.pong) return { kind: "pong" };
      else if (read.opcode === OPCODES.close) return closeOf(read.payload);
      else return { kind: "frame", frame: JSON.parse(read.payload.toString()) as Record<string, unknown> };
    }
  };
  let closed: Heard | null = null;
  const next = async (): Promise<Heard> => {
    for (;;) {
      if (closed) return closed;
      const heard = parse();
      if (heard?.kind === "closed") closed = heard;
      if (heard) return heard;
      if (ended) closed = { kind: "closed", code: null, reason: "" };
      else await moved();
    }
  };
  return {
    write: (bytes) => write(line, bytes),
    sendText: (text) => write(line, frameBytes(OPCODES.text, Buffer.from(text, "latin1"))),
    next,
    async nextAnswer() {
      for (;;) {
        const heard = await next();
        if (heard.kind !== "frame" || !UNASKED.has(String(heard.frame.type))) return heard;
      }
    },
    pause: () => void line.pause(),
    destroy: () => void line.destroy(),
  };
}

function write(line: Socket, bytes: Buffer): void {
  if (!line.destroyed) line.write(bytes);
}

function closeOf(payload: Buffer): Heard {
  if (payload.length < 2) return { kind: "closed", code: null, reason: "" };
  return { kind: "closed", code: payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
}

/** A server's frame: never masked, never fragmented. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (bytes.length < 2) return null;
  const opcode = (bytes[0] as number) & 0x0f;
  const short = (bytes[1] as number) & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extended) return null;
  const size =
    extended === 2 ? bytes.readUInt16BE(2) : extended === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const start = 2 + extended;
  if (bytes.length < start + size) return null;
  return { opcode, payload: bytes.subarray(start, start + size), length: start + size };
}
