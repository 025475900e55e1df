// A WebSocket for Node 20, which has none without a flag: only the part that the streams need. It reads text and close frames,
// answers pings, and offers no extension; a frame that violates the protocol ends the connection.
import { createHash, randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const OPCODES = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;
/** Far above any frame of the service. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** How long the other side may take to close. */
const CLOSE_WITHIN_MS = 1_000;
const ABNORMAL = 1006;
const NO_CODE = 1005;

interface WireFrame {
  isLast: boolean;
  opcode: number;
  payload: Buffer;
  rest: Buffer;
}

export class NodeSocket {
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  #socket: Duplex | null = null;
  #received = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #isOver = false;

  constructor(url: string) {
    const key = randomBytes(16).toString("base64");
    const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
    const target = new URL(url.replace(/^ws/, "http"));
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
    };
    const asked = (target.protocol === "https:" ? requestHttps : requestHttp)(target, { headers });
    asked.on("upgrade", (answer, socket, head) => {
      if (this.#isOver || answer.headers["sec-websocket-accept"] !== accept) {
        socket.destroy();
        return this.#finish(ABNORMAL, "");
      }
      this.#socket = socket;
      socket.on("data", (bytes: Buffer) => this.#read(bytes));
      socket.on("error", () => {});
      socket.on("close", () => this.#finish(ABNORMAL, ""));
      this.#read(head);
    });
    asked.on("response", (answer) => {
      answer.resume();
      this.#finish(ABNORMAL, "");
    });
    asked.on("error", () => this.#finish(ABNORMAL, ""));
    asked.end();
  }

  close(code = 1000): void {
    const socket = this.#socket;
    if (socket) {
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      this.#send(OPCODES.close, payload);
      setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
    } else this.#finish(ABNORMAL, "");
  }

  #finish(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.({ code, reason } as never);
  }

  #fail(): void {
    this.#socket?.destroy();
    this.#finish(ABNORMAL, "");
  }

  #read(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let frame = frameOf(this.#received); frame !== null; frame = frameOf(this.#received)) {
      if (this.#isOver) return;
      if (frame === "broken") this.#fail();
      else {
        this.#received = Buffer.from(frame.rest);
        this.#take(frame);
      }
    }
  }

  #take({ opcode, payload, isLast }: WireFrame): void {
    if (opcode === OPCODES.ping) this.#send(OPCODES.pong, payload);
    else if (opcode === OPCODES.close) {
      this.#send(OPCODES.close, payload.subarray(0, 2));
      this.#socket?.end();
      const code = payload.length >= 2 ? payload.readUInt16BE() : NO_CODE;
      this.#finish(code, payload.subarray(2).toString());
    } else if (opcode === OPCODES.text || opcode === OPCODES.continuation) {
      this.#parts.push(payload);
      const length = this.#parts.reduce((sum, part) => sum + part.length, 0);
      if (length > MESSAGE_BYTES_MAX) this.#fail();
      else if (isLast) {
        const data = Buffer.concat(this.#parts).toString();
        this.#parts = [];
        this.onmessage?.({ data } as never);
      }
    }
  }

  /** A client's frames are masked; these are short. */
  #send(opcode: number, payload: Buffer): void {
    const mask = randomBytes(4);
    const masked = payload.map((byte, index) => byte ^ Number(mask[index % 4]));
    this.#socket?.write(Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, masked]));
  }
}

/** The first whole frame; null while it is incomplete. */
function frameOf(bytes: Buffer): WireFrame | "broken" | null {
  if (bytes.length < 2) return null;
  const [first = 0, second = 0] = bytes;
  // No extension was offered, and a server does not mask.
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0) return "broken";
  const short = second & 0x7f;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head) return null;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > MESSAGE_BYTES_MAX) return "broken";
  if (bytes.length < head + length) return null;
  return {
    isLast: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    payload: Buffer.from(bytes.subarray(head, head + length)),
    rest: bytes.subarray(head + length),
  };
}
