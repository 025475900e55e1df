// The other side of a stream benchmark: many cheap clients that read, look for a mark and count nothing else, and a
// subject to talk to. Tables are printed with ratios, because the machines this runs on are noisy.
import { join } from "node:path";
import type { Command, Ready, Usage } from "./stream-subject.ts";

export interface SubjectCommand {
  name: string;
  command: string[];
}

const own = (name: string): string[] => [process.execPath, join(import.meta.dir, "stream-subject.ts"), name];

export const CROWDTAPE: SubjectCommand = { name: "Crowdtape", command: own("crowdtape") };

/** What fan-out is measured against. Another server joins by a program that speaks stream-subject's commands. */
export const FANOUT_PEERS: readonly SubjectCommand[] = [
  { name: "bare Bun server.publish", command: own("bun-publish") },
  { name: "bare Bun, one send a socket", command: own("bun-send") },
];

export interface RunningSubject {
  ready: Ready;
  ask(command: Command): Promise<Usage>;
  stop(): Promise<void>;
}

export async function startSubject({ command }: SubjectCommand): Promise<RunningSubject> {
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const lines = linesOf(child.stdout);
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command.join(" ")} ended`);
    return JSON.parse(value) as T;
  };
  const ready = await next<Ready>();
  return {
    ready,
    async ask(wanted) {
      child.stdin.write(`${JSON.stringify(wanted)}\n`);
      child.stdin.flush();
      return next<Usage>();
    },
    async stop() {
      child.stdin.end();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

export interface Crowd {
  /** Resolves when so many sockets have seen the mark, with the time of each sight. */
  seen(mark: string, sockets: number): Promise<void>;
  close(): void;
}

/** Connections under way at once: more only overflow the listener's queue. */
const CONNECTING_AT_ONCE = 100;

/** Raw sockets that have shaken hands and read; `pathOf` gives each its own path. */
export async function openCrowd(
  port: number,
  count: number,
  pathOf: (index: number) => string,
): Promise<Crowd> {
  const sockets: Bun.Socket<undefined>[] = [];
  let mark: Buffer | null = null;
  let sights = 0;
  let wanted = 0;
  let done = () => {};
  const open = (index: number) =>
    new Promise<void>((resolve, reject) => {
      let shaken = false;
      void Bun.connect({
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
          data(_socket, data) {
            if (!shaken) {
              shaken = true;
              if (data.includes(" 101 ")) resolve();
              else reject(new Error(data.toString().slice(0, 300)));
            }
            if (!mark?.length || !data.includes(mark)) return;
            sights++;
            if (sights === wanted) done();
          },
          close: () => reject(new Error("a socket was closed")),
          error: (_socket, problem) => reject(problem),
        },
      });
    });
  for (let start = 0; start < count; start += CONNECTING_AT_ONCE) {
    const some = Math.min(CONNECTING_AT_ONCE, count - start);
    await Promise.all(Array.from({ length: some }, (_, index) => open(start + index)));
  }
  return {
    seen: (text, sights_) =>
      new Promise((resolve) => {
        mark = Buffer.from(text);
        sights = 0;
        wanted = sights_;
        done = resolve;
      }),
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

export function printTable(title: string, rows: readonly Record<string, string | number>[]): void {
  console.log(`\n${title}`);
  console.table(rows);
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
