// The journal: the world's identity and its schedule, one checksummed line each. A line is on disk before the world acts on
// it, so anything anyone saw before a crash can be replayed. A torn last line counts as not written.
import { open, readFile, rename } from "node:fs/promises";
import { hash32 } from "../../kit/random.ts";
import type { Segment } from "../world/schedule.ts";
import type { WorldIdentity } from "./identity.ts";

interface JournalContent {
  identity: WorldIdentity;
  segments: Segment[];
}

/** The file's contents, up to the first corrupt line; undefined when not even the identity can be read. */
export async function readJournal(path: string): Promise<JournalContent | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines: unknown[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const tab = line.lastIndexOf("\t");
    const body = line.slice(0, tab);
    if (tab < 0 || line.slice(tab + 1) !== sum(body)) break;
    lines.push(JSON.parse(body));
  }
  const [identity, ...segments] = lines;
  return identity === undefined
    ? undefined
    : { identity: identity as WorldIdentity, segments: segments as Segment[] };
}

export class WorldJournal {
  readonly #path: string;
  /** Writes run one after the other. */
  #tail: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once the segments are on the disk. */
  append(segments: readonly Segment[]): Promise<void> {
    return this.#after(async () => {
      const file = await open(this.#path, "a");
      try {
        await file.writeFile(segments.map(line).join(""));
        await file.datasync();
      } finally {
        await file.close();
      }
    });
  }

  /** Replaces the journal by one with only this, atomically. */
  rewrite(identity: WorldIdentity, segments: () => readonly Segment[]): Promise<void> {
    return this.#after(async () => {
      const temporary = `${this.#path}.new`;
      const file = await open(temporary, "w");
      try {
        await file.writeFile([identity, ...segments()].map(line).join(""));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
    });
  }

  #after(write: () => Promise<void>): Promise<void> {
    const written = this.#tail.then(write);
    this.#tail = written.catch(() => undefined);
    return written;
  }
}

function line(value: unknown): string {
  const body = JSON.stringify(value);
  return `${body}\t${sum(body)}\n`;
}

function sum(body: string): string {
  return hash32(body).toString(36);
}
