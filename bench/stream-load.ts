// The other side of a stream benchmark: subjects to control, and many cheap clients that read, look for a mark and count
// nothing else, so that the load costs less than the subject.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "./kit/child.ts";
import { onServerCore } from "./kit/machine.ts";
import { nodePeer } from "./kit/peers.ts";
import { START_ENVIRONMENT } from "./kit/product.ts";
import type { Ready, StreamCommand, SubjectUsage } from "./stream-subject.ts";

export interface SubjectCommand {
  name: string;
  command: string[];
  greeting?: Greeting;
}

/** The client's message after the handshake, if the server waits for one, and the server's reply. */
export interface Greeting {
  hello: string;
  welcome: string;
}

const own = (file: string, ...given: string[]): string[] => [
  process.execPath,
  join(import.meta.dir, file),
  ...given,
];

export const CROWDTAPE: SubjectCommand = {
  name: "Crowdtape",
  command: own("stream-subject.ts", "crowdtape"),
};
export const BARE_BUN: SubjectCommand = {
  name: "bare Bun, server.publish",
  command: own("stream-subject.ts", "bun-publish"),
};
export const WS = "ws on Node";
export const SOCKET_IO = "Socket.IO on Node";
export const NATS = "NATS server";

/** The other servers; `frame` is a file with one of our frames, so that all send the same bytes. */
export const otherServers = async (frame: string): Promise<SubjectCommand[]> => [
  BARE_BUN,
  { name: WS, command: await nodePeer("sockets", "ws", frame) },
  {
    name: SOCKET_IO,
    command: await nodePeer("sockets", "socketio", frame),
    greeting: { hello: "40", welcome: "40{" },
  },
  {
    name: NATS,
    command: own("nats-subject.ts", frame),
    greeting: {
      hello: 'CONNECT {"verbose":false,"protocol":1}\r\nSUB all 1\r\nPING\r\n',
      welcome: "PONG",
    },
  },
];

export interface RunningSubject {
  ready: Ready;
  ask(command: StreamCommand): Promise<SubjectUsage>;
  stop(): Promise<void>;
}

export async function startSubject({ command }: SubjectCommand): Promise<RunningSubject> {
  const child = startChild(onServerCore(command), START_ENVIRONMENT);
  const ready = await child.next<Ready>();
  return {
    ready,
    async ask(wanted) {
      child.say(wanted);
      return child.next<SubjectUsage>();
    },
    stop: child.stop,
  };
}

/** Saves one frame as our server sends it, with MARK in place of each event's mark. */
export async function keepFrame(running: RunningSubject, file: string): Promise<void> {
  const { port, path } = running.ready;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const frame = new Promise<string>((resolve) =>
    socket.addEventListener("message", ({ data }) => {
      if (String(data).includes("MARK")) resolve(String(data));
    }),
  );
  await running.ask({ do: "publish", events: 1, mark: "MARK" });
  writeFileSync(file, await frame);
  socket.close();
}

export interface Crowd {
  /** Resolves when this many sockets have seen the mark; rejects when that takes longer than any server needs. */
  seen(mark: string, sockets: number): Promise<void>;
  close(): void;
}

const SEEN_WAIT_MS = 20_000;
const NOTHING = Buffer.alloc(0);
/** Connections opened at a time: more would only overflow the listener's queue. */
const CONNECTING_MAX = 100;

/** Raw sockets after handshake and welcome, reading; `pathOf` gives each its own path. */
export async function openCrowd(
  port: number,
  count: number,
  pathOf: (index: number) => string,
  greeting?: Greeting,
): Promise<Crowd> {
  const sockets: Bun.Socket<undefined>[] = [];
  let mark: Buffer | null = null;
  let sights = 0;
  let wanted = 0;
  let done = () => {};
  const open = (index: number) =>
    new Promise<void>((resolve, reject) => {
      let shaken = false;
      let greeted: string | null = "";
      // The end of the previous chunk: a mark may be split over two.
      let tail = NOTHING;
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open(socket) {
            sockets.push(socket);
            socket.write(
              `GET ${pathOf(index)} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            );
          },
          data(socket, data) {
            if (!shaken) {
              shaken = true;
              if (!data.includes(" 101 ")) return reject(new Error(data.toString().slice(0, 300)));
              if (greeting) socket.write(clientFrame(greeting.hello));
            }
            if (greeted !== null) {
              if (greeting) greeted += data.toString("latin1");
              // Before this it is unknown whether the socket will receive the next event.
              if (!greeted.includes(greeting?.welcome ?? "")) return;
              greeted = null;
              resolve();
            }
            if (!mark) return;
            if (
              !data.includes(mark) &&
              !Buffer.concat([tail, data.subarray(0, mark.length)]).includes(mark)
            ) {
              tail = Buffer.from(data.subarray(-mark.length));
              return;
            }
            tail = NOTHING;
            sights++;
            if (sights === wanted) done();
          },
          close: () => reject(new Error("a socket was closed")),
          error: (_socket, error) => reject(error),
        },
      }).catch(reject);
    });
  for (let start = 0; start < count; start += CONNECTING_MAX) {
    const some = Math.min(CONNECTING_MAX, count - start);
    await Promise.all(Array.from({ length: some }, (_, index) => open(start + index)));
  }
  return {
    seen: (text, sights_) =>
      new Promise((resolve, reject) => {
        if (sights_ === 0) return resolve();
        const timer = setTimeout(
          () => reject(new Error(`${sights} of ${sights_} sockets saw an event in ${SEEN_WAIT_MS} ms`)),
          SEEN_WAIT_MS,
        );
        mark = Buffer.from(text);
        sights = 0;
        wanted = sights_;
        done = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** A text frame as a client must send it: masked, here with zeros. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text);
  if (body.length > 125) throw new RangeError("a hello of more than 125 bytes");
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}
