// WebSocket frames that violate the rules, and floods of them. Each case must end as stated: closed with one of the codes, or
// cut; a socket that broke no rule stays open.
import { frameBytes, type Heard, OPCODES, openSocket, type RawSocket } from "./ws.ts";

interface SocketCase {
  name: string;
  send(socket: RawSocket): void;
  /** Close codes that may follow; null is a connection cut without one. Empty: it must stay open. */
  closes: (number | null)[];
}

const { text, binary, continuation, close, ping } = OPCODES;
const PING = Buffer.from('{"action":"ping"}');
const PROTOCOL = [1002, 1007, 1006, null];
const lengthOnly = (size: bigint) => {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0xff;
  head.writeBigUInt64BE(size, 2);
  return head;
};

const CASES: SocketCase[] = [
  {
    name: "a frame just within the bound",
    closes: [4004],
    send: (s) => s.write(frameBytes(text, Buffer.alloc(65_536, 0x20))),
  },
  {
    name: "a frame above the bound",
    closes: [1009],
    send: (s) => s.write(frameBytes(text, Buffer.alloc(65_537, 0x20))),
  },
  {
    name: "a frame of 5 MB",
    closes: [1009],
    send: (s) => s.write(frameBytes(text, Buffer.alloc(5_000_000, 0x20))),
  },
  { name: "a length of 2^62", closes: [1009, ...PROTOCOL], send: (s) => s.write(lengthOnly(2n ** 62n)) },
  {
    name: "a length of 2^64 - 1",
    closes: [1009, ...PROTOCOL],
    send: (s) => s.write(lengthOnly(2n ** 64n - 1n)),
  },
  {
    name: "fragments that are too much together",
    closes: [1009],
    send(s) {
      s.write(frameBytes(text, Buffer.alloc(40_000, 0x20), { fin: false }));
      s.write(frameBytes(continuation, Buffer.alloc(40_000, 0x20)));
    },
  },
  {
    name: "fragments without end",
    closes: [1009],
    send(s) {
      s.write(frameBytes(text, Buffer.from(" "), { fin: false }));
      const some = Buffer.concat(
        Array.from({ length: 1_000 }, () =>
          frameBytes(continuation, Buffer.alloc(100, 0x20), { fin: false }),
        ),
      );
      for (let times = 0; times < 20; times++) s.write(some);
    },
  },
  {
    name: "a frame in many fragments, with a ping between",
    closes: [],
    send(s) {
      for (const [at, byte] of PING.entries())
        s.write(
          frameBytes(at === 0 ? text : continuation, Buffer.from([byte]), { fin: at === PING.length - 1 }),
        );
      s.write(frameBytes(ping, Buffer.from("x")));
    },
  },
  {
    name: "a continuation of nothing",
    closes: PROTOCOL,
    send: (s) => s.write(frameBytes(continuation, PING)),
  },
  {
    name: "a new frame within a fragmented one",
    closes: PROTOCOL,
    send(s) {
      s.write(frameBytes(text, PING, { fin: false }));
      s.write(frameBytes(text, PING));
    },
  },
  {
    name: "text that is no UTF-8",
    closes: [1007, null],
    send: (s) => s.write(frameBytes(text, Buffer.from([0x22, 0xff, 0xfe, 0x22]))),
  },
  {
    name: "half a surrogate pair as UTF-8",
    closes: [1007, null],
    send: (s) => s.write(frameBytes(text, Buffer.from([0xed, 0xa0, 0x80]))),
  },
  { name: "binary", closes: [4004], send: (s) => s.write(frameBytes(binary, PING)) },
  {
    name: "an unmasked frame",
    closes: PROTOCOL,
    send: (s) => s.write(frameBytes(text, PING, { masked: false })),
  },
  { name: "a reserved bit", closes: PROTOCOL, send: (s) => s.write(frameBytes(text, PING, { reserved: 4 })) },
  { name: "an unknown opcode", closes: PROTOCOL, send: (s) => s.write(frameBytes(3, PING)) },
  {
    name: "an unknown control frame",
    closes: PROTOCOL,
    send: (s) => s.write(frameBytes(11, Buffer.alloc(0))),
  },
  {
    name: "a ping that is too long",
    closes: PROTOCOL,
    send: (s) => s.write(frameBytes(ping, Buffer.alloc(126))),
  },
  {
    name: "a ping in fragments",
    closes: PROTOCOL,
    send: (s) => s.write(frameBytes(ping, PING, { fin: false })),
  },
  {
    name: "a close of one byte",
    closes: [1002, 1005, 1000, ...PROTOCOL],
    send: (s) => s.write(frameBytes(close, Buffer.from([3]))),
  },
  {
    name: "a close with a forbidden code",
    closes: [1002, 1005, 1000, ...PROTOCOL],
    send: (s) => s.write(frameBytes(close, Buffer.from([0x03, 0xed]))),
  },
  {
    name: "a flood of frames",
    closes: [4029],
    send: (s) => s.write(Buffer.concat(Array(500).fill(frameBytes(text, PING)))),
  },
  {
    name: "a flood of pings",
    closes: [4029],
    send: (s) => s.write(Buffer.concat(Array(500).fill(frameBytes(ping, Buffer.from("x"))))),
  },
  {
    name: "HTTP on a socket",
    closes: PROTOCOL,
    send: (s) => s.write(Buffer.from("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")),
  },
  {
    name: "half a frame, and gone",
    closes: [null],
    send(s) {
      s.write(frameBytes(text, PING).subarray(0, 5));
      s.destroy();
    },
  },
];

/** Errors of all cases on one stream. */
export async function abuseSockets(port: number, path: string, key: string): Promise<string[]> {
  const errors: string[] = [];
  for (const one of CASES) {
    const socket = await openSocket({ port, target: `${path}?key=${key}` });
    if (socket === null || !("next" in socket)) {
      errors.push(`${one.name}: no socket (${socket?.status})`);
      continue;
    }
    const first = await socket.next();
    if (first.kind !== "frame") errors.push(`${one.name}: no welcome`);
    one.send(socket);
    const heard = await ending(socket, one.closes.length === 0);
    socket.destroy();
    const code = heard.kind === "closed" ? heard.code : "alive";
    const fits = heard.kind === "closed" ? one.closes.includes(heard.code) : one.closes.length === 0;
    if (!fits) errors.push(`${path}, ${one.name}: ${code}, not ${one.closes.join(" or ") || "alive"}`);
  }
  return errors;
}

/** The close; or, for a socket that should stay open, the answer to its ping. */
async function ending(socket: RawSocket, lives: boolean): Promise<Heard> {
  for (;;) {
    const heard = await socket.nextAnswer();
    if (heard.kind === "closed") return heard;
    if (lives && heard.kind === "frame" && heard.frame.type === "pong") return heard;
  }
}
