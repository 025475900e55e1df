// A TCP proxy on this machine that can disturb its traffic: late, slow, in slices, stuck, reset or cut. Between faults it
// passes every byte in order. Which connection is hit and after how many bytes follows from its seed.
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Random } from "../../kit/random.ts";

export type WireFault =
  /** Every chunk is delayed by this long, plus up to as much again at random. */
  | { kind: "latency"; delayMs: number }
  | { kind: "bandwidth"; bytesPerSecond: number }
  /** Connections stay open and are accepted, nothing passes; afterwards all of it does. */
  | { kind: "stall" }
  /** Only the server's answers are stuck: requests still reach it. */
  | { kind: "stallAnswers" }
  /** Open connections are reset at once, new ones after some bytes of the server's answer. */
  | { kind: "reset"; afterBytesMax: number }
  /** Chunks of at most this many bytes, each on its own. */
  | { kind: "slice"; bytesMax: number }
  /** Open connections end mid-stream, and new ones end at once. */
  | { kind: "cut" };

export interface FaultProxy {
  port: number;
  /** The fault from now on, until the next call; null means none. */
  set(fault: WireFault | null): void;
  close(): Promise<void>;
}

/** How much one direction of a connection buffers before it stops reading. */
const HELD_BYTES_MAX = 256 * 1024;
const BANDWIDTH_TICK_MS = 20;

interface Wire {
  fault(): WireFault | null;
  /** Resolves at the next change of fault. */
  changed(): Promise<void>;
  random: Random;
}

interface Connection {
  near: Socket;
  far: Socket;
  /** Reset after this many bytes of the answer. */
  resetAfterBytes: number;
}

export async function faultProxy(toPort: number, random: Random): Promise<FaultProxy> {
  let fault: WireFault | null = null;
  let wake: () => void = () => {};
  let change = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const wire: Wire = { fault: () => fault, changed: () => change, random };
  const open = new Set<Connection>();

  const resetLimit = () => (fault?.kind === "reset" ? random.below(fault.afterBytesMax) : Infinity);
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => {});
    if (fault?.kind === "cut") return void near.destroy();
    const far = connect({ port: toPort, host: "127.0.0.1", allowHalfOpen: true });
    const connection: Connection = { near, far, resetAfterBytes: resetLimit() };
    open.add(connection);
    near.setNoDelay(true);
    far.setNoDelay(true);
    far.on("error", () => near.destroy());
    const over = () => {
      if (near.destroyed && far.destroyed) open.delete(connection);
    };
    near.on("close", () => {
      far.destroy();
      over();
    });
    far.on("close", over);
    void pump({ from: near, to: far, stuck: ["stall"], wire, passed: () => {} });
    void pump({
      from: far,
      to: near,
      stuck: ["stall", "stallAnswers"],
      wire,
      passed: (bytes) => {
        connection.resetAfterBytes -= bytes;
        if (connection.resetAfterBytes < 0) reset(connection);
      },
    });
  });
  const port = await listen(server);
  return {
    port,
    set(next) {
      fault = next;
      wake();
      change = new Promise((resolve) => {
        wake = resolve;
      });
      for (const connection of open) {
        if (next?.kind === "reset") reset(connection);
        else connection.resetAfterBytes = Infinity;
        if (next?.kind === "cut") connection.near.destroy();
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { near, far } of open) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address && typeof address === "object") resolve(address.port);
    });
  });
}

function reset({ near, far }: Connection): void {
  near.resetAndDestroy();
  far.resetAndDestroy();
}

interface Direction {
  from: Socket;
  to: Socket;
  /** The faults that block all traffic in this direction. */
  stuck: readonly WireFault["kind"][];
  wire: Wire;
  passed(bytes: number): void;
}

/** One direction, until either side is gone. */
async function pump({ from, to, stuck, wire, passed }: Direction): Promise<void> {
  const queue: { bytes: Buffer; at: number }[] = [];
  let held = 0;
  let ended = false;
  let wake: () => void = () => {};
  const over = () => from.destroyed || to.destroyed;
  from.on("data", (bytes: Buffer) => {
    queue.push({ bytes, at: performance.now() });
    held += bytes.length;
    if (held > HELD_BYTES_MAX) from.pause();
    wake();
  });
  const finish = () => {
    ended = true;
    wake();
  };
  from.on("end", finish);
  from.on("close", finish);
  to.on("close", finish);

  while (!over() || (queue.length > 0 && !to.destroyed)) {
    const next = queue[0];
    if (!next) {
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const fault = wire.fault();
    if (fault && stuck.includes(fault.kind)) {
      await wire.changed();
      continue;
    }
    if (fault?.kind === "latency") {
      const dueMs = next.at + fault.delayMs * (1 + wire.random.next()) - performance.now();
      if (dueMs > 0) await Promise.race([Bun.sleep(dueMs), wire.changed()]);
    }
    const piece = next.bytes.subarray(0, pieceOf(fault));
    if (piece.length === next.bytes.length) queue.shift();
    else next.bytes = next.bytes.subarray(piece.length);
    held -= piece.length;
    if (from.isPaused() && held <= HELD_BYTES_MAX / 2) from.resume();
    if (to.destroyed) return;
    if (!to.write(piece)) await drained(to);
    passed(piece.length);
    if (fault?.kind === "bandwidth") await Promise.race([Bun.sleep(BANDWIDTH_TICK_MS), wire.changed()]);
    else if (fault?.kind === "slice") await Bun.sleep(0);
  }
  if (!to.destroyed) to.end();
}

function pieceOf(fault: WireFault | null): number {
  if (fault?.kind === "slice") return Math.max(1, fault.bytesMax);
  if (fault?.kind === "bandwidth")
    return Math.max(1, Math.floor((fault.bytesPerSecond * BANDWIDTH_TICK_MS) / 1000));
  return Infinity;
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      socket.off("drain", finish);
      socket.off("close", finish);
      resolve();
    };
    socket.on("drain", finish);
    socket.on("close", finish);
  });
}
