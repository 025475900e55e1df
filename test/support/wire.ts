// A wire to a local server that a test can cut: connections stay open and new ones are accepted, but nothing passes, which is
// how a dead peer looks. Restoring it serves new connections; earlier ones stay dead.
import type { Socket } from "bun";

export interface BreakableWire {
  port: number;
  /** How many connections have been opened so far. */
  opened(): number;
  cut(): void;
  restore(): void;
  close(): void;
}

interface End {
  other: Socket<End> | null;
  waiting: Uint8Array[];
  dead: boolean;
}

export async function breakableWire(toPort: number): Promise<BreakableWire> {
  let isCut = false;
  let opened = 0;
  const ends = new Set<End>();
  const pass = (end: End, bytes: Uint8Array) => {
    if (isCut) end.dead = true;
    if (end.dead) return;
    if (end.other) end.other.write(bytes);
    else end.waiting.push(new Uint8Array(bytes));
  };
  const listener = Bun.listen<End>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(near) {
        opened += 1;
        near.data = { other: null, waiting: [], dead: isCut };
        ends.add(near.data);
        if (isCut) return;
        void Bun.connect<End>({
          hostname: "127.0.0.1",
          port: toPort,
          data: { other: near, waiting: [], dead: false },
          socket: {
            open(far) {
              ends.add(far.data);
              near.data.other = far;
              for (const bytes of near.data.waiting.splice(0)) far.write(bytes);
            },
            data: (far, bytes) => pass(far.data, bytes),
            close: (far) => {
              ends.delete(far.data);
              if (!far.data.dead) near.end();
            },
          },
        });
      },
      data: (near, bytes) => pass(near.data, bytes),
      close: (near) => {
        ends.delete(near.data);
        near.data.other?.end();
      },
    },
  });
  return {
    port: listener.port,
    opened: () => opened,
    cut() {
      isCut = true;
      for (const end of ends) end.dead = true;
    },
    restore() {
      isCut = false;
    },
    close: () => listener.stop(true),
  };
}
